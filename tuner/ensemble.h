/* ensemble.h: what a forest and the nearest neighbours predict together, and how far the trees
 * disagree. */
#ifndef TUNER_ENSEMBLE_H
#define TUNER_ENSEMBLE_H

#include <stddef.h>
#include <stdint.h>

#include <datamotion/status.h>

struct ensemble;

/* Fits to count >= 1 rows. Copies them. DM_NO_MEMORY. */
enum dm_status ensemble_fit(struct ensemble **ensemble, const float *rows, const float *targets,
                            size_t count, size_t features, uint64_t seed);
void ensemble_free(struct ensemble *ensemble);

/* Fills mean and spread of each row. DM_NO_MEMORY. */
enum dm_status ensemble_predict(const struct ensemble *ensemble, const float *rows, size_t count,
                                float *mean, float *spread);

#endif
