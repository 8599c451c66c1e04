/* numbers.h: kernels that are analysed for one launch alone.
 *
 * A loop that steps by the size of the grid, or an index that is a product of arguments, is no
 * affine function of what a kernel is given, but it is one as soon as the sizes of grid and blocks
 * and the values of the integers are numbers. So a launch of a kernel that is refused, or counts as
 * reading whole arrays, is analysed again with its numbers put in, while the program waits; the
 * result is kept in the folder of data bases, for the next program. */
#ifndef NUMBERS_H
#define NUMBERS_H

#include "launches.h"

/* The kernel as it is in this launch; NULL: no more is known than of its function. */
const struct partition_kernel *numbers_kernel(struct virtual_gpu *gpu, const struct launch *launch);
void numbers_free(struct function *function);

#endif
