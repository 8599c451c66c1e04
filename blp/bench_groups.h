/* bench_groups.h: the option that sets the numbers of copy blocks. */
#ifndef BENCH_GROUPS_H
#define BENCH_GROUPS_H

#include <stddef.h>

/* Copy blocks of each direction; 0: the library's choice. */
struct copy_group {
    int in, out;
};
struct copy_groups {
    struct copy_group *values;
    size_t count;
};

/* The entries of a list such as 0,4,8:2, each IN:OUT or one number for both directions. Ends the
 * program with a sentence if it is none, or a number is above `most`. Release with free(values). */
struct copy_groups read_copy_blocks(const char *option, const char *list, long most);

#endif
