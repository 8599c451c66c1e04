/* promote_index.h: thread indices as compilers write them.
 *
 *     mov.u32 %r4, %ctaid.x;   mov.u32 %r5, %ntid.x;   mov.u32 %r6, %tid.x;
 *     mad.lo.s32 %r1, %r4, %r5, %r6;
 *
 * Where a routine uses a block index for nothing else, the first thread of the part is added behind
 * the mad. The block index plus an offset would be right too, but it is the same for all threads of
 * a block: ptxas computes it on the uniform data path of sm_75 and later, and the way from there to
 * the first load of a short kernel is longer (81 instead of 48 issue cycles to the guard of
 * stencil5p by ptxas 13.0 for sm_90, 45 before promotion). */
#ifndef PROMOTE_INDEX_H
#define PROMOTE_INDEX_H

#include "promote_scan.h"

enum { GRID_DIMENSIONS = 3 };

/* The registers that hold %ctaid and %ntid of each dimension; block[d] is empty (length 0) where a
 * routine does not use %ctaid in this way only. */
struct ptx_indices {
    struct ptx_token block[GRID_DIMENSIONS], size[GRID_DIMENSIONS];
};

/* Of a routine with a body. */
struct ptx_indices ptx_find_indices(const struct ptx_routine *routine);

/* The dimension in which the instruction that begins at `text` computes a thread index, which goes
 * to the register *thread; -1 for other instructions. */
int ptx_index_computed(const struct ptx_indices *indices, const char *text,
                       struct ptx_token *thread);

#endif
