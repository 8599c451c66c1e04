#include "option_lists.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "status.h"

enum { MOST_NUMBERS = 4096 };

/* Reads `NUMBER` or `NUMBER..NUMBER` at `text`; NULL if there is none, else what follows it. */
static const char *read_range(const char *text, long *first, long *last)
{
    char *end;
    errno = 0;
    *first = *last = strtol(text, &end, 10);
    if (end == text || errno)
        return NULL;
    if (strncmp(end, "..", 2) != 0)
        return end;
    text = end + 2;
    *last = strtol(text, &end, 10);
    return end == text || errno ? NULL : end;
}

static void append_range(const char *option, struct option_numbers *numbers, long first, long last)
{
    if (last - first >= MOST_NUMBERS || numbers->count + (size_t)(last - first) >= MOST_NUMBERS)
        fail("--%s has more than %d numbers", option, MOST_NUMBERS);
    while (first <= last)
        numbers->values[numbers->count++] = first++;
}

struct option_numbers option_read_numbers(const char *option, const char *list, long least,
                                          long most)
{
    struct option_numbers numbers = {.values = allocate_or_fail(MOST_NUMBERS, sizeof(long))};
    const char *at = list;
    while (true) {
        long first, last;
        const char *end = read_range(at, &first, &last);
        if (!end || (*end && *end != ',') || first > last)
            fail("--%s %s is not a list of whole numbers such as 1..4,8,16", option, list);
        if (first < least || last > most)
            fail("--%s %s: the numbers must be within %ld..%ld", option, list, least, most);
        append_range(option, &numbers, first, last);
        if (!*end)
            return numbers;
        at = end + 1;
    }
}

struct option_reals option_read_reals(const char *option, const char *list, double least,
                                      double most)
{
    struct option_reals reals = {.values = allocate_or_fail(strlen(list) + 1, sizeof(double))};
    const char *at = list;
    while (true) {
        char *end;
        double number = strtod(at, &end);
        if (end == at || (*end && *end != ','))
            fail("--%s %s is not a list of numbers such as 0.5,0.75", option, list);
        if (!(number >= least && number <= most))
            fail("--%s %s: the numbers must be within %g..%g", option, list, least, most);
        reals.values[reals.count++] = number;
        if (!*end)
            return reals;
        at = end + 1;
    }
}

struct option_words option_read_words(const char *option, const char *list)
{
    struct option_words words = {.values =
                                     allocate_or_fail(strlen(list) + 1, sizeof *words.values)};
    const char *at = list;
    while (true) {
        size_t length = strcspn(at, ",");
        if (length == 0)
            fail("--%s '%s' has an empty entry: give a list with commas", option, list);
        char *word = allocate_or_fail(length + 1, 1);
        memcpy(word, at, length);
        word[length] = '\0';
        words.values[words.count++] = word;
        if (!at[length])
            return words;
        at += length + 1;
    }
}

void option_free_words(struct option_words *words)
{
    for (size_t i = 0; i < words->count; i++)
        free(words->values[i]);
    free(words->values);
}
