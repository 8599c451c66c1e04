/* rdma_get: a worker gets a block from a server, into main memory or into GPU memory (Peshne 2018,
 * figure 6-16). */
#include "block.h"

static const struct program_option options[] = {WAIT_LIMIT_OPTION, {0}};

static void run_all(struct run *run)
{
    run_blocks(run, (struct block_steps){.get = true});
}

const struct program program = {
    .name = "rdma_get",
    .summary = "gets a block from a server into main memory or GPU memory, along several paths",
    .details =
        "Rank 0 is the worker, which has a GPU; rank 1 is the server, which has none and keeps the\n"
        "block in main memory. The worker sends a request and the server replies with the block.\n"
        "time_s runs at the worker, from before the request until the block is in its buffer: in\n"
        "main memory (host-*) or in GPU memory (all others).",
    .variants = block_variants,
    .options = options,
    .columns = block_columns,
    .size_unit = "elements",
    .default_sizes = block_sizes,
    .start_ranks = ranks_start,
    .run = run_all,
};
