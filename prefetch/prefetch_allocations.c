/* prefetch_allocations: what allocating the blocks of a SIAL program costs, by cache (Peshne 2018,
 * 6.3.5): the requests that a worker really made, replayed by pinning/'s caches. */
#include "benchmark.h"
#include "contender.h"
#include "program.h"
#include "sip_options.h"

#include <string.h>

static const struct variant variants[] = {
    {"uncached", "cudaMallocHost and cudaFreeHost for every block"},
    {"thesis", "block cache of algorithm 5.4"},
    {"cache", "block cache of segments and magazines"},
    {"unpinned", "malloc and free of the C library"},
    {0},
};
static const char *const kinds[CONTENDER_KINDS] = {[CONTENDER_UNCACHED] = "uncached",
                                                   [CONTENDER_THESIS] = "thesis",
                                                   [CONTENDER_CACHE] = "cache",
                                                   [CONTENDER_MALLOC] = "unpinned"};

static const struct column columns[] = {
    {"program", COLUMN_PARAMETER, "SIAL program whose first worker's requests are replayed"},
    {"requests", COLUMN_METRIC, "allocations, each with its release"},
    {"hits", COLUMN_METRIC, "requests served without page-locking memory (caches)"},
    {"misses", COLUMN_METRIC, "requests that page-locked memory (caches)"},
    {"hit_ratio", COLUMN_METRIC, "hits / (hits + misses)"},
    {"peak_live_bytes", COLUMN_METRIC, "most bytes asked for and not released"},
    {0},
};

static const char *programs = "ao_ladder:nao=2:nocc=2,matrix_product:norb=6,ccd:nvirt=2:nocc=2";
static const struct option options[] = {
    {"programs", OPTION_TEXT, &programs, "LIST",
     "SIAL programs with their predefined values, NAME:VALUE=NUMBER:...,NAME:...", 0, 0},
    SIP_SEGMENT_OPTION,
    SIP_RANKS_OPTIONS,
    {0},
};

/* The allocations of worker 0, which is rank 0. */
static struct trace run_and_trace(const struct benchmark_program *program,
                                  const struct sip_config *config)
{
    struct trace trace = {0};
    struct sip_config traced = *config;
    traced.block_trace = ranks.rank == 0 ? &trace : NULL;
    struct sip_result result = sip_run_or_fail(program->code, &traced);
    sip_result_free(&result);
    return trace;
}

/* Only rank 0 has requests; the others keep it company in measure(). */
static double replay(void *contender)
{
    return ranks.rank == 0 ? contender_sample(contender) : 0.0;
}

static void record(struct run *run, const char *name, const struct contender *contender,
                   const struct subject *subject, const struct trace_summary *summary)
{
    const struct block_cache_statistics *s = &contender->statistics;
    bool cached = contender->kind == CONTENDER_CACHE || contender->kind == CONTENDER_THESIS;
    for (size_t i = 0; i < subject->count; i++) {
        struct value values[] = {
            text(name),
            integer((int64_t)summary->requests),
            cached ? integer((int64_t)s->hits) : none(),
            cached ? integer((int64_t)s->misses) : none(),
            cached ? real((double)s->hits / (double)(s->hits + s->misses)) : none(),
            integer((int64_t)(summary->peak_live_elements * sizeof(double))),
        };
        /* Every request is a hit or a miss. */
        long errors = ranks.rank == 0 && cached && s->hits + s->misses != summary->requests;
        record_row(run, contender->variant, (int)i, values, subject->times_s[i], errors);
    }
}

static void measure_program(struct run *run, struct contender *contenders, size_t count,
                            const struct benchmark_program *program,
                            const struct sip_config *config)
{
    struct subject subjects[CONTENDER_KINDS];
    struct trace trace = run_and_trace(program, config);
    struct trace_summary summary;
    if (!trace_summarise(&trace, &summary))
        fail("no host memory for a summary of what %s allocates", program->name);
    struct steps steps = steps_of_trace(&trace, 1);
    for (size_t i = 0; i < count; i++) {
        contender_load(&contenders[i], &steps, true, 0, 0);
        subjects[i] = (struct subject){
            .variant = contenders[i].variant, .sample = replay, .context = &contenders[i]};
    }
    measure(run, subjects, count);
    for (size_t i = 0; i < count; i++)
        record(run, program->name, &contenders[i], &subjects[i], &summary);
    measure_free(subjects, count);
    steps_free(&steps);
    trace_free(&trace);
}

static void run_all(struct run *run)
{
    struct contender contenders[CONTENDER_KINDS];
    struct benchmark_program program;
    struct sip_config config = sip_options_config(run);
    config.device = SIP_GPU;
    size_t count = contenders_open(run, kinds, contenders);
    for (const char *at = programs; benchmark_next_program(&at, &program);) {
        measure_program(run, contenders, count, &program, &config);
        benchmark_free_program(&program);
    }
    contenders_close(contenders, count);
}

static const struct program program = {
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
    .run = run_all,
};

int main(int argc, char **argv)
{
    sip_options.segment = "6";
    return program_main(&program, argc, argv);
}
