/* coarrays_contention: two-sided and one-sided transfers while all images communicate (Fanfarillo
 * 2016, 7.3.3). */
#include "coarrays/bench/batch.h"
#include "coarrays/bench/images.h"
#include "coarrays/bench/pair_task.h"
#include "common/harness/compare.h"

static const struct variant variants[] = {
    [PAIR_SENDRECV] = {"sendrecv", "MPI_Send and MPI_Recv: the block goes to the partner, and the "
                                   "partner's comes back"},
    [PAIR_MPI_GET] = {"mpi-get", "MPI_Get and MPI_Win_flush, as the thesis's LIBCAF_MPI"},
    [PAIR_CAF_GET] = {"caf-get", "caf_get"},
    {0},
};

struct row {
    size_t bytes;
    int pairs, nodes;
    double latency_s, bandwidth_gbs;
};
static const struct column columns[] = {
    PARAMETER(struct row, bytes, "bytes of a block"),
    PARAMETER(struct row, pairs, "pairs of images that communicate at once"),
    PARAMETER(struct row, nodes, "nodes that the images lie on"),
    METRIC(struct row, latency_s, "time_s: of one block, of the slowest pair"),
    METRIC(struct row, bandwidth_gbs, "10^9 bytes per second: pairs * bytes / time_s"),
    {0},
};
static const size_t default_sizes[] = {8, 64, 512, 4096, 32768, 65536, 262144, 1048576, 4194304, 0};

static bool open_task(struct run *run, void *context)
{
    struct pair_task *task = context;
    pair_open(task, run->settings.seed + (uint64_t)(task->variant * ranks.count));
    batch_calibrate(pair_sample, task, &task->times);
    return true;
}

static long count_wrong(struct run *run, void *task)
{
    (void)run;
    return pair_errors(task);
}

static void fill_row(const void *task, double time_s, void *row)
{
    size_t bytes = ((const struct pair_task *)task)->bytes;
    int pairs = ranks.count / 2;
    *(struct row *)row =
        (struct row){bytes, pairs, images_nodes(), time_s, 1e-9 * pairs * (double)bytes / time_s};
}

static const struct comparison comparison = {.task_bytes = TASK(struct pair_task),
                                             .row_bytes = sizeof(struct row),
                                             .open = open_task,
                                             .sample = pair_sample,
                                             .row = fill_row,
                                             .verify = count_wrong,
                                             .close = pair_close};

static void measure_size(struct run *run, size_t bytes)
{
    program_note(run, "%zu bytes", bytes);
    compare_variants(run, &comparison, &(struct pair_task){.bytes = bytes});
}

static void run_all(struct run *run)
{
    if (ranks.count % 2 != 0)
        images_refuse("coarrays_contention needs pairs of images: start it with mpirun -np 2 or "
                      "another even number");
    images_each_size(run, measure_size);
}

const struct program program = {
    .name = "coarrays_contention",
    .summary = "moves blocks between all pairs of images at once, two-sided and one-sided",
    .details =
        "Start it with mpirun -np IMAGES, an even number. Image i works with image i + IMAGES / 2,\n"
        "all pairs at the same time; at any moment one block of each pair is under way. A sample\n"
        "is as many transfers as take 0.5 ms or more; time_s is of one transfer, of the\n"
        "slowest pair: of sendrecv half a round trip, of the others a get until its data have\n"
        "arrived. The blocks are compared with what the partner has.",
    .variants = variants,
    .columns = columns,
    .size_unit = "bytes",
    .default_sizes = default_sizes,
    .start_ranks = ranks_start,
    .run = run_all,
};
