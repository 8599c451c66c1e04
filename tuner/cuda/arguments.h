/* arguments.h: a kernel's arguments, as a user writes them:
 *
 *     in float[n*n] random, inout float[n] zero, out float[n] against c.bin, int n, float 1.5
 *
 * An array has a direction (in, unless it is out or inout), a type, a number of elements, contents
 * (random, zero, index, unset, or file PATH; default random, of out: unset), and for what the
 * kernel writes perhaps a reference. A scalar has a type and a formula, or a real number. A path
 * with blanks or commas is in quotes. */
#ifndef TUNER_CUDA_ARGUMENTS_H
#define TUNER_CUDA_ARGUMENTS_H

#include "contents.h"
#include "formula.h"

enum { ARGUMENTS_MAX = 32 };

struct argument {
    const struct element *element;
    bool array, written;
    struct formula number; /* elements of an array, the value of a scalar */
    bool is_real;          /* a scalar that is `real` instead */
    double real;
    enum contents contents;
    char path[TUNER_NAME_BYTES], against[TUNER_NAME_BYTES]; /* empty: none */
};

struct arguments {
    size_t count;
    struct argument argument[ARGUMENTS_MAX];
};

/* DM_INVALID, with "--args:1: ...": anything else than the above, more than ARGUMENTS_MAX. */
enum dm_status arguments_read(struct arguments *arguments, const char *text,
                              const struct tuner_space *space);

#endif
