#include "lists.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/harness/exit.h"

#include "images.h"

/* The words in a row, for the sentence. */
static void write_words(char *text, size_t bytes, const char *const *words)
{
    size_t length = 0;
    text[0] = '\0';
    for (size_t i = 0; words[i] && length < bytes; i++)
        length += (size_t)snprintf(text + length, bytes - length, "%s%s", i ? ", " : "", words[i]);
}

static size_t find_word(const char *word, size_t length, const char *const *words)
{
    size_t i = 0;
    while (words[i] && (strlen(words[i]) != length || strncmp(words[i], word, length) != 0))
        i++;
    return i;
}

unsigned lists_choose(const char *option, const char *list, const char *const *words)
{
    unsigned chosen = 0;
    const char *at = list;
    do {
        size_t length = strcspn(at, ",");
        size_t i = find_word(at, length, words);
        if (!words[i]) {
            char known[256];
            write_words(known, sizeof known, words);
            images_refuse("--%s: '%.*s' is none of %s", option, (int)length, at, known);
        }
        chosen |= 1u << i;
        at += length;
    } while (*at++);
    return chosen;
}

struct numbers lists_numbers(const char *option, const char *list, int64_t least, int64_t most)
{
    struct numbers numbers = {.values = allocate_or_fail(strlen(list) + 1, sizeof(int64_t))};
    const char *at = list;
    do {
        char *end;
        errno = 0;
        int64_t value = strtoll(at, &end, 10);
        if (end == at || errno || (*end && *end != ','))
            images_refuse("--%s %s is not a list of whole numbers such as 1,2,4", option, list);
        if (value < least || value > most)
            images_refuse("--%s %s: the numbers must be from %lld to %lld", option, list,
                          (long long)least, (long long)most);
        numbers.values[numbers.count++] = value;
        at = end;
    } while (*at++);
    return numbers;
}
