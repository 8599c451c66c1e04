/* foreign.h: memory of an image of this node that is not shared: the target of a pointer component
 * that was not allocated through it (x%p => a). This image's own is memory like any other; that of
 * others the kernel copies from process to process, where the administrator lets it. */
#ifndef COARRAYS_GFORTRAN_FOREIGN_H
#define COARRAYS_GFORTRAN_FOREIGN_H

#include <stdbool.h>
#include <stddef.h>

#include <datamotion/coarrays.h>

/* Others may read and write this process's memory. */
void foreign_start(void);

bool foreign_is_near(int image);

/* `address` is one in the image's process. */
enum dm_status foreign_get(int image, size_t address, const struct caf_strides *strides, void *to,
                           const struct caf_strides *to_strides, const struct caf_shape *shape);
enum dm_status foreign_put(int image, size_t address, const struct caf_strides *strides,
                           const void *from, const struct caf_strides *from_strides,
                           const struct caf_shape *shape);

#endif
