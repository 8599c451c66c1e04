/* coarrays_polling: what a thread that polls for progress takes from the computation (Fanfarillo
 * 2016, 5.3 and 8.2.3). */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <mpi.h>

#include "common/clock.h"
#include "common/harness/program.h"
#include "common/random.h"

enum place { NO_THREAD, SPARE_CORE, OWN_CORE, PLACES };
static const struct variant variants[] = {
    {"none", "no polling thread: the whole core computes"},
    {"spare", "the thread polls on another core, which does nothing else"},
    {"shared", "the thread polls on the core that computes, as where all cores compute"},
    {0},
};

static const struct column columns[] = {
    {"elements", COLUMN_PARAMETER, "numbers that are summed"},
    {"throughput_gelements", COLUMN_METRIC, "10^9 numbers summed per second"},
    {0},
};

enum { ROUNDS = 64 };

struct task {
    enum place place;
    int cores[2]; /* of the computation, and another one */
    const double *values;
    size_t elements;
    double sum;
    atomic_bool stop;
};

static void pin_to(int core)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(core, &set);
    check_errno(sched_setaffinity(0, sizeof set, &set) == 0);
}

/* What a progress thread does: it asks MPI for messages, without a pause. */
static void *poll(void *context)
{
    struct task *task = context;
    pin_to(task->cores[task->place == SPARE_CORE]);
    while (!atomic_load_explicit(&task->stop, memory_order_relaxed)) {
        int found;
        check_mpi(
            MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_SELF, &found, MPI_STATUS_IGNORE));
    }
    return NULL;
}

static void compute(struct task *task)
{
    double sum = 0;
    for (int round = 0; round < ROUNDS; round++)
        for (size_t i = 0; i < task->elements; i++)
            sum += task->values[i];
    task->sum = sum;
}

/* The thread is there for the whole computation; its start and end are not timed. */
static double sample(void *context)
{
    struct task *task = context;
    pthread_t thread;
    atomic_store(&task->stop, false);
    if (task->place != NO_THREAD && pthread_create(&thread, NULL, poll, task) != 0)
        fail("no thread can be started");
    double start_s = clock_now_s();
    compute(task);
    double time_s = clock_now_s() - start_s;
    atomic_store(&task->stop, true);
    if (task->place != NO_THREAD)
        pthread_join(thread, NULL);
    return time_s;
}

/* The first two cores that this process may use; fewer are counted. */
static int find_cores(int cores[2])
{
    cpu_set_t set;
    int count = 0;
    check_errno(sched_getaffinity(0, sizeof set, &set) == 0);
    for (int core = 0; core < CPU_SETSIZE && count < 2; core++)
        if (CPU_ISSET(core, &set))
            cores[count++] = core;
    return count;
}

static long errors(const struct task *task)
{
    double expected = 0;
    for (int round = 0; round < ROUNDS; round++)
        for (size_t i = 0; i < task->elements; i++)
            expected += task->values[i];
    return task->sum != expected;
}

static void measure_elements(struct run *run, size_t elements, const int cores[2], int core_count)
{
    struct task tasks[PLACES] = {0};
    struct subject subjects[PLACES];
    size_t count = 0;
    double *values = allocate_or_fail(elements, sizeof *values);
    random_fill_double(values, elements, run->settings.seed);
    for (int place = 0; place < PLACES; place++) {
        if (!program_wants(run, variants[place].name))
            continue;
        if (place == SPARE_CORE && core_count < 2) {
            record_waived(run, variants[place].name, "this process may use one core only");
            continue;
        }
        struct task *task = &tasks[count];
        task->place = (enum place)place;
        memcpy(task->cores, cores, sizeof task->cores);
        task->values = values;
        task->elements = elements;
        subjects[count++] =
            (struct subject){.variant = variants[place].name, .sample = sample, .context = task};
    }
    measure(run, subjects, count);
    for (size_t i = 0; i < count; i++) {
        long wrong = run->settings.check ? errors(&tasks[i]) : 0;
        for (size_t k = 0; k < subjects[i].count; k++) {
            double rate = 1e-9 * (double)elements * ROUNDS / subjects[i].times_s[k];
            struct value row[] = {integer((int64_t)elements), real(rate)};
            record_values(run, subjects[i].variant, (int)k, row, subjects[i].times_s[k], wrong);
        }
    }
    measure_free(subjects, count);
    free(values);
}

static void run_all(struct run *run)
{
    int cores[2] = {0};
    int core_count = find_cores(cores);
    cpu_set_t allowed;
    check_errno(sched_getaffinity(0, sizeof allowed, &allowed) == 0);
    pin_to(cores[0]);
    for (size_t i = 0; i < run->settings.size_count; i++) {
        if (run->settings.sizes[i] == 0 || run->settings.sizes[i] > (size_t)1 << 30)
            fail("%zu elements: the number must be 1 to 1G", run->settings.sizes[i]);
        measure_elements(run, run->settings.sizes[i], cores, core_count);
    }
    /* The description of the machine, written next, counts the cores of this process. */
    check_errno(sched_setaffinity(0, sizeof allowed, &allowed) == 0);
}

static const size_t default_sizes[] = {1 << 20, 0};
const struct program program = {
    .name = "coarrays_polling",
    .summary = "what a thread that polls MPI for progress takes from the computation",
    .details =
        "One process, bound to one core, sums random numbers 64 times, while a thread calls\n"
        "MPI_Iprobe without a pause: on the same core, on another one, or not at all. Where all\n"
        "cores compute, every polling thread is on a core that computes.",
    .variants = variants,
    .columns = columns,
    .size_unit = "elements",
    .default_sizes = default_sizes,
    .start_ranks = ranks_start,
    .run = run_all,
};
