/* bench_groups.h: the option that sets the numbers of copy blocks. */
#ifndef BLP_BENCH_GROUPS_H
#define BLP_BENCH_GROUPS_H

#include <stddef.h>

/* Copy blocks of each direction; 0: the library's choice. */
struct blp_bench_group {
    int in, out;
};
struct blp_bench_groups {
    struct blp_bench_group *values;
    size_t count;
};

/* The entries of a list such as 0,4,8:2, each IN:OUT or one number for both directions. Ends the
 * program with a sentence if it is none, or a number is above `most`. Release with free(values). */
struct blp_bench_groups blp_bench_read_copy_blocks(const char *option, const char *list, long most);

#endif
