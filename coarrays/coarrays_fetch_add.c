/* coarrays_fetch_add: what an atomic fetch-and-add on image 1 costs, by the number of images that
 * do it and by what image 1 does meanwhile (Fanfarillo 2016, 7.4.2.3 and 7.4.9.2). */
#include <stdio.h>

#include "coarrays/bench/batch.h"
#include "coarrays/bench/fetch_add_task.h"
#include "coarrays/bench/images.h"
#include "common/harness/compare.h"

enum { CAF, MPI, WAYS };
static const struct variant variants[] = {
    [CAF] = {"caf", "caf_atomic_operation: the processor's atomics on one node, else MPI's"},
    [MPI] = {"mpi", "MPI_Fetch_and_op and MPI_Win_flush on an MPI window, on one node, too"},
    {0},
};

static struct option_numbers contenders, requests = {.list = "1,2,4,8"};
static struct option_choices progress = {
    .noun = "progress", .names = tasks_progress_names, .list = "idle,manual,thread"};
static double slice_s = 20e-6;
static const struct program_option options[] = {
    {"contenders", OPTION_NUMBERS, &contenders, "LIST",
     "images that add at the same time, from image 2 on; left out: 1 to all others", 1, 1e6},
    {"progress", OPTION_CHOICES, &progress, "LIST",
     "what image 1 does: idle (waits inside MPI), manual (computes, and calls MPI_Iprobe after "
     "each slice), thread (computes while a thread calls MPI_Iprobe)",
     0, 0},
    {"per-request", OPTION_NUMBERS, &requests, "LIST", "what a request adds: tasks it takes", 1,
     1000000},
    {"slice", OPTION_REAL, &slice_s, "SECONDS", "computation of image 1 between two probes", 1e-6,
     1},
    {0},
};

struct row {
    int contenders;
    const char *progress;
    int per_request, nodes;
    int64_t operations;
};
static const struct column columns[] = {
    PARAMETER(struct row, contenders, "images that add at the same time"),
    PARAMETER(struct row, progress, "what image 1 does: idle, manual or thread"),
    PARAMETER(struct row, per_request, "what a request adds: tasks that it takes"),
    PARAMETER(struct row, nodes, "nodes that the images lie on"),
    METRIC(struct row, operations, "requests of all images in a sample"),
    {0},
};

static bool open_task(struct run *run, void *context)
{
    struct fetch_add_task *task = context;
    (void)run;
    task->slice_s = slice_s;
    fetch_add_open(task, task->variant == CAF);
    batch_calibrate(fetch_add_sample, task, &task->times);
    return true;
}

static long count_wrong(struct run *run, void *task)
{
    (void)run;
    return fetch_add_errors(task);
}

static void fill_row(const void *context, double time_s, void *row)
{
    const struct fetch_add_task *task = context;
    (void)time_s;
    *(struct row *)row =
        (struct row){task->contenders, tasks_progress_names[task->progress], task->per_request,
                     images_nodes(), (int64_t)task->times * task->contenders};
}

static const struct comparison comparison = {.task_bytes = TASK(struct fetch_add_task),
                                             .row_bytes = sizeof(struct row),
                                             .open = open_task,
                                             .sample = fetch_add_sample,
                                             .row = fill_row,
                                             .verify = count_wrong,
                                             .close = fetch_add_close};

static void measure_contenders(struct run *run, int count, int per_request)
{
    struct fetch_add_task tasks[WAYS * TASKS_PROGRESSES];
    size_t tasks_count = 0;
    for (size_t p = 0; p < progress.count; p++)
        for (int way = 0; way < WAYS; way++)
            if (program_wants_variant(run, way))
                tasks[tasks_count++] =
                    (struct fetch_add_task){.variant = way,
                                            .contenders = count,
                                            .per_request = per_request,
                                            .progress = (enum tasks_progress)progress.values[p]};
    program_note(run, "%d contenders, %d per request", count, per_request);
    compare_tasks(run, &comparison, tasks, tasks_count);
}

/* Without MPI_THREAD_MULTIPLE there is no progress by a thread. */
static void leave_out_threads(struct run *run)
{
    size_t count = 0;
    for (size_t p = 0; p < progress.count; p++)
        if (progress.values[p] != TASKS_THREAD)
            progress.values[count++] = progress.values[p];
    for (int way = 0; way < WAYS && count < progress.count; way++)
        if (program_wants_variant(run, way))
            record_waived(run, variants[way].name,
                          "progress thread: this MPI has no MPI_THREAD_MULTIPLE");
    progress.count = count;
}

static void choose_contenders(void)
{
    char all[32];
    snprintf(all, sizeof all, "1..%d", ranks.count - 1);
    if (!contenders.list)
        contenders = option_read_numbers("contenders", all, 1, ranks.count - 1);
    for (size_t i = 0; i < contenders.count; i++)
        if (contenders.values[i] >= ranks.count)
            images_refuse("--contenders %ld: besides image 1 there are %d images",
                          contenders.values[i], ranks.count - 1);
}

static void run_all(struct run *run)
{
    images_need(run, 2);
    choose_contenders();
    if (!tasks_threads_may_call_mpi())
        leave_out_threads(run);
    check_status(caf_start(NULL, NULL));
    for (size_t k = 0; k < requests.count; k++)
        for (size_t c = 0; c < contenders.count; c++)
            measure_contenders(run, (int)contenders.values[c], (int)requests.values[k]);
    check_status(caf_end());
}

const struct program program = {
    .name = "coarrays_fetch_add",
    .summary = "atomic fetch-and-add on image 1, by contenders and by what image 1 does",
    .details =
        "Start it with mpirun -np IMAGES. time_s is of one request, of the slowest image; a sample\n"
        "is as many requests of each contender as take 0.5 ms or more. Images that neither\n"
        "add nor are image 1 sleep. The counter and the numbers that were handed out are checked.",
    .variants = variants,
    .options = options,
    .columns = columns,
    .start_ranks = ranks_start,
    .run = run_all,
};
