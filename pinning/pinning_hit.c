/* pinning_hit: what one allocation and release of a block costs when memory is there already. */
#include "contender.h"
#include "random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BATCH = 16, PAIRS = 16384, SLOW_PAIRS = 16, PATTERNS = 3, SPARE_PERCENT = 1000 };

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
static const char *const kinds[CONTENDER_KINDS] = {"uncached", "thesis",   "cache",   "pool",
                                                   "malloc",   "jemalloc", "mimalloc"};

static const char *const patterns[PATTERNS] = {"pair", "batch16", "mixed"};

static const struct column columns[] = {
    {"size_bytes", COLUMN_PARAMETER, "size of a block; with mixed the largest size"},
    {"pattern", COLUMN_PARAMETER,
     "pair: one block at a time; batch16: 16 blocks, released in another order; mixed: as batch16, "
     "sizes from 4 KiB on, their logarithm uniform"},
    {"misses", COLUMN_METRIC, "requests of all repetitions that page-locked memory (caches)"},
    {0},
};

static const struct option options[] = {
    {"jemalloc", OPTION_TEXT, &contender_jemalloc, "FILE",
     "jemalloc's library, if it is in none of the usual folders", 0, 0},
    {"mimalloc", OPTION_TEXT, &contender_mimalloc, "FILE",
     "mimalloc's library, if it is in none of the usual folders", 0, 0},
    {0},
};

static size_t mixed_size(size_t largest, uint64_t seed, uint64_t index)
{
    const double least = 4096.0;
    double octaves = (double)largest > least ? log2((double)largest / least) : 0.0;
    return (size_t)(least * exp2(octaves * random_uniform(seed, index)));
}

/* Requests of one sample: `pairs` allocations and as many releases. */
static struct steps make_steps(const char *pattern, size_t bytes, size_t pairs, uint64_t seed)
{
    bool single = strcmp(pattern, "pair") == 0, mixed = strcmp(pattern, "mixed") == 0;
    uint32_t batch = single ? 1 : BATCH;
    struct steps steps = {
        .all = allocate_or_fail(2 * pairs, sizeof *steps.all), .requests = pairs, .slots = batch};
    for (size_t done = 0; done < pairs; done += batch) {
        for (uint32_t i = 0; i < batch; i++)
            steps.all[steps.count++] =
                (struct step){mixed ? mixed_size(bytes, seed, done + i) : bytes, i};
        for (uint32_t i = 0; i < batch; i++)
            steps.all[steps.count++] = (struct step){0, (i * 7 + 3) % batch};
    }
    return steps;
}

static void record(struct run *run, const struct contender *contender,
                   const struct subject *subject, size_t bytes, const char *pattern,
                   uint64_t misses_before)
{
    bool cached = contender->cache != NULL;
    struct value values[] = {
        integer((int64_t)bytes), text(pattern),
        cached ? integer((int64_t)(contender->statistics.misses - misses_before)) : none()};
    for (size_t i = 0; i < subject->count; i++)
        record_row(run, contender->variant, (int)i, values,
                   subject->times_s[i] / (double)contender->steps->requests, 0);
}

static void measure_pattern(struct run *run, struct contender *contenders, size_t count,
                            size_t bytes, const char *pattern)
{
    struct steps fast = make_steps(pattern, bytes, PAIRS, run->settings.seed);
    struct steps slow = make_steps(pattern, bytes, SLOW_PAIRS, run->settings.seed);
    struct subject subjects[CONTENDER_KINDS];
    uint64_t misses[CONTENDER_KINDS];
    for (size_t i = 0; i < count; i++) {
        bool is_slow = contenders[i].kind == CONTENDER_UNCACHED;
        contender_load(&contenders[i], is_slow ? &slow : &fast, false, 0, SPARE_PERCENT);
        subjects[i] = (struct subject){.variant = contenders[i].variant,
                                       .sample = contender_sample,
                                       .context = &contenders[i]};
        contender_sample(&contenders[i]); /* fills the caches */
        misses[i] = contenders[i].statistics.misses;
    }
    measure(run, subjects, count);
    for (size_t i = 0; i < count; i++)
        record(run, &contenders[i], &subjects[i], bytes, pattern, misses[i]);
    measure_free(subjects, count);
    steps_free(&fast);
    steps_free(&slow);
}

static void run_all(struct run *run)
{
    struct contender contenders[CONTENDER_KINDS];
    size_t count = contenders_open(run, kinds, contenders);
    for (size_t s = 0; s < run->settings.size_count; s++)
        for (int p = 0; p < PATTERNS; p++)
            measure_pattern(run, contenders, count, run->settings.sizes[s], patterns[p]);
    contenders_close(contenders, count);
}

static const size_t default_sizes[] = {4096,    16384,    65536,    262144, 1048576,
                                       4194304, 16777216, 67108864, 0};

static const struct program program = {
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
    .default_begin = 4096,
    .default_end = 67108864,
    .uses_gpu = true,
    .run = run_all,
};

int main(int argc, char **argv)
{
    malloc_peer_serve(argc, argv);
    return program_main(&program, argc, argv);
}
