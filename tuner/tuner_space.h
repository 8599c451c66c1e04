/* tuner_space.h: the configurations that a search chooses from.
 *
 * A space is the product of named parameters, less what constraints forbid. It is read from a text:
 *
 *     # thread blocks of two dimensions
 *     integer  bx 1 1024          whole numbers from 1 to 1024; a third number is the step
 *     integer  by 1 1024
 *     power2   unroll 1 16        1, 2, 4, 8, 16
 *     values   cache 16 48 100    these numbers
 *     category flags -O2 "-O3 -g" these words, in quotes if they have blanks or are empty
 *     require  bx * by <= 1024
 *     require  flags != "-O2" || unroll < 8
 *
 * One statement per line, # begins a comment, names are C identifiers other than min and max.
 * Constraints are expressions in C's syntax and precedence over parameters, numbers and words in
 * quotes: || && == != < <= > >=
 * + - * / % ! - ( ), min(a, b), max(a, b). Numbers are 64-bit integers; a word can only be compared
 * by == and !=, with a category. Division by zero and overflow make a constraint false.
 * Source: Cui, 5.2 (search space); the form is ours. */
#ifndef TUNER_SPACE_H
#define TUNER_SPACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    TUNER_PARAMETERS = 16,            /* at most, in a space */
    TUNER_PARAMETER_VALUES = 1 << 20, /* values of a range, at most */
    TUNER_LISTED = 4096,              /* values in a list, at most */
    TUNER_CATEGORIES = 64,            /* words of a category, at most */
    TUNER_NAME = 64,                  /* bytes of a name or word with its end, at most */
    TUNER_CONFIGURATIONS = 16 << 20   /* configurations of a space, at most */
};

enum tuner_kind { TUNER_INTEGER, TUNER_POWER2, TUNER_VALUES, TUNER_CATEGORY };

/* One parameter. A configuration has an index into `values` for each. */
struct tuner_parameter {
    char name[TUNER_NAME];
    enum tuner_kind kind;
    size_t count;
    int64_t *values;           /* of a category: 0, 1, ... */
    char (*words)[TUNER_NAME]; /* of a category, else NULL */
};

struct tuner_space;

/* Reads and enumerates. NULL on an error; then *complaint is a sentence with `name` and the line
 * ("gemm.space:3: ..."), which the next call overwrites. Errors: syntax, an unknown parameter, a
 * parameter given twice, an empty range, too many configurations, and a space that constraints
 * leave empty: the sentence then names the first constraint that nothing passes (alone, or after
 * those before it). Constraints are tried as soon as their parameters have values, so that a large
 * product with few valid configurations is no problem. */
struct tuner_space *tuner_space_read(const char *text, size_t length, const char *name,
                                     const char **complaint);

/* The same from a file; errors also: cannot be read. */
struct tuner_space *tuner_space_load(const char *path, const char **complaint);

/* A space with these configurations and no others: `rows` x `parameters` values, row by row (for
 * replay). Takes copies. Errors: two equal rows, no rows. */
struct tuner_space *tuner_space_of_rows(const struct tuner_parameter *parameters,
                                        size_t parameter_count, const int64_t *rows,
                                        size_t row_count, const char **complaint);

void tuner_space_free(struct tuner_space *space);

size_t tuner_space_size(const struct tuner_space *space);       /* configurations, >= 1 */
size_t tuner_space_dimensions(const struct tuner_space *space); /* parameters */
const struct tuner_parameter *tuner_space_parameter(const struct tuner_space *space,
                                                    size_t dimension);

/* The value (of a category: the index of the word) of a parameter in configuration 0 .. size - 1.
 * Configurations are in lexicographic order of the indices, the first parameter slowest. */
int64_t tuner_space_value(const struct tuner_space *space, size_t configuration, size_t dimension);

/* Index of that value among the parameter's, 0 .. count - 1. */
size_t tuner_space_index(const struct tuner_space *space, size_t configuration, size_t dimension);

/* The configuration with these indices, one per parameter; false if it is not in the space. */
bool tuner_space_find(const struct tuner_space *space, const size_t *indices,
                      size_t *configuration);

/* The number of parameter `name`; false if there is none. */
bool tuner_space_dimension_of(const struct tuner_space *space, const char *name, size_t *dimension);

/* "bx=32 by=4 flags=-O3" into `text`, cut at `size`. */
void tuner_space_describe(const struct tuner_space *space, size_t configuration, char *text,
                          size_t size);

/* What a model is told of a configuration: a column per number (of a power of two its logarithm)
 * and one per word of a category (0 or 1). */
enum tuner_features {
    TUNER_PLAIN,
    TUNER_SCALED, /* each column from 0 to 1 */
    /* One column more per parameter of numbers, but powers of two: how often its value can be
     * halved, at most 6 times. Hardware likes multiples of powers of two, and trees, which cut at
     * thresholds, cannot see them in a value. */
    TUNER_ALIGNED
};

size_t tuner_space_features(const struct tuner_space *space, enum tuner_features features);

/* size x tuner_space_features, row by row, to be released with free(). Ends the program if there is
 * no memory. */
float *tuner_space_matrix(const struct tuner_space *space, enum tuner_features features);

#endif
