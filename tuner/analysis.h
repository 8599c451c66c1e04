/* analysis.h: what the trials of a search say about its parameters, as an ensemble of models sees
 * it. */
#ifndef TUNER_ANALYSIS_H
#define TUNER_ANALYSIS_H

#include <datamotion/tuner.h>

enum { ANALYSIS_VALUES_MAX = 32 /* of a parameter; of more so many, at even distances */ };

struct analysis {
    double fit; /* the share of the variance of the trials that the model explains, <= 1 */
    struct analysis_parameter {
        /* The share of the variance of predictions that goes when this parameter has the same value
         * everywhere: its total effect. Where parameters interact the sum is above 1. Source:
         * Jansen, "Analysis of variance designs for model output", Computer Physics Communications
         * 117 (1999). */
        double importance;
        size_t count;
        size_t indices[ANALYSIS_VALUES_MAX]; /* of values */
        /* Best time / time, 0 for what failed: the mean prediction for configurations all over the
         * space, if all of them had this value. */
        double speed[ANALYSIS_VALUES_MAX];
    } parameters[TUNER_PARAMETERS_MAX];
};

/* Of all trials so far, or of 400 of them. DM_INVALID: fewer than 4, or none was ok;
 * DM_NO_MEMORY. */
enum dm_status analysis_of(struct analysis *analysis, struct tuner_search *search);

#endif
