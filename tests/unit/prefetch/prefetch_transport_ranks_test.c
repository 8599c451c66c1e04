/* Started with mpirun by prefetch_transport.bats: prefetch_transport_ranks_test SCENARIO
 * messages|window WORKERS SERVERS. The scenario all goes through everything that works; full,
 * stopped, silent and wrong are about what does not. Rank 0 prints one line per check, which is
 * right only if it is on every rank. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <mpi.h>

#include "common/harness/exit.h"
#include "common/harness/ranks.h"
#include "common/random.h"
#include "prefetch/sip/transport_internal.h"
#include "prefetch/sip/window_layout.h"
#include "tests/unit/test_status.h"

enum { SMALL, BIG, SERVED, LOCAL, SPARSE, ARRAYS };
enum { AHEAD = 4, STATEMENT = 77, ELEMENTS_MAX = 20000 };

static const struct transport_array arrays[ARRAYS] = {
    [SMALL] = {.name = "small", .elements = 100, .blocks = 23, .remote = true},
    [BIG] = {.name = "big", .elements = ELEMENTS_MAX, .blocks = 11, .remote = true},
    [SERVED] = {.name = "served", .elements = 500, .blocks = 40, .served = true, .remote = true},
    [LOCAL] = {.name = "local", .elements = 10, .blocks = 10},
    /* 2^67 bytes never fit into a window. */
    [SPARSE] = {.name = "sparse", .elements = 7, .blocks = (int64_t)1 << 60, .remote = true},
};

static struct transport_config config = {
    .arrays = arrays, .array_count = ARRAYS, .server_memory_bytes = 1 << 20, .wait_limit_s = 20};
static struct transport *transport;
static int worker;
static struct transfer_conflict no_conflict; /* of gets that have none */

static double *buffer(void)
{
    return allocate_or_fail(ELEMENTS_MAX, sizeof(double));
}

static void fill(double *data, struct block_id id, int version)
{
    random_fill_double(data, arrays[id.array].elements,
                       (uint64_t)id.array << 50 ^ (uint64_t)id.number << 8 ^ (uint64_t)version);
}

static bool is_filled(const double *data, struct block_id id, int version)
{
    double *right = buffer();
    fill(right, id, version);
    bool same = memcmp(data, right, arrays[id.array].elements * sizeof *right) == 0;
    free(right);
    return same;
}

static void put(struct block_id id, int version, bool add)
{
    double *data = buffer();
    fill(data, id, version);
    expect_ok(transport_put(transport, id, data, add, STATEMENT));
    memset(data, 0xff, ELEMENTS_MAX * sizeof *data); /* it was taken */
    free(data);
}

static void barrier(void)
{
    struct put_report report;
    expect_ok(transport_barrier(transport, &report));
    expect(report.state == TRANSFER_DONE);
}

/* TRANSFER_PENDING: an error. */
static enum transfer_state drain(struct transfer_conflict *conflict)
{
    struct put_report report = {.statement = -1};
    enum dm_status status = transport_drain(transport, &report);
    bool fine = status == DM_OK && report.state == TRANSFER_DONE;
    expect(fine || report.statement == STATEMENT);
    *conflict = report.conflict;
    return status == DM_OK ? report.state : TRANSFER_PENDING;
}

static enum transfer_state get(struct block_id id, double *data, struct transfer_conflict *conflict)
{
    struct transfer *transfer;
    enum transfer_state state = TRANSFER_PENDING;
    expect_ok(transport_get(transport, id, data, STATEMENT, &transfer));
    expect_ok(transport_wait(transport, transfer, &state, conflict));
    return state;
}

static void expect_block(struct block_id id, int version)
{
    double *data = buffer();
    expect(get(id, data, &no_conflict) == TRANSFER_DONE);
    expect(is_filled(data, id, version));
    free(data);
}

/* ---- what works ---- */

static void missing_blocks(void)
{
    double data[500];
    for (int array = 0; array < ARRAYS; array++)
        if (arrays[array].elements <= 500 && arrays[array].remote)
            expect(get((struct block_id){array, 3}, data, &no_conflict) == TRANSFER_MISSING);
    barrier();
}

static void put_all(int version)
{
    for (int array = 0; array <= SERVED; array++)
        for (int64_t n = 0; n < arrays[array].blocks; n++)
            if (n % config.workers == worker)
                put((struct block_id){array, n}, version, false);
    barrier();
}

/* All blocks, in an order of each worker's own, some in flight at a time. */
static void get_all(int version)
{
    double *data[AHEAD];
    struct transfer *transfers[AHEAD] = {0};
    struct block_id ids[AHEAD];
    enum transfer_state state;
    for (int i = 0; i < AHEAD; i++)
        data[i] = buffer();
    for (int64_t i = 0; i < 200 + AHEAD; i++) {
        int at = (int)(i % AHEAD);
        if (transfers[at]) {
            expect_ok(transport_wait(transport, transfers[at], &state, &no_conflict));
            expect(state == TRANSFER_DONE);
            expect(is_filled(data[at], ids[at], version));
            transfers[at] = NULL;
        }
        if (i >= 200)
            continue;
        int array = (int)random_below(7, (uint64_t)i, SERVED + 1);
        ids[at] = (struct block_id){array, (int64_t)random_below(8 + (uint64_t)worker, (uint64_t)i,
                                                                 (uint64_t)arrays[array].blocks)};
        expect_ok(transport_get(transport, ids[at], data[at], STATEMENT, &transfers[at]));
    }
    for (int i = 0; i < AHEAD; i++)
        free(data[i]);
    barrier();
}

static void blocks_come_back(void)
{
    put_all(1);
    get_all(1);
    put_all(2);
    get_all(2);
}

/* Whole numbers, so that the order of the additions does not matter. */
static void everybody_adds(void)
{
    double data[100];
    struct block_id ids[] = {{SMALL, 5}, {SPARSE, (int64_t)1 << 39}};
    for (int round = 1; round <= 10; round++)
        for (int i = 0; i < 2; i++) {
            for (int e = 0; e < 100; e++)
                data[e] = (worker + 1) * round * e;
            expect_ok(transport_put(transport, ids[i], data, true, STATEMENT));
        }
    barrier();
    double factor = 55.0 * config.workers * (config.workers + 1) / 2;
    double *old = buffer();
    fill(old, ids[0], 2);
    expect(get(ids[0], data, &no_conflict) == TRANSFER_DONE);
    for (int e = 0; e < 100; e++)
        expect(data[e] - old[e] - factor * e < 1e-6 && data[e] - old[e] - factor * e > -1e-6);
    expect(get(ids[1], data, &no_conflict) == TRANSFER_DONE);
    for (int e = 0; e < 7; e++)
        expect(data[e] == factor * e);
    free(old);
    barrier();
}

static void a_worker_sees_its_own_puts(void)
{
    struct block_id ids[] = {{SMALL, worker}, {BIG, worker}, {SERVED, worker}};
    for (int version = 10; version < 14; version++)
        for (int i = 0; i < 3; i++) {
            put(ids[i], version, false);
            if (config.kind == TRANSPORT_WINDOW)
                expect(drain(&(struct transfer_conflict){0}) == TRANSFER_DONE);
            expect_block(ids[i], version);
        }
    barrier();
}

/* The get must wait for the addition, which is on its way when it is asked for. */
static void a_worker_sees_its_own_additions(void)
{
    struct block_id id = {BIG, worker};
    double *first = buffer(), *second = buffer(), *sum = buffer();
    put(id, 15, false);
    put(id, 16, true);
    if (config.kind == TRANSPORT_WINDOW)
        expect(drain(&(struct transfer_conflict){0}) == TRANSFER_DONE);
    expect(get(id, sum, &no_conflict) == TRANSFER_DONE);
    fill(first, id, 15);
    fill(second, id, 16);
    for (int e = 0; e < ELEMENTS_MAX; e++)
        first[e] += second[e];
    expect(memcmp(sum, first, ELEMENTS_MAX * sizeof *sum) == 0);
    free(first);
    free(second);
    free(sum);
    barrier();
}

static void many_puts_in_flight(void)
{
    for (int64_t i = 0; i < 500; i++) {
        struct put_report report;
        put((struct block_id){SPARSE, 1000 * i + worker}, 3, false);
        expect_ok(transport_progress(transport, &report));
        expect(report.state == TRANSFER_DONE);
    }
    barrier();
    for (int64_t i = 0; i < 500; i += 50)
        expect_block((struct block_id){SPARSE, 1000 * i + (worker + 1) % config.workers}, 3);
    barrier();
}

static void conflicts_are_found(void)
{
    struct transfer_conflict who = {-1, -1, {-1, -1}};
    double data[100];
    struct block_id written = {SMALL, 1}, added = {SMALL, 2};
    if (worker == 1) /* comes later, and no barrier of the transport says so */
        MPI_Recv(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (worker == 0) {
        put(written, 20, false);
        put(added, 20, true);
        expect(drain(&who) == TRANSFER_DONE);
        expect(get(written, data, &who) == TRANSFER_DONE);
    }
    if (worker == 0 && config.workers > 1)
        MPI_Send(NULL, 0, MPI_INT, 1, 0, MPI_COMM_WORLD);
    if (worker == 1) {
        expect(get(written, data, &who) == TRANSFER_CONFLICT);
        expect(who.worker == 0 && who.statement == STATEMENT);
        expect_error(transport_refuse(transport, written, TRANSFER_CONFLICT, &who), DM_INVALID,
                     "worker 0 put block 1 of array small");
        who.worker = -1;
        put(written, 21, false);
        expect(drain(&who) == TRANSFER_CONFLICT && who.worker == 0);
        expect(who.id.array == SMALL && who.id.number == 1);
        put(written, 21, true);
        expect(drain(&who) == TRANSFER_CONFLICT);
        put(added, 21, true);
        expect(drain(&who) == TRANSFER_DONE);
        put(added, 21, false);
        expect(drain(&who) == TRANSFER_CONFLICT && who.worker == 0);
        expect(drain(&who) == TRANSFER_DONE); /* said once */
    }
    barrier();
    expect_block(written, 20);
    barrier();
}

static void lists_and_deletes(void)
{
    int64_t *numbers;
    size_t count;
    expect_ok(transport_list(transport, SPARSE, &numbers, &count));
    expect(count == 500 * (size_t)config.workers + 1 && numbers[0] == 0);
    for (size_t i = 1; i < count; i++)
        expect(numbers[i] > numbers[i - 1]);
    expect(numbers[count - 1] == (int64_t)1 << 39);
    free(numbers);
    expect_ok(transport_delete(transport, SPARSE));
    expect_ok(transport_delete(transport, SMALL));
    expect_ok(transport_list(transport, SPARSE, &numbers, &count));
    expect(count == 0 && !numbers);
    double data[100];
    expect(get((struct block_id){SMALL, 3}, data, &no_conflict) == TRANSFER_MISSING);
    expect(get((struct block_id){SPARSE, 1000}, data, &no_conflict) == TRANSFER_MISSING);
    barrier();
    put((struct block_id){SMALL, worker}, 30, false);
    barrier();
    expect_block((struct block_id){SMALL, (worker + 1) % config.workers}, 30);
    barrier();
}

static void served_arrays_are_written(void)
{
    expect_ok(transport_flush(transport));
    for (int64_t n = config.workers; n < 40; n++)
        expect_block((struct block_id){SERVED, n}, 2);
    barrier();
}

static void sums(void)
{
    double sum;
    expect_ok(transport_sum(transport, worker + 1, &sum));
    expect(sum == config.workers * (config.workers + 1) / 2);
}

static void impossible_blocks(void)
{
    double data[10] = {0};
    struct transfer *transfer;
    struct block_id local = {LOCAL, 0}, past = {SMALL, 23}, before = {SMALL, -1},
                    none = {ARRAYS, 0};
    expect_error(transport_get(transport, local, data, 0, &transfer), DM_INVALID,
                 "not distributed or served");
    expect_error(transport_get(transport, past, data, 0, &transfer), DM_INVALID,
                 "array small has no block 23");
    expect_error(transport_put(transport, before, data, false, 0), DM_INVALID, "no block -1");
    expect_error(transport_put(transport, none, data, false, 0), DM_INVALID, "not distributed");
    expect_error(transport_delete(transport, LOCAL), DM_INVALID, "not distributed or served");
    expect_error(transport_refuse(transport, past, TRANSFER_MISSING, &no_conflict), DM_INVALID,
                 "block 23 of array small was never put");
}

/* Slots of one server do not overlap, lie within the window, and start at a cache line. */
static void check_layout(int servers, size_t max_bytes, bool big_fits)
{
    struct window_layout layout;
    size_t offset, end = 0;
    expect_ok(window_layout_create(&layout, arrays, ARRAYS, servers, max_bytes));
    expect(layout.bytes <= max_bytes);
    for (int array = 0; array < ARRAYS; array++)
        for (int64_t n = 0; n < 23 && n < arrays[array].blocks; n += servers) {
            bool found = window_layout_find(&layout, (struct block_id){array, n}, &offset);
            expect(found == (array == SMALL || (array == BIG && big_fits)));
            if (!found)
                continue;
            expect(offset % 64 == 0 && offset >= end);
            end = offset + sizeof(struct window_header) + arrays[array].elements * sizeof(double);
            expect(end <= layout.bytes);
            size_t same;
            for (int64_t other = n + 1; other < n + servers && other < arrays[array].blocks;
                 other++)
                expect(window_layout_find(&layout, (struct block_id){array, other}, &same) &&
                       same == offset);
        }
    window_layout_destroy(&layout);
}

static void window_layouts(void)
{
    for (int servers = 1; servers < 5; servers++) {
        check_layout(servers, (size_t)4 << 20, true);
        check_layout(servers, 25000, false);
    }
    check_layout(3, SIZE_MAX / 2, true); /* the sparse array's size does not fit into a size_t */
}

static void counters_fit(void)
{
    struct transport_counters counters;
    transport_counters(transport, &counters);
    expect(counters.puts > 500 && counters.message_gets > 0);
    expect((counters.window_gets > 0) == (config.kind == TRANSPORT_WINDOW));
    expect(counters.bytes_received > 0 && counters.bytes_sent > 0);
}

static void ends_with_gets_in_flight(void)
{
    static double data[10][100];
    struct transfer *transfer;
    for (int i = 0; i < 10; i++)
        expect_ok(
            transport_get(transport, (struct block_id){SERVED, i + 10}, buffer(), 0, &transfer));
    for (int i = 0; i < 10; i++)
        expect_ok(
            transport_get(transport, (struct block_id){SMALL, i + 10}, data[i], 0, &transfer));
    expect_ok(transport_close(transport));
}

/* ---- what does not ---- */

/* Memory for some blocks and disk for some more. */
static void disk_is_full(void)
{
    int64_t acknowledged = 0;
    struct transfer_conflict who;
    enum transfer_state state;
    while (acknowledged < arrays[BIG].blocks) {
        put((struct block_id){BIG, acknowledged}, 1, false);
        state = drain(&who);
        if (state != TRANSFER_DONE)
            break;
        acknowledged++;
    }
    expect(state == TRANSFER_PENDING && strstr(dm_message(), "the disk is full"));
    expect(acknowledged == 5); /* 2 in memory, 3 on disk */
    for (int round = 0; round < 3; round++)
        for (int64_t n = 0; n < acknowledged; n++)
            expect_block((struct block_id){BIG, n}, 1);
    expect_ok(transport_close(transport));
}

static void server_has_stopped(void)
{
    int server;
    double *data = buffer();
    struct transfer *transfer;
    enum transfer_state state;
    struct transfer_conflict who;
    put((struct block_id){SMALL, 0}, 1, false);
    barrier();
    MPI_Recv(&server, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    kill((pid_t)server, SIGSTOP);
    transport->team.config.wait_limit_s = 0.5; /* what must succeed has done so */
    expect_ok(transport_get(transport, (struct block_id){SMALL, 0}, data, STATEMENT, &transfer));
    expect_error(transport_wait(transport, transfer, &state, &who), DM_TIMEOUT,
                 "did not come from server 0 for 0.5 s");
    put((struct block_id){SMALL, 0}, 1, false);
    struct put_report report = {.statement = -1};
    expect_error(transport_drain(transport, &report), DM_TIMEOUT,
                 "server 0 did not acknowledge block 0 of array small for 0.5 s");
    expect(report.statement == STATEMENT);
    expect_error(transport_flush(transport), DM_TIMEOUT, "server 0");
    kill((pid_t)server, SIGCONT);
    free(data);
}

/* ---- running ---- */

struct step {
    const char *name;
    void (*run)(void);
};
#define STEP(function)                                                                             \
    {                                                                                              \
#function, function                                                                        \
    }

static void say(const char *name, bool failed)
{
    if (worker == 0)
        printf("%sok %s\n", failed ? "not " : "", name);
    fflush(stdout);
    test_failures += failed;
    test_failed_checks = 0;
}

static void end_all(const char *reason)
{
    printf("# rank %d: %s\n", ranks.rank, reason);
    fflush(stdout);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static void open_or_end(void)
{
    if (transport_open(&transport, &config) != DM_OK)
        end_all(dm_message());
}

static void run_steps(const struct step *steps)
{
    open_or_end();
    for (; steps->run; steps++) {
        double failed;
        steps->run();
        if (transport_sum(transport, test_failed_checks, &failed) != DM_OK)
            end_all(dm_message());
        say(steps->name, failed > 0);
    }
}

static void run_server(struct prefetch_server_counters *counters)
{
    if (server_run(&config, counters) != DM_OK)
        end_all(dm_message());
}

static void all(void)
{
    static const struct step steps[] = {STEP(missing_blocks),
                                        STEP(blocks_come_back),
                                        STEP(everybody_adds),
                                        STEP(a_worker_sees_its_own_puts),
                                        STEP(a_worker_sees_its_own_additions),
                                        STEP(many_puts_in_flight),
                                        STEP(conflicts_are_found),
                                        STEP(lists_and_deletes),
                                        STEP(served_arrays_are_written),
                                        STEP(sums),
                                        STEP(impossible_blocks),
                                        STEP(window_layouts),
                                        STEP(counters_fit),
                                        {0}};
    /* Either most blocks go to disk, or most into the window. */
    config.server_memory_bytes =
        (config.kind == TRANSPORT_WINDOW ? (size_t)5 << 19 : (size_t)1 << 20) /
            (size_t)config.servers +
        200000;
    if (worker < config.workers) {
        run_steps(steps);
        ends_with_gets_in_flight();
    } else {
        struct prefetch_server_counters counters;
        run_server(&counters);
        expect(counters.gets > 0 && counters.puts > 0 && counters.busy_s > 0);
        expect(config.kind == TRANSPORT_WINDOW || (counters.spills > 0 && counters.loads > 0));
        expect(counters.memory_bytes <= config.server_memory_bytes);
    }
    say("workers and servers end", ranks.max(test_failed_checks) > 0);
}

static void full(void)
{
    struct prefetch_server_counters counters;
    config.server_memory_bytes = 2 * ELEMENTS_MAX * sizeof(double) + 1000;
    config.spill_limit_bytes = 3 * ELEMENTS_MAX * sizeof(double);
    if (worker < config.workers) {
        open_or_end();
        disk_is_full();
    } else {
        run_server(&counters);
    }
    say("disk_is_full", ranks.max(test_failed_checks) > 0);
}

/* Ends the job itself, because nothing can be waited for any more. */
static void stopped(void)
{
    struct prefetch_server_counters counters;
    if (worker < config.workers) {
        open_or_end();
        server_has_stopped();
        say("server_has_stopped", test_failed_checks > 0);
        end_all("this is how it ends");
    }
    int self = (int)getpid();
    MPI_Send(&self, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    run_server(&counters);
}

static void silent(void)
{
    config.wait_limit_s = 0.5;
    if (worker < config.workers) {
        expect_error(transport_open(&transport, &config), DM_TIMEOUT,
                     "no reply from the other workers and servers for 0.5 s");
        say("server_is_silent", test_failed_checks > 0);
        end_all("this is how it ends");
    }
    pause();
}

static void wrong(void)
{
    struct transport_config wrong = config;
    wrong.servers = 9;
    expect_error(transport_open(&transport, &wrong), DM_INVALID, "need as many ranks");
    wrong.servers = 0;
    expect_error(transport_open(&transport, &wrong), DM_INVALID, "at least one of each");
    wrong = config;
    wrong.arrays = &(struct transport_array){.name = "huge", .elements = 1ul << 31, .remote = true};
    wrong.array_count = 1;
    expect_error(transport_open(&transport, &wrong), DM_INVALID, "array huge has 2147483648");
    say("wrong_configurations", ranks.max(test_failed_checks) > 0);
}

int main(int argc, char **argv)
{
    static const struct step scenarios[] = {STEP(all),    STEP(full),  STEP(stopped),
                                            STEP(silent), STEP(wrong), {0}};
    ranks_start(&argc, &argv);
    alarm(HANGS_AFTER_S);
    if (argc != 5)
        fail("usage: %s SCENARIO messages|window WORKERS SERVERS", argv[0]);
    worker = ranks.rank;
    config.job = MPI_COMM_WORLD;
    config.kind = strcmp(argv[2], "window") == 0 ? TRANSPORT_WINDOW : TRANSPORT_MESSAGES;
    config.workers = atoi(argv[3]);
    config.servers = atoi(argv[4]);
    for (const struct step *scenario = scenarios; scenario->run; scenario++)
        if (strcmp(scenario->name, argv[1]) == 0)
            scenario->run();
    ranks.stop();
    return test_failures > 0;
}
