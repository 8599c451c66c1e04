/* coarrays_tasks: images that take tasks from a counter, by MPI messages and by coarray atomics
 * (Fanfarillo 2016, 7.3.2 and 7.3.3; S82, S83). */
#include <stdlib.h>
#include <mpi.h>

#include "coarrays/bench/images.h"
#include "coarrays/bench/lists.h"
#include "coarrays/hetero/tasks.h"
#include "coarrays/hetero/tasks_progress.h"
#include "coarrays/hetero/tasks_work.h"
#include "common/clock.h"
#include "common/harness/exit.h"

enum { MPI_WAY, CAF_WAY, WAYS };
static const struct variant variants[] = {
    [MPI_WAY] = {"mpi", "a thread of image 1 answers requests with blocking receives and sends"},
    [CAF_WAY] = {"caf", "caf_atomic_operation adds 1 to a counter on image 1: no thread for it"},
    {0},
};
static const struct tasks_way *const ways[] = {[MPI_WAY] = &tasks_mpi, [CAF_WAY] = &tasks_caf};

static const char *cost_list = "equal,random,skewed", *thread_list = "1";
static int64_t task_count = 64, iterations = 1000000;
static size_t input_bytes;
static const struct program_option options[] = {
    {"cost", OPTION_TEXT, &cost_list, "LIST",
     "iterations of the tasks: equal, random (uniform, up to twice the mean), skewed (half of all "
     "in the last tenth of the tasks)",
     0, 0},
    {"tasks", OPTION_INTEGER, &task_count, "N", "tasks of all images together", 2, 1e6},
    {"iterations", OPTION_INTEGER, &iterations, "N", "mean of a task's iterations", 1, 1e9},
    {"threads", OPTION_TEXT, &thread_list, "LIST", "OpenMP threads of each image", 0, 0},
    {"bytes", OPTION_SIZE, &input_bytes, "BYTES",
     "input of a task, a multiple of 8, which comes from image 1; 0: all data are local", 0, 0},
    {0},
};

static const struct column columns[] = {
    {"cost", COLUMN_PARAMETER, "iterations of the tasks: equal, random or skewed"},
    {"tasks", COLUMN_PARAMETER, "tasks of all images together"},
    {"threads", COLUMN_PARAMETER, "threads of each image"},
    {"bytes", COLUMN_PARAMETER, "input of a task that comes from image 1"},
    {"nodes", COLUMN_PARAMETER, "nodes that the images lie on"},
    {"lambda", COLUMN_METRIC,
     "unbalance factor in %: (most tasks of an image / mean tasks of an image - 1) * 100"},
    {"requests", COLUMN_METRIC, "requests of all images, those that got no task included"},
    {0},
};

/* What a sample tells besides its time; in order of the samples, warm-up included. */
struct outcome {
    double lambda;
    int64_t requests;
};

struct task {
    const struct tasks_way *way;
    const struct tasks_work *work;
    void *state;
    uint64_t *input;              /* of one task */
    struct tasks_results results; /* of the last sample */
    struct outcome *outcomes;
    size_t outcome_count, outcome_capacity;
};

/* ---- samples ---- */

static void append_outcome(struct task *task, int done, int requests)
{
    if (task->outcome_count == task->outcome_capacity) {
        task->outcome_capacity = task->outcome_capacity ? 2 * task->outcome_capacity : 64;
        task->outcomes = realloc(task->outcomes, task->outcome_capacity * sizeof *task->outcomes);
        check_errno(task->outcomes != NULL);
    }
    int *all = allocate_or_fail((size_t)ranks.count, sizeof *all);
    check_mpi(MPI_Allgather(&done, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD));
    task->outcomes[task->outcome_count++] =
        (struct outcome){tasks_unbalance(all, ranks.count), images_sum(requests)};
    free(all);
}

static void before(void *context)
{
    struct task *task = context;
    tasks_results_clear(task->work, &task->results);
}

/* The counter, and the thread of variant mpi, are ready before the clock starts. */
static double sample(void *context)
{
    struct task *task = context;
    int done = 0, number;
    task->way->start(task->state);
    double start_s = clock_now_s();
    while ((number = task->way->next(task->state, task->input)) >= 0) {
        tasks_work_do(task->work, number, task->input, &task->results);
        done++;
    }
    double time_s = clock_now_s() - start_s;
    task->way->finish(task->state);
    append_outcome(task, done, done + 1);
    return time_s;
}

/* ---- one configuration ---- */

static struct task create(int variant, const struct tasks_work *work)
{
    return (struct task){
        .way = ways[variant],
        .work = work,
        .state = ways[variant]->create(work->tasks, work->input, work->words),
        .input = allocate_or_fail(work->words, sizeof(uint64_t)),
        .results = tasks_results_make(work),
    };
}

static void destroy(struct task *task)
{
    task->way->destroy(task->state);
    free(task->input);
    tasks_results_free(&task->results);
    free(task->outcomes);
}

static void record(struct run *run, struct task *task, const struct subject *subject,
                   const char *cost)
{
    long wrong = run->settings.check ? tasks_results_wrong(task->work, &task->results) : 0;
    int nodes = images_nodes();
    const struct outcome *outcomes = task->outcomes + (task->outcome_count - subject->count);
    for (size_t k = 0; k < subject->count; k++) {
        struct value values[] = {
            text(cost),
            integer(task->work->tasks),
            integer(task->work->threads),
            integer((int64_t)input_bytes),
            integer(nodes),
            real(outcomes[k].lambda),
            integer(outcomes[k].requests),
        };
        record_values(run, subject->variant, (int)k, values, subject->times_s[k], wrong);
    }
}

static void measure_work(struct run *run, unsigned wanted, const struct tasks_work *work,
                         enum tasks_cost cost)
{
    struct task tasks[WAYS];
    struct subject subjects[WAYS];
    size_t count = 0;
    for (int way = 0; way < WAYS; way++) {
        if (!(wanted >> way & 1))
            continue;
        tasks[count] = create(way, work);
        subjects[count] = (struct subject){.variant = variants[way].name,
                                           .sample = sample,
                                           .before = before,
                                           .context = &tasks[count]};
        count++;
    }
    program_note(run, "%s tasks, %d threads", tasks_cost_names[cost], work->threads);
    measure(run, subjects, count);
    for (size_t i = 0; i < count; i++) {
        record(run, &tasks[i], &subjects[i], tasks_cost_names[cost]);
        destroy(&tasks[i]);
    }
    measure_free(subjects, count);
}

/* ---- all configurations ---- */

/* A bit for each way that --variants left on and that can be had. */
static unsigned choose_ways(struct run *run)
{
    unsigned wanted = 0;
    for (int way = 0; way < WAYS; way++)
        wanted |= (unsigned)program_wants(run, variants[way].name) << way;
    if (wanted >> MPI_WAY & 1 && !tasks_threads_may_call_mpi()) {
        record_waived(run, variants[MPI_WAY].name, "this MPI has no MPI_THREAD_MULTIPLE");
        wanted &= ~(1u << MPI_WAY);
    }
    return wanted;
}

static void run_all(struct run *run)
{
    unsigned costs = lists_choose("cost", cost_list, tasks_cost_names);
    struct numbers threads = lists_numbers("threads", thread_list, 1, 1024);
    if (input_bytes % sizeof(uint64_t) != 0 || input_bytes > (size_t)1 << 30)
        images_refuse("--bytes %zu: it must be a multiple of 8, and 1G at most", input_bytes);
    /* The input, the coarray, the messages, and the copy that is verified with. */
    images_need_memory(4.0 * (double)task_count * (double)input_bytes, "this input");
    unsigned wanted = choose_ways(run);
    caf_start(NULL, NULL);
    struct tasks_work work = tasks_work_make(run->settings.seed, (int)task_count, input_bytes);
    for (int cost = 0; cost < TASKS_COSTS; cost++) {
        if (!(costs >> cost & 1))
            continue;
        tasks_set_iterations((enum tasks_cost)cost, work.tasks, iterations, work.seed,
                             work.iterations);
        for (size_t i = 0; i < threads.count; i++) {
            work.threads = (int)threads.values[i];
            measure_work(run, wanted, &work, (enum tasks_cost)cost);
        }
    }
    tasks_work_free(&work);
    free(threads.values);
    caf_end();
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
