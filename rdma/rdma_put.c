/* rdma_put: a worker puts a block to a server, from main memory or from GPU memory (Peshne 2018,
 * figure 6-17). */
#include "block.h"

static const struct program_option options[] = {WAIT_LIMIT_OPTION, {0}};

static void run_all(struct run *run)
{
    run_blocks(run, (struct block_steps){.put = true});
}

const struct program program = {
    .name = "rdma_put",
    .summary = "puts a block from main memory or GPU memory to a server, along several paths",
    .details =
        "Rank 0 is the worker, which has a GPU; rank 1 is the server, which has none and stores the\n"
        "block in main memory. time_s runs at the worker, from the start of the send until the\n"
        "server's acknowledgement has come, which the server sends when it has the whole block.",
    .variants = block_variants,
    .options = options,
    .columns = block_columns,
    .size_unit = "elements",
    .default_sizes = block_sizes,
    .start_ranks = ranks_start,
    .run = run_all,
};
