/* blp_residency: whether more persistent blocks than multiprocessors run at once, and what that is
 * worth to a kernel that waits for memory. */
#include <math.h>

#include "common/harness/device.h"
#include "common/harness/compare.h"
#include "common/harness/program.h"

#include "bench_loads.h"

enum { TASKS_MAX = 256 };

enum kind { BARRIER, LATENCY_BOUND, KINDS };
static const struct variant variants[] = {
    [BARRIER] = {"barrier", "all blocks of a cooperative launch wait for one another"},
    [LATENCY_BOUND] = {"latency-bound", "persistent blocks follow pointers, or read in a row"},
    [KINDS] = {0},
};

struct row {
    long blocks_per_sm;
    const char *access;
    int blocks;
    int64_t threads;
    bool resident;
};
static const struct column columns[] = {
    PARAMETER(struct row, blocks_per_sm, "blocks per multiprocessor"),
    PARAMETER(struct row, access, "chase: each load waits for the last; stream: none does"),
    PARAMETER(struct row, blocks, "blocks of the launch"),
    PARAMETER(struct row, threads, "threads of a block"),
    METRIC(struct row, resident,
           "1: every block saw all others; 0: they cannot be resident at once"),
    {0},
};

static struct option_numbers blocks_per_sm = {.list = "1,2,4"};
static int64_t threads = 128, chains_per_sm = 1024, steps = 256;
static const struct program_option options[] = {
    {"blocks-per-sm", OPTION_NUMBERS, &blocks_per_sm, "LIST", "blocks per multiprocessor", 1, 64},
    {"threads", OPTION_INTEGER, &threads, "N", "threads of a block", 1, 1024},
    {"chains", OPTION_INTEGER, &chains_per_sm, "N",
     "chains of pointers per multiprocessor, followed by all its blocks together", 1, 1e6},
    {"steps", OPTION_INTEGER, &steps, "N", "pointers of a chain that are followed", 1, 1e6},
    {0},
};

struct task {
    int variant; /* enum kind */
    bool streams;
    long blocks_per_sm;
    struct loads_launch launch;
};
static struct loads loads;

static double sample(void *sampled)
{
    struct task *task = sampled;
    if (task->variant == BARRIER)
        return loads_sample_barrier(&loads, &task->launch);
    return task->streams ? loads_sample_stream(&loads, &task->launch)
                         : loads_sample_chase(&loads, &task->launch);
}

static struct row row_of(const struct task *task, bool resident)
{
    return (struct row){.blocks_per_sm = task->blocks_per_sm,
                        .access = task->variant == BARRIER ? NULL
                                  : task->streams          ? "stream"
                                                           : "chase",
                        .blocks = task->launch.blocks,
                        .threads = threads,
                        .resident = resident};
}

static void fill_row(const void *task, double time_s, void *row)
{
    const struct task *done = task;
    (void)time_s;
    *(struct row *)row = row_of(done, done->variant != BARRIER || done->launch.errors == 0);
}

static long count_errors(struct run *run, void *task)
{
    (void)run;
    return ((struct task *)task)->launch.errors;
}

static const struct comparison comparison = {.task_bytes = TASK(struct task),
                                             .row_bytes = sizeof(struct row),
                                             .sample = sample,
                                             .row = fill_row,
                                             .verify = count_errors};

/* Those of this number of blocks that are wanted. */
static size_t add_tasks(const struct run *run, struct task *tasks, long per_multiprocessor,
                        int multiprocessors)
{
    const struct task task = {
        .blocks_per_sm = per_multiprocessor,
        .launch = {.blocks = (int)per_multiprocessor * multiprocessors, .threads = (int)threads}};
    size_t count = 0;
    for (int access = 0; access < 3; access++) {
        const enum kind kind = access == 0 ? BARRIER : LATENCY_BOUND;
        if (!program_wants_variant(run, (int)kind))
            continue;
        tasks[count] = task;
        tasks[count].variant = (int)kind;
        tasks[count++].streams = access == 1;
    }
    return count;
}

static void run_all(struct run *run)
{
    static struct task tasks[TASKS_MAX], refused[TASKS_MAX];
    const int multiprocessors = gpu_attribute(cudaDevAttrMultiProcessorCount, run->settings.device);
    const size_t entries = run->settings.size / sizeof(unsigned);
    size_t count = 0, refused_count = 0;
    int limit;
    if (entries < 2 || entries > UINT32_MAX)
        fail("-s %zu: from 8 bytes to 16G are needed", run->settings.size);
    check_cuda(residency_meet_limit((int)threads, &limit));
    for (size_t i = 0; i < blocks_per_sm.count; i++) {
        const long number = blocks_per_sm.values[i];
        if (count + 3 > TASKS_MAX || refused_count + 3 > TASKS_MAX)
            fail("--blocks-per-sm: too many numbers");
        if (number * multiprocessors <= limit)
            count += add_tasks(run, tasks + count, number, multiprocessors);
        else
            refused_count += add_tasks(run, refused + refused_count, number, multiprocessors);
    }
    loads = loads_open(entries, (long)(chains_per_sm * multiprocessors), (long)steps,
                       run->settings.seed);
    compare_tasks(run, &comparison, tasks, count);
    for (size_t i = 0; i < refused_count; i++) {
        const struct row row = row_of(&refused[i], false);
        record_row(run, variants[refused[i].variant].name, 0, &row, NAN, 0);
    }
    cycle_free(&loads.cycle);
}

const struct program program = {
    .name = "blp_residency",
    .summary = "persistent blocks beyond one per multiprocessor: residency, and waiting for memory",
    .details = "-s is the size in bytes of the entries that point to one another. The work is the\n"
               "same for any number of blocks: all chains, or all entries. Blocks that cannot be\n"
               "resident at once are not launched; their row has resident 0 and no time.",
    .variants = variants,
    .options = options,
    .columns = columns,
    .default_size = 64 << 20,
    .uses_gpu = true,
    .run = run_all,
};
