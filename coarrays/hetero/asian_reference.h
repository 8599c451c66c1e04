/* asian_reference.h: trusted prices of Asian options, in double precision and with other random
 * numbers than the simulation's. */
#ifndef COARRAYS_HETERO_ASIAN_REFERENCE_H
#define COARRAYS_HETERO_ASIAN_REFERENCE_H

#include "asian.h"

/* The option on the geometric mean of `steps` prices, exactly. Source: Kemna and Vorst, "A pricing
 * method for options based on average asset values", Journal of Banking and Finance 14, 1990, for
 * prices that are observed at discrete times. */
double asian_reference_geometric(const struct asian_option *option, int steps);

/* The option on the arithmetic mean by `paths` (at least 3) paths of its own, with the geometric
 * mean, whose price is known, as control variate (Kemna and Vorst, section 4): the standard error
 * is some 10 to 50 times smaller than that of as many plain paths. */
struct asian_price asian_reference_arithmetic(const struct asian_option *option, int steps,
                                              int64_t paths, uint64_t seed);

/* |price - reference| in standard errors of both together; arithmetic and geometric mean: the
 * larger; NaN if one of them is no number. Of 2 paths one option in some thousand is more than 6
 * off by chance, because payoffs are skew; from 30 paths on hardly one is. Takes about 10 ms of one
 * core per option and 64 steps. */
double asian_reference_error(const struct asian_simulation *simulation,
                             const struct asian_option *option, const struct asian_sums *sums);

#endif
