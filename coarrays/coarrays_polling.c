/* coarrays_polling: what a thread that polls for progress takes from the computation (Fanfarillo
 * 2016, 5.3 and 8.2.3). */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <mpi.h>

#include "common/clock.h"
#include "common/harness/compare.h"
#include "common/harness/program.h"
#include "common/harness/scope.h"
#include "common/random.h"

enum { NO_THREAD, SPARE_CORE, OWN_CORE };
static const struct variant variants[] = {
    [NO_THREAD] = {"none", "no polling thread: the whole core computes"},
    [SPARE_CORE] = {"spare", "the thread polls on another core, which does nothing else"},
    [OWN_CORE] = {"shared",
                  "the thread polls on the core that computes, as where all cores compute"},
    {0},
};

struct row {
    size_t elements;
    double throughput_gelements;
};
static const struct column columns[] = {
    PARAMETER(struct row, elements, "numbers that are summed"),
    METRIC(struct row, throughput_gelements, "10^9 numbers summed per second"),
    {0},
};

enum { TIMES = 64 };

static int cores[2]; /* of the computation, and another one */
static int core_count;

struct computation {
    int variant;
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

/* What a progress thread does: it probes for messages without a pause. */
static void *poll(void *context)
{
    struct computation *computation = context;
    pin_to(cores[computation->variant == SPARE_CORE]);
    while (!atomic_load_explicit(&computation->stop, memory_order_relaxed)) {
        int found;
        check_mpi(
            MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_SELF, &found, MPI_STATUS_IGNORE));
    }
    return NULL;
}

static double sum_of(const double *values, size_t elements)
{
    double sum = 0;
    for (int i = 0; i < TIMES; i++)
        for (size_t j = 0; j < elements; j++)
            sum += values[j];
    return sum;
}

static bool open_computation(struct run *run, void *task)
{
    struct computation *computation = task;
    if (computation->variant == SPARE_CORE && core_count < 2) {
        record_waived(run, variants[SPARE_CORE].name, "this process may use one core only");
        return false;
    }
    return true;
}

/* The thread is there for the whole computation; its start and end are not timed. */
static double sample(void *task)
{
    struct computation *computation = task;
    pthread_t thread;
    bool polls = computation->variant != NO_THREAD;
    atomic_store(&computation->stop, false);
    if (polls && pthread_create(&thread, NULL, poll, computation) != 0)
        fail("no thread can be started");
    double start_s = clock_now_s();
    computation->sum = sum_of(computation->values, computation->elements);
    double time_s = clock_now_s() - start_s;
    atomic_store(&computation->stop, true);
    if (polls)
        pthread_join(thread, NULL);
    return time_s;
}

static long count_wrong(struct run *run, void *task)
{
    const struct computation *computation = task;
    (void)run;
    return computation->sum != sum_of(computation->values, computation->elements);
}

static void fill_row(const void *task, double time_s, void *row)
{
    size_t elements = ((const struct computation *)task)->elements;
    *(struct row *)row = (struct row){elements, 1e-9 * (double)elements * TIMES / time_s};
}

static const struct comparison comparison = {.task_bytes = TASK(struct computation),
                                             .row_bytes = sizeof(struct row),
                                             .open = open_computation,
                                             .sample = sample,
                                             .row = fill_row,
                                             .verify = count_wrong};

/* The first two cores that this process may use, or the only one. */
static void find_cores(void)
{
    cpu_set_t set;
    check_errno(sched_getaffinity(0, sizeof set, &set) == 0);
    for (int core = 0; core < CPU_SETSIZE && core_count < 2; core++)
        if (CPU_ISSET(core, &set))
            cores[core_count++] = core;
}

static void measure_elements(struct run *run, size_t elements)
{
    if (elements > (size_t)1 << 30)
        fail("%zu elements: the number must be at most 1G", elements);
    scope_open();
    double *values = scope_allocate(MEMORY_PAGEABLE, elements * sizeof *values);
    random_fill_double(values, elements, run->settings.seed);
    compare_variants(run, &comparison,
                     &(struct computation){.values = values, .elements = elements});
    scope_close();
}

static void run_all(struct run *run)
{
    cpu_set_t allowed;
    check_errno(sched_getaffinity(0, sizeof allowed, &allowed) == 0);
    find_cores();
    pin_to(cores[0]);
    for (size_t i = 0; i < run->settings.size_count; i++)
        measure_elements(run, run->settings.sizes[i]);
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
