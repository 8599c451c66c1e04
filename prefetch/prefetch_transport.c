/* prefetch_transport: one block from a server to a worker, by the way that it takes, and how much
 * of it computing hides. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <mpi.h>

#include "common/clock.h"
#include "common/harness/program.h"
#include "common/random.h"
#include "prefetch/sip/transport.h"

#include "benchmark.h"

enum { MEMCPY, RECV, ISEND, MESSAGES, PROGRESS, WINDOW, WAYS };
enum { BUFFERS_MOST = 8, BUFFERS_LEAST = 2, TURNS_MOST = 8, SLICES = 16 };
/* Blocks that take turns, and blocks per sample, are as many as make up this, within the bounds
 * above. */
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

static const struct column columns[] = {
    BENCHMARK_NETWORK_COLUMN,
    {"size_bytes", COLUMN_PARAMETER, "size of the block in bytes"},
    {"compute_ratio", COLUMN_PARAMETER,
     "computing beside each get, in times of the get alone; 0: none"},
    {"bandwidth_gbs", COLUMN_METRIC, "size_bytes / transfer_s in 10^9 byte/s"},
    {"transfer_s", COLUMN_METRIC, "time of a get alone, in the same sample"},
    {"compute_s", COLUMN_METRIC, "computing beside each get"},
    {"serial_s", COLUMN_METRIC, "transfer_s + compute_s"},
    {"bound_s", COLUMN_METRIC, "the larger of transfer_s and compute_s: no time_s is shorter"},
    {"overlap", COLUMN_METRIC, "(serial_s - time_s) / the smaller of transfer_s and compute_s"},
    {"wait_share", COLUMN_METRIC, "part of time_s that is not computing"},
    {0},
};

/* What a sample measured; times per block. */
struct detail {
    double transfer_s, compute_s;
};

/* One way, size and ratio: a subject of measure(). */
struct task {
    int way;
    double ratio;
    size_t bytes;
    int buffers, rounds; /* blocks that take turns, gets that are timed together */
    char *source[BUFFERS_MOST], *target[BUFFERS_MOST]; /* shared by the tasks of a size */
    struct transport_array array;
    struct transport *transport;
    struct transfer *transfer;
    MPI_Request arriving;
    struct benchmark_samples samples; /* struct detail */
    long wrong;
};

static bool is_transport(const struct task *task)
{
    return task->way >= MESSAGES;
}

static struct transport_config config_of(const struct task *task)
{
    return (struct transport_config){
        .job = MPI_COMM_WORLD,
        .workers = 1,
        .servers = 1,
        .kind = task->way == WINDOW ? TRANSPORT_WINDOW : TRANSPORT_MESSAGES,
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
        struct server_counters counters;
        struct transport_error error;
        struct transport_config config = config_of(task);
        if (!server_run(&config, &counters, &error))
            fail("%s", error.text);
    }
    for (int i = 0; i < gets_of_sample(task) && task->way == RECV; i++) {
        check_mpi(MPI_Send(task->source[i % task->buffers], bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD));
        check_mpi(MPI_Recv(task->target[i % task->buffers], bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD,
                           MPI_STATUS_IGNORE));
    }
    for (int i = 0; i < gets_of_sample(task) && task->way == ISEND; i++) {
        MPI_Request leaving;
        check_mpi(MPI_Recv(NULL, 0, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        check_mpi(MPI_Isend(task->source[i % task->buffers], bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD,
                            &leaving));
        check_mpi(MPI_Wait(&leaving, MPI_STATUS_IGNORE));
    }
}

/* ---- the worker's side ---- */

static void expect_done(enum transfer_state state, const struct transport_error *error)
{
    if (state != TRANSFER_DONE)
        fail("%s", error->text);
}

static void open_way(struct task *task)
{
    int statement;
    struct transport_error error;
    struct transfer_conflict conflict;
    struct transport_config config = config_of(task);
    if (!is_transport(task))
        return;
    task->transport = transport_open(&config, &error);
    if (!task->transport)
        fail("%s", error.text);
    for (int i = 0; i < task->buffers; i++)
        if (!transport_put(task->transport, (struct block_id){0, i}, (double *)task->source[i],
                           false, 0, &error))
            fail("%s", error.text);
    expect_done(transport_barrier(task->transport, NULL, &statement, &conflict, &error), &error);
}

static void close_way(struct task *task)
{
    struct transport_error error;
    if (is_transport(task) && !transport_close(task->transport, &error))
        fail("%s", error.text);
}

static void start_get(struct task *task, int i)
{
    struct transport_error error;
    char *target = task->target[i % task->buffers];
    int bytes = (int)task->bytes;
    if (task->way == MEMCPY)
        memcpy(target, task->source[i % task->buffers], task->bytes);
    if (task->way == ISEND) {
        check_mpi(MPI_Irecv(target, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD, &task->arriving));
        check_mpi(MPI_Send(NULL, 0, MPI_BYTE, 1, 0, MPI_COMM_WORLD));
    }
    if (!is_transport(task))
        return;
    task->transfer = transport_get(task->transport, (struct block_id){0, i % task->buffers},
                                   (double *)target, 0, &error);
    if (!task->transfer)
        fail("%s", error.text);
}

static void end_get(struct task *task, int i)
{
    struct transport_error error;
    char *target = task->target[i % task->buffers];
    int bytes = (int)task->bytes;
    if (task->way == RECV) {
        check_mpi(MPI_Recv(target, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        check_mpi(MPI_Send(target, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD));
    }
    if (task->way == ISEND)
        check_mpi(MPI_Wait(&task->arriving, MPI_STATUS_IGNORE));
    if (is_transport(task))
        expect_done(transport_wait(task->transport, task->transfer, NULL, &error), &error);
}

/* Keeps the core busy, as computing does; MPI gets no time but between the slices of one way. */
static void compute(struct task *task, double seconds)
{
    int statement, slices = task->way == PROGRESS ? SLICES : 1;
    struct transfer_conflict conflict;
    struct transport_error error;
    for (int slice = 0; slice < slices; slice++) {
        for (double end_s = clock_now_s() + seconds / slices; clock_now_s() < end_s;)
            ;
        if (task->way == PROGRESS)
            expect_done(transport_progress(task->transport, &statement, &conflict, &error), &error);
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
    return task->way == RECV ? time_s / 2 : time_s;
}

static double sample(void *context)
{
    struct task *task = context;
    struct detail *detail = benchmark_add_sample(&task->samples);
    if (ranks.rank != 0) {
        serve(task);
        return 0;
    }
    for (int i = 0; i < task->buffers; i++)
        memset(task->target[i], 0, task->bytes);
    open_way(task);
    time_gets(task, task->buffers, 0);
    detail->transfer_s = time_gets(task, task->rounds, 0);
    detail->compute_s = task->ratio * detail->transfer_s;
    double time_s =
        task->ratio > 0 ? time_gets(task, task->rounds, detail->compute_s) : detail->transfer_s;
    close_way(task);
    for (int i = 0; i < task->buffers; i++)
        task->wrong += memcmp(task->target[i], task->source[i], task->bytes) != 0;
    return time_s;
}

/* ---- recording ---- */

static void record(struct run *run, const struct task *task, const struct subject *subject)
{
    for (size_t i = 0; i < subject->count; i++) {
        const struct detail *detail = benchmark_sample(&task->samples, subject, i);
        double time_s = subject->times_s[i], transfer_s = detail->transfer_s;
        double compute_s = detail->compute_s, serial_s = transfer_s + compute_s;
        bool computes = task->ratio > 0;
        struct value values[] = {
            text(benchmark_network()),
            integer((int64_t)task->bytes),
            real(task->ratio),
            real(1e-9 * (double)task->bytes / transfer_s),
            real(transfer_s),
            computes ? real(compute_s) : none(),
            computes ? real(serial_s) : none(),
            computes ? real(fmax(transfer_s, compute_s)) : none(),
            computes ? real((serial_s - time_s) / fmin(transfer_s, compute_s)) : none(),
            computes ? real(1 - compute_s / time_s) : none(),
        };
        record_values(run, subject->variant, (int)i, values, time_s,
                      run->settings.check ? task->wrong : 0);
    }
}

/* Half a ping-pong is no get, memcpy is one that no computing can hide, and progress is about
 * computing alone. */
static bool makes_sense(int way, double ratio)
{
    return ratio > 0 ? way != MEMCPY && way != RECV : way != PROGRESS;
}

static int within(size_t wanted, int least, int most)
{
    return wanted > (size_t)most ? most : wanted < (size_t)least ? least : (int)wanted;
}

static void measure_size(struct run *run, struct task *blocks, bool has_window)
{
    enum { MOST = WAYS * (sizeof ratios / sizeof *ratios) };
    struct task tasks[MOST];
    struct subject subjects[MOST];
    size_t count = 0;
    for (size_t r = 0; r < sizeof ratios / sizeof *ratios; r++)
        for (int way = 0; way < WAYS; way++) {
            if (!makes_sense(way, ratios[r]) || !program_wants(run, variants[way].name) ||
                (way == WINDOW && !has_window))
                continue;
            tasks[count] = *blocks;
            tasks[count].way = way;
            tasks[count].ratio = ratios[r];
            tasks[count].samples.item_bytes = sizeof(struct detail);
            subjects[count] = (struct subject){
                .variant = variants[way].name, .sample = sample, .context = &tasks[count]};
            count++;
        }
    measure(run, subjects, count);
    for (size_t i = 0; i < count; i++) {
        record(run, &tasks[i], &subjects[i]);
        free(tasks[i].samples.items);
    }
    measure_free(subjects, count);
}

static struct task prepare(size_t bytes, uint64_t seed)
{
    struct task task = {.bytes = bytes};
    task.buffers = within(buffer_bytes / bytes, BUFFERS_LEAST, BUFFERS_MOST);
    task.rounds = task.buffers * within(sample_bytes / bytes / (size_t)task.buffers, 1, TURNS_MOST);
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
    struct server_counters counters;
    struct transport_error error;
    struct task task = {.way = WINDOW,
                        .array = {.name = "block", .elements = 1, .blocks = 1, .remote = true}};
    struct transport_config config = config_of(&task);
    if (!program_wants(run, variants[WINDOW].name))
        return false;
    struct transport *transport = ranks.rank == 0 ? transport_open(&config, &error) : NULL;
    bool works = ranks.rank == 0 ? transport && transport_close(transport, &error)
                                 : server_run(&config, &counters, &error);
    if (!works)
        record_waived(run, variants[WINDOW].name, error.text);
    return works;
}

static void run_all(struct run *run)
{
    if (ranks.count != 2)
        benchmark_refuse("prefetch_transport needs 2 ranks, a worker and a server: start it with "
                         "mpirun -np 2");
    for (size_t i = 0; i < run->settings.size_count; i++)
        if (run->settings.sizes[i] % sizeof(double) != 0 || run->settings.sizes[i] == 0)
            benchmark_refuse("a block of %zu bytes: blocks hold numbers of 8 bytes",
                             run->settings.sizes[i]);
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
        "sample, which take turns; recv is half the time there and back. What computing hides\n"
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
