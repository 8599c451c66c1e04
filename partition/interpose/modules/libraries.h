/* libraries.h: kernels that nvcc put into the program.
 *
 * CUDA's run time hands each fat binary to the driver as a library, and launches kernels of it by
 * handles that hold for all contexts. Here a library becomes a module on all devices when a kernel
 * or variable of it is first used; one that cannot be split at all stays CUDA's own. */
#ifndef LIBRARIES_H
#define LIBRARIES_H

#include "modules.h"

#ifndef SOFTGPU

/* Notes that the driver has loaded the image, or the file, as that library. Without memory it stays
 * CUDA's own. */
void libraries_loaded(CUlibrary handle, const void *image, const char *path);
void libraries_unloaded(struct virtual_gpu *gpu, CUlibrary handle);
void libraries_kernel(CUlibrary handle, CUkernel kernel, const char *name);

/* The module that the library became; NULL: it stays CUDA's own, or is not known. */
struct module *libraries_module(struct virtual_gpu *gpu, CUlibrary handle);

/* The kernel's function on all devices, by the program's handle. DM_UNAVAILABLE: it runs on device
 * 0 as it is; *is_known tells whether it is a kernel of a library at all. */
enum dm_status libraries_function(struct virtual_gpu *gpu, CUfunction handle,
                                  struct function **function, bool *is_known);

/* A name for lines about a kernel; NULL: not known here. */
const char *libraries_kernel_name(CUfunction handle);

#endif

/* The modules are gone with their contexts. */
void libraries_forget_modules(void);

#endif
