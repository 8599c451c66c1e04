/* bench_grid.h: the configurations of one data set that blp_versions measures together. */
#ifndef BENCH_GRID_H
#define BENCH_GRID_H

#include <stdint.h>

#include "common/harness/option_lists.h"

#include "bench_groups.h"
#include "bench_versions.h"

/* What the options request. */
struct version_sweep {
    struct option_numbers streams, chunks; /* of async */
    struct option_numbers async_threads;   /* 0: the workload's */
    int64_t um_streams, um_chunks;         /* of um-prefetch */
    /* Of blp; 0: its choice. */
    struct option_numbers blocks_per_sm, threads, task_sizes;
    struct option_numbers tasks; /* instead of task_sizes, unless its list is NULL */
    struct copy_groups copy_blocks;
    struct option_numbers engine_kib; /* that copy engines copy at once */
    struct blp_rates rates;           /* by which who copies is chosen, and those sizes */
    struct blp_compute compute;       /* the same, of one loop */
    int vector_bits;
    enum blp_layout layout;
    struct blp_groups measured; /* copy blocks, where the options leave them open */
    bool wanted[VERSIONS];
    const char *names[VERSIONS]; /* variants */
    int multiprocessors;
    /* Device memory as shares of the footprint: of blp-buffer; of sync, async, um and um-prefetch,
     * where 0 is all there is. */
    struct option_reals budgets;
    double capacity_share;
    bool beside_a_loop;
};

struct version_grid {
    struct bench_configuration *configurations;
    struct version_execution *executions;
    /* Copies of `pinned` that differ in the thread block of their launches: arrays are shared. */
    struct benchmark *blocks;
    size_t count;
};

/* `managed` may be NULL if no version wants it, and `pinned` likewise. Chunk counts that come to
 * the same size of chunks stand for one configuration. */
void version_grid_fill(struct version_grid *grid, const struct version_sweep *sweep,
                       struct benchmark *pinned, struct benchmark *managed);
void version_grid_free(struct version_grid *grid);

#endif
