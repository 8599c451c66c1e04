/* model.h: predicts how long the framework takes, from measured rates and sample chunks.
 */
#ifndef PIPELINE_MODEL_H
#define PIPELINE_MODEL_H

#include "common/regions/link.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { MODEL_SAMPLES = 16, MODEL_STREAMS = 8 };

/* What a chunk of so many iterations took by itself; times in s. */
struct sample {
    long iterations;
    double kernel_s;
    double columns_in_s, columns_out_s; /* copies of arrays split by columns, if there are any */
    double sharing; /* of the GPU by kernels of two chunks: 0: one has it after the other, 1: both
                       end together */
};

struct model {
    const struct dm_region *region;
    const struct link_rates *link;
    struct sample samples[MODEL_SAMPLES]; /* by rising number of iterations */
    int count;
};

/* A chunk of any size: between samples by straight lines, beyond the last in proportion. */
struct sample model_chunk(const struct model *model, long iterations);

/* Kernels of all chunks of a round. */
double model_kernel_s(const struct model *model, long chunk_size);

/* One round, with at most MODEL_STREAMS streams. The engines for copies in, kernels and copies out
 * each work on the chunks in order; a copy in begins when the host has enqueued it and the kernels
 * `streams` chunks before have left its slots, kernels when the results `streams` chunks before
 * have been copied out. While both engines copy, each has its part of the link only. Kernels of
 * several chunks share the GPU as those of two did: then they also end, and leave their slots,
 * together, which copies can hardly hide. */
double model_round_s(const struct model *model, long chunk_size, int streams);

#ifdef __cplusplus
}
#endif
#endif
