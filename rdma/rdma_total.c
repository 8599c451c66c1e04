/* rdma_total: a worker gets a block into GPU memory, works on it and puts it back: the whole
 * operation, with and without a stop in main memory (Peshne 2018, figure 6-18). */
#include "rdma_block.h"

static const struct column columns[] = {
    RDMA_BLOCK_COLUMNS,
    {"work", COLUMN_PARAMETER, "kernels between get and put"},
    {"get_s", COLUMN_METRIC, "from before the request until the block is in GPU memory"},
    {"put_s", COLUMN_METRIC, "from the start of the send until the acknowledgement has come"},
    {"compute_s", COLUMN_METRIC, "kernels, waited for"},
    {"copies_s", COLUMN_METRIC,
     "the part of get_s and put_s in copies between GPU and main memory; 0 where no copy stands "
     "alone"},
    {"messages_s", COLUMN_METRIC, "get_s + put_s - copies_s"},
    {0},
};

static int64_t work = 1;
static const struct option options[] = {
    {"work", OPTION_INTEGER, &work, "N",
     "kernels that scale the block between get and put; 0: none, and what is put is another block",
     0, 100000},
    RDMA_BLOCK_OPTIONS,
    {0},
};

static void record(struct run *run, const char *variant, int repetition, size_t elements,
                   double time_s, const struct rdma_block_times *times, long errors)
{
    struct value values[] = {integer((int64_t)elements),
                             integer((int64_t)(elements * sizeof(uint64_t))),
                             integer(work),
                             real(times->get_s),
                             real(times->put_s),
                             real(times->compute_s),
                             real(times->copies_s),
                             real(times->get_s + times->put_s - times->copies_s)};
    record_row(run, variant, repetition, values, time_s, errors);
}

static void run_all(struct run *run)
{
    struct rdma_block_steps steps = {.get = true, .work = (int)work, .put = true};
    rdma_block_run(run, steps, record);
}

static const struct program program = {
    .name = "rdma_total",
    .summary = "gets a block into GPU memory, works on it and puts it back, along several paths",
    .details =
        "Rank 0 is the worker, which has a GPU; rank 1 is the server, which has none and keeps "
        "the\n"
        "block in main memory. time_s is the time of the whole operation at the worker:\n"
        "get_s + compute_s + put_s. Between get and put, --work kernels multiply all numbers of\n"
        "the block by a constant. Of the staged paths copies_s is measured within get and put; "
        "the\n"
        "other paths have no copy between GPU and main memory that nothing overlaps.",
    .variants = rdma_block_variants + RDMA_BLOCK_HOST_VARIANTS,
    .options = options,
    .columns = columns,
    .size_unit = "elements",
    .default_sizes = rdma_block_sizes,
    .start_ranks = ranks_start,
    .run = run_all,
};

int main(int argc, char **argv)
{
    return program_main(&program, argc, argv);
}
