/* bound.h: the bound of a claim as the ledger writes it.
 *
 *   `>= 1.2`   `0.85 .. 1.15`   `= 0`   `speedup: > 1 | share: <= 0.6`
 *
 * Several parts are separated by ` | `, and then each has a name. */
#ifndef RUN_BOUND_H
#define RUN_BOUND_H

#include <stdbool.h>

enum { BOUND_PART_LENGTH = 32 };

/* What a measured quantity must lie in; an end that is open does not belong to it. */
struct bound {
    char part[BOUND_PART_LENGTH]; /* "" where there is one without a name */
    double lower, upper;
    bool lower_open, upper_open;
};

/* Reads the next part of a cell and moves *text behind it; *text is then NULL behind the last one.
 * Returns NULL, or what is wrong with the text. */
const char *bound_read(const char **text, struct bound *bound);

#endif
