/* prefetch_servers: run time and waits of three programs by the number of servers (Peshne
 * 2018, 6.2.5). */
#include <stdlib.h>

#include "common/harness/compare.h"
#include "common/harness/program.h"

#include "benchmark.h"
#include "sip_options.h"

enum { PREFETCH, NO_PREFETCH };
static const struct variant variants[] = {
    [PREFETCH] = {"prefetch", "each get requests also the blocks of the next iterations"},
    [NO_PREFETCH] = {"no-prefetch", "each get requests its own block"},
    {0},
};

struct row {
    const char *network, *transport, *program;
    int workers, servers, prefetch_blocks;
    double runtime_s, wait_s, block_wait_s, barrier_wait_s, hit_ratio;
};
static const struct column columns[] = {
    BENCHMARK_NETWORK_COLUMN(struct row),
    PARAMETER(struct row, transport, "messages, or window (one-sided)"),
    PARAMETER(struct row, program, "SIAL program"),
    PARAMETER(struct row, workers, "ranks that compute"),
    PARAMETER(struct row, servers, "ranks that store blocks; further ranks are idle"),
    PARAMETER(struct row, prefetch_blocks, "blocks that each get is ahead"),
    METRIC(struct row, runtime_s, "time of the program: the largest of all workers"),
    METRIC(struct row, wait_s, "wait for blocks and at barriers: mean of the workers"),
    METRIC(struct row, block_wait_s, "of this, for blocks"),
    METRIC(struct row, barrier_wait_s, "of this, at barriers"),
    METRIC(struct row, hit_ratio,
           "accesses that did not block / all accesses: mean of the workers"),
    {0},
};

static struct option_words programs = {.list = "scf_like:norb=6:cycles=2:work_s=0.003,"
                                               "transform_like:nao=6:nmo=2:ng=3:work_s=0.0005,"
                                               "ccsd_like:nvirt=4:nocc=1:cycles=1:work_s=0.0005"};
static struct option_numbers server_counts = {.list = "1..4"};
static int64_t workers = 3, ahead = 4;
static const struct program_option options[] = {
    BENCHMARK_PROGRAMS_OPTION(&programs),
    {"workers", OPTION_INTEGER, &workers, "N", "ranks that compute", 1, 1 << 20},
    {"servers", OPTION_NUMBERS, &server_counts, "LIST",
     "numbers of servers, such as 1..4; the workers and the largest of these are the ranks needed",
     1, 1 << 20},
    {"prefetch", OPTION_INTEGER, &ahead, "K", "blocks ahead of variant prefetch", 1, 1 << 20},
    SIP_SEGMENT_OPTION,
    SIP_RUN_OPTIONS,
    {0},
};

/* One program with one number of servers and one variant. */
struct task {
    int variant;
    struct benchmark_program program;
    struct prefetch_config config;
    struct row last; /* of the last sample, on rank 0 */
};

static bool choose_distance(struct run *run, void *opened)
{
    (void)run;
    struct task *task = opened;
    task->config.prefetch = task->variant == PREFETCH ? (int)ahead : 0;
    return true;
}

static void summarise(struct row *row, const struct prefetch_counters *counters, int count)
{
    for (int i = 0; i < count; i++) {
        const struct prefetch_counters *c = &counters[i];
        row->runtime_s = c->run_s > row->runtime_s ? c->run_s : row->runtime_s;
        row->block_wait_s += c->block_wait_s / count;
        row->barrier_wait_s += c->barrier_wait_s / count;
        row->hit_ratio += c->accesses ? (double)c->hits / (double)c->accesses / count : 0.0;
    }
    row->wait_s = row->block_wait_s + row->barrier_wait_s;
}

static double run_once(void *context)
{
    struct task *task = context;
    const struct prefetch_config *config = &task->config;
    struct prefetch_result result = sip_run(task->program.code, config);
    struct prefetch_counters *counters = sip_gather_workers(&result);
    task->last = (struct row){.network = benchmark_network(),
                              .transport = sip_transport_name(config->transport),
                              .program = task->program.name,
                              .workers = config->workers,
                              .servers = config->servers,
                              .prefetch_blocks = config->prefetch};
    if (ranks.rank == 0)
        summarise(&task->last, counters, config->workers);
    free(counters);
    prefetch_result_free(&result);
    return task->last.runtime_s;
}

static void fill_row(const void *task, double time_s, void *row)
{
    (void)time_s;
    *(struct row *)row = ((const struct task *)task)->last;
}

static const struct comparison comparison = {.task_bytes = TASK(struct task),
                                             .row_bytes = sizeof(struct row),
                                             .open = choose_distance,
                                             .sample = run_once,
                                             .row = fill_row};

static void run_all(struct run *run)
{
    struct task task = {.config = sip_options_config(run)};
    task.config.workers = (int)workers;
    status_alike = true;
    for (size_t i = 0; i < server_counts.count; i++)
        if (workers + server_counts.values[i] > ranks.count)
            fail("%d workers and %d servers need %d ranks, and there are %d: mpirun -np %d",
                 (int)workers, (int)server_counts.values[i],
                 (int)(workers + server_counts.values[i]), ranks.count,
                 (int)(workers + server_counts.values[i]));
    status_alike = false;
    for (size_t p = 0; p < programs.count; p++) {
        task.program = benchmark_compile(programs.values[p]);
        for (size_t i = 0; i < server_counts.count; i++) {
            task.config.servers = (int)server_counts.values[i];
            compare_variants(run, &comparison, &task);
        }
        benchmark_free_program(&task.program);
    }
}

static void start_program(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    sip_options.segment = "ao=24,mo=8,la=8";
}

const struct program program = {
    .name = "prefetch_servers",
    .summary = "measures run time and waits of SIAL programs by the number of servers",
    .details =
        "The programs stand in for those of a biphenyl job and compute by sleeping, so that\n"
        "workers and servers that share cores do not slow one another down. Each checks its\n"
        "own results; a wrong one ends the job. time_s is runtime_s.",
    .variants = variants,
    .options = options,
    .columns = columns,
    .start_ranks = ranks_start,
    .start = start_program,
    .run = run_all,
};
