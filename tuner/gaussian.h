/* gaussian.h: a Gaussian process over encoded configurations (encoding.h).
 *
 * Its kernel is a product over the parameters of 1 + weight x similarity: sums of effects of single
 * parameters, of pairs, and so on, the more parameters the weaker. Few samples teach it much where
 * times are products of what each parameter does. Weights, range and noise are those under which
 * the samples are likely: each fit tries a few others. Source: Rasmussen and Williams, Gaussian
 * Processes for Machine Learning (MIT Press, 2006), 2.2 and 5.4; Duvenaud, Nickisch and Rasmussen,
 * "Additive Gaussian processes", NIPS 2011, for the kernel. */
#ifndef TUNER_GAUSSIAN_H
#define TUNER_GAUSSIAN_H

#include <stdbool.h>

#include "encoding.h"

enum { GAUSSIAN_SAMPLES_MAX = 128 };

struct gaussian;

/* The encoding must outlive it. DM_NO_MEMORY. */
enum dm_status gaussian_open(struct gaussian **gaussian, const struct encoding *encoding);
void gaussian_close(struct gaussian *gaussian);

/* A sample's target, and whether it is valid: 1, or 0 for one that failed. */
struct gaussian_sample {
    float target, valid;
};

/* From 1 to GAUSSIAN_SAMPLES_MAX samples, row by row, with any targets. */
void gaussian_fit(struct gaussian *gaussian, const float *rows,
                  const struct gaussian_sample *samples, size_t count, uint64_t seed);

/* One more sample with the weights of the last fit; false if there is no room. */
bool gaussian_add(struct gaussian *gaussian, const float *row, struct gaussian_sample sample);

/* What a row's target is, and whether it is valid. */
struct gaussian_prediction {
    float mean, spread;                    /* the standard deviation */
    float valid;                           /* mostly from 0 to 1 */
    float explained[GAUSSIAN_SAMPLES_MAX]; /* of the covariance with each sample, what those before
                                              it leave open */
};

/* The standard deviation of the samples' targets. */
float gaussian_deviation(const struct gaussian *gaussian);

void gaussian_predict(const struct gaussian *gaussian, const float *row,
                      struct gaussian_prediction *prediction);

/* After one gaussian_add brings a prediction of the same row up to date, which is much cheaper. */
void gaussian_update(const struct gaussian *gaussian, const float *row,
                     struct gaussian_prediction *prediction);

#endif
