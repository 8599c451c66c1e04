/* mean.h: a mean and its 95 % interval. */
#ifndef TUNER_MEAN_H
#define TUNER_MEAN_H

#include <stddef.h>

struct mean {
    double mean;
    double half_width; /* of the 95 % interval of the mean, by Student's t; 0 for one value */
};

/* count >= 1. */
struct mean mean_of(const double *values, size_t count);

#endif
