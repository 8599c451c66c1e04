/* rdma_pairs.h: pairs of places, as on the command line (D-D,H-D) and in tables (D D). */
#ifndef RDMA_RDMA_PAIRS_H
#define RDMA_RDMA_PAIRS_H

#include "rdma.h"

#include <stddef.h>

struct rdma_pair {
    enum rdma_place places[2]; /* of rank 0, of rank 1 */
    char name[4];              /* "D D" */
};

struct rdma_pairs {
    struct rdma_pair *values;
    size_t count;
};

/* The pairs of a list such as D-D,H-D, or all nine for `all`. Ends the program with a sentence that
 * names the option if it is none. Release with free(values). */
struct rdma_pairs rdma_read_pairs(const char *option, const char *list);

#endif
