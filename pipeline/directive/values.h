/* values.h: what the examples compute with, and what they print. */
#ifndef VALUES_H
#define VALUES_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Memory for so many floats in [-1, 1), or, with `whole`, whole numbers from -4 to 4, whose sums
 * are exact in any order. */
static inline void *values_make(size_t count, unsigned seed, int whole)
{
    float *values = malloc(count * sizeof *values);
    uint64_t state = 1442695040888963407u * (seed + 1u);
    if (!values) {
        fputs("out of memory\n", stderr);
        exit(1);
    }
    for (size_t i = 0; i < count; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        values[i] = whole ? (float)((int)(state >> 60) % 9 - 4)
                          : (float)(int32_t)(state >> 32) / 2147483648.0f;
    }
    return values;
}

/* Prints a number that differs if a bit of the values does. */
static inline void values_print(const char *name, const void *values, size_t count)
{
    uint64_t hash = 14695981039346656037u;
    const float *at = values;
    for (size_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &at[i], sizeof bits);
        hash = (hash ^ bits) * 1099511628211u;
    }
    printf("%s %016llx\n", name, (unsigned long long)hash);
}

/* What the examples are told: PROGRAM [SIZE [CHUNK [TIMES]]]. */
struct values_options {
    int size, chunk; /* iterations in a chunk */
    int times;       /* that the loop is executed */
};

static inline int values_option(int count, char **words, int index, int usual, int minimum)
{
    const int value = count > index ? atoi(words[index]) : usual;
    return value < minimum ? minimum : value;
}

static inline struct values_options values_options(int count, char **words, int size, int chunk)
{
    struct values_options options = {values_option(count, words, 1, size, 4),
                                     values_option(count, words, 2, chunk, 1),
                                     values_option(count, words, 3, 1, 1)};
    return options;
}

#endif
