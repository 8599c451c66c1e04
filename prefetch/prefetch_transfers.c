/* prefetch_transfers: copies of blocks between host and GPU in whole programs, with and without the
 * access's intent (Peshne 2018, 6.3.2). */
#include <stdlib.h>

#include "common/harness/compare.h"
#include "common/harness/program.h"

#include "benchmark.h"
#include "sip_options.h"

static const struct variant variants[] = {
    {"unoptimized", "every access brings the newest data (algorithm 5.2)"},
    {"optimized", "a block that is to be overwritten is not copied (algorithm 5.3)"},
    {0},
};
static const enum pinning_policy policies[] = {PINNING_UNOPTIMIZED, PINNING_OPTIMIZED};

struct row {
    const char *network, *program;
    int workers, servers;
    uint64_t accesses, copies, copied_bytes, saved_copies, cache_hits, cache_misses;
};
static const struct column columns[] = {
    BENCHMARK_NETWORK_COLUMN(struct row),
    PARAMETER(struct row, program, "SIAL program"),
    PARAMETER(struct row, workers, "ranks that compute, each with a GPU"),
    PARAMETER(struct row, servers, "ranks that store blocks"),
    METRIC(struct row, accesses, "reads, updates and writes of blocks, of all workers"),
    METRIC(struct row, copies, "copies of a block between host and GPU"),
    METRIC(struct row, copied_bytes, "bytes of these copies"),
    METRIC(struct row, saved_copies, "copies not made because the block was to be overwritten"),
    METRIC(struct row, cache_hits, "page-locked blocks that the cache had"),
    METRIC(struct row, cache_misses, "page-locked blocks that were allocated anew"),
    {0},
};

static struct option_words programs = {
    .list = "ao_ladder:nao=2:nocc=2,matrix_product:norb=4,ccd:nvirt=2:nocc=2"};
static const struct program_option options[] = {
    BENCHMARK_PROGRAMS_OPTION(&programs),
    SIP_SEGMENT_OPTION,
    SIP_RANKS_OPTIONS,
    {0},
};

/* One program with one policy. */
struct task {
    int variant;
    struct benchmark_program program;
    struct prefetch_config config;
    struct row sums; /* over the workers, in the last sample */
};

static bool choose_policy(struct run *run, void *opened)
{
    (void)run;
    struct task *task = opened;
    task->config.policy = policies[task->variant];
    return true;
}

static double run_once(void *context)
{
    struct task *task = context;
    struct prefetch_result result = sip_run(task->program.code, &task->config);
    struct prefetch_counters *workers = sip_gather_workers(&result);
    struct row *sums = &task->sums;
    *sums = (struct row){.network = benchmark_network(),
                         .program = task->program.name,
                         .workers = task->config.workers,
                         .servers = task->config.servers};
    for (int i = 0; i < task->config.workers && ranks.rank == 0; i++) {
        sums->accesses += workers[i].copies.accesses;
        sums->copies += workers[i].copies.copies;
        sums->copied_bytes += workers[i].copies.copied_bytes;
        sums->saved_copies += workers[i].copies.saved_copies;
        sums->cache_hits += workers[i].cache_hits;
        sums->cache_misses += workers[i].cache_misses;
    }
    double run_s = result.is_worker ? result.counters.run_s : 0.0;
    free(workers);
    prefetch_result_free(&result);
    return run_s;
}

static void fill_row(const void *task, double time_s, void *row)
{
    (void)time_s;
    *(struct row *)row = ((const struct task *)task)->sums;
}

static const struct comparison comparison = {.task_bytes = TASK(struct task),
                                             .row_bytes = sizeof(struct row),
                                             .open = choose_policy,
                                             .sample = run_once,
                                             .row = fill_row};

static void run_all(struct run *run)
{
    struct task task = {.config = sip_options_config(run)};
    task.config.device = PREFETCH_GPU;
    for (size_t i = 0; i < programs.count; i++) {
        task.program = benchmark_compile(programs.values[i]);
        compare_variants(run, &comparison, &task);
        benchmark_free_program(&task.program);
    }
}

static void start_program(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    sip_options.segment = "6";
}

const struct program program = {
    .name = "prefetch_transfers",
    .summary = "counts copies of blocks between host and GPU in SIAL programs",
    .details =
        "Within gpu_on .. gpu_off all operations on blocks are computed on the GPU. Numbers\n"
        "are sums over the workers. Each program checks its own results; a wrong one ends\n"
        "the job. time_s is the time of the program.",
    .variants = variants,
    .options = options,
    .columns = columns,
    .uses_gpu = true,
    .start_ranks = ranks_start,
    .start = start_program,
    .run = run_all,
};
