/* pinning_cache: the allocations and releases of whole programs, served by block caches and peers.
 */
#include <math.h>

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
static const enum contender_kind kinds[] = {
    CONTENDER_UNCACHED, CONTENDER_THESIS,   CONTENDER_CACHE,   CONTENDER_POOL,
    CONTENDER_MALLOC,   CONTENDER_JEMALLOC, CONTENDER_MIMALLOC};

struct row {
    const char *trace;
    int size_factor;
    size_t limit_bytes, requests;
    int64_t hits, misses;
    double hit_ratio;
    size_t peak_live_bytes;
    int64_t reserved_bytes;
    double waste, pair_ns;
};
static const struct column columns[] = {
    PARAMETER(struct row, trace, "program whose requests are replayed"),
    PARAMETER(struct row, size_factor, "all sizes are multiplied by it"),
    PARAMETER(struct row, limit_bytes, "maximum of page-locked memory of the caches; 0: no limit"),
    METRIC(struct row, requests, "allocations, each with its release"),
    METRIC(struct row, hits, "requests served without page-locking memory (caches)"),
    METRIC(struct row, misses, "requests that page-locked memory (caches)"),
    METRIC(struct row, hit_ratio, "hits / (hits + misses)"),
    METRIC(struct row, peak_live_bytes, "maximum of bytes requested and not released"),
    METRIC(struct row, reserved_bytes, "maximum of bytes page-locked by the cache"),
    METRIC(struct row, waste, "reserved_bytes / peak_live_bytes - 1"),
    METRIC(struct row, pair_ns, "time_s / requests in nanoseconds"),
    {0},
};

static struct trace_source source =
    TRACE_SOURCE("scf_rhf_coreh,tran_rhf_no4v,rccsd_rhf,rccsdpt_aaa,rccsdpt_aab");
static size_t limit_bytes;
static int64_t spare_percent = 6, scaled_by = 4;

static const struct program_option options[] = {
    TRACE_NAME_OPTIONS(source),
    {"scaled-by", OPTION_INTEGER, &scaled_by, "N",
     "replay each trace in the caches also with all sizes times N; 1: do not", 1, 1024},
    {"limit", OPTION_SIZE, &limit_bytes, "BYTES",
     "maximum of page-locked memory of the caches, times N for scaled traces; 0: no limit", 0, 0},
    {"spare", OPTION_INTEGER, &spare_percent, "PERCENT",
     "free memory that the variant cache keeps beside the maximum of live memory", 1, 100000},
    TRACE_RANDOM_OPTIONS(source),
    CONTENDER_OPTIONS,
    {0},
};

/* What is the same for all variants of one configuration. */
struct workload {
    const char *name;
    int size_factor;
    size_t limit_bytes, peak_live_bytes;
    struct steps steps;
};

/* Scaled traces are for the caches alone: they ask whether the pattern or the size decides. */
static bool load(struct run *run, void *task)
{
    (void)run;
    struct contender *contender = task;
    const struct workload *workload = contender->workload;
    if (workload->size_factor != 1 && !contender_is_cache(contender))
        return false;
    contender_load(contender, &workload->steps, true, workload->limit_bytes,
                   (unsigned)spare_percent);
    return true;
}

static void fill_row(const void *task, double time_s, void *filled)
{
    const struct contender *contender = task;
    const struct workload *workload = contender->workload;
    const struct pinning_cache_statistics *s = &contender->statistics;
    struct row *row = filled;
    *row = (struct row){.trace = workload->name,
                        .size_factor = workload->size_factor,
                        .limit_bytes = workload->limit_bytes,
                        .requests = workload->steps.requests,
                        .hits = NO_VALUE,
                        .misses = NO_VALUE,
                        .hit_ratio = NAN,
                        .peak_live_bytes = workload->peak_live_bytes,
                        .reserved_bytes = NO_VALUE,
                        .waste = NAN,
                        .pair_ns = 1e9 * time_s / (double)workload->steps.requests};
    if (!contender_is_cache(contender))
        return;
    row->hits = (int64_t)s->hits;
    row->misses = (int64_t)s->misses;
    row->hit_ratio = (double)s->hits / (double)(s->hits + s->misses);
    row->reserved_bytes = (int64_t)s->peak_reserved_bytes;
    row->waste = (double)s->peak_reserved_bytes / (double)workload->peak_live_bytes - 1.0;
}

/* Every request is a hit or a miss. */
static long count_wrong(struct run *run, void *task)
{
    (void)run;
    const struct contender *contender = task;
    const struct pinning_cache_statistics *s = &contender->statistics;
    return contender_is_cache(contender) && s->hits + s->misses != contender->steps->requests;
}

static const struct comparison comparison = {.task_bytes = TASK(struct contender),
                                             .row_bytes = sizeof(struct row),
                                             .open = load,
                                             .sample = contender_replay,
                                             .row = fill_row,
                                             .verify = count_wrong};

static void measure_trace(struct run *run, struct contenders *contenders, const struct trace *trace)
{
    struct trace_summary summary;
    check_status(trace_summarise(trace, &summary));
    if (summary.requests == 0)
        fail("the trace %s has no allocations", trace->name);
    int factors[] = {1, (int)scaled_by};
    for (int f = 0; f < (scaled_by > 1 ? 2 : 1); f++) {
        size_t factor = (size_t)factors[f];
        struct workload workload = {
            .name = trace->name,
            .size_factor = factors[f],
            .limit_bytes = limit_bytes * factor,
            .peak_live_bytes = summary.peak_live_elements * sizeof(double) * factor,
            .steps = steps_of_trace(trace, (unsigned)factor),
        };
        contenders_compare(run, contenders, &comparison, &workload);
        steps_free(&workload.steps);
    }
}

static void run_all(struct run *run)
{
    struct contenders contenders = contenders_open(run, kinds);
    struct trace trace;
    for (size_t i = 0; trace_source_get(&source, i, run->settings.seed, &trace); i++) {
        measure_trace(run, &contenders, &trace);
        trace_free(&trace);
    }
    contenders_close(&contenders);
}

const struct program program = {
    .name = "pinning_cache",
    .summary = "replays the allocations of block programs with and without a cache",
    .details = "time_s is the time of all allocations and releases of a trace. The caches are new\n"
               "for each repetition; what they still hold at its end is given back untimed. One\n"
               "byte of each block is written after its allocation.",
    .variants = variants,
    .options = options,
    .columns = columns,
    .uses_gpu = true,
    .start = malloc_peer_serve,
    .run = run_all,
};
