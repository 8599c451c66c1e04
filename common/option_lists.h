/* option_lists.h: options whose value is a list with commas. */
#ifndef COMMON_OPTION_LISTS_H
#define COMMON_OPTION_LISTS_H

#include <stddef.h>

/* The whole numbers of a list such as 1..4,8,16, in its order. Ends the program with a sentence if
 * it is none, or a number is not within least .. most. Release with free(values). */
struct option_numbers {
    long *values;
    size_t count;
};
struct option_numbers option_read_numbers(const char *option, const char *list, long least,
                                          long most);

/* The numbers of a list such as 0.5,0.75, in its order; errors and release as above. */
struct option_reals {
    double *values;
    size_t count;
};
struct option_reals option_read_reals(const char *option, const char *list, double least,
                                      double most);

/* The words of a list; ends the program if one is empty. */
struct option_words {
    char **values;
    size_t count;
};
struct option_words option_read_words(const char *option, const char *list);
void option_free_words(struct option_words *words);

#endif
