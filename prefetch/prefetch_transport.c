/* prefetch_transport: one block from a server to a worker, by the way that it takes, and how much
 * of it computing hides. */
#include <math.h>
#include <string.h>

#include "common/clock.h"
#include "common/harness/compare.h"
#include "common/harness/program.h"
#include "common/harness/scope.h"

#include "benchmark.h"
#include "block_way.h"

enum { TURNS_MAX = 8, SLICES = 16 };
/* Blocks that are used in turn, and blocks per sample, are as many as make up this, within bounds.
 */
static const size_t buffer_bytes = (size_t)4 << 20;
static size_t sample_bytes = (size_t)32 << 20;
static const struct program_option options[] = {
    {"sample-bytes", OPTION_SIZE, &sample_bytes, "BYTES",
     "bytes that one sample gets, in at most 64 blocks; a slow link wants fewer", 1, 1e12},
    {0},
};
static const double ratios[] = {0, 0.5, 1, 2};

static const struct variant variants[] = {
    {"memcpy", "a copy within the worker's memory, for comparison"},
    {"recv", "half of a ping-pong with MPI_Send and MPI_Recv"},
    {"isend", "plain MPI: a token asks for the block, MPI_Isend, MPI_Irecv"},
    {"messages", "transport_get, messages"},
    {"progress", "the same, and transport_progress 16 times while computing"},
    {"window", "transport_get out of the server's window"},
    {0},
};

struct row {
    const char *network;
    size_t size_bytes;
    double compute_ratio, bandwidth_gbs, transfer_s, compute_s, serial_s, bound_s, overlap,
        wait_share;
};
static const struct column columns[] = {
    BENCHMARK_NETWORK_COLUMN(struct row),
    PARAMETER(struct row, size_bytes, "size of the block in bytes"),
    PARAMETER(struct row, compute_ratio,
              "computing beside each get, in times of the get alone; 0: none"),
    METRIC(struct row, bandwidth_gbs, "size_bytes / transfer_s in 10^9 byte/s"),
    METRIC(struct row, transfer_s, "time of a get alone, in the same sample"),
    METRIC(struct row, compute_s, "computing beside each get"),
    METRIC(struct row, serial_s, "transfer_s + compute_s"),
    METRIC(struct row, bound_s, "the larger of transfer_s and compute_s: no time_s is shorter"),
    METRIC(struct row, overlap, "(serial_s - time_s) / the smaller of transfer_s and compute_s"),
    METRIC(struct row, wait_share, "part of time_s that is not computing"),
    {0},
};

/* One way, size and ratio. */
struct task {
    int variant;
    double ratio;
    struct block_way way;         /* its memory is shared by the tasks of a size */
    int gets;                     /* that are timed together */
    double transfer_s, compute_s; /* per block, of the last sample */
    long wrong;
};

/* Keeps the core busy, as computing does; MPI gets no time but between the slices of one way. */
static void compute(struct task *task, double seconds)
{
    int slices = task->variant == PROGRESS ? SLICES : 1;
    for (int slice = 0; slice < slices; slice++) {
        for (double end_s = clock_now_s() + seconds / slices; clock_now_s() < end_s;)
            ;
        if (task->variant == PROGRESS)
            way_progress(&task->way);
    }
}

/* Time per get with so much computing beside it. */
static double time_gets(struct task *task, int count, double compute_s)
{
    double start_s = clock_now_s();
    for (int i = 0; i < count; i++) {
        way_start_get(&task->way, i);
        if (compute_s > 0)
            compute(task, compute_s);
        way_end_get(&task->way, i);
    }
    double time_s = (clock_now_s() - start_s) / count;
    return task->variant == RECV ? time_s / 2 : time_s;
}

static double sample(void *context)
{
    struct task *task = context;
    struct block_way *way = &task->way;
    bool computes = task->ratio > 0;
    if (ranks.rank != 0) {
        way_serve(way, way->buffers + task->gets * (computes ? 2 : 1));
        return 0;
    }
    for (int i = 0; i < way->buffers; i++)
        memset(way->target[i], 0, way->bytes);
    way_open(way);
    time_gets(task, way->buffers, 0);
    task->transfer_s = time_gets(task, task->gets, 0);
    task->compute_s = task->ratio * task->transfer_s;
    double time_s = computes ? time_gets(task, task->gets, task->compute_s) : task->transfer_s;
    way_close(way);
    for (int i = 0; i < way->buffers; i++)
        task->wrong += memcmp(way->target[i], way->source[i], way->bytes) != 0;
    return time_s;
}

/* ---- recording ---- */

static void fill_row(const void *context, double time_s, void *filled)
{
    const struct task *task = context;
    struct row *row = filled;
    double transfer_s = task->transfer_s, compute_s = task->ratio > 0 ? task->compute_s : NAN;
    *row = (struct row){.network = benchmark_network(),
                        .size_bytes = task->way.bytes,
                        .compute_ratio = task->ratio,
                        .bandwidth_gbs = 1e-9 * (double)task->way.bytes / transfer_s,
                        .transfer_s = transfer_s,
                        .compute_s = compute_s,
                        .serial_s = transfer_s + compute_s,
                        .bound_s = transfer_s > compute_s ? transfer_s : compute_s,
                        .wait_share = 1 - compute_s / time_s};
    row->overlap = (row->serial_s - time_s) / (transfer_s < compute_s ? transfer_s : compute_s);
}

static long count_wrong(struct run *run, void *task)
{
    (void)run;
    return ((const struct task *)task)->wrong;
}

static const struct comparison comparison = {.task_bytes = TASK(struct task),
                                             .row_bytes = sizeof(struct row),
                                             .sample = sample,
                                             .row = fill_row,
                                             .verify = count_wrong};

/* Half a ping-pong is no get, memcpy is one that no computing can hide, and progress is about
 * computing alone. */
static bool makes_sense(int way, double ratio)
{
    return ratio > 0 ? way != MEMCPY && way != RECV : way != PROGRESS;
}

static int within(size_t wanted, int smallest, int largest)
{
    return wanted > (size_t)largest ? largest : wanted < (size_t)smallest ? smallest : (int)wanted;
}

static void measure_size(struct run *run, size_t bytes, bool has_window)
{
    struct task tasks[WAYS * (sizeof ratios / sizeof *ratios)];
    size_t count = 0;
    int buffers = within(buffer_bytes / bytes, BUFFERS_MIN, BUFFERS_MAX);
    scope_open();
    struct task blocks = {.way = way_prepare(bytes, buffers, run->settings.seed)};
    blocks.gets = buffers * within(sample_bytes / bytes / (size_t)buffers, 1, TURNS_MAX);
    for (size_t r = 0; r < sizeof ratios / sizeof *ratios; r++)
        for (int way = 0; way < WAYS; way++) {
            if (!makes_sense(way, ratios[r]) || !program_wants_variant(run, way) ||
                (way == WINDOW && !has_window))
                continue;
            tasks[count] = blocks;
            tasks[count].variant = way;
            tasks[count].way.kind = (enum way_kind)way;
            tasks[count++].ratio = ratios[r];
        }
    compare_tasks(run, &comparison, tasks, count);
    scope_close();
}

static void run_all(struct run *run)
{
    status_alike = true;
    if (ranks.count != 2)
        fail("prefetch_transport needs 2 ranks, a worker and a server: start it with mpirun -np 2");
    for (size_t i = 0; i < run->settings.size_count; i++)
        if (run->settings.sizes[i] % sizeof(double) != 0 || run->settings.sizes[i] == 0)
            fail("a block of %zu bytes: blocks hold numbers of 8 bytes", run->settings.sizes[i]);
    status_alike = false;
    bool has_window = program_wants_variant(run, WINDOW) && way_try_window() == DM_OK;
    if (program_wants_variant(run, WINDOW) && !has_window)
        record_waived(run, variants[WINDOW].name, dm_message());
    for (size_t i = 0; i < run->settings.size_count; i++)
        measure_size(run, run->settings.sizes[i], has_window);
}

const struct program program = {
    .name = "prefetch_transport",
    .summary = "gets a block from a server, by the way that it takes, with and without computing",
    .details =
        "Rank 0 is the worker, rank 1 the server. time_s is per block: of a get and the wait for\n"
        "it, without computing in between (compute_ratio 0), or with so much of it. Computing\n"
        "keeps the worker's core busy and calls nothing. Times are means over the blocks of a\n"
        "sample, which are used in turn; recv is half the time there and back. What computing hides\n"
        "is `overlap`: 1 is all that can be hidden, 0 nothing.",
    .variants = variants,
    .options = options,
    .columns = columns,
    .size_unit = "bytes",
    .default_begin = 2048,
    .default_end = 8 << 20,
    .start_ranks = ranks_start,
    .run = run_all,
};
