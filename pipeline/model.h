/* model.h: predicts how long the framework takes, from measured rates and sample chunks.
 */
#ifndef PIPELINE_MODEL_H
#define PIPELINE_MODEL_H

#include "common/regions/link.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { MODEL_SAMPLES = 16 };

/* What chunks of so many iterations took; times in s. */
struct sample {
    long iterations;
    double kernel_s; /* kernels of one chunk after another on two streams: per chunk */
    double alone_s;  /* of one chunk alone: longer, if they do not fill the GPU */
    double first_s;  /* of the first of two chunks: twice kernel_s, if both have half of the GPU */
    double columns_in_s, columns_out_s; /* copies of arrays split by columns, if there are any,
                                           beside the kernels of another chunk */
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

/* One round. The engines for copies in, kernels and copies out
 * each work on the chunks in order, kernels on those of two at a time; a copy in begins when the
 * host has enqueued it and the kernels `streams` chunks before have left its slots (where results
 * go back into them, the copies out), kernels when the results `streams` chunks before have been
 * copied out. While both engines copy, each has its part of the link only. */
double model_round_s(const struct model *model, long chunk_size, int streams);

#ifdef __cplusplus
}
#endif
#endif
