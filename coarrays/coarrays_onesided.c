/* coarrays_onesided: what the target's help costs, and a collective beside a loop of puts
 * (Fanfarillo 2016, 5.2.2.4 and 5.3). */
#include "coarrays/bench/images.h"
#include "coarrays/bench/onesided_task.h"
#include "common/harness/compare.h"

static const struct variant variants[] = {
    [ONESIDED_PASSIVE] = {"passive",
                          "late target: caf_put and caf_sync_memory, the target does nothing"},
    [ONESIDED_ACTIVE] =
        {"active", "late target: MPI_Win_fence, MPI_Put, MPI_Win_fence, the target comes to both"},
    [ONESIDED_COLLECTIVE] = {"collective", "broadcast: caf_broadcast from image 1"},
    [ONESIDED_PUTS] = {"puts", "broadcast: image 1 puts to each other image, then caf_sync_all"},
    {0},
};

static double late_s = 200e-6;
static const struct program_option options[] = {
    {"late", OPTION_REAL, &late_s, "SECONDS",
     "how long the target of the first two variants computes before it comes", 0, 1},
    {0},
};

struct row {
    const char *operation;
    size_t size_bytes;
    int nodes;
};
static const struct column columns[] = {
    PARAMETER(struct row, operation, "late (a put to an image that computes) or broadcast"),
    PARAMETER(struct row, size_bytes, "bytes that each target gets"),
    PARAMETER(struct row, nodes, "nodes that the images lie on"),
    {0},
};
static const size_t default_sizes[] = {8, 1024, 65536, 1048576, 0};

static bool open_task(struct run *run, void *context)
{
    struct onesided_task *task = context;
    task->late_s = late_s;
    onesided_open(task, run->settings.seed + (uint64_t)task->variant);
    return true;
}

static long count_wrong(struct run *run, void *task)
{
    (void)run;
    return onesided_errors(task);
}

static void fill_row(const void *task, double time_s, void *row)
{
    const struct onesided_task *of = task;
    (void)time_s;
    *(struct row *)row =
        (struct row){onesided_is_late(of) ? "late" : "broadcast", of->bytes, images_nodes()};
}

static const struct comparison comparison = {.task_bytes = TASK(struct onesided_task),
                                             .row_bytes = sizeof(struct row),
                                             .open = open_task,
                                             .sample = onesided_sample,
                                             .row = fill_row,
                                             .verify = count_wrong,
                                             .close = onesided_close};

static void measure_size(struct run *run, size_t bytes)
{
    program_note(run, "%zu bytes", bytes);
    compare_variants(run, &comparison, &(struct onesided_task){.bytes = bytes});
}

static void run_all(struct run *run)
{
    images_need(run, 2);
    images_each_size(run, measure_size);
}

const struct program program = {
    .name = "coarrays_onesided",
    .summary = "puts to an image that comes late, and a broadcast beside a loop of puts",
    .details =
        "Start it with mpirun -np IMAGES. time_s of passive and active is the origin's (image 1)\n"
        "until its put to the last image is complete, while that image computes for --late\n"
        "seconds; of collective and puts it is the longest of all images until the data are\n"
        "there. What arrived is compared with what was sent.",
    .variants = variants,
    .options = options,
    .columns = columns,
    .size_unit = "bytes",
    .default_sizes = default_sizes,
    .start_ranks = ranks_start,
    .run = run_all,
};
