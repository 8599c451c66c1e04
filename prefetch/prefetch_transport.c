/* prefetch_transport: one block from a server to a worker, by the way that it takes, and how much
 * of it computing hides. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <mpi.h>

#include "common/clock.h"
#include "common/harness/compare.h"
#include "common/harness/program.h"
#include "common/random.h"
#include "prefetch/sip/transport.h"

#include "benchmark.h"

enum { MEMCPY, RECV, ISEND, MESSAGES, PROGRESS, WINDOW, WAYS };
enum { BUFFERS_MAX = 8, BUFFERS_MIN = 2, TURNS_MAX = 8, SLICES = 16 };
/* Blocks that are used in turn, and blocks per sample, are as many as make up this, within the
 * bounds above. */
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
    size_t bytes;
    int buffers, rounds; /* blocks used in turn, gets that are timed together */
    char *source[BUFFERS_MAX], *target[BUFFERS_MAX]; /* shared by the tasks of a size */
    struct transport_array array;
    struct transport *transport;
    struct transfer *transfer;
    MPI_Request arriving;
    double transfer_s, compute_s; /* per block, of the last sample */
    long wrong;
};

static bool is_transport(const struct task *task)
{
    return task->variant >= MESSAGES;
}

static struct transport_config config_of(const struct task *task)
{
    return (struct transport_config){
        .job = MPI_COMM_WORLD,
        .workers = 1,
        .servers = 1,
        .kind = task->variant == WINDOW ? TRANSPORT_WINDOW : TRANSPORT_MESSAGES,
        .arrays = &task->array,
        .array_count = 1,
        .server_memory_bytes = 2 * (size_t)task->buffers * (task->bytes + 4096),
        .wait_limit_s = 60};
}

/* ---- the server's side ---- */

static int gets_of_sample(const struct task *task)
{
    return task->buffers + task->rounds * (task->ratio > 0 ? 2 : 1);
}

static void serve(const struct task *task)
{
    int bytes = (int)task->bytes;
    if (is_transport(task)) {
        struct prefetch_server_counters counters;
        struct transport_config config = config_of(task);
        check_status(server_run(&config, &counters));
    }
    for (int i = 0; i < gets_of_sample(task) && task->variant == RECV; i++) {
        check_mpi(MPI_Send(task->source[i % task->buffers], bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD));
        check_mpi(MPI_Recv(task->target[i % task->buffers], bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD,
                           MPI_STATUS_IGNORE));
    }
    for (int i = 0; i < gets_of_sample(task) && task->variant == ISEND; i++) {
        MPI_Request leaving;
        check_mpi(MPI_Recv(NULL, 0, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        check_mpi(MPI_Isend(task->source[i % task->buffers], bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD,
                            &leaving));
        check_mpi(MPI_Wait(&leaving, MPI_STATUS_IGNORE));
    }
}

/* ---- the worker's side ---- */

static void open_way(struct task *task)
{
    struct put_report report;
    struct transport_config config = config_of(task);
    if (!is_transport(task))
        return;
    check_status(transport_open(&task->transport, &config));
    for (int i = 0; i < task->buffers; i++)
        check_status(transport_put(task->transport, (struct block_id){0, i},
                                   (double *)task->source[i], false, 0));
    check_status(transport_barrier(task->transport, &report));
}

static void close_way(struct task *task)
{
    if (is_transport(task))
        check_status(transport_close(task->transport));
}

static void start_get(struct task *task, int i)
{
    char *target = task->target[i % task->buffers];
    int bytes = (int)task->bytes;
    if (task->variant == MEMCPY)
        memcpy(target, task->source[i % task->buffers], task->bytes);
    if (task->variant == ISEND) {
        check_mpi(MPI_Irecv(target, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD, &task->arriving));
        check_mpi(MPI_Send(NULL, 0, MPI_BYTE, 1, 0, MPI_COMM_WORLD));
    }
    if (is_transport(task))
        check_status(transport_get(task->transport, (struct block_id){0, i % task->buffers},
                                   (double *)target, 0, &task->transfer));
}

static void wait_for_block(struct task *task, int i)
{
    enum transfer_state state;
    struct transfer_conflict conflict;
    struct block_id id = {0, i % task->buffers};
    check_status(transport_wait(task->transport, task->transfer, &state, &conflict));
    if (state != TRANSFER_DONE)
        check_status(transport_refuse(task->transport, id, state, &conflict));
}

static void end_get(struct task *task, int i)
{
    char *target = task->target[i % task->buffers];
    int bytes = (int)task->bytes;
    if (task->variant == RECV) {
        check_mpi(MPI_Recv(target, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        check_mpi(MPI_Send(target, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD));
    }
    if (task->variant == ISEND)
        check_mpi(MPI_Wait(&task->arriving, MPI_STATUS_IGNORE));
    if (is_transport(task))
        wait_for_block(task, i);
}

/* Keeps the core busy, as computing does; MPI gets no time but between the slices of one way. */
static void compute(struct task *task, double seconds)
{
    struct put_report report;
    int slices = task->variant == PROGRESS ? SLICES : 1;
    for (int slice = 0; slice < slices; slice++) {
        for (double end_s = clock_now_s() + seconds / slices; clock_now_s() < end_s;)
            ;
        if (task->variant == PROGRESS)
            check_status(transport_progress(task->transport, &report));
    }
}

/* Time per get with so much computing beside it. */
static double time_gets(struct task *task, int count, double compute_s)
{
    double start_s = clock_now_s();
    for (int i = 0; i < count; i++) {
        start_get(task, i);
        if (compute_s > 0)
            compute(task, compute_s);
        end_get(task, i);
    }
    double time_s = (clock_now_s() - start_s) / count;
    return task->variant == RECV ? time_s / 2 : time_s;
}

static double sample(void *context)
{
    struct task *task = context;
    if (ranks.rank != 0) {
        serve(task);
        return 0;
    }
    for (int i = 0; i < task->buffers; i++)
        memset(task->target[i], 0, task->bytes);
    open_way(task);
    time_gets(task, task->buffers, 0);
    task->transfer_s = time_gets(task, task->rounds, 0);
    task->compute_s = task->ratio * task->transfer_s;
    double time_s =
        task->ratio > 0 ? time_gets(task, task->rounds, task->compute_s) : task->transfer_s;
    close_way(task);
    for (int i = 0; i < task->buffers; i++)
        task->wrong += memcmp(task->target[i], task->source[i], task->bytes) != 0;
    return time_s;
}

/* ---- recording ---- */

static void fill_row(const void *context, double time_s, void *filled)
{
    const struct task *task = context;
    struct row *row = filled;
    double transfer_s = task->transfer_s, compute_s = task->ratio > 0 ? task->compute_s : NAN;
    *row = (struct row){.network = benchmark_network(),
                        .size_bytes = task->bytes,
                        .compute_ratio = task->ratio,
                        .bandwidth_gbs = 1e-9 * (double)task->bytes / transfer_s,
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

static void measure_size(struct run *run, const struct task *blocks, bool has_window)
{
    struct task tasks[WAYS * (sizeof ratios / sizeof *ratios)];
    size_t count = 0;
    for (size_t r = 0; r < sizeof ratios / sizeof *ratios; r++)
        for (int way = 0; way < WAYS; way++) {
            if (!makes_sense(way, ratios[r]) || !program_wants_variant(run, way) ||
                (way == WINDOW && !has_window))
                continue;
            tasks[count] = *blocks;
            tasks[count].variant = way;
            tasks[count++].ratio = ratios[r];
        }
    compare_tasks(run, &comparison, tasks, count);
}

static struct task prepare(size_t bytes, uint64_t seed)
{
    struct task task = {.bytes = bytes};
    task.buffers = within(buffer_bytes / bytes, BUFFERS_MIN, BUFFERS_MAX);
    task.rounds = task.buffers * within(sample_bytes / bytes / (size_t)task.buffers, 1, TURNS_MAX);
    task.array = (struct transport_array){.name = "block",
                                          .elements = bytes / sizeof(double),
                                          .blocks = task.buffers,
                                          .remote = true};
    for (int i = 0; i < task.buffers; i++) {
        task.source[i] = allocate_or_fail(bytes, 1);
        task.target[i] = allocate_or_fail(bytes, 1);
        random_fill_bytes(task.source[i], bytes, seed + (uint64_t)i);
        memset(task.target[i], 0, bytes);
    }
    return task;
}

static void release(struct task *task)
{
    for (int i = 0; i < task->buffers; i++) {
        free(task->source[i]);
        free(task->target[i]);
    }
}

/* Whether MPI can make a window between these ranks; else the reason is recorded. */
static bool find_window(struct run *run)
{
    struct prefetch_server_counters counters;
    struct task task = {.variant = WINDOW,
                        .array = {.name = "block", .elements = 1, .blocks = 1, .remote = true}};
    struct transport_config config = config_of(&task);
    struct transport *transport;
    if (!program_wants_variant(run, WINDOW))
        return false;
    enum dm_status status =
        ranks.rank == 0 ? transport_open(&transport, &config) : server_run(&config, &counters);
    if (status == DM_OK && ranks.rank == 0)
        status = transport_close(transport);
    if (status != DM_OK)
        record_waived(run, variants[WINDOW].name, dm_message());
    return status == DM_OK;
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
    bool has_window = find_window(run);
    for (size_t i = 0; i < run->settings.size_count; i++) {
        struct task blocks = prepare(run->settings.sizes[i], run->settings.seed);
        measure_size(run, &blocks, has_window);
        release(&blocks);
    }
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
