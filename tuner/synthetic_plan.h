/* synthetic_plan.h: what is drawn of a generated space: its text, and effects on the time. */
#ifndef TUNER_SYNTHETIC_PLAN_H
#define TUNER_SYNTHETIC_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { EFFECTS_MAX = 64, EFFECT_PARAMETERS = 3, ALWAYS = -1 };

struct effect;

/* What an effect adds to the logarithm of the time; level: indices of the values, x: the same from
 * 0 to 1. */
typedef double effect_function(const struct effect *effect, const double *level, const double *x);

struct effect {
    effect_function *of;
    size_t parameters[EFFECT_PARAMETERS];
    double at[EFFECT_PARAMETERS];
    double threshold, weight;
    uint64_t seed;
    int way; /* level of parameter 0 at which it counts, or ALWAYS */
};

struct plan {
    char *text; /* of the space; the caller calls free() */
    size_t effects;
    struct effect effect[EFFECTS_MAX];
    uint64_t seed, drawn; /* numbers so far */
};

/* Fills the plan of a kind in synthetic_kinds; false if there is none of that name. */
bool plan_draw(struct plan *plan, const char *kind, uint64_t seed);

/* A sum of three of `parameters` parameters with random weights, as a rule for what fails. */
void plan_draw_rule(struct plan *plan, struct effect *rule, size_t parameters);

double effect_sum(const struct effect *effect, const double *x);

#endif
