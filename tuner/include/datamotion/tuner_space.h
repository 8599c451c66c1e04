/* tuner_space.h: the configurations that a search chooses from.
 *
 * A space is the product of named parameters, less what constraints forbid. It is read from a text:
 *
 *     # thread blocks of two dimensions
 *     integer  bx 1 1024          whole numbers from 1 to 1024; a third number is the step
 *     integer  by 1 1024
 *     power2   unroll 1 16        1, 2, 4, 8, 16
 *     values   cache 16 48 100    these numbers; reals if one has a point or an exponent: 0.5 1e-3
 *     real     share 0.1 0.9 0.2  0.1, 0.3, 0.5, 0.7, 0.9: first, last, step
 *     category flags -O2 "-O3 -g" these words, in quotes if they have blanks or are empty
 *     require  bx * by <= 1024
 *     require  flags != "-O2" || unroll < 8
 *     only     cache if flags == "-O3 -g"     elsewhere it has its first value, 16
 *
 * One statement per line; # begins a comment; names are C identifiers other than min and max.
 * Constraints are expressions with C's syntax and precedence over parameters, numbers and words in
 * quotes: || && == != < <= > >= + - * / % ! - ( ), min(a, b), max(a, b). Numbers are 64-bit
 * integers, or doubles where one has a point or an exponent or is a real parameter's: then all of
 * that constraint is computed in doubles, and only / between whole numbers drops the remainder. A
 * word can only be compared with a category, by == and !=. Division by zero and overflow make a
 * constraint false. A parameter that matters under a condition only is told by `only`, so that
 * configurations that differ in nothing are there once.
 *
 * Errors are reported as datamotion/status.h says. A space does not change after it was made, so
 * several threads may use it. Source: Cui, Directive-based data partitioning and pipelining and
 * auto-tuning for high-performance GPU computing (Virginia Tech, 2020), 5.2; the text is ours. */
#ifndef DATAMOTION_TUNER_SPACE_H
#define DATAMOTION_TUNER_SPACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <datamotion/status.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    TUNER_PARAMETERS_MAX = 32,          /* of a space */
    TUNER_RANGE_VALUES_MAX = 1 << 20,   /* values of an integer parameter */
    TUNER_LIST_VALUES_MAX = 4096,       /* values in a list */
    TUNER_WORDS_MAX = 64,               /* words of a category */
    TUNER_NAME_BYTES = 64,              /* of a name or word with its terminating 0 */
    TUNER_CONFIGURATIONS_MAX = 16 << 20 /* of a space */
};

enum tuner_parameter_kind {
    TUNER_INTEGER,
    TUNER_POWER2,
    TUNER_VALUES,
    TUNER_CATEGORY,
    TUNER_REALS
};

/* One parameter. A configuration has an index into `values` for each. */
struct tuner_parameter {
    char name[TUNER_NAME_BYTES];
    enum tuner_parameter_kind kind;
    size_t count;
    int64_t *values; /* of a category and of reals: 0, 1, ... */
    char (
        *words)[TUNER_NAME_BYTES]; /* of a category and of reals (as they are written), else NULL */
    double *reals;                 /* of reals, else NULL */
};

struct tuner_space;

/* Reads a text and enumerates its configurations. Constraints are tried as soon as their parameters
 * have values, so that a large product with few valid configurations is no problem. DM_INVALID,
 * with `name` and the line ("gemm.space:3: ..."): a syntax error, an unknown parameter, a parameter
 * given twice, an empty range, more than TUNER_CONFIGURATIONS_MAX configurations, or more than 2^30
 * operations (about 10 s) to find them; or constraints that leave nothing: then the sentence names
 * the first constraint that no configuration passes (alone, or after those before it).
 * DM_NO_MEMORY. */
DM_API enum dm_status tuner_space_read(struct tuner_space **space, const char *text, size_t length,
                                       const char *name);

/* The same from a file of at most 1 MiB. Also DM_FAILED: it cannot be read. */
DM_API enum dm_status tuner_space_load(struct tuner_space **space, const char *path);

/* A space of the configurations that are listed, `row_count` x `parameter_count` values, row by
 * row. Copies its arguments. DM_INVALID: two equal rows, a value that its parameter has not, or too
 * many or no rows or parameters. DM_NO_MEMORY. */
DM_API enum dm_status tuner_space_of_rows(struct tuner_space **space,
                                          const struct tuner_parameter *parameters,
                                          size_t parameter_count, const int64_t *rows,
                                          size_t row_count);

DM_API void tuner_space_free(struct tuner_space *space);

DM_API size_t tuner_space_size(const struct tuner_space *space);       /* configurations, >= 1 */
DM_API size_t tuner_space_dimensions(const struct tuner_space *space); /* parameters */
DM_API const struct tuner_parameter *tuner_space_parameter(const struct tuner_space *space,
                                                           size_t dimension);

/* The value (of a category and of reals: the index of the word) of a parameter in configuration 0
 * .. size - 1. Configurations are in lexicographic order of the indices, the first parameter
 * slowest. */
DM_API int64_t tuner_space_value(const struct tuner_space *space, size_t configuration,
                                 size_t dimension);

/* The index of that value among the parameter's, 0 .. count - 1. */
DM_API size_t tuner_space_index(const struct tuner_space *space, size_t configuration,
                                size_t dimension);

/* The configuration with these indices, one per parameter; false if it is not in the space. */
DM_API bool tuner_space_find(const struct tuner_space *space, const size_t *indices,
                             size_t *configuration);

/* The number of the parameter of that name; false if there is none. */
DM_API bool tuner_space_dimension_of(const struct tuner_space *space, const char *name,
                                     size_t *dimension);

/* Writes "bx=32 by=4 flags=-O3" into `text`, cut at `size` bytes. */
DM_API void tuner_space_describe(const struct tuner_space *space, size_t configuration, char *text,
                                 size_t size);

/* What a model is told of a configuration: one column per number (of a power of two its logarithm)
 * and one per word of a category (0 or 1). */
enum tuner_features {
    TUNER_PLAIN,
    TUNER_SCALED, /* each column from 0 to 1 */
    /* One more column per parameter of numbers other than powers of two: how often its value can be
     * halved, at most 6 times. Hardware likes multiples of powers of two, and trees, which cut at
     * thresholds, cannot see them in a value. */
    TUNER_ALIGNED
};

/* The number of columns. */
DM_API size_t tuner_space_features(const struct tuner_space *space, enum tuner_features features);

/* Size x columns, row by row; the caller calls free(). DM_NO_MEMORY. */
DM_API enum dm_status tuner_space_matrix(const struct tuner_space *space,
                                         enum tuner_features features, float **matrix);

#ifdef __cplusplus
}
#endif
#endif
