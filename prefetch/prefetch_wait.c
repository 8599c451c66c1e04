/* prefetch_wait: how long a loop waits for the blocks that it gets (Peshne 2018, 6.2.2 to 6.2.4).
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/harness/program.h"

#include "benchmark.h"
#include "sip_options.h"

static const struct variant variants[] = {
    {"prefetch", "each get requests also the blocks of the next iterations"},
    {"no-prefetch", "each get requests its own block: 0 blocks ahead"},
    {0},
};

static const struct column columns[] = {
    BENCHMARK_NETWORK_COLUMN,
    {"transport", COLUMN_PARAMETER, "messages, or window (one-sided)"},
    {"workers", COLUMN_PARAMETER, "ranks that compute"},
    {"servers", COLUMN_PARAMETER, "ranks that store blocks"},
    {"index_length", COLUMN_PARAMETER, "iterations of the loop, and loops over all workers"},
    {"segment", COLUMN_PARAMETER, "numbers per segment of an index"},
    {"block_elements", COLUMN_PARAMETER, "numbers per block: the segment squared"},
    {"prefetch_blocks", COLUMN_PARAMETER, "blocks that the get is ahead"},
    {"iteration", COLUMN_PARAMETER, "0: the whole loop; 1, 2, ...: that iteration alone"},
    {"mean_wait_s", COLUMN_METRIC, "mean wait of an iteration"},
    {"first_wait_s", COLUMN_METRIC, "mean wait of the first iterations of the loops"},
    {"later_wait_s", COLUMN_METRIC, "mean wait of the other iterations"},
    {"first_get_s", COLUMN_METRIC, "the part of first_wait_s in the statement get"},
    {"mean_get_s", COLUMN_METRIC, "the part of mean_wait_s in the statement get"},
    {"first_blocked_s", COLUMN_METRIC, "the part of first_wait_s at the first use of the block"},
    {"mean_blocked_s", COLUMN_METRIC, "the part of mean_wait_s at the first use of the block"},
    {"least_later_wait_s", COLUMN_METRIC, "shortest wait of an iteration after the first"},
    {"hit_ratio", COLUMN_METRIC, "accesses that did not block / all accesses"},
    {"gets", COLUMN_METRIC, "blocks that a get requested for itself"},
    {"prefetches", COLUMN_METRIC, "blocks that were requested ahead"},
    {"unused_prefetches", COLUMN_METRIC, "blocks that were requested ahead for nothing"},
    {0},
};

enum { LONGEST_INDEX = 16 };
static const char *lengths = "1..16", *segments = "20", *blocks = "0,4";
static bool per_iteration;
static const struct program_option options[] = {
    {"lengths", OPTION_TEXT, &lengths, "LIST", "index lengths, such as 1..4,8,16", 0, 0},
    {"segments", OPTION_TEXT, &segments, "LIST", "segment lengths, in numbers; a block is square",
     0, 0},
    {"prefetch", OPTION_TEXT, &blocks, "LIST",
     "blocks ahead; 0 is the variant no-prefetch, others are prefetch", 0, 0},
    {"per-iteration", OPTION_FLAG, &per_iteration, NULL, "rows also for each iteration of the loop",
     0, 0},
    SIP_RANKS_OPTIONS,
    SIP_RUN_OPTIONS,
    {0},
};

/* What one run of the program says, over all workers. */
struct sample {
    double get_s[LONGEST_INDEX], blocked_s[LONGEST_INDEX]; /* by iteration: sums over its visits */
    long visits[LONGEST_INDEX];
    double least_later_s;
    double hit_ratio;
    uint64_t gets, prefetches, unused_prefetches;
};

/* One configuration: a subject of measure(). */
struct loop_case {
    const struct sial_program *code;
    struct sip_config config;
    int64_t length, segment;
    bool check;
    struct benchmark_samples samples;
    long errors;
};

/* ---- one run ---- */

static void add_waits(struct sample *sample, const struct sip_wait *waits, size_t count)
{
    sample->least_later_s = INFINITY;
    for (size_t i = 0; i < count; i++) {
        const struct sip_wait *wait = &waits[i];
        if (wait->iteration < 0 || wait->iteration >= LONGEST_INDEX)
            fail("the wait of iteration %d was noted, and there are at most %d", wait->iteration,
                 LONGEST_INDEX);
        sample->get_s[wait->iteration] += wait->get_s;
        sample->blocked_s[wait->iteration] += wait->wait_s;
        sample->visits[wait->iteration]++;
        if (wait->iteration > 0 && wait->get_s + wait->wait_s < sample->least_later_s)
            sample->least_later_s = wait->get_s + wait->wait_s;
    }
}

static void add_counters(struct sample *sample, const struct sip_counters *workers, int count)
{
    uint64_t hits = 0, accesses = 0;
    for (int i = 0; i < count; i++) {
        hits += workers[i].hits;
        accesses += workers[i].accesses;
        sample->gets += workers[i].gets;
        sample->prefetches += workers[i].prefetches;
        sample->unused_prefetches += workers[i].unused_prefetches;
    }
    sample->hit_ratio = (double)hits / (double)accesses;
}

/* The program compares what it gets with what it put. Here: the last block of the worker that has
 * the last loop is the last of all, whose elements are n^2, and every iteration had its wait noted.
 */
static long count_wrong(const struct loop_case *loop, const struct sip_result *result,
                        const struct sample *sample)
{
    double x = 0.0, n = (double)loop->length, s = (double)loop->segment;
    for (int i = 0; result->is_worker && i < loop->code->scalar_count; i++)
        if (strcmp(loop->code->scalars[i].name, "x") == 0)
            x = result->scalars[i];
    long wrong = ranks.max(x) != s * s * n * n * n * n;
    for (int i = 0; sample && i < loop->length; i++)
        wrong += sample->visits[i] != loop->length;
    return wrong;
}

static double mean_of(const double *sums, const long *visits, int from, int to)
{
    double sum = 0.0;
    long count = 0;
    for (int i = from; i < to; i++) {
        sum += sums[i];
        count += visits[i];
    }
    return sum / (double)count;
}

static double mean_wait(const struct sample *sample, int from, int to)
{
    return mean_of(sample->get_s, sample->visits, from, to) +
           mean_of(sample->blocked_s, sample->visits, from, to);
}

/* On rank 0; NULL on the others. */
static struct sample *take_sample(struct loop_case *loop, const struct sip_result *result)
{
    size_t wait_count = 0;
    struct sip_counters *workers = sip_gather_workers(result);
    struct sip_wait *waits = sip_gather_waits(result, &wait_count);
    struct sample *sample = NULL;
    if (ranks.rank == 0) {
        sample = benchmark_add_sample(&loop->samples);
        add_waits(sample, waits, wait_count);
        add_counters(sample, workers, loop->config.workers);
    }
    free(workers);
    free(waits);
    return sample;
}

static double run_once(void *context)
{
    struct loop_case *loop = context;
    struct sip_result result = sip_run_or_fail(loop->code, &loop->config);
    struct sample *sample = take_sample(loop, &result);
    if (loop->check)
        loop->errors += count_wrong(loop, &result, sample);
    sip_result_free(&result);
    return sample ? mean_wait(sample, 0, (int)loop->length) : 0.0;
}

/* ---- records ---- */

static struct value real_or_none(double number)
{
    return isfinite(number) ? real(number) : none();
}

/* iteration 0: the whole loop. */
static void record(struct run *run, const struct loop_case *loop, const char *variant,
                   int repetition, const struct sample *sample, int iteration)
{
    int n = (int)loop->length, from = iteration ? iteration - 1 : 0, to = iteration ? iteration : n;
    const struct sip_config *config = &loop->config;
    double mean_s = mean_wait(sample, from, to);
    struct value values[sizeof columns / sizeof *columns] = {
        text(benchmark_network()),
        text(sip_transport_name(config->transport)),
        integer(config->workers),
        integer(config->servers),
        integer(n),
        integer(loop->segment),
        integer(loop->segment * loop->segment),
        integer(config->prefetch),
        integer(iteration),
        real(mean_s),
    };
    if (iteration == 0) {
        struct value whole[] = {
            real(mean_wait(sample, 0, 1)),
            real_or_none(mean_wait(sample, 1, n)),
            real(mean_of(sample->get_s, sample->visits, 0, 1)),
            real(mean_of(sample->get_s, sample->visits, 0, n)),
            real(mean_of(sample->blocked_s, sample->visits, 0, 1)),
            real(mean_of(sample->blocked_s, sample->visits, 0, n)),
            real_or_none(sample->least_later_s),
            real(sample->hit_ratio),
            integer((int64_t)sample->gets),
            integer((int64_t)sample->prefetches),
            integer((int64_t)sample->unused_prefetches),
        };
        memcpy(values + 10, whole, sizeof whole);
    }
    record_values(run, variant, repetition, values, mean_s, loop->errors);
}

static void record_loop(struct run *run, const struct loop_case *loop,
                        const struct subject *subject)
{
    for (size_t i = 0; i < subject->count && ranks.rank == 0; i++) {
        const struct sample *sample = benchmark_sample(&loop->samples, subject, i);
        record(run, loop, subject->variant, (int)i, sample, 0);
        for (int iteration = 1; per_iteration && iteration <= loop->length; iteration++)
            record(run, loop, subject->variant, (int)i, sample, iteration);
    }
}

/* ---- all ---- */

/* All numbers of blocks ahead take turns. */
static void measure_loop(struct run *run, const struct sip_config *config,
                         const struct sial_program *code, int64_t length, int64_t segment,
                         const struct benchmark_numbers *ahead)
{
    struct loop_case *loops = allocate_or_fail(ahead->count, sizeof *loops);
    struct subject *subjects = allocate_or_fail(ahead->count, sizeof *subjects);
    size_t count = 0;
    for (size_t i = 0; i < ahead->count; i++) {
        const char *variant = ahead->values[i] ? "prefetch" : "no-prefetch";
        if (!program_wants(run, variant))
            continue;
        struct loop_case *loop = &loops[count];
        *loop = (struct loop_case){.code = code,
                                   .config = *config,
                                   .length = length,
                                   .segment = segment,
                                   .check = run->settings.check,
                                   .samples.item_bytes = sizeof(struct sample)};
        loop->config.prefetch = (int)ahead->values[i];
        loop->config.segment[SIAL_AO] = (int)segment;
        subjects[count++] =
            (struct subject){.variant = variant, .sample = run_once, .context = loop};
    }
    measure(run, subjects, count);
    for (size_t i = 0; i < count; i++) {
        record_loop(run, &loops[i], &subjects[i]);
        free(loops[i].samples.items);
    }
    measure_free(subjects, count);
    free(subjects);
    free(loops);
}

static void run_all(struct run *run)
{
    struct benchmark_numbers all_lengths =
                                 benchmark_read_numbers("lengths", lengths, 1, LONGEST_INDEX),
                             all_segments = benchmark_read_numbers("segments", segments, 1, 1000),
                             ahead = benchmark_read_numbers("prefetch", blocks, 0, 1000);
    struct sip_config config = sip_options_config(run);
    config.record_waits = true;
    for (size_t i = 0; i < all_lengths.count; i++) {
        char set[64];
        snprintf(set, sizeof set, "norb=%d,check=0", (int)all_lengths.values[i]);
        struct sial_program *code = sip_compile("put_test", set);
        for (size_t j = 0; j < all_segments.count; j++)
            measure_loop(run, &config, code, all_lengths.values[i], all_segments.values[j], &ahead);
        sial_free(code);
    }
    free(all_lengths.values);
    free(all_segments.values);
    free(ahead.values);
}

const struct program program = {
    .name = "prefetch_wait",
    .summary = "measures how long a loop waits for the blocks that it gets",
    .details =
        "The program is put_test.sialx: n loops of n iterations, shared by the workers; each\n"
        "iteration gets a block, contracts it with itself, and puts it into another array.\n"
        "The wait of an iteration is how long the worker stands still for the block: in the\n"
        "statement get, while requests are sent, and at the first use, until the block has\n"
        "arrived. Means are over all loops of all workers. time_s is mean_wait_s.",
    .variants = variants,
    .options = options,
    .columns = columns,
    .start_ranks = ranks_start,
    .run = run_all,
};
