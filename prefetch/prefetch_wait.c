/* prefetch_wait: how long a loop waits for the blocks that it gets (Peshne 2018, 6.2.2 to 6.2.4).
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/harness/compare.h"
#include "common/harness/program.h"

#include "benchmark.h"
#include "sip_options.h"
#include "wait_sample.h"

enum { PREFETCH, NO_PREFETCH };
static const struct variant variants[] = {
    [PREFETCH] = {"prefetch", "each get requests also the blocks of the next iterations"},
    [NO_PREFETCH] = {"no-prefetch", "each get requests its own block: 0 blocks ahead"},
    {0},
};

struct row {
    const char *network, *transport;
    int workers, servers;
    long index_length, segment, block_elements;
    int prefetch_blocks, iteration;
    double mean_wait_s, first_wait_s, later_wait_s, first_get_s, mean_get_s, first_blocked_s,
        mean_blocked_s, least_later_wait_s, hit_ratio;
    int64_t gets, prefetches, unused_prefetches;
};
static const struct column columns[] = {
    BENCHMARK_NETWORK_COLUMN(struct row),
    PARAMETER(struct row, transport, "messages, or window (one-sided)"),
    PARAMETER(struct row, workers, "ranks that compute"),
    PARAMETER(struct row, servers, "ranks that store blocks"),
    PARAMETER(struct row, index_length, "iterations of the loop, and loops over all workers"),
    PARAMETER(struct row, segment, "numbers per segment of an index"),
    PARAMETER(struct row, block_elements, "numbers per block: the segment squared"),
    PARAMETER(struct row, prefetch_blocks, "blocks that the get is ahead"),
    PARAMETER(struct row, iteration, "0: the whole loop; 1, 2, ...: that iteration alone"),
    METRIC(struct row, mean_wait_s, "mean wait of an iteration"),
    METRIC(struct row, first_wait_s, "mean wait of the first iterations of the loops"),
    METRIC(struct row, later_wait_s, "mean wait of the other iterations"),
    METRIC(struct row, first_get_s, "the part of first_wait_s in the statement get"),
    METRIC(struct row, mean_get_s, "the part of mean_wait_s in the statement get"),
    METRIC(struct row, first_blocked_s, "the part of first_wait_s at the first use of the block"),
    METRIC(struct row, mean_blocked_s, "the part of mean_wait_s at the first use of the block"),
    METRIC(struct row, least_later_wait_s, "shortest wait of an iteration after the first"),
    METRIC(struct row, hit_ratio, "accesses that did not block / all accesses"),
    METRIC(struct row, gets, "blocks that a get requested for itself"),
    METRIC(struct row, prefetches, "blocks that were requested ahead"),
    METRIC(struct row, unused_prefetches, "blocks that were requested ahead for nothing"),
    {0},
};

static struct option_numbers lengths = {.list = "1..16"}, segments = {.list = "20"},
                             blocks = {.list = "0,4"};
static bool per_iteration;
static const struct program_option options[] = {
    {"lengths", OPTION_NUMBERS, &lengths, "LIST", "index lengths, such as 1..4,8,16", 1,
     LONGEST_INDEX},
    {"segments", OPTION_NUMBERS, &segments, "LIST",
     "segment lengths, in numbers; a block is square", 1, 1000},
    {"prefetch", OPTION_NUMBERS, &blocks, "LIST",
     "blocks ahead; 0 is the variant no-prefetch, others are prefetch", 0, 1000},
    {"per-iteration", OPTION_FLAG, &per_iteration, NULL, "rows also for each iteration of the loop",
     0, 0},
    SIP_RANKS_OPTIONS,
    SIP_RUN_OPTIONS,
    {0},
};

/* One number of blocks ahead. */
struct task {
    int variant;
    const struct prefetch_program *code;
    struct prefetch_config config;
    long length, segment;
    struct wait_sample last; /* on rank 0 */
    long wrong;
    struct run *run;
    struct row *iterations; /* with --per-iteration */
    size_t count;
};

/* ---- one run ---- */

/* The program compares what it gets with what it put. Here: the last block of the worker that has
 * the last loop is the last of all, whose elements are n^2, and every iteration had its wait noted.
 */
static long count_wrong_of(const struct task *task, const struct prefetch_result *result)
{
    double x = 0.0, n = (double)task->length, s = (double)task->segment;
    if (result->is_worker)
        check_status(prefetch_scalar(task->code, result, "x", &x));
    long wrong = ranks.max(x) != s * s * n * n * n * n;
    for (int i = 0; ranks.rank == 0 && i < task->length; i++)
        wrong += task->last.visits[i] != task->length;
    return wrong;
}

static double run_once(void *context)
{
    struct task *task = context;
    size_t wait_count;
    struct prefetch_result result = sip_run(task->code, &task->config);
    struct prefetch_counters *workers = sip_gather_workers(&result);
    struct prefetch_wait *waits = sip_gather_waits(&result, &wait_count);
    if (ranks.rank == 0)
        wait_summarise(&task->last, waits, wait_count, workers, task->config.workers);
    task->wrong += count_wrong_of(task, &result);
    free(workers);
    free(waits);
    prefetch_result_free(&result);
    return ranks.rank == 0 ? wait_mean(&task->last, 0, (int)task->length) : 0.0;
}

/* ---- records ---- */

static double finite_or_none(double number)
{
    return isfinite(number) ? number : NAN;
}

static struct row row_of(const struct task *task, int iteration)
{
    const struct prefetch_config *config = &task->config;
    return (struct row){.network = benchmark_network(),
                        .transport = sip_transport_name(config->transport),
                        .workers = config->workers,
                        .servers = config->servers,
                        .index_length = task->length,
                        .segment = task->segment,
                        .block_elements = task->segment * task->segment,
                        .prefetch_blocks = config->prefetch,
                        .iteration = iteration};
}

static void fill_row(const void *context, double time_s, void *filled)
{
    const struct task *task = context;
    const struct wait_sample *sample = &task->last;
    struct row *row = filled;
    int n = (int)task->length;
    *row = row_of(task, 0);
    row->mean_wait_s = time_s;
    row->first_wait_s = wait_mean(sample, 0, 1);
    row->later_wait_s = finite_or_none(wait_mean(sample, 1, n));
    row->first_get_s = wait_mean_of(sample, sample->get_s, 0, 1);
    row->mean_get_s = wait_mean_of(sample, sample->get_s, 0, n);
    row->first_blocked_s = wait_mean_of(sample, sample->blocked_s, 0, 1);
    row->mean_blocked_s = wait_mean_of(sample, sample->blocked_s, 0, n);
    row->least_later_wait_s = finite_or_none(sample->shortest_later_s);
    row->hit_ratio = sample->hit_ratio;
    row->gets = sample->gets;
    row->prefetches = sample->prefetches;
    row->unused_prefetches = sample->unused_prefetches;
}

/* The rows of single iterations follow those of whole loops. */
static void keep_iterations(struct task *task)
{
    size_t more = (size_t)task->length;
    task->iterations = realloc(task->iterations, (task->count + more) * sizeof(struct row));
    check_errno(task->iterations != NULL);
    for (int i = 0; i < task->length; i++) {
        struct row row = row_of(task, i + 1);
        row.mean_wait_s = wait_mean(&task->last, i, i + 1);
        row.first_wait_s = row.later_wait_s = row.first_get_s = row.mean_get_s = NAN;
        row.first_blocked_s = row.mean_blocked_s = row.least_later_wait_s = row.hit_ratio = NAN;
        row.gets = row.prefetches = row.unused_prefetches = NO_VALUE;
        task->iterations[task->count++] = row;
    }
}

static void fill_row_and_keep(const void *task, double time_s, void *row)
{
    fill_row(task, time_s, row);
    if (per_iteration)
        keep_iterations((struct task *)task);
}

static void record_iterations(void *context)
{
    struct task *task = context;
    for (size_t i = 0; i < task->count; i++)
        record_row(task->run, variants[task->variant].name, (int)(i / (size_t)task->length),
                   &task->iterations[i], task->iterations[i].mean_wait_s,
                   task->run->settings.check ? task->wrong : 0);
    free(task->iterations);
}

static long count_wrong(struct run *run, void *task)
{
    (void)run;
    return ((const struct task *)task)->wrong;
}

static const struct comparison comparison = {.task_bytes = TASK(struct task),
                                             .row_bytes = sizeof(struct row),
                                             .sample = run_once,
                                             .row = fill_row_and_keep,
                                             .verify = count_wrong,
                                             .close = record_iterations};

/* ---- all ---- */

/* All numbers of blocks ahead in turn. */
static void measure_loop(struct run *run, const struct task *loop)
{
    struct task *tasks = allocate_or_fail(blocks.count, sizeof *tasks);
    size_t count = 0;
    for (size_t i = 0; i < blocks.count; i++) {
        int variant = blocks.values[i] ? PREFETCH : NO_PREFETCH;
        if (!program_wants_variant(run, variant))
            continue;
        tasks[count] = *loop;
        tasks[count].variant = variant;
        tasks[count++].config.prefetch = (int)blocks.values[i];
    }
    compare_tasks(run, &comparison, tasks, count);
    free(tasks);
}

static void run_all(struct run *run)
{
    struct task loop = {.run = run, .config = sip_options_config(run)};
    loop.config.record_waits = true;
    for (size_t i = 0; i < lengths.count; i++) {
        char set[64];
        snprintf(set, sizeof set, "norb=%ld,check=0", lengths.values[i]);
        struct prefetch_program *code = sip_compile("put_test", set);
        loop.code = code;
        loop.length = lengths.values[i];
        for (size_t j = 0; j < segments.count; j++) {
            loop.segment = segments.values[j];
            loop.config.segment[PREFETCH_INDEX_AO] = (int)loop.segment;
            measure_loop(run, &loop);
        }
        prefetch_free(code);
    }
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
