/* Opening ends, and what can be said about them without looking at blocks. Started by rdma.bats:
 * rdma_ends_ranks_test reopening|small|hosts [PATH]. */
#include <math.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "rdma/count.h"
#include "rdma/path.h"

#include "rdma_test.h"

/* ---- nothing is left of an end ---- */

static void open_and_close(const struct rdma_config *config, int times)
{
    for (int i = 0; i < times; i++) {
        struct rdma_end *end = open_end(config);
        go(end, (struct traffic){100, {1, 1}}, i);
        rdma_close(end);
    }
}

static void reopening(void)
{
    for (int path = 0; path < RDMA_PATHS; path++) {
        int place = path == RDMA_HOST ? RDMA_PINNED : RDMA_DEVICE;
        struct rdma_config config = config_of(path, place, place);
        config.bytes = 1 << 20;
        if (!wants(path) || rdma_check(&config) != DM_OK)
            continue;
        open_and_close(&config, 2); /* what is made once */
        struct possessions before = count_possessions();
        open_and_close(&config, 20);
        expect_possessions(before, config.path);
    }
    say("reopening");
}

/* ---- more than an int counts ---- */

/* While true, messages are described instead of sent. */
static bool describing;
static MPI_Count described_bytes, described_extent;

static int describe(int count, MPI_Datatype type, MPI_Request *request)
{
    MPI_Count size, lower, extent;
    MPI_Type_size_x(type, &size);
    MPI_Type_get_true_extent_x(type, &lower, &extent);
    described_bytes = count * size;
    described_extent = lower + count * extent;
    *request = MPI_REQUEST_NULL;
    return MPI_SUCCESS;
}

int MPI_Isend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm job,
              MPI_Request *request)
{
    return describing ? describe(count, type, request)
                      : PMPI_Isend(buffer, count, type, to, tag, job, request);
}

int MPI_Irecv(void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm job,
              MPI_Request *request)
{
    return describing ? describe(count, type, request)
                      : PMPI_Irecv(buffer, count, type, from, tag, job, request);
}

/* Every byte of a block is in its message, and no other. */
static void large_blocks(void)
{
    static const size_t sizes[] = {1, 0x7fffffff, 0x80000000, 0x80123457};
    struct rdma_config config = config_of(RDMA_HOST, RDMA_PAGEABLE, RDMA_PAGEABLE);
    config.bytes = 0x80123457;
    struct rdma_end *end = open_end(&config);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        describing = true;
        start_send(end, sizes[i]);
        expect((size_t)described_bytes == sizes[i] && (size_t)described_extent == sizes[i]);
        described_bytes = described_extent = 0;
        start_receive(end, sizes[i]);
        expect((size_t)described_bytes == sizes[i] && (size_t)described_extent == sizes[i]);
        describing = false;
        wait_for_blocks(end);
    }
    rdma_close(end);
    say("large blocks");
}

/* ---- who shares the cores ---- */

static int cores; /* of the machine that ends see; 0: this one's */

int sched_getaffinity(pid_t pid, size_t bytes, cpu_set_t *set)
{
    if (cores == 0)
        return syscall(SYS_sched_getaffinity, pid, bytes, set) < 0 ? -1 : 0;
    CPU_ZERO_S(bytes, set);
    for (int cpu = 0; cpu < cores; cpu++)
        CPU_SET_S(cpu, bytes, set);
    return 0;
}

static bool yields(int local_ranks, int machine_cores)
{
    struct rdma_end *end;
    struct rdma_config config = config_of(RDMA_HOST, RDMA_PAGEABLE, RDMA_PAGEABLE);
    config.local_ranks = local_ranks;
    cores = machine_cores;
    end = open_end(&config);
    cores = 0;
    bool is_crowded = end->contact.is_crowded;
    rdma_close(end);
    return is_crowded;
}

/* A rank keeps up to three cores busy. */
static void waits_yield_cores_that_are_shared(void)
{
    expect(!yields(0, 6));
    expect(yields(0, 1));
    expect(!yields(4, 12));
    expect(yields(20, 12));
    struct rdma_config wrong = config_of(RDMA_HOST, RDMA_PAGEABLE, RDMA_PAGEABLE);
    wrong.local_ranks = -1;
    expect_error(rdma_check(&wrong), DM_INVALID, "-1 ranks on this node");
    say("waits yield cores that are shared");
}

/* ---- what is not possible ---- */

static void what_a_rank_sees_alone(void)
{
    const struct rdma_config right = config_of(RDMA_STAGED, RDMA_DEVICE, RDMA_DEVICE);
    struct rdma_config wrong;
    expect_ok(rdma_check(&right));

    wrong = config_of(RDMA_NCCL, RDMA_PAGEABLE, RDMA_DEVICE);
    expect_error(rdma_check(&wrong), DM_INVALID,
                 "path nccl does not go between H and D: choose one of D D");
    wrong = config_of(RDMA_HOST, RDMA_DEVICE, RDMA_DEVICE);
    expect_error(rdma_check(&wrong), DM_INVALID, "choose one of H H, H P, P H, P P");
    wrong = right, wrong.path = (enum rdma_path)(RDMA_AUTOMATIC + 1);
    expect_error(rdma_check(&wrong), DM_INVALID, "no path has the number 10");
    wrong = right, wrong.path = (enum rdma_path) - 1;
    expect_error(rdma_check(&wrong), DM_INVALID, "no path has the number -1");
    wrong = right, wrong.peer_place = RDMA_PLACES;
    expect_error(rdma_check(&wrong), DM_INVALID, "choose H, P or D");
    wrong = right, wrong.bytes = 0;
    expect_error(rdma_check(&wrong), DM_INVALID, "both must be at least 1");
    wrong = right, wrong.window = 0;
    expect_error(rdma_check(&wrong), DM_INVALID, "both must be at least 1");
    wrong = right, wrong.wait_limit_s = NAN;
    expect_error(rdma_check(&wrong), DM_INVALID, "it must be more than 0");
    wrong = right, wrong.peer = rank;
    expect_error(rdma_check(&wrong), DM_INVALID, "cannot be the other rank");
    wrong = right, wrong.peer = 2;
    expect_error(rdma_check(&wrong), DM_INVALID, "cannot be the other rank");
    wrong = right, wrong.path = RDMA_PEER_COPY, wrong.send_buffer = scratch;
    expect_error(rdma_check(&wrong), DM_UNAVAILABLE, "path peer-copy maps memory");
    say("what a rank sees alone");
}

/* One rank alone is wrong, or both together: both hear of it. */
static void what_both_hear(void)
{
    const struct rdma_config right = config_of(RDMA_STAGED, RDMA_DEVICE, RDMA_DEVICE);
    struct rdma_config wrong;
    wrong = right, wrong.device = rank == 1 ? -1 : gpu;
    expect_error(rdma_check(&wrong), DM_INVALID,
                 "rank 1: the buffers are to be in GPU memory, but this rank has no");
    wrong = right, wrong.window = rank == 0 ? -1 : 1;
    expect_error(rdma_check(&wrong), DM_INVALID, "rank 0: ");
    wrong = right, wrong.bytes = rank == 0 ? 10 : 11;
    expect_error(rdma_check(&wrong), DM_INVALID, "10 and 11 bytes");
    wrong = right, wrong.path = rank == 0 ? RDMA_STAGED : RDMA_STAGED_PAGEABLE;
    expect_error(rdma_check(&wrong), DM_INVALID,
                 "ranks 0 and 1 open different ends (path staged and staged-pageable");
    wrong = right, wrong.place = RDMA_DEVICE, wrong.peer_place = RDMA_PAGEABLE;
    expect_error(rdma_check(&wrong), DM_INVALID, "different ends");
    wrong = right, wrong.path = rank == 0 ? RDMA_AUTOMATIC : RDMA_PEER_COPY;
    expect_error(rdma_check(&wrong), DM_INVALID, "(path automatic and peer-copy");
    expect_ok(rdma_check(&right));
    say("what both hear");
}

/* Rank 1 says that it is on another host. */
static void hosts(void)
{
    for (int path = 0; path < RDMA_PATHS; path++) {
        int place = path == RDMA_HOST ? RDMA_PAGEABLE : RDMA_DEVICE;
        struct rdma_config config = config_of(path, place, place);
        if (path == RDMA_PIPELINED_SHARED || path == RDMA_PEER_COPY || path == RDMA_PEER_STORE)
            expect_error(rdma_check(&config), DM_UNAVAILABLE, "needs both ranks on one host");
        else if (path <= RDMA_PIPELINED)
            expect_ok(rdma_check(&config));
    }
    struct rdma_config config = config_of(RDMA_AUTOMATIC, RDMA_DEVICE, RDMA_DEVICE);
    struct rdma_end *end = open_end(&config);
    expect(rdma_end_path(end) == RDMA_PIPELINED); /* the software GPU has no other */
    go(end, (struct traffic){1000, {1, 1}}, 1);
    rdma_close(end);
    say("ranks on different hosts");
}

/* ---- copies ---- */

static void expect_copies(int path, size_t engine, size_t driver)
{
    struct rdma_config config = config_of(path, RDMA_DEVICE, RDMA_DEVICE);
    struct copies copies;
    struct rdma_end *end = open_end(&config);
    copies_begin();
    go(end, (struct traffic){5000, {1, 0}}, 1);
    copies_end(&copies);
    expect(copies.bytes[COPIER_ENGINE] == engine);
    expect(copies.bytes[COPIER_DRIVER] == driver);
    go(end, (struct traffic){5000, {1, 0}}, 2); /* nobody counts any more */
    copies_end(&copies);
    expect(copies.bytes[COPIER_ENGINE] == engine);
    rdma_close(end);
}

static void copies_are_counted(void)
{
    expect_copies(RDMA_STAGED, 5000, 0);
    expect_copies(RDMA_STAGED_PAGEABLE, 5000, 5000);
    expect(!copies_see_mpi());
    copies_begin();
    copies_enter_mpi();
    copies_enter_mpi();
    copies_leave_mpi();
    expect(copies_see_mpi());
    copies_leave_mpi();
    expect(!copies_see_mpi());
    copies_end(&(struct copies){0});
    say("copies are counted");
}

static void small(void)
{
    what_a_rank_sees_alone();
    what_both_hear();
    copies_are_counted();
    large_blocks();
    waits_yield_cores_that_are_shared();
}

int main(int argc, char **argv)
{
    static const struct scenario scenarios[] = {
        {"reopening", reopening}, {"small", small}, {"hosts", hosts}, {0}};
    return run_scenario(argc, argv, scenarios);
}
