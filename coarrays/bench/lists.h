/* lists.h: options whose value is a list with commas. All images call these
 * with equal texts. */
#ifndef COARRAYS_BENCH_LISTS_H
#define COARRAYS_BENCH_LISTS_H

#include <stddef.h>
#include <stdint.h>

/* Bit i is set if `list` has words[i]; `words` ends with NULL. A word that is
 * none of them, or an empty list, is refused with a sentence. */
unsigned lists_choose(const char *option, const char *list, const char *const *words);

/* The whole numbers of `list`, each within least .. most, else it is refused.
 * free() them. */
struct numbers {
    int64_t *values;
    size_t count;
};
struct numbers lists_numbers(const char *option, const char *list, int64_t least, int64_t most);

#endif
