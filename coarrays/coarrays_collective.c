/* coarrays_collective: co_sum and co_broadcast by size and sync all, beside MPI_Allreduce,
 * MPI_Bcast and MPI_Barrier. */
#include <limits.h>

#include "coarrays/bench/collective_task.h"
#include "coarrays/bench/images.h"
#include "common/harness/compare.h"

static const char *const operation_names[] = {[COLLECTIVE_SUM] = "sum",
                                              [COLLECTIVE_BROADCAST] = "broadcast",
                                              [COLLECTIVE_BARRIER] = "barrier",
                                              NULL};
static struct option_choices operations = {
    .noun = "operation", .names = operation_names, .list = "sum,broadcast,barrier"};
static const struct program_option options[] = {
    {"operations", OPTION_CHOICES, &operations, "LIST",
     "sum of doubles, the result on all images; broadcast from image 1; barrier, which has no size",
     0, 0},
    {0},
};

static const struct variant variants[] = {
    [COLLECTIVE_CAF] = {"datamotion-c",
                        "caf_sum, caf_broadcast, caf_sync_all: this library from C"},
    [COLLECTIVE_MPI] = {"mpi-c", "MPI_Allreduce in place, MPI_Bcast, MPI_Barrier"},
    {0},
};

struct row {
    const char *operation;
    size_t size_bytes;
    int nodes;
};
static const struct column columns[] = {
    PARAMETER(struct row, operation, "sum, broadcast or barrier"),
    PARAMETER(struct row, size_bytes, "bytes that each image has; barrier: 0"),
    PARAMETER(struct row, nodes, "nodes that the images lie on"),
    {0},
};

static const size_t default_sizes[] = {8,      64,      512,     4096,     32768,
                                       262144, 1048576, 4194304, 16777216, 0};
static enum collective_operation operation;

static bool open_task(struct run *run, void *task)
{
    (void)run;
    collective_open(task);
    return true;
}

static long count_wrong(struct run *run, void *task)
{
    (void)run;
    return collective_errors(task);
}

static void fill_row(const void *task, double time_s, void *row)
{
    const struct collective_task *of = task;
    (void)time_s;
    *(struct row *)row =
        (struct row){operation_names[of->operation], of->count * sizeof(double), images_nodes()};
}

static const struct comparison comparison = {.task_bytes = TASK(struct collective_task),
                                             .row_bytes = sizeof(struct row),
                                             .open = open_task,
                                             .sample = collective_sample,
                                             .row = fill_row,
                                             .verify = count_wrong};

static void measure_size(struct run *run, size_t bytes)
{
    size_t count = bytes / sizeof(double);
    program_note(run, "%s, %zu bytes", operation_names[operation], bytes);
    compare_variants(run, &comparison,
                     &(struct collective_task){.operation = operation, .count = count});
}

static void run_all(struct run *run)
{
    images_need(run, 2);
    images_largest_size(run, "a block", INT_MAX);
    for (size_t i = 0; i < run->settings.size_count; i++)
        if (run->settings.sizes[i] % sizeof(double) != 0)
            images_refuse("--sizes %zu: a number of doubles, a multiple of 8, is needed",
                          run->settings.sizes[i]);
    check_status(caf_start(NULL, NULL));
    for (size_t i = 0; i < operations.count; i++) {
        operation = (enum collective_operation)operations.values[i];
        size_t sizes = operation == COLLECTIVE_BARRIER ? 1 : run->settings.size_count;
        for (size_t size = 0; size < sizes; size++)
            measure_size(run, run->settings.sizes[size]);
    }
    check_status(caf_end());
}

const struct program program = {
    .name = "coarrays_collective",
    .summary = "sum, broadcast by size and barrier over all images, by this library and by MPI",
    .details =
        "Start it with mpirun -np IMAGES. time_s is that of one operation, the longest of all\n"
        "images; a sample does as many as take about 0.5 ms (tried before, untimed), each on the\n"
        "same memory. Checked afterwards on all images, with new values: sums are exact.",
    .variants = variants,
    .options = options,
    .columns = columns,
    .size_unit = "bytes",
    .default_sizes = default_sizes,
    .start_ranks = ranks_start,
    .run = run_all,
};
