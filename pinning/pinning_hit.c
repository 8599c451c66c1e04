/* pinning_hit: what one allocation and release of a block costs when memory is there already. */
#include <math.h>

#include "common/random.h"

#include "contender.h"

enum { BATCH = 16, PAIRS = 16384, SLOW_PAIRS = 16, SPARE_PERCENT = 1000 };

static const struct variant variants[] = {
    {"uncached", "cudaMallocHost and cudaFreeHost for every block"},
    {"thesis", "block cache of algorithm 5.4"},
    {"cache", "block cache of segments and magazines"},
    {"pool", "cudaMallocFromPoolAsync from a pool of host memory"},
    {"malloc", "malloc and free of the C library"},
    {"jemalloc", "malloc and free of jemalloc, preloaded into a child process"},
    {"mimalloc", "malloc and free of mimalloc, preloaded into a child process"},
    {0},
};
static const enum contender_kind kinds[] = {
    CONTENDER_UNCACHED, CONTENDER_THESIS,   CONTENDER_CACHE,   CONTENDER_POOL,
    CONTENDER_MALLOC,   CONTENDER_JEMALLOC, CONTENDER_MIMALLOC};

enum pattern { PAIR, BATCH16, MIXED, PATTERNS };
static const char *const pattern_names[] = {"pair", "batch16", "mixed"};

struct row {
    size_t size_bytes;
    const char *pattern;
    int64_t misses;
};
static const struct column columns[] = {
    PARAMETER(struct row, size_bytes, "size of a block; with mixed the largest size"),
    PARAMETER(struct row, pattern,
              "pair: one block at a time; batch16: 16 blocks, released in another order; mixed: as "
              "batch16, sizes from 4 KiB on, their logarithm uniform"),
    METRIC(struct row, misses, "requests of all repetitions that page-locked memory (caches)"),
    {0},
};

static const struct program_option options[] = {CONTENDER_OPTIONS, {0}};

/* What all variants do in one configuration. */
struct workload {
    size_t bytes;
    enum pattern pattern;
    struct steps fast, slow; /* slow: for blocks that are page-locked each time */
    uint64_t misses_before[sizeof kinds / sizeof kinds[0]]; /* by variant: while the cache filled */
};

static size_t mixed_size(size_t largest, uint64_t seed, uint64_t index)
{
    const double smallest = 4096.0;
    double octaves = (double)largest > smallest ? log2((double)largest / smallest) : 0.0;
    return (size_t)(smallest * exp2(octaves * random_uniform(seed, index)));
}

/* Requests of one sample: `pairs` allocations and as many releases. */
static struct steps make_steps(enum pattern pattern, size_t bytes, size_t pairs, uint64_t seed)
{
    uint32_t batch = pattern == PAIR ? 1 : BATCH;
    struct steps steps = {
        .all = allocate_or_fail(2 * pairs, sizeof *steps.all), .requests = pairs, .slots = batch};
    for (size_t done = 0; done < pairs; done += batch) {
        for (uint32_t i = 0; i < batch; i++)
            steps.all[steps.count++] =
                (struct step){pattern == MIXED ? mixed_size(bytes, seed, done + i) : bytes, i};
        for (uint32_t i = 0; i < batch; i++)
            steps.all[steps.count++] = (struct step){0, (i * 7 + 3) % batch};
    }
    return steps;
}

static bool load(struct run *run, void *task)
{
    (void)run;
    struct contender *contender = task;
    struct workload *workload = (struct workload *)contender->workload;
    bool is_slow = contender->kind == CONTENDER_UNCACHED;
    contender_load(contender, is_slow ? &workload->slow : &workload->fast, false, 0, SPARE_PERCENT);
    contender_replay(contender); /* fills the caches */
    workload->misses_before[contender->variant] = contender->statistics.misses;
    return true;
}

static double sample(void *task)
{
    struct contender *contender = task;
    return contender_replay(contender) / (double)contender->steps->requests;
}

static void fill_row(const void *task, double time_s, void *row)
{
    (void)time_s;
    const struct contender *contender = task;
    const struct workload *workload = contender->workload;
    *(struct row *)row = (struct row){workload->bytes, pattern_names[workload->pattern], NO_VALUE};
}

static void count_misses(const struct compared *compared, size_t task, size_t repetition, void *row)
{
    (void)repetition;
    const struct contender *contender = compared->tasks[task];
    const struct workload *workload = contender->workload;
    if (contender_is_cache(contender))
        ((struct row *)row)->misses =
            (int64_t)(contender->statistics.misses - workload->misses_before[contender->variant]);
}

static const struct comparison comparison = {.task_bytes = TASK(struct contender),
                                             .row_bytes = sizeof(struct row),
                                             .open = load,
                                             .sample = sample,
                                             .row = fill_row,
                                             .relate = count_misses};

static void run_all(struct run *run)
{
    const uint64_t seed = run->settings.seed;
    struct contenders contenders = contenders_open(run, kinds);
    for (size_t s = 0; s < run->settings.size_count; s++)
        for (int p = 0; p < PATTERNS; p++) {
            struct workload workload = {.bytes = run->settings.sizes[s],
                                        .pattern = (enum pattern)p};
            workload.fast = make_steps(workload.pattern, workload.bytes, PAIRS, seed);
            workload.slow = make_steps(workload.pattern, workload.bytes, SLOW_PAIRS, seed);
            contenders_compare(run, &contenders, &comparison, &workload);
            steps_free(&workload.fast);
            steps_free(&workload.slow);
        }
    contenders_close(&contenders);
}

static const size_t default_sizes[] = {4096,    16384,    65536,    262144, 1048576,
                                       4194304, 16777216, 67108864, 0};

const struct program program = {
    .name = "pinning_hit",
    .summary = "measures one allocation and release of a block after warm-up",
    .details =
        "time_s is the time of one allocation and its release, with one byte written in\n"
        "between; 16384 of them are timed together (16 for uncached). The cache may keep 10 times\n"
        "the live memory, so that it need not page-lock anything while it is timed.",
    .variants = variants,
    .options = options,
    .columns = columns,
    .size_unit = "bytes",
    .default_sizes = default_sizes,
    .uses_gpu = true,
    .start = malloc_peer_serve,
    .run = run_all,
};
