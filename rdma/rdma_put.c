/* rdma_put: a worker puts a block to a server, from main memory or from GPU memory (Peshne 2018,
 * figure 6-17). */
#include "rdma_block.h"

static const struct option options[] = {RDMA_BLOCK_OPTIONS, {0}};

static void run_all(struct run *run)
{
    rdma_block_run(run, (struct rdma_block_steps){.put = true}, rdma_block_record);
}

static const struct program program = {
    .name = "rdma_put",
    .summary = "puts a block from main memory or GPU memory to a server, along several paths",
    .details =
        "Rank 0 is the worker, which has a GPU; rank 1 is the server, which has none and stores "
        "the\n"
        "block in main memory. time_s runs at the worker, from the start of the send until the\n"
        "server's acknowledgement has come, which the server sends when it has the whole block.",
    .variants = rdma_block_variants,
    .options = options,
    .columns = rdma_block_columns,
    .size_unit = "elements",
    .default_sizes = rdma_block_sizes,
    .start_ranks = ranks_start,
    .run = run_all,
};

int main(int argc, char **argv)
{
    return program_main(&program, argc, argv);
}
