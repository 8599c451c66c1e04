/* bench_copy.h: direct access: the threads of a kernel copy between page-locked host memory and the
 * device, without a copy engine. What the copy blocks of a persistent kernel do, alone. Source:
 * Cui, 4.3.3. */
#ifndef BENCH_COPY_H
#define BENCH_COPY_H

#include <stdbool.h>
#include <stddef.h>

#include "common/gpu.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { DIRECT_FLOWS_MAX = 4 };

/* One array on its way in or out: pieces of the same size, one after the other. */
struct direct_flow {
    const void *from;
    void *to;
    bool inward;        /* `from` is host memory, `to` the device's */
    size_t piece_bytes; /* a multiple of the word's bytes */
    unsigned *arrived;  /* one counter per piece; raised, after a fence, when a part is stored */
    int blocks;         /* of direct_copy; at most those of the shape */
};

struct direct_shape {
    int flows;       /* 1 to DIRECT_FLOWS_MAX, copied at the same time */
    int blocks;      /* of each flow, at most; interleaved: of all together */
    int threads;     /* of a block */
    int vector_bits; /* of a load or store: 32 or 128 */
    long pieces;     /* of each flow; interleaved: 1 */
};

/* Contiguous pieces. With more blocks than pieces all blocks share each piece, else they take
 * pieces in turn. */
cudaError_t direct_copy(const struct direct_shape *shape, const struct direct_flow *flows,
                        cudaStream_t stream);

/* How often direct_copy raises the counter of a piece. */
unsigned direct_raises(const struct direct_shape *shape, const struct direct_flow *flow);

/* Interleaved access: a thread copies the same elements of all flows (3 or 4), one array after the
 * other. Counters are not used. */
cudaError_t direct_copy_interleaved(const struct direct_shape *shape,
                                    const struct direct_flow *flows, cudaStream_t stream);

/* Pieces that are panels of columns of a row-major matrix: apart in host memory, packed on the
 * device. */
struct direct_matrix {
    size_t rows;
    size_t pitch;       /* bytes from row to row in host memory */
    size_t panel_bytes; /* of one row of a panel: a power of two, at least a word */
};

/* Non-contiguous access: a block takes strips of 32 columns (or of the panel's width, if that is
 * less) in turn, and goes down each in tiles. */
cudaError_t direct_copy_panels(const struct direct_shape *shape, const struct direct_flow *flows,
                               const struct direct_matrix *matrix, cudaStream_t stream);

/* How often direct_copy_panels raises the counter of a panel: once per strip. */
unsigned direct_strips(const struct direct_matrix *matrix);

#ifdef __cplusplus
}
#endif
#endif
