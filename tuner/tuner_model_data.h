/* tuner_model_data.h: random configurations and how good they are, to try models on. */
#ifndef TUNER_MODEL_DATA_H
#define TUNER_MODEL_DATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "tuner_space.h"

/* Two kinds of data:
 *     thread-blocks  bx and by of thread blocks; the targets are the performance of an imagined
 *                    kernel: full warps, resident blocks, coalesced accesses, bands every 16 or 32,
 *                    and 2 % of noise. Its numbers depend on the seed.
 *     uniform        four numbers 0 .. 9999, one of them without effect; a smooth function with an
 *                    interaction, and 2 % of noise
 * Targets are within 0 .. 1. */
struct tuner_model_data {
    struct tuner_space *space;
    size_t points;   /* the size of the space */
    float *targets;  /* by configuration */
    uint32_t *order; /* all configurations, shuffled: samples are the first ones */
};

enum { TUNER_MODEL_DATA_POINTS = 100000 }; /* at most */

/* NULL if the data is known, else a sentence. 2 <= points <= TUNER_MODEL_DATA_POINTS. Same
 * arguments, same data. */
const char *tuner_model_data_open(struct tuner_model_data *data, const char *name, size_t points,
                                  uint64_t seed);
void tuner_model_data_close(struct tuner_model_data *data);

/* As CSV, in the shuffled order: a header, the columns of tuner_space_matrix as they are (x0, x1,
 * ...), scaled (s0, s1, ...), and the target. False if it cannot be written. */
bool tuner_model_data_write(const struct tuner_model_data *data, FILE *file);

#endif
