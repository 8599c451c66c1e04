/* tuner_batch.h: one search many times with different seeds, on all cores. */
#ifndef TUNER_BATCH_H
#define TUNER_BATCH_H

#include "tuner_search.h"

struct tuner_batch {
    const struct tuner_space *space;
    size_t points;              /* its size */
    struct tuner_oracle oracle; /* asked by several threads at once */
    double best_s;              /* the least time that it knows */
    const struct tuner_strategy *strategy;
    const struct tuner_model_kind *model; /* of IterML, else NULL */
    const float *matrix;                  /* features as the model wants them */
    size_t samples;  /* of a search in all; IterML's last iteration takes what is left */
    long iterations; /* others than IterML: 1 */
    double cut_ratio;
    size_t searches;
    uint64_t seed;
};

struct tuner_batch_result {
    double *best;     /* of each search, ascending: best_s / time found, 0 if nothing was ok */
    double best_mean; /* their mean */
    double model_s;   /* fitting and predicting in one search, mean */
    double time_s;    /* of one search, mean */
};

/* result->best has room for `searches`. Search i of two batches with the same seed has the same
 * seed. The results do not depend on the number of threads (one per core). */
void tuner_batch_run(const struct tuner_batch *batch, struct tuner_batch_result *result);

#endif
