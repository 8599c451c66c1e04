/* option_lists.h: options whose value is a list with commas, or a choice among names.
 *
 * A program names such a structure as the target of its option (options.h): `list` holds the
 * default, as it would stand on the command line, and options_parse fills the rest before the
 * program runs. Values that make no sense end the program with a sentence; memory lives as long as
 * the program. The functions are for lists that are known only later. */
#ifndef COMMON_OPTION_LISTS_H
#define COMMON_OPTION_LISTS_H

#include <stddef.h>

/* Whole numbers, in the order of a list such as 1..4,8,16. */
struct option_numbers {
    const char *list; /* NULL: no default, and then count stays 0 */
    long *values;
    size_t count;
};

/* Numbers, in the order of a list such as 0.5,0.75. */
struct option_reals {
    const char *list;
    double *values;
    size_t count;
};

/* Words of a list; none is empty. */
struct option_words {
    const char *list;
    char **values;
    size_t count;
};

/* Some of a program's names, each at most once, in the order of the list. */
struct option_choices {
    const char *noun;         /* what a name stands for, in messages: "direction" */
    const char *const *names; /* ended by NULL */
    const char *list;
    int *values; /* indices into names */
    size_t count;
};

/* One of a program's names. */
struct option_choice {
    const char *noun;
    const char *const *names;
    const char *name; /* the default, and what was given */
    int value;
};

/* Reads numbers within smallest .. largest. */
struct option_numbers option_read_numbers(const char *option, const char *list, long smallest,
                                          long largest);
struct option_reals option_read_reals(const char *option, const char *list, double smallest,
                                      double largest);
struct option_words option_read_words(const char *option, const char *list);
void option_free_words(struct option_words *words);

/* Read choices->list and choice->name. */
void option_read_choices(const char *option, struct option_choices *choices);
void option_read_choice(const char *option, struct option_choice *choice);

/* The index of `name`, of `length` characters, among `names`; ends the program with the sentence
 * "unknown NOUN 'NAME'; choose from ..." if it is none of them. */
int option_find_name(const char *noun, const char *const *names, const char *name, int length);

/* One entry of a list. */
struct option_entry {
    const char *text;
    int length;
};

/* Takes the next entry off the list: *rest is what is still to be read, NULL at the end, and then
 * it returns 0. Ends the program with a sentence if an entry is empty. */
int option_next_entry(const char *option, const char **rest, struct option_entry *entry);

#endif
