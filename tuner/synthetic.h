/* synthetic.h: generated spaces with times, on which searches are compared that no kernel taught.
 *
 *     smooth       bowls, and valleys across two parameters
 *     cliffs       bowls, and steps at weighted sums of three parameters
 *     products     what products of powers of two decide, such as threads and tiles, with a word
 *     constraints  the same and bowls, less what three constraints forbid
 *     conditional  three ways to compute, with parameters that matter to one of them alone
 *
 * The logarithm of a time is a sum of such effects, which are drawn from a seed. */
#ifndef TUNER_SYNTHETIC_H
#define TUNER_SYNTHETIC_H

#include <datamotion/tuner.h>

/* Names of the kinds, ended by NULL. */
extern const char *const synthetic_kinds[];

struct synthetic {
    struct tuner_space *space;
    double *times;  /* of each configuration; NaN: it fails */
    double best_s;  /* the least of them */
    size_t failing; /* configurations */
};

/* Ends the program if there is no kind of that name. */
void synthetic_check_kind(const char *kind);

/* The space of that number and kind. failing: the same with two rules, which no constraint says, by
 * which about half of the configurations fail. Ends the program on errors. */
void synthetic_make(struct synthetic *synthetic, const char *kind, uint64_t seed, bool failing);
void synthetic_free(struct synthetic *synthetic);

/* Several threads may measure at once. */
struct tuner_objective synthetic_objective(struct synthetic *synthetic);

#endif
