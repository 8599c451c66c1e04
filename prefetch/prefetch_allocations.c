/* prefetch_allocations: what allocating the blocks of a SIAL program costs, by cache (Peshne 2018,
 * 6.3.5): the requests that a worker really made, replayed by pinning/'s caches. */
#include <math.h>

#include "common/harness/program.h"
#include "pinning/contender.h"

#include "benchmark.h"
#include "sip_options.h"
#include "traces.h"

static const struct variant variants[] = {
    {"uncached", "cudaMallocHost and cudaFreeHost for every block"},
    {"thesis", "block cache of algorithm 5.4"},
    {"cache", "block cache of segments and magazines"},
    {"unpinned", "malloc and free of the C library"},
    {0},
};
static const enum contender_kind kinds[] = {CONTENDER_UNCACHED, CONTENDER_THESIS, CONTENDER_CACHE,
                                            CONTENDER_MALLOC};

struct row {
    const char *program;
    size_t requests;
    int64_t hits, misses;
    double hit_ratio;
    size_t peak_live_bytes;
};
static const struct column columns[] = {
    PARAMETER(struct row, program, "SIAL program whose first worker's requests are replayed"),
    METRIC(struct row, requests, "allocations, each with its release"),
    METRIC(struct row, hits, "requests served without page-locking memory (caches)"),
    METRIC(struct row, misses, "requests that page-locked memory (caches)"),
    METRIC(struct row, hit_ratio, "hits / (hits + misses)"),
    METRIC(struct row, peak_live_bytes, "maximum of bytes requested and not released"),
    {0},
};

static struct option_words programs = {
    .list = "ao_ladder:nao=2:nocc=2,matrix_product:norb=6,ccd:nvirt=2:nocc=2"};
static const struct program_option options[] = {
    BENCHMARK_PROGRAMS_OPTION(&programs),
    SIP_SEGMENT_OPTION,
    SIP_RANKS_OPTIONS,
    {0},
};

/* The allocations of worker 0, which is rank 0. */
static struct trace run_and_trace(const struct benchmark_program *program,
                                  const struct prefetch_config *config)
{
    struct trace trace = {0};
    struct prefetch_config traced = *config;
    traced.block_event = traces_add_block_event;
    traced.block_event_context = &trace;
    struct prefetch_result result = sip_run(program->code, &traced);
    prefetch_result_free(&result);
    return trace;
}

/* What the first worker of a program asked for. */
struct workload {
    const char *name;
    struct trace_summary summary;
    struct steps steps;
};

static bool load(struct run *run, void *task)
{
    (void)run;
    struct contender *contender = task;
    contender_load(contender, &((const struct workload *)contender->workload)->steps, true, 0, 0);
    return true;
}

/* Only rank 0 has requests; the others keep it company. */
static double replay(void *task)
{
    return ranks.rank == 0 ? contender_replay(task) : 0.0;
}

static void fill_row(const void *task, double time_s, void *filled)
{
    (void)time_s;
    const struct contender *contender = task;
    const struct workload *workload = contender->workload;
    const struct pinning_cache_statistics *s = &contender->statistics;
    struct row *row = filled;
    *row = (struct row){workload->name,
                        workload->summary.requests,
                        NO_VALUE,
                        NO_VALUE,
                        NAN,
                        workload->summary.peak_live_elements * sizeof(double)};
    if (!contender_is_cache(contender))
        return;
    row->hits = (int64_t)s->hits;
    row->misses = (int64_t)s->misses;
    row->hit_ratio = (double)s->hits / (double)(s->hits + s->misses);
}

/* Every request is a hit or a miss. */
static long count_wrong(struct run *run, void *task)
{
    (void)run;
    const struct contender *contender = task;
    const struct workload *workload = contender->workload;
    const struct pinning_cache_statistics *s = &contender->statistics;
    return ranks.rank == 0 && contender_is_cache(contender) &&
           s->hits + s->misses != workload->summary.requests;
}

static const struct comparison comparison = {.task_bytes = TASK(struct contender),
                                             .row_bytes = sizeof(struct row),
                                             .open = load,
                                             .sample = replay,
                                             .row = fill_row,
                                             .verify = count_wrong};

static void run_all(struct run *run)
{
    struct prefetch_config config = sip_options_config(run);
    config.device = PREFETCH_GPU;
    struct contenders contenders = contenders_open(run, kinds);
    for (size_t i = 0; i < programs.count; i++) {
        struct benchmark_program program = benchmark_compile(programs.values[i]);
        struct trace trace = run_and_trace(&program, &config);
        struct workload workload = {.name = program.name, .steps = steps_of_trace(&trace, 1)};
        check_status(trace_summarise(&trace, &workload.summary));
        contenders_compare(run, &contenders, &comparison, &workload);
        steps_free(&workload.steps);
        trace_free(&trace);
        benchmark_free_program(&program);
    }
    contenders_close(&contenders);
}

static void start_program(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    sip_options.segment = "6";
}

const struct program program = {
    .name = "prefetch_allocations",
    .summary = "replays the allocations of SIAL programs with and without a block cache",
    .details = "Each program runs once, and the requests of its first worker are replayed: time_s\n"
               "is that of all allocations and releases. The caches are new for each repetition;\n"
               "what they still hold at its end is given back untimed.",
    .variants = variants,
    .options = options,
    .columns = columns,
    .uses_gpu = true,
    .start_ranks = ranks_start,
    .start = start_program,
    .run = run_all,
};
