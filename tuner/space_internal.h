/* space_internal.h: how a space is held, and how its text is read. */
#ifndef TUNER_SPACE_INTERNAL_H
#define TUNER_SPACE_INTERNAL_H

#include <stddef.h>
#include <stdint.h>

#include <datamotion/tuner_space.h>

#include "expression.h"

struct tuner_space {
    size_t dimensions, size;
    struct tuner_parameter parameters[TUNER_PARAMETERS_MAX];
    uint32_t *indices; /* size x dimensions, row by row, in lexicographic order */
};

enum { CONSTRAINTS_MAX = 64 }; /* a set of them is the bits of a uint64_t */

struct constraint {
    struct expression expression;
    size_t line;
    const char *text; /* in the text that is read */
    size_t length;
};

struct constraints {
    size_t count;
    struct constraint constraint[CONSTRAINTS_MAX];
};

/* Reads parameters into an empty space, and constraints. What was read before an error is the
 * space's and is released with it. */
enum dm_status space_parse(struct tuner_space *space, struct constraints *constraints,
                           const char *text, size_t length, const char *name);

/* Lists the configurations that pass all constraints. `effort`: how many operations of constraints,
 * ranges of values and configurations it may take. */
enum dm_status space_enumerate(struct tuner_space *space, const struct constraints *constraints,
                               size_t effort, const char *name);

/* tuner_space_read with another effort than its 2^30, which takes about ten seconds. */
enum dm_status space_read_within(struct tuner_space **space, const char *text, size_t length,
                                 const char *name, size_t effort);

#endif
