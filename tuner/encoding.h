/* encoding.h: a configuration as numbers from 0 to 1, made when they are needed: a table of all
 * configurations of a large space would not fit. */
#ifndef TUNER_ENCODING_H
#define TUNER_ENCODING_H

#include <stddef.h>

#include <datamotion/tuner_space.h>

enum { ENCODING_PAIRS_MAX = 10 };

/* Of each number its place in its range (of positive numbers over a wide range by their logarithm)
 * and how often it can be halved; of each word whether it is the value; of two numbers on a
 * logarithmic scale their product, which is what hardware limits: threads, bytes of a tile. */
struct encoding {
    const struct tuner_space *space;
    size_t features;
    size_t columns[TUNER_PARAMETERS_MAX]; /* of a parameter */
    float *table[TUNER_PARAMETERS_MAX];   /* its columns for each of its values */
    size_t pairs;
    size_t pair[ENCODING_PAIRS_MAX][2]; /* parameters */
};

/* DM_NO_MEMORY: then it is closed. */
enum dm_status encoding_open(struct encoding *encoding, const struct tuner_space *space);
void encoding_close(struct encoding *encoding);

/* Writes `features` numbers. */
void encode(const struct encoding *encoding, size_t configuration, float *row);

/* The same of values by their indices, one per parameter, in the space or not. */
void encode_indices(const struct encoding *encoding, const size_t *indices, float *row);

/* The value of a number parameter. */
double encoding_number(const struct tuner_parameter *parameter, size_t index);

#endif
