/* index_list.h: lists of different places in a vector, as an exchange of boundaries has them.
 */
#ifndef SPMV_BENCH_INDEX_LIST_H
#define SPMV_BENCH_INDEX_LIST_H

#include <stdbool.h>
#include <stdint.h>

enum spmv_order {
    SPMV_RANDOM, /* the places of `sorted`, shuffled */
    SPMV_SORTED, /* one place at random in each of `count` equal parts of the vector, ascending */
    SPMV_HALO,   /* nodes on the surface of a cube that is numbered line by line, ascending */
    SPMV_ORDERS
};

struct spmv_index_list {
    int32_t *index;
    int64_t count, range; /* 0 <= index[i] < range */
};

/* Elements of the vector that `count` places are in: spread * count, or the volume of the smallest
 * cube with as large a surface. Places are numbered with 32 bits: a larger range than 2^31 - 1 is
 * possible here, but not for spmv_index_list_open. */
int64_t spmv_index_range(enum spmv_order order, int64_t count, int64_t spread);

/* Ends the program if there is no memory. Release with free(list.index). */
struct spmv_index_list spmv_index_list_open(enum spmv_order order, int64_t count, int64_t spread,
                                            uint64_t seed);

#endif
