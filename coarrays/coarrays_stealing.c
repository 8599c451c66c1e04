/* coarrays_stealing: uneven work, balanced by stealing tasks or by handing on threads
 * (Fanfarillo 2016, 7.3.2.3 and 7.3.2.4). */
#include <omp.h>

#include "coarrays/bench/cores.h"
#include "coarrays/bench/images.h"
#include "coarrays/hetero/stealing.h"
#include "common/clock.h"
#include "common/harness/compare.h"

static const struct variant variants[] = {
    [STEALING_NONE] = {"none", "an image that has finished its part waits"},
    [STEALING_PROCESS] = {"process", "an image that has finished takes tasks, with their data, one "
                                     "after the other from the slowest image"},
    [STEALING_THREAD] = {"thread", "an image that has finished adds its threads to those of the "
                                   "slowest image of its node, and stops"},
    {0},
};

static struct option_numbers threads = {.list = "1,2,4"}, bytes = {.list = "64,65536"};
static double skew = 4;
static int64_t tasks = 64, operations = 1 << 20;
static const struct program_option options[] = {
    {"threads", OPTION_NUMBERS, &threads, "LIST",
     "OpenMP threads of each image at the start, also more than there are cores", 1, 1024},
    {"bytes", OPTION_NUMBERS, &bytes, "LIST", "bytes of data per task, multiples of 8", 8, 1 << 30},
    {"skew", OPTION_REAL, &skew, "RATIO",
     "how many times as long as a task of the first image one of the last takes", 1, 1e6},
    {"tasks", OPTION_INTEGER, &tasks, "N", "tasks of each image", 1, 1e6},
    {"operations", OPTION_INTEGER, &operations, "N",
     "steps of arithmetic of a task, mean over the images", 1, 1e12},
    {0},
};

struct row {
    int threads;
    size_t bytes;
    double skew;
    int64_t tasks, operations;
    int cores, nodes;
    int64_t stolen;
    int threads_most;
    double lambda;
};
static const struct column columns[] = {
    PARAMETER(struct row, threads, "OpenMP threads of each image at the start"),
    PARAMETER(struct row, bytes, "of data per task"),
    PARAMETER(struct row, skew, "steps of a task of the last image / of the first"),
    PARAMETER(struct row, tasks, "of each image"),
    PARAMETER(struct row, operations, "steps of arithmetic of a task, mean over the images"),
    PARAMETER(struct row, cores, "that the threads of every image of the first node may use"),
    PARAMETER(struct row, nodes, "nodes that the images lie on"),
    METRIC(struct row, stolen, "tasks computed by another image, or threads handed on, of all"),
    METRIC(struct row, threads_most, "largest number of threads that computed one task"),
    METRIC(struct row, lambda,
           "unbalance factor in percent: (most steps computed by an image / mean - 1) * 100"),
    {0},
};

struct task {
    int variant;
    int threads, cores;
    size_t bytes;
    struct stealing *stealing;
    struct stealing_outcome outcome; /* of the last sample */
    long errors;                     /* of all samples, warm-up included */
};

static void reset(void *context)
{
    struct task *task = context;
    check_status(stealing_reset(task->stealing, task->threads));
}

static double sample(void *context)
{
    struct task *task = context;
    double start_s = clock_now_s();
    check_status(stealing_run(task->stealing, (enum stealing_strategy)task->variant));
    double time_s = clock_now_s() - start_s;
    check_status(stealing_check(task->stealing, &task->outcome));
    task->errors += task->outcome.errors;
    return time_s;
}

static void fill_row(const void *context, double time_s, void *row)
{
    const struct task *task = context;
    const struct stealing_outcome *outcome = &task->outcome;
    (void)time_s;
    *(struct row *)row =
        (struct row){task->threads,        task->bytes,    skew,           tasks,
                     operations,           task->cores,    images_nodes(), outcome->stolen,
                     outcome->threads_max, outcome->lambda};
}

static long count_wrong(struct run *run, void *context)
{
    (void)run;
    return ((const struct task *)context)->errors;
}

static const struct comparison comparison = {.task_bytes = TASK(struct task),
                                             .row_bytes = sizeof(struct row),
                                             .prepare = reset,
                                             .sample = sample,
                                             .row = fill_row,
                                             .verify = count_wrong};

/* An image's data are read at least once by each task, so that what was lost on the way is seen. */
static void check_bytes(const struct stealing_problem *problem, long count)
{
    int64_t fewest_steps = stealing_steps(problem, 1, ranks.count);
    if (count % 8 != 0)
        images_refuse("--bytes %ld: the number must be a multiple of 8", count);
    if (count / 8 > fewest_steps)
        images_refuse("--bytes %ld: a task of the first image has %lld steps, too few to read all "
                      "its data: raise --operations",
                      count, (long long)fewest_steps);
    images_need_memory((double)(tasks + 2) * (double)count, "this --bytes");
}

static void check_threads(void)
{
    for (size_t i = 0; i < threads.count; i++)
        if (threads.values[i] * ranks.count > omp_get_thread_limit())
            images_refuse("--threads %ld: OMP_THREAD_LIMIT leaves an image %d threads, fewer than "
                          "%d images may hand to one",
                          threads.values[i], omp_get_thread_limit(), ranks.count);
    if (omp_get_proc_bind() != omp_proc_bind_false)
        images_refuse("OMP_PROC_BIND or OMP_PLACES binds threads to cores, and those handed on "
                      "could not use the cores of the image that gave them: unset it");
}

static void measure_bytes(struct run *run, struct stealing_problem *problem, size_t count)
{
    problem->bytes = count;
    struct stealing *stealing;
    check_status(stealing_create(&stealing, problem));
    for (size_t t = 0; t < threads.count; t++) {
        struct task task = {.threads = (int)threads.values[t],
                            .cores = cores_usable((int)threads.values[t]),
                            .bytes = count,
                            .stealing = stealing};
        program_note(run, "%d threads per image on %d cores, %zu bytes per task", task.threads,
                     task.cores, count);
        compare_variants(run, &comparison, &task);
    }
    stealing_free(stealing);
}

static void run_all(struct run *run)
{
    struct stealing_problem problem = {.tasks = (int)tasks,
                                       .operations = operations,
                                       .skew = skew,
                                       .seed = run->settings.seed,
                                       .check = run->settings.check};
    check_threads();
    for (size_t b = 0; b < bytes.count; b++)
        check_bytes(&problem, bytes.values[b]);

    cpu_set_t own_cores = cores_share();
    omp_set_dynamic(0);
    check_status(caf_start(NULL, NULL));
    for (size_t b = 0; b < bytes.count; b++)
        measure_bytes(run, &problem, (size_t)bytes.values[b]);
    check_status(caf_end());
    /* The description of the machine, written next, counts the cores of this process. */
    check_errno(sched_setaffinity(0, sizeof own_cores, &own_cores) == 0);
}

static void start_program(int argc, char **argv)
{
    (void)argc;
    cores_let_threads_sleep(argv);
}

const struct program program = {
    .name = "coarrays_stealing",
    .summary = "balances uneven work by stealing tasks, or by handing on threads",
    .details =
        "Start it with mpirun -np IMAGES. Every image owns --tasks tasks, each with its own random\n"
        "data in a coarray; the steps of a task grow linearly from image 1 to the last, to --skew\n"
        "times as many. What is left of each part, and the time its tasks take, are in a coarray.\n"
        "An image that has finished reads it to find the slowest one: that with the longest time\n"
        "left. time_s is of all tasks of all images. Threads run on all cores of the node's\n"
        "images, also where the launcher bound these to cores, and sleep while they wait for one\n"
        "another unless OMP_WAIT_POLICY says otherwise. Every sample's results are compared with\n"
        "those of a serial computation.",
    .variants = variants,
    .options = options,
    .columns = columns,
    .start_ranks = ranks_start,
    .start = start_program,
    .run = run_all,
};
