/* coarrays_stealing: uneven work, balanced by stealing tasks or by handing on threads
 * (Fanfarillo 2016, 7.3.2.3 and 7.3.2.4). */
#include <omp.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>
#include <mpi.h>

#include "coarrays/bench/images.h"
#include "coarrays/bench/lists.h"
#include "coarrays/hetero/stealing.h"
#include "common/clock.h"
#include "common/harness/program.h"

static const struct variant variants[] = {
    [STEALING_NONE] = {"none", "who has finished its part waits"},
    [STEALING_PROCESS] = {"process", "who has finished takes tasks, with their data, one after the "
                                     "other from the slowest image"},
    [STEALING_THREAD] = {"thread", "who has finished adds its threads to those of the slowest "
                                   "image of its node, and stops"},
    {0},
};

static const char *threads_list = "1,2,4", *bytes_list = "64,65536";
static double skew = 4;
static int64_t tasks = 64, operations = 1 << 20;
static const struct program_option options[] = {
    {"threads", OPTION_TEXT, &threads_list, "LIST",
     "OpenMP threads of each image at the start, also more than there are cores", 0, 0},
    {"bytes", OPTION_TEXT, &bytes_list, "LIST", "bytes of data per task, multiples of 8", 0, 0},
    {"skew", OPTION_REAL, &skew, "RATIO",
     "how many times as long as a task of the first image one of the last takes", 1, 1e6},
    {"tasks", OPTION_INTEGER, &tasks, "N", "tasks of each image", 1, 1e6},
    {"operations", OPTION_INTEGER, &operations, "N",
     "steps of arithmetic of a task, mean over the images", 1, 1e12},
    {0},
};

static const struct column columns[] = {
    {"threads", COLUMN_PARAMETER, "OpenMP threads of each image at the start"},
    {"bytes", COLUMN_PARAMETER, "of data per task"},
    {"skew", COLUMN_PARAMETER, "steps of a task of the last image / of the first"},
    {"tasks", COLUMN_PARAMETER, "of each image"},
    {"operations", COLUMN_PARAMETER, "steps of arithmetic of a task, mean over the images"},
    {"cores", COLUMN_PARAMETER, "that the threads of every image of the first node may use"},
    {"nodes", COLUMN_PARAMETER, "nodes that the images lie on"},
    {"stolen", COLUMN_METRIC, "tasks computed by another image, or threads handed on, of all"},
    {"threads_most", COLUMN_METRIC, "largest number of threads that computed one task"},
    {"lambda", COLUMN_METRIC,
     "unbalance factor in percent: (most steps computed by an image / mean - 1) * 100"},
    {0},
};

/* ---- cores ---- */

/* Lets this image's threads use the cores of all images of its node, wherever the launcher bound
 * them: else handed threads would share the cores of who gets them. OpenMP's threads, which start
 * later, inherit the mask. Returns the one before. */
static cpu_set_t share_cores(void)
{
    cpu_set_t before, all;
    MPI_Comm node;
    check_errno(sched_getaffinity(0, sizeof before, &before) == 0);
    check_mpi(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node));
    check_mpi(MPI_Allreduce(&before, &all, sizeof all, MPI_BYTE, MPI_BOR, node));
    check_mpi(MPI_Comm_free(&node));
    check_errno(sched_setaffinity(0, sizeof all, &all) == 0);
    return before;
}

/* As a thread of OpenMP's finds them: the least of all. */
static int usable_cores(int threads)
{
    int cores = CPU_SETSIZE;
#pragma omp parallel num_threads(threads) reduction(min : cores)
    {
        cpu_set_t set;
        check_errno(sched_getaffinity(0, sizeof set, &set) == 0);
        cores = CPU_COUNT(&set);
    }
    return cores;
}

/* ---- one configuration ---- */

struct task {
    enum stealing_strategy strategy;
    int threads;
    struct stealing *stealing;
    /* of each sample, warm-up included */
    struct stealing_outcome *outcomes;
    size_t count;
};

static void before(void *context)
{
    struct task *task = context;
    stealing_reset(task->stealing, task->threads);
}

static double sample(void *context)
{
    struct task *task = context;
    double start_s = clock_now_s();
    stealing_run(task->stealing, task->strategy);
    double time_s = clock_now_s() - start_s;
    task->outcomes = realloc(task->outcomes, (task->count + 1) * sizeof *task->outcomes);
    check_errno(task->outcomes);
    task->outcomes[task->count++] = stealing_check(task->stealing);
    return time_s;
}

static void record(struct run *run, const struct task *task, const struct subject *subject,
                   int64_t bytes, int cores, int nodes)
{
    const struct stealing_outcome *outcomes = task->outcomes + (task->count - subject->count);
    for (size_t i = 0; i < subject->count; i++) {
        struct value values[] = {
            integer(task->threads),
            integer(bytes),
            real(skew),
            integer(tasks),
            integer(operations),
            integer(cores),
            integer(nodes),
            integer(outcomes[i].stolen),
            integer(outcomes[i].most_threads),
            real(outcomes[i].lambda),
        };
        record_values(run, subject->variant, (int)i, values, subject->times_s[i],
                      outcomes[i].errors);
    }
}

static void measure_threads(struct run *run, struct stealing *stealing, int threads, int64_t bytes)
{
    struct task task[STEALING_STRATEGIES];
    struct subject subjects[STEALING_STRATEGIES];
    size_t count = 0;
    int nodes = images_nodes(), cores = usable_cores(threads);
    for (int s = 0; s < STEALING_STRATEGIES; s++) {
        if (!program_wants(run, variants[s].name))
            continue;
        task[count] = (struct task){
            .strategy = (enum stealing_strategy)s, .threads = threads, .stealing = stealing};
        subjects[count] = (struct subject){.variant = variants[s].name,
                                           .sample = sample,
                                           .before = before,
                                           .context = &task[count]};
        count++;
    }
    program_note(run, "%d threads per image on %d cores, %lld bytes per task", threads, cores,
                 (long long)bytes);
    measure(run, subjects, count);
    for (size_t i = 0; i < count; i++) {
        record(run, &task[i], &subjects[i], bytes, cores, nodes);
        free(task[i].outcomes);
    }
    measure_free(subjects, count);
}

/* ---- all configurations ---- */

/* An image's data are read at least once by each task, so that what was lost on the way is seen. */
static void check_bytes(const struct stealing_problem *problem, int64_t bytes)
{
    int64_t least = stealing_steps(problem, 1, ranks.count);
    if (bytes % 8 != 0)
        images_refuse("--bytes %lld: the number must be a multiple of 8", (long long)bytes);
    if (bytes / 8 > least)
        images_refuse("--bytes %lld: a task of the first image has %lld steps, too few to read all "
                      "its data: raise --operations",
                      (long long)bytes, (long long)least);
}

static void check_threads(const struct numbers *threads)
{
    for (size_t i = 0; i < threads->count; i++)
        if (threads->values[i] * ranks.count > omp_get_thread_limit())
            images_refuse("--threads %lld: OMP_THREAD_LIMIT leaves an image %d threads, fewer than "
                          "%d images may hand to one",
                          (long long)threads->values[i], omp_get_thread_limit(), ranks.count);
    if (omp_get_proc_bind() != omp_proc_bind_false)
        images_refuse("OMP_PROC_BIND or OMP_PLACES binds threads to cores, and those handed on "
                      "could not use the cores of who gave them: unset it");
}

static void run_all(struct run *run)
{
    struct numbers threads = lists_numbers("threads", threads_list, 1, 1024);
    struct numbers bytes = lists_numbers("bytes", bytes_list, 8, (int64_t)1 << 30);
    struct stealing_problem problem = {.tasks = (int)tasks,
                                       .operations = operations,
                                       .skew = skew,
                                       .seed = run->settings.seed,
                                       .check = run->settings.check};
    check_threads(&threads);
    for (size_t b = 0; b < bytes.count; b++)
        check_bytes(&problem, bytes.values[b]);
    for (size_t b = 0; b < bytes.count; b++)
        images_need_memory((double)(tasks + 2) * (double)bytes.values[b], "this --bytes");

    cpu_set_t own_cores = share_cores();
    omp_set_dynamic(0);
    caf_start(NULL, NULL);
    for (size_t b = 0; b < bytes.count; b++) {
        problem.bytes = (size_t)bytes.values[b];
        struct stealing *stealing = stealing_create(&problem);
        for (size_t t = 0; t < threads.count; t++)
            measure_threads(run, stealing, (int)threads.values[t], bytes.values[b]);
        stealing_free(stealing);
    }
    caf_end();
    /* The description of the machine, written next, counts the cores of this process. */
    check_errno(sched_setaffinity(0, sizeof own_cores, &own_cores) == 0);
    free(threads.values);
    free(bytes.values);
}

/* OpenMP reads its settings before main. Threads that spin while they wait for one another slow
 * down everything where there are more of them than cores, which is what is measured here: unless
 * the user has chosen, the program starts itself again with threads that sleep. */
static void choose_sleeping_threads(char **argv)
{
    if (getenv("OMP_WAIT_POLICY"))
        return;
    check_errno(setenv("OMP_WAIT_POLICY", "passive", 1) == 0);
    check_errno(execv("/proc/self/exe", argv) == 0);
}

static void start_program(int argc, char **argv)
{
    (void)argc;
    choose_sleeping_threads(argv);
}

const struct program program = {
    .name = "coarrays_stealing",
    .summary = "balances uneven work by stealing tasks, or by handing on threads",
    .details =
        "Start it with mpirun -np IMAGES. Every image owns --tasks tasks, each with its own random\n"
        "data in a coarray; the steps of a task grow linearly from image 1 to the last, to --skew\n"
        "times as many. What is left of each part, and the time its tasks take, are in a coarray,\n"
        "which who has finished reads to find the slowest image: that with the longest time left.\n"
        "time_s is of all tasks of all images. Threads run on all cores of the node's images,\n"
        "also where the launcher bound these to cores, and sleep while they wait for one another\n"
        "unless OMP_WAIT_POLICY says otherwise. Every sample's results are compared with those\n"
        "of a serial computation.",
    .variants = variants,
    .options = options,
    .columns = columns,
    .start_ranks = ranks_start,
    .start = start_program,
    .run = run_all,
};
