/* tunable_kind.h: what the files that define kinds of tunable.h share. */
#ifndef COMMON_WORKLOADS_TUNABLE_KIND_H
#define COMMON_WORKLOADS_TUNABLE_KIND_H

#include "tunable.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The factors in products and gesummv. Beta is below 1 so that launches that follow one another,
 * each of which scales the last one's result by it, do not grow without bound. */
#define TUNABLE_ALPHA 0.75f
#define TUNABLE_BETA  0.5f

/* The types of a kind's launch and reference, so that declarations are short. */
typedef cudaError_t tunable_launch_function(const struct tunable *tunable, float *const *arrays,
                                            dim3 block, cudaStream_t stream);
typedef void tunable_reference_function(const struct tunable *tunable, float *const *arrays);

enum tunable_role {
    TUNABLE_READ = 1,
    TUNABLE_WRITTEN = 2,
    TUNABLE_UPDATED = TUNABLE_READ | TUNABLE_WRITTEN
};

/* For describe: the next array. Adds to `bytes` what it costs to read it once and to write it once.
 */
static inline void tunable_add_array(struct tunable *tunable, const char *name, size_t count,
                                     enum tunable_role role)
{
    bool input = (role & TUNABLE_READ) != 0, output = (role & TUNABLE_WRITTEN) != 0;
    struct tunable_array array = {name, count, input, output};
    tunable->arrays[tunable->array_count++] = array;
    tunable->bytes += (double)sizeof(float) * (double)count * (input + output);
}

#ifdef __cplusplus
}
#endif
#endif
