/* coarrays_tasks: images that take tasks from a counter, by MPI messages and by coarray atomics
 * (Fanfarillo 2016, 7.3.2 and 7.3.3). */
#include "coarrays/bench/images.h"
#include "coarrays/bench/tasks_task.h"
#include "coarrays/hetero/tasks_progress.h"
#include "common/harness/compare.h"

enum { MPI, CAF };
static const struct variant variants[] = {
    [MPI] = {"mpi", "a thread of image 1 replies to requests with blocking receives and sends"},
    [CAF] = {"caf", "caf_atomic_operation adds 1 to a counter on image 1: no thread for it"},
    {0},
};
static const struct tasks_way *const ways[] = {[MPI] = &tasks_mpi, [CAF] = &tasks_caf};

static struct option_choices costs = {
    .noun = "cost", .names = tasks_cost_names, .list = "equal,random,skewed"};
static struct option_numbers threads = {.list = "1"};
static int64_t task_count = 64, iterations = 1000000;
static size_t input_bytes;
static const struct program_option options[] = {
    {"cost", OPTION_CHOICES, &costs, "LIST",
     "iterations of the tasks: equal, random (uniform, up to twice the mean), skewed (half of all "
     "in the last tenth of the tasks)",
     0, 0},
    {"tasks", OPTION_INTEGER, &task_count, "N", "tasks of all images together", 2, 1e6},
    {"iterations", OPTION_INTEGER, &iterations, "N", "mean of a task's iterations", 1, 1e9},
    {"threads", OPTION_NUMBERS, &threads, "LIST", "OpenMP threads of each image", 1, 1024},
    {"bytes", OPTION_SIZE, &input_bytes, "BYTES",
     "input of a task, a multiple of 8, which comes from image 1; 0: all data are local", 0, 0},
    {0},
};

struct row {
    const char *cost;
    int tasks, threads;
    size_t bytes;
    int nodes;
    double lambda;
    int64_t requests;
};
static const struct column columns[] = {
    PARAMETER(struct row, cost, "iterations of the tasks: equal, random or skewed"),
    PARAMETER(struct row, tasks, "tasks of all images together"),
    PARAMETER(struct row, threads, "threads of each image"),
    PARAMETER(struct row, bytes, "input of a task that comes from image 1"),
    PARAMETER(struct row, nodes, "nodes that the images lie on"),
    METRIC(struct row, lambda,
           "unbalance factor in %: (most tasks of an image / mean tasks of an image - 1) * 100"),
    METRIC(struct row, requests, "requests of all images, those that got no task included"),
    {0},
};

static bool open_task(struct run *run, void *context)
{
    struct tasks_task *task = context;
    (void)run;
    if (task->variant == MPI && !tasks_threads_may_call_mpi())
        return false;
    tasks_task_open(task, ways[task->variant]);
    return true;
}

static void fill_row(const void *context, double time_s, void *row)
{
    const struct tasks_task *task = context;
    (void)time_s;
    *(struct row *)row = (struct row){tasks_cost_names[task->cost],
                                      task->work->tasks,
                                      task->work->threads,
                                      input_bytes,
                                      images_nodes(),
                                      task->lambda,
                                      task->requests};
}

static long count_wrong(struct run *run, void *context)
{
    struct tasks_task *task = context;
    (void)run;
    return tasks_results_wrong(task->work, &task->results);
}

static const struct comparison comparison = {.task_bytes = TASK(struct tasks_task),
                                             .row_bytes = sizeof(struct row),
                                             .open = open_task,
                                             .prepare = tasks_task_clear,
                                             .sample = tasks_task_sample,
                                             .row = fill_row,
                                             .verify = count_wrong,
                                             .close = tasks_task_close};

static void run_all(struct run *run)
{
    if (input_bytes % sizeof(uint64_t) != 0 || input_bytes > (size_t)1 << 30)
        images_refuse("--bytes %zu: it must be a multiple of 8, and 1G at most", input_bytes);
    /* The input, the coarray, the messages, and the copy that is verified with. */
    images_need_memory(4.0 * (double)task_count * (double)input_bytes, "this input");
    if (program_wants_variant(run, MPI) && !tasks_threads_may_call_mpi())
        record_waived(run, variants[MPI].name, "this MPI has no MPI_THREAD_MULTIPLE");
    check_status(caf_start(NULL, NULL));
    struct tasks_work work = tasks_work_make(run->settings.seed, (int)task_count, input_bytes);
    for (size_t c = 0; c < costs.count; c++) {
        struct tasks_task task = {.cost = (enum tasks_cost)costs.values[c], .work = &work};
        tasks_set_iterations(task.cost, work.tasks, iterations, work.seed, work.iterations);
        for (size_t i = 0; i < threads.count; i++) {
            work.threads = (int)threads.values[i];
            program_note(run, "%s tasks, %d threads", tasks_cost_names[task.cost], work.threads);
            compare_variants(run, &comparison, &task);
        }
    }
    tasks_work_free(&work);
    check_status(caf_end());
}

const struct program program = {
    .name = "coarrays_tasks",
    .summary = "images take tasks from a counter on image 1, by messages or by coarray atomics",
    .details =
        "Start it with mpirun -np IMAGES. Each image, image 1 too, takes one task at a time until\n"
        "none is left, and computes it with --threads threads; where there are more threads than\n"
        "cores, set OMP_WAIT_POLICY=passive. time_s is the longest of all images until all tasks\n"
        "are done. That each was computed once, by whoever, and the results are verified.",
    .variants = variants,
    .options = options,
    .columns = columns,
    .start_ranks = ranks_start,
    .run = run_all,
};
