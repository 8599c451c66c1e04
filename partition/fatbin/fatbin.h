/* fatbin.h: the PTX in what nvcc puts into programs.
 *
 * A fat binary holds a kernel file's code for several GPUs, as machine code and as PTX:
 *
 *     wrapper       magic, version, pointer ------+        (24 bytes; in a program's
 * .nvFatBinSegment) fat binary    magic, header, size <---------+        (in .nv_fatbin) entry
 * kind, GPU, how it is compressed text or machine code entry ...
 *
 * No length in it is trusted: what reaches beyond its container is malformed. */
#ifndef FATBIN_H
#define FATBIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <datamotion/status.h>

/* Whether an image as programs hand it to the driver is a wrapper or a fat binary. */
bool fatbin_is_image(const void *image);

/* The fat binary of such an image; its size is what its header says, since memory has no other
 * end. DM_INVALID: the wrapper or the header is of an unknown kind. */
enum dm_status fatbin_of_image(const void *image, const void **binary, size_t *bytes);

/* The size of the fat binary that begins at `binary`, of which `bytes` bytes are there; 0: none
 * does. */
size_t fatbin_size(const void *binary, size_t bytes);

/* The PTX in a fat binary that suits a GPU of this compute capability (90 for 9.0; 0: any) best,
 * with a 0 behind; the caller frees it. *architecture is what it was compiled for. DM_UNAVAILABLE:
 * there is none, or its compression cannot be undone here; DM_INVALID: malformed; DM_NO_MEMORY. */
enum dm_status fatbin_ptx(const void *binary, size_t bytes, unsigned capability, char **ptx,
                          unsigned *architecture);

#endif
