/* pinning_cache: the allocations and releases of whole programs, served by block caches and peers.
 */
#include "contender.h"
#include "trace_source.h"

static const struct variant variants[] = {
    {"uncached", "cudaMallocHost and cudaFreeHost for every block"},
    {"thesis", "block cache of algorithm 5.4"},
    {"cache", "block cache of segments and magazines"},
    {"pool", "cudaMallocFromPoolAsync from a pool of host memory"},
    {"unpinned", "malloc and free of the C library"},
    {"jemalloc", "malloc and free of jemalloc, preloaded into a child process"},
    {"mimalloc", "malloc and free of mimalloc, preloaded into a child process"},
    {0},
};
static const char *const kinds[CONTENDER_KINDS] = {"uncached", "thesis",   "cache",   "pool",
                                                   "unpinned", "jemalloc", "mimalloc"};

static const struct column columns[] = {
    {"trace", COLUMN_PARAMETER, "program whose requests are replayed"},
    {"size_factor", COLUMN_PARAMETER, "all sizes are multiplied by it"},
    {"limit_bytes", COLUMN_PARAMETER, "most page-locked memory of the caches; 0: no limit"},
    {"requests", COLUMN_METRIC, "allocations, each with its release"},
    {"hits", COLUMN_METRIC, "requests served without page-locking memory (caches)"},
    {"misses", COLUMN_METRIC, "requests that page-locked memory (caches)"},
    {"hit_ratio", COLUMN_METRIC, "hits / (hits + misses)"},
    {"peak_live_bytes", COLUMN_METRIC, "most bytes asked for and not released"},
    {"reserved_bytes", COLUMN_METRIC, "most bytes page-locked by the cache"},
    {"waste", COLUMN_METRIC, "reserved_bytes / peak_live_bytes - 1"},
    {"pair_ns", COLUMN_METRIC, "time_s / requests in nanoseconds"},
    {0},
};

static struct trace_source source = {
    .names = "scf_rhf_coreh,tran_rhf_no4v,rccsd_rhf,rccsdpt_aaa,rccsdpt_aab",
    .random_requests = 20000,
    .random_live = 64};
static size_t limit_bytes;
static int64_t spare_percent = 6, scaled_by = 4;

static const struct option options[] = {
    {"traces", OPTION_TEXT, &source.names, "LIST",
     "traces to replay, separated by commas: the five programs (synthetic), random", 0, 0},
    {"trace-file", OPTION_TEXT, &source.file, "FILE", "replay this file instead (see trace.h)", 0,
     0},
    {"scaled-by", OPTION_INTEGER, &scaled_by, "N",
     "replay each trace in the caches also with all sizes times N; 1: do not", 1, 1024},
    {"limit", OPTION_SIZE, &limit_bytes, "BYTES",
     "most page-locked memory of the caches, times N for scaled traces; 0: no limit", 0, 0},
    {"spare", OPTION_INTEGER, &spare_percent, "PERCENT",
     "free memory that the variant cache keeps beside the most live", 1, 100000},
    {"random-requests", OPTION_INTEGER, &source.random_requests, "N",
     "requests of the trace random", 1, 1e8},
    {"random-live", OPTION_INTEGER, &source.random_live, "N", "live blocks of the trace random", 1,
     1e6},
    {"jemalloc", OPTION_TEXT, &contender_jemalloc, "FILE",
     "jemalloc's library, if it is in none of the usual folders", 0, 0},
    {"mimalloc", OPTION_TEXT, &contender_mimalloc, "FILE",
     "mimalloc's library, if it is in none of the usual folders", 0, 0},
    {0},
};

/* What is the same for all variants of one configuration. */
struct workload {
    const char *name;
    unsigned size_factor;
    size_t limit_bytes, peak_live_bytes;
    struct steps steps;
};

static void record(struct run *run, const struct contender *contender,
                   const struct subject *subject, const struct workload *workload)
{
    const struct block_cache_statistics *s = &contender->statistics;
    bool cached = contender->kind == CONTENDER_CACHE || contender->kind == CONTENDER_THESIS;
    size_t requests = workload->steps.requests;
    double peak = (double)workload->peak_live_bytes;
    for (size_t i = 0; i < subject->count; i++) {
        struct value values[] = {
            text(workload->name),
            integer(workload->size_factor),
            integer((int64_t)workload->limit_bytes),
            integer((int64_t)requests),
            cached ? integer((int64_t)s->hits) : none(),
            cached ? integer((int64_t)s->misses) : none(),
            cached ? real((double)s->hits / (double)(s->hits + s->misses)) : none(),
            integer((int64_t)workload->peak_live_bytes),
            cached ? integer((int64_t)s->peak_reserved_bytes) : none(),
            cached ? real((double)s->peak_reserved_bytes / peak - 1.0) : none(),
            real(1e9 * subject->times_s[i] / (double)requests),
        };
        /* Every request is a hit or a miss. */
        long errors = cached && s->hits + s->misses != requests;
        record_row(run, contender->variant, (int)i, values, subject->times_s[i], errors);
    }
}

/* Scaled traces are for the caches alone: they ask whether the pattern or the size decides. */
static void measure_workload(struct run *run, struct contender *contenders, size_t count,
                             const struct workload *workload)
{
    struct subject subjects[CONTENDER_KINDS];
    struct contender *taking_part[CONTENDER_KINDS];
    size_t chosen = 0;
    for (size_t i = 0; i < count; i++) {
        bool cached =
            contenders[i].kind == CONTENDER_CACHE || contenders[i].kind == CONTENDER_THESIS;
        if (workload->size_factor != 1 && !cached)
            continue;
        contender_load(&contenders[i], &workload->steps, true, workload->limit_bytes,
                       (unsigned)spare_percent);
        taking_part[chosen] = &contenders[i];
        subjects[chosen++] = (struct subject){.variant = contenders[i].variant,
                                              .sample = contender_sample,
                                              .context = &contenders[i]};
    }
    measure(run, subjects, chosen);
    for (size_t i = 0; i < chosen; i++)
        record(run, taking_part[i], &subjects[i], workload);
    measure_free(subjects, chosen);
}

static void measure_trace(struct run *run, struct contender *contenders, size_t count,
                          const struct trace *trace)
{
    struct trace_summary summary;
    if (!trace_summarise(trace, &summary))
        fail("no host memory for a summary of the trace %s", trace->name);
    if (summary.requests == 0)
        fail("the trace %s has no allocations", trace->name);
    unsigned factors[] = {1, (unsigned)scaled_by};
    for (int f = 0; f < (scaled_by > 1 ? 2 : 1); f++) {
        struct workload workload = {
            .name = trace->name,
            .size_factor = factors[f],
            .limit_bytes = limit_bytes * factors[f],
            .peak_live_bytes = summary.peak_live_elements * sizeof(double) * factors[f],
            .steps = steps_of_trace(trace, factors[f]),
        };
        measure_workload(run, contenders, count, &workload);
        steps_free(&workload.steps);
    }
}

static void run_all(struct run *run)
{
    struct contender contenders[CONTENDER_KINDS];
    size_t count = contenders_open(run, kinds, contenders);
    struct trace trace;
    for (const char *at = source.names;
         trace_source_next(&source, &at, run->settings.seed, &trace);) {
        measure_trace(run, contenders, count, &trace);
        trace_free(&trace);
    }
    contenders_close(contenders, count);
}

static const struct program program = {
    .name = "pinning_cache",
    .summary = "replays the allocations of block programs with and without a cache",
    .details = "time_s is the time of all allocations and releases of a trace. The caches are new\n"
               "for each repetition; what they still hold at its end is given back untimed. One\n"
               "byte of each block is written after its allocation.",
    .variants = variants,
    .options = options,
    .columns = columns,
    .uses_gpu = true,
    .run = run_all,
};

int main(int argc, char **argv)
{
    malloc_peer_serve(argc, argv);
    return program_main(&program, argc, argv);
}
