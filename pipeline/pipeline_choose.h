/* pipeline_choose.h: chunk size and number of streams from measured rates: the version `auto`. */
#ifndef PIPELINE_CHOOSE_H
#define PIPELINE_CHOOSE_H

#include "common/regions/copies.h"
#include "common/regions/link.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Why a choice was made; times in s. */
struct pipeline_choice {
    long chunk_size;
    int streams;
    double kernel_s;    /* of all iterations of a round, from the kernels of sample chunks */
    double predicted_s; /* of one round */
};

/* Chooses for COPIES_RINGS within options->budget_bytes; options->chunk_size and streams are
 * not looked at. Measures the kernel on a few sample chunks of the region (the region's host memory
 * is read, its results are not written). Returns false with *complaint when nothing fits. */
bool pipeline_choose(const struct dm_region *region, const struct link_rates *link,
                     const struct copies_options *options, struct pipeline_choice *choice,
                     const char **complaint);

#ifdef __cplusplus
}
#endif
#endif
