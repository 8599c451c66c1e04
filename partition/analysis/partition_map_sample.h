/* partition_map_sample.h: the elements that halves of a small sample grid
 * access. */
#ifndef PARTITION_MAP_SAMPLE_H
#define PARTITION_MAP_SAMPLE_H

#include "partition_map.h"

/* How scalar arguments are chosen: the sample must write something. */
enum sample_scalars { SAMPLE_EQUAL, SAMPLE_RISING, SAMPLE_FALLING, SAMPLE_CHOICES };

struct sample {
    const struct map_kernel *kernel;
    enum sample_scalars scalars;
    int64_t size, block; /* threads of the grid and of a block in every dimension */
};

struct sample_elements {
    int64_t *items; /* sorted, each once */
    size_t count;
    bool is_complete; /* false: more than can be listed */
};

struct sample sample_of(const struct map_kernel *kernel, enum sample_scalars scalars);
/* Elements that the threads of one half (0 or 1) along `dimension` reach by
 * `map`, an access map of the argument. */
struct sample_elements sample_list(const struct sample *sample, const struct map_argument *argument,
                                   isl_map *map, char dimension, int half);

#endif
