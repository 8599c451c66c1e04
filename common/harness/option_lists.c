#include "option_lists.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exit.h"

enum { NUMBERS_MAX = 4096, NAME_SHOWN = 64 };

int option_next_entry(const char *option, const char **rest, struct option_entry *entry)
{
    const char *text = *rest;
    if (!text)
        return 0;
    *entry = (struct option_entry){text, (int)strcspn(text, ",")};
    if (entry->length == 0)
        fail("--%s '%s' has an empty entry: give a list with commas", option, text);
    *rest = text[entry->length] ? text + entry->length + 1 : NULL;
    return 1;
}

/* ---- numbers ---- */

/* Reads all of an entry, `NUMBER` or `NUMBER..NUMBER`. */
static bool read_range(struct option_entry entry, long *first, long *last)
{
    char *end;
    errno = 0;
    *first = *last = strtol(entry.text, &end, 10);
    if (end == entry.text || errno)
        return false;
    if (strncmp(end, "..", 2) == 0) {
        const char *second = end + 2;
        *last = strtol(second, &end, 10);
        if (end == second || errno)
            return false;
    }
    return end == entry.text + entry.length && *first <= *last;
}

static void append_range(const char *option, struct option_numbers *numbers, long first, long last)
{
    if (last - first >= NUMBERS_MAX || numbers->count + (size_t)(last - first) >= NUMBERS_MAX)
        fail("--%s has more than %d numbers", option, NUMBERS_MAX);
    while (first <= last)
        numbers->values[numbers->count++] = first++;
}

struct option_numbers option_read_numbers(const char *option, const char *list, long smallest,
                                          long largest)
{
    struct option_numbers numbers = {.list = list,
                                     .values = allocate_or_fail(NUMBERS_MAX, sizeof(long))};
    struct option_entry entry;
    for (const char *rest = list; option_next_entry(option, &rest, &entry);) {
        long first, last;
        if (!read_range(entry, &first, &last))
            fail("--%s %s is not a list of whole numbers such as 1..4,8,16", option, list);
        if (first < smallest || last > largest)
            fail("--%s %s: the numbers must be within %ld..%ld", option, list, smallest, largest);
        append_range(option, &numbers, first, last);
    }
    return numbers;
}

struct option_reals option_read_reals(const char *option, const char *list, double smallest,
                                      double largest)
{
    struct option_reals reals = {
        .list = list, .values = allocate_or_fail(strlen(list) + 1, sizeof *reals.values)};
    struct option_entry entry;
    for (const char *rest = list; option_next_entry(option, &rest, &entry);) {
        char *end;
        double number = strtod(entry.text, &end);
        if (end != entry.text + entry.length)
            fail("--%s %s is not a list of numbers such as 0.5,0.75", option, list);
        if (!(number >= smallest && number <= largest))
            fail("--%s %s: the numbers must be within %g..%g", option, list, smallest, largest);
        reals.values[reals.count++] = number;
    }
    return reals;
}

/* ---- words and names ---- */

struct option_words option_read_words(const char *option, const char *list)
{
    struct option_words words = {
        .list = list, .values = allocate_or_fail(strlen(list) + 1, sizeof *words.values)};
    struct option_entry entry;
    for (const char *rest = list; option_next_entry(option, &rest, &entry);) {
        char *word = allocate_or_fail((size_t)entry.length + 1, 1);
        memcpy(word, entry.text, (size_t)entry.length);
        words.values[words.count++] = word;
    }
    return words;
}

void option_free_words(struct option_words *words)
{
    for (size_t i = 0; i < words->count; i++)
        free(words->values[i]);
    free(words->values);
}

int option_find_name(const char *noun, const char *const *names, const char *name, int length)
{
    char known[1024] = "";
    size_t used = 0;
    for (int i = 0; names[i]; i++) {
        if ((int)strlen(names[i]) == length && strncmp(names[i], name, (size_t)length) == 0)
            return i;
        used +=
            (size_t)snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "", names[i]);
        used = used < sizeof known ? used : sizeof known - 1;
    }
    bool long_name = length > NAME_SHOWN;
    fail("unknown %s '%.*s%s'; choose from %s", noun, long_name ? NAME_SHOWN : length, name,
         long_name ? "..." : "", known);
}

static bool is_chosen(const struct option_choices *choices, int value)
{
    for (size_t i = 0; i < choices->count; i++)
        if (choices->values[i] == value)
            return true;
    return false;
}

void option_read_choices(const char *option, struct option_choices *choices)
{
    struct option_entry entry;
    choices->values = allocate_or_fail(strlen(choices->list) + 1, sizeof *choices->values);
    choices->count = 0;
    for (const char *rest = choices->list; option_next_entry(option, &rest, &entry);) {
        int value = option_find_name(choices->noun, choices->names, entry.text, entry.length);
        if (is_chosen(choices, value))
            fail("--%s %s has %s '%s' twice", option, choices->list, choices->noun,
                 choices->names[value]);
        choices->values[choices->count++] = value;
    }
}

void option_read_choice(const char *option, struct option_choice *choice)
{
    if (!*choice->name)
        fail("--%s needs a name", option);
    choice->value =
        option_find_name(choice->noun, choice->names, choice->name, (int)strlen(choice->name));
}
