/* modules.h: modules, their kernels and variables. */
#ifndef MODULES_H
#define MODULES_H

#include "partition/access_cache.h"
#include "partition/interpose/gpu/virtual_gpu.h"
#include "partition/interpose/report/reasons.h"

struct function {
    struct function *next;
    struct module *module;
    char *name;
    CUfunction *handle; /* on each device; the program knows the first */
    size_t parameters;  /* of the kernel as the program knows it */
    size_t *offset, *size;
    size_t parameter_bytes;
    struct partition_kernel *kernel; /* NULL: not in the data base */
    char one_device[REASON_BYTES];   /* why it cannot be split; "": it can */
    struct access_cache accesses;    /* what launches of it access: accesses.c */
    bool by_numbers;                 /* single launches may be analysed: numbers.c */
    struct numbered *numbered;       /* those that were */
    int analysed;                    /* how many for the first time */
};

struct module {
    struct module *next;
    CUmodule *handle; /* on each device; only the first if it is not promoted */
    bool promoted;    /* its kernels take their place on the grid as one more argument */
    char one_device[REASON_BYTES];       /* why not */
    struct partition_database *database; /* NULL: `no_database` */
    char no_database[REASON_BYTES];
    char *text; /* its PTX, where kernels of it can be analysed for single launches; NULL: not */
    struct function *functions;
};

/* An image as the program gave it: a file or memory, with the options of cuModuleLoadDataEx. */
struct image {
    const char *path;
    const void *data;
    unsigned option_count;
    CUjit_option *options;
    void **option_values;
};

CUresult modules_load(struct virtual_gpu *gpu, const struct image *image, CUmodule *handle);
/* The same for kernels that nvcc put into the program, unless none of them gains by it: then the
 * driver's own library serves. DM_UNAVAILABLE, DM_INVALID (a data base of something else),
 * DM_NO_MEMORY. */
enum dm_status modules_load_library(struct virtual_gpu *gpu, const char *ptx,
                                    struct module **loaded);
CUresult modules_unload(struct virtual_gpu *gpu, struct module *module);
/* NULL if there is none of that handle, as for modules that were made in other ways. */
struct module *modules_find(const struct virtual_gpu *gpu, CUmodule handle);

CUresult functions_get(struct virtual_gpu *gpu, struct module *module, const char *name,
                       CUfunction *handle);
struct function *functions_find(const struct virtual_gpu *gpu, CUfunction handle);
/* Kernels that nvcc put into the program, too. DM_UNAVAILABLE: it runs on device 0 as it is. */
enum dm_status functions_by_handle(struct virtual_gpu *gpu, CUfunction handle,
                                   struct function **function);
/* Of any kernel, for lines about it. */
const char *functions_name(CUfunction handle);
void functions_free(struct function *function);
/* How many arguments the kernel has, without members of structures. */
size_t functions_own_arguments(const struct partition_kernel *kernel);
/* Where an argument, or a member of one, lies in the arguments of a launch, in bytes. */
size_t functions_argument_at(const struct function *function, const struct partition_kernel *kernel,
                             size_t argument);
/* Fails if the data base's kernel does not have the arguments of the one that was loaded. */
enum dm_status functions_check(const struct function *function,
                               const struct partition_kernel *kernel);

/* A variable of the module becomes a buffer: on each device where that has it. */
CUresult modules_get_global(struct virtual_gpu *gpu, struct module *module, const char *name,
                            CUdeviceptr *address, size_t *bytes);

#endif
