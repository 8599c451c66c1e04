/* promote.h: kernels that know their place on the whole grid.
 *
 * A promoted kernel has one more parameter at the end, a struct promoted_place. Its block index is
 * that of the launch plus `offset`, its grid size is `grid`: launched on a part of the grid it does
 * what the blocks of that part do in a launch of the whole. Where a kernel uses its block index
 * only for its thread index, it adds `first_thread` to that instead: all three must agree. */
#ifndef PROMOTE_H
#define PROMOTE_H

#include "partition.h"

struct promoted_place {
    unsigned offset[3]; /* blocks */
    unsigned grid[3];   /* blocks of the whole grid */
    /* offset times the block size, in threads, modulo 2^32 as in a kernel's own arithmetic */
    unsigned first_thread[3];
};

/* Rewrites the text of a PTX module; the caller frees the result. Device functions that are not
 * inlined and need the place get it from their callers. NULL with the reason for what is not
 * understood or cannot be promoted (such a function called through a pointer, clusters, cooperative
 * launches, memory exhausted). *kernels: number of kernels promoted. `ptx` ends with a 0. */
char *promote_ptx(const char *ptx, size_t *kernels, char reason[PARTITION_REASON]);

#endif
