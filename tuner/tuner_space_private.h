/* tuner_space_private.h: how a space is held, and how its text is read. */
#ifndef TUNER_SPACE_PRIVATE_H
#define TUNER_SPACE_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tuner_space.h"
#include "tuner_space_expression.h"

struct tuner_space {
    size_t dimensions, size;
    struct tuner_parameter parameters[TUNER_PARAMETERS];
    uint32_t *indices; /* size x dimensions, row by row, in lexicographic order */
};

enum { TUNER_CONSTRAINTS = 64 }; /* at most: a set of them is the bits of a uint64_t */

struct tuner_constraint {
    struct tuner_expression expression;
    size_t line;
    const char *text; /* in the text that is read */
    size_t length;
};

struct tuner_constraints {
    size_t count;
    struct tuner_constraint constraint[TUNER_CONSTRAINTS];
};

/* A sentence that begins with "name:line: "; without the line if it is 0, without both if name is
 * NULL. Valid until the next call. */
const char *tuner_space_complain(const char *name, size_t line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* ---- reading (tuner_space_parse.c) ---- */

/* Reads parameters into an empty space, and constraints. false: *complaint says why; what was read
 * by then is the space's and is released with it. */
bool tuner_space_parse(const char *text, size_t length, const char *name, struct tuner_space *space,
                       struct tuner_constraints *constraints, const char **complaint);

/* ---- enumerating (tuner_space_enumerate.c) ---- */

/* Lists the configurations that pass all constraints. `effort`: how many
 * operations of constraints, ranges of values and configurations it may take. false: *complaint
 * says why. */
bool tuner_space_enumerate(struct tuner_space *space, const struct tuner_constraints *constraints,
                           size_t effort, const char *name, const char **complaint);

/* tuner_space_read with another effort than its 2^30, which takes about ten seconds. */
struct tuner_space *tuner_space_read_within(const char *text, size_t length, const char *name,
                                            size_t effort, const char **complaint);

#endif
