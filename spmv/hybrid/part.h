/* part.h: a block of rows of a matrix, with only those columns that it uses.
 *
 *     vector of the block:   own elements, and before (or, for the first block, behind) them the
 *                            halo: what the block reads of the others, in ascending order
 *
 * The columns keep the order of the matrix, so the sum of a row has the same order as in the whole
 * matrix, and entries need not be sorted again. */
#ifndef SPMV_HYBRID_PART_H
#define SPMV_HYBRID_PART_H

#include <datamotion/spmv.h>

/* Where its own elements begin behind a halo: a multiple of this, so that a warp's accesses to
 * them are aligned. */
enum { HYBRID_ALIGNMENT = 32 };

struct hybrid_part {
    int64_t rows;        /* and own elements; 0: there is no such part */
    int64_t columns;     /* length of its vector */
    int64_t own_first;   /* where the own elements begin in the vector */
    int64_t halo_first;  /* and where the halo */
    int64_t halo;        /* elements of the halo */
    int32_t *halo_index; /* which of the other part's own elements they are, ascending */
};

/* Describes rows [first, first + count) of a square matrix that is cut in two, and makes `coo` of
 * them; close both. Nothing is done for a count of 0. Nothing is left after an error. */
enum dm_status hybrid_part_open(struct hybrid_part *part, struct spmv_coo *coo,
                                const struct spmv_coo *whole, int64_t first, int64_t count);
void hybrid_part_close(struct hybrid_part *part);

#endif
