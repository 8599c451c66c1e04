/* model_data.h: random configurations and how good they are, to try models on. */
#ifndef TUNER_MODEL_DATA_H
#define TUNER_MODEL_DATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <datamotion/tuner_space.h>

/* Two kinds of data:
 *     thread-blocks  bx and by of thread blocks; the targets are the performance of an imagined
 *                    kernel: full warps, resident blocks, coalesced accesses, bands every 16 or 32,
 *                    and 2 % of noise. Its numbers depend on the seed.
 *     uniform        four numbers 0 .. 9999, one of them without effect; a smooth function with an
 *                    interaction, and 2 % of noise
 * Targets are within 0 .. 1. */
struct model_data {
    struct tuner_space *space;
    size_t points;   /* the size of the space */
    float *targets;  /* by configuration */
    uint32_t *order; /* all configurations, shuffled: samples are the first ones */
};

enum { MODEL_DATA_POINTS_MAX = 100000 };

enum model_data_kind { MODEL_DATA_THREAD_BLOCKS, MODEL_DATA_UNIFORM };
extern const char *const model_data_names[]; /* by kind, ended by NULL */

/* 2 <= points <= MODEL_DATA_POINTS_MAX. Same arguments, same data. Ends the program if there is no
 * memory. */
void model_data_open(struct model_data *data, enum model_data_kind kind, size_t points,
                     uint64_t seed);
void model_data_close(struct model_data *data);

/* As CSV, in the shuffled order: a header, the columns of tuner_space_matrix as they are (x0, x1,
 * ...), scaled (s0, s1, ...), and the target. False if it cannot be written. */
bool model_data_write(const struct model_data *data, FILE *file);

#endif
