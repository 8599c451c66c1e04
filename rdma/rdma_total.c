/* rdma_total: a worker gets a block into GPU memory, works on it and puts it back: the whole
 * operation, with and without a stop in main memory (Peshne 2018, figure 6-18). */
#include "block.h"

struct row {
    size_t block_elements, block_bytes;
    int64_t work;
    double get_s, put_s, compute_s, copies_s, messages_s;
};
static const struct column columns[] = {
    PARAMETER(struct row, block_elements, "numbers in the block"),
    PARAMETER(struct row, block_bytes, "size of the block: 8 bytes per number"),
    PARAMETER(struct row, work, "kernels between get and put"),
    METRIC(struct row, get_s, "from before the request until the block is in GPU memory"),
    METRIC(struct row, put_s, "from the start of the send until the acknowledgement has come"),
    METRIC(struct row, compute_s, "kernels, waited for"),
    METRIC(struct row, copies_s,
           "the part of get_s and put_s in copies between GPU and main memory; 0 where no copy "
           "stands alone"),
    METRIC(struct row, messages_s, "get_s + put_s - copies_s"),
    {0},
};

static int64_t work = 1;
static const struct program_option options[] = {
    {"work", OPTION_INTEGER, &work, "N",
     "kernels that scale the block between get and put; 0: none, and what is put is another block",
     0, 100000},
    WAIT_LIMIT_OPTION,
    {0},
};

static void fill_row(const void *task, double time_s, void *row)
{
    (void)time_s;
    const struct block *block = task;
    const struct block_times *times = &block->times;
    *(struct row *)row = (struct row){.block_elements = block->elements,
                                      .block_bytes = block->elements * sizeof(uint64_t),
                                      .work = work,
                                      .get_s = times->get_s,
                                      .put_s = times->put_s,
                                      .compute_s = times->compute_s,
                                      .copies_s = times->copies_s,
                                      .messages_s = times->get_s + times->put_s - times->copies_s};
}

static void run_all(struct run *run)
{
    struct block_steps steps = {.get = true, .work = (int)work, .put = true};
    run_blocks_with(run, steps, sizeof(struct row), fill_row);
}

const struct program program = {
    .name = "rdma_total",
    .summary = "gets a block into GPU memory, works on it and puts it back, along several paths",
    .details =
        "Rank 0 is the worker, which has a GPU; rank 1 is the server, which has none and keeps the\n"
        "block in main memory. time_s is the time of the whole operation at the worker:\n"
        "get_s + compute_s + put_s. Between get and put, --work kernels multiply all numbers of\n"
        "the block by a constant. Of the staged paths copies_s is measured within get and put; the\n"
        "other paths have no copy between GPU and main memory that nothing overlaps.",
    .variants = block_variants + BLOCK_HOST_VARIANTS,
    .options = options,
    .columns = columns,
    .size_unit = "elements",
    .default_sizes = block_sizes,
    .start_ranks = ranks_start,
    .run = run_all,
};
