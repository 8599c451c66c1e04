/* common_divergence: what it costs that the threads of a warp take different branches. */
#include "common/harness/allocate.h"
#include "common/harness/compare.h"
#include "common/harness/program.h"
#include "common/harness/scope.h"
#include "common/workloads/divergence.h"

enum { CASES = 6 }; /* 1, 2, 4, ... DIVERGENCE_PATHS */

static const struct variant variants[] = {{"branches", "a switch with a loop in each branch"}, {0}};

struct row {
    int64_t paths, threads, steps;
    double step_ps;
};
static const struct column columns[] = {
    PARAMETER(struct row, paths, "different branches that the threads of a warp take"),
    PARAMETER(struct row, threads, "threads of the launch"),
    PARAMETER(struct row, steps, "passes of the loop in each branch"),
    METRIC(struct row, step_ps, "time_s / (threads * steps), in 10^-12 s"),
    {0},
};

static int64_t steps = 256;
static const struct program_option options[] = {
    {"steps", OPTION_INTEGER, &steps, "N", "passes of the loop in each branch", 1, 1 << 20},
    {0},
};

/* One number of paths; all share the input. */
struct work {
    int variant;
    unsigned paths, threads;
    const unsigned *random, *input; /* the same numbers on the host and on the GPU */
    unsigned *output;
};

static void branch(void *task)
{
    const struct work *work = task;
    check_cuda(
        divergence_run(work->output, work->input, work->threads, work->paths, (unsigned)steps, 0));
    check_cuda(cudaDeviceSynchronize());
}

static long count_wrong(struct run *run, void *task)
{
    (void)run;
    const struct work *work = task;
    long wrong = 0;
    size_t bytes = work->threads * sizeof *work->random;
    unsigned *output = memory_allocate(MEMORY_PAGEABLE, bytes);
    check_cuda(cudaMemcpy(output, work->output, bytes, cudaMemcpyDeviceToHost));
    for (unsigned thread = 0; thread < work->threads; thread++) {
        unsigned path = divergence_path(thread, work->paths), value = work->random[thread];
        for (int64_t i = 0; i < steps; i++)
            value = (value >> 15) ^ (value * (2 * path + 3));
        wrong += value != output[thread];
    }
    memory_release(MEMORY_PAGEABLE, output);
    return wrong;
}

static void fill_row(const void *task, double time_s, void *row)
{
    const struct work *work = task;
    *(struct row *)row = (struct row){work->paths, work->threads, steps,
                                      1e12 * time_s / ((double)work->threads * (double)steps)};
}

static const struct comparison comparison = {.task_bytes = TASK(struct work),
                                             .row_bytes = sizeof(struct row),
                                             .operation = branch,
                                             .row = fill_row,
                                             .verify = count_wrong};

static void run_all(struct run *run)
{
    size_t threads = run->settings.size;
    if (threads % DIVERGENCE_BLOCK || threads > 1u << 30)
        fail("-s %zu: a multiple of %d threads, at most 2^30", threads, DIVERGENCE_BLOCK);
    size_t bytes = threads * sizeof(unsigned);
    unsigned *random = scope_random(MEMORY_PAGEABLE, bytes, run->settings.seed);
    unsigned *input = scope_random(MEMORY_DEVICE, bytes, run->settings.seed);
    struct work works[CASES];
    for (int i = 0; i < CASES; i++)
        works[i] = (struct work){.paths = 1u << i,
                                 .threads = (unsigned)threads,
                                 .random = random,
                                 .input = input,
                                 .output = scope_allocate(MEMORY_DEVICE, bytes)};
    compare_tasks(run, &comparison, works, CASES);
}

const struct program program = {
    .name = "common_divergence",
    .summary = "what it costs that the threads of a warp take different branches",
    .details =
        "Each thread does the same work in one of 32 branches. With 1 path all threads of a\n"
        "warp take the same one, and warps different ones. -s is the number of threads.\n"
        "Times are those of a launch on the host's clock.",
    .variants = variants,
    .options = options,
    .columns = columns,
    .default_size = 1 << 20,
    .uses_gpu = true,
    .run = run_all,
};
