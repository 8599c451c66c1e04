/* prefetch_transfers: copies of blocks between host and GPU in whole programs, with and without the
 * access's intent (Peshne 2018, 6.3.2). */
#include <stdlib.h>

#include "common/harness/program.h"

#include "benchmark.h"
#include "sip_options.h"

enum { POLICIES = 2 };

static const struct variant variants[] = {
    {"unoptimized", "every access brings the newest data (algorithm 5.2)"},
    {"optimized", "a block that is to be overwritten is not copied (algorithm 5.3)"},
    {0},
};

static const struct column columns[] = {
    BENCHMARK_NETWORK_COLUMN,
    {"program", COLUMN_PARAMETER, "SIAL program"},
    {"workers", COLUMN_PARAMETER, "ranks that compute, each with a GPU"},
    {"servers", COLUMN_PARAMETER, "ranks that store blocks"},
    {"accesses", COLUMN_METRIC, "reads, updates and writes of blocks, of all workers"},
    {"copies", COLUMN_METRIC, "copies of a block between host and GPU"},
    {"copied_bytes", COLUMN_METRIC, "bytes of these copies"},
    {"saved_copies", COLUMN_METRIC, "copies not made because the block was to be overwritten"},
    {"cache_hits", COLUMN_METRIC, "page-locked blocks that the cache had"},
    {"cache_misses", COLUMN_METRIC, "page-locked blocks that were allocated anew"},
    {0},
};

static const char *programs = "ao_ladder:nao=2:nocc=2,matrix_product:norb=4,ccd:nvirt=2:nocc=2";
static const struct program_option options[] = {
    {"programs", OPTION_TEXT, &programs, "LIST",
     "SIAL programs with their predefined values, NAME:VALUE=NUMBER:...,NAME:...", 0, 0},
    SIP_SEGMENT_OPTION,
    SIP_RANKS_OPTIONS,
    {0},
};

/* One program with one policy: a subject of measure(). */
struct job {
    const struct sial_program *code;
    struct sip_config config;
    struct benchmark_samples samples; /* struct sip_counters: sums over workers */
};

static void add(struct sip_counters *sum, const struct sip_counters *worker)
{
    sum->copies.accesses += worker->copies.accesses;
    sum->copies.copies += worker->copies.copies;
    sum->copies.copied_bytes += worker->copies.copied_bytes;
    sum->copies.saved_copies += worker->copies.saved_copies;
    sum->cache_hits += worker->cache_hits;
    sum->cache_misses += worker->cache_misses;
}

static double run_once(void *context)
{
    struct job *job = context;
    struct sip_result result = sip_run_or_fail(job->code, &job->config);
    struct sip_counters *workers = sip_gather_workers(&result);
    struct sip_counters *sum = benchmark_add_sample(&job->samples);
    for (int i = 0; i < job->config.workers && ranks.rank == 0; i++)
        add(sum, &workers[i]);
    double run_s = result.is_worker ? result.counters.run_s : 0.0;
    free(workers);
    sip_result_free(&result);
    return run_s;
}

static void record(struct run *run, const char *name, const struct job *job,
                   const struct subject *subject)
{
    for (size_t i = 0; i < subject->count; i++) {
        const struct sip_counters *sum = benchmark_sample(&job->samples, subject, i);
        struct value values[] = {
            text(benchmark_network()),
            text(name),
            integer(job->config.workers),
            integer(job->config.servers),
            integer((int64_t)sum->copies.accesses),
            integer((int64_t)sum->copies.copies),
            integer((int64_t)sum->copies.copied_bytes),
            integer((int64_t)sum->copies.saved_copies),
            integer((int64_t)sum->cache_hits),
            integer((int64_t)sum->cache_misses),
        };
        record_values(run, subject->variant, (int)i, values, subject->times_s[i], 0);
    }
}

static void measure_program(struct run *run, const struct sip_config *config,
                            const struct benchmark_program *program)
{
    static const enum pinning_policy policies[POLICIES] = {PINNING_UNOPTIMIZED, PINNING_OPTIMIZED};
    struct job jobs[POLICIES];
    struct subject subjects[POLICIES];
    size_t count = 0;
    for (int i = 0; i < POLICIES; i++) {
        if (!program_wants(run, variants[i].name))
            continue;
        jobs[count] = (struct job){.code = program->code,
                                   .config = *config,
                                   .samples.item_bytes = sizeof(struct sip_counters)};
        jobs[count].config.policy = policies[i];
        subjects[count] = (struct subject){
            .variant = variants[i].name, .sample = run_once, .context = &jobs[count]};
        count++;
    }
    measure(run, subjects, count);
    for (size_t i = 0; i < count; i++) {
        record(run, program->name, &jobs[i], &subjects[i]);
        free(jobs[i].samples.items);
    }
    measure_free(subjects, count);
}

static void run_all(struct run *run)
{
    struct benchmark_program program;
    struct sip_config config = sip_options_config(run);
    config.device = SIP_GPU;
    for (const char *at = programs; benchmark_next_program(&at, &program);) {
        measure_program(run, &config, &program);
        benchmark_free_program(&program);
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
