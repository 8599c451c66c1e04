/* Opening ends, and what can be said about them without looking at blocks. Started by rdma.bats:
 * rdma_ends_ranks_test reopening|small|hosts [PATH]. */
#include "rdma_count.h"
#include "rdma_test.h"

#include <dirent.h>
#include <math.h>

/* ---- nothing is left of an end ---- */

struct possessions {
    size_t device_bytes_free;
    int files, mappings;
};

static struct possessions count_possessions(void)
{
    struct possessions now = {0};
    size_t total;
    char line[512];
    ranks.barrier(); /* the other rank may use the same device */
    check_cuda(cudaMemGetInfo(&now.device_bytes_free, &total));
    DIR *folder = opendir("/proc/self/fd");
    while (readdir(folder))
        now.files++;
    closedir(folder);
    FILE *maps = fopen("/proc/self/maps", "r");
    while (fgets(line, sizeof line, maps))
        now.mappings += strstr(line, "datamotion-rdma") || strstr(line, "soft-gpu");
    fclose(maps);
    ranks.barrier();
    return now;
}

static void open_and_close(const struct rdma_config *config, int times)
{
    for (int i = 0; i < times; i++) {
        struct rdma_end *end = rdma_open(config);
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
        if (!wants(path) || rdma_complaint(&config))
            continue;
        open_and_close(&config, 2); /* what is made once */
        struct possessions before = count_possessions();
        open_and_close(&config, 20);
        struct possessions after = count_possessions();
        expect(after.device_bytes_free == before.device_bytes_free);
        expect(after.files == before.files);
        expect(after.mappings == before.mappings);
        if (test_failed_checks)
            printf("# %s: device bytes %zu, %zu; files %d, %d; mappings %d, %d\n",
                   rdma_paths[path].name, before.device_bytes_free, after.device_bytes_free,
                   before.files, after.files, before.mappings, after.mappings);
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
    struct rdma_end *end = rdma_open(&config);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        describing = true;
        rdma_start_send(end, sizes[i]);
        expect((size_t)described_bytes == sizes[i] && (size_t)described_extent == sizes[i]);
        described_bytes = described_extent = 0;
        rdma_start_receive(end, sizes[i]);
        expect((size_t)described_bytes == sizes[i] && (size_t)described_extent == sizes[i]);
        describing = false;
        rdma_wait(end);
    }
    rdma_close(end);
    say("large blocks");
}

/* ---- complaints ---- */

static void expect_complaint(const struct rdma_config *config, const char *text)
{
    const char *complaint = rdma_complaint(config);
    expect(complaint && strstr(complaint, text));
    if (!complaint || !strstr(complaint, text))
        printf("# expected '%s' in '%s'\n", text, complaint ? complaint : "no complaint");
}

static void complaints(void)
{
    const struct rdma_config right = config_of(RDMA_STAGED, RDMA_DEVICE, RDMA_DEVICE);
    struct rdma_config wrong;
    expect(!rdma_complaint(&right));

    wrong = config_of(RDMA_NCCL, RDMA_PAGEABLE, RDMA_DEVICE);
    expect_complaint(&wrong, "path nccl does not go between H and D: choose one of D D");
    wrong = config_of(RDMA_HOST, RDMA_DEVICE, RDMA_DEVICE);
    expect_complaint(&wrong, "choose one of H H, H P, P H, P P");
    wrong = right, wrong.path = RDMA_PATHS;
    expect_complaint(&wrong, "there is no path with the number 9");
    wrong = right, wrong.path = (enum rdma_path) - 1;
    expect_complaint(&wrong, "there is no path with the number -1");
    wrong = right, wrong.peer_place = RDMA_PLACES;
    expect_complaint(&wrong, "choose H, P or D");
    wrong = right, wrong.bytes = 0;
    expect_complaint(&wrong, "both must be at least 1");
    wrong = right, wrong.window = 0;
    expect_complaint(&wrong, "both must be at least 1");
    wrong = right, wrong.wait_limit_s = NAN;
    expect_complaint(&wrong, "it must be more than 0");
    wrong = right, wrong.peer = rank;
    expect_complaint(&wrong, "cannot be the other rank");
    wrong = right, wrong.peer = 2;
    expect_complaint(&wrong, "cannot be the other rank");

    /* One rank alone: both hear of it. */
    wrong = right, wrong.device = rank == 1 ? -1 : gpu;
    expect_complaint(&wrong, "rank 1: the buffers are to be in GPU memory, but this rank has no");
    wrong = right, wrong.window = rank == 0 ? -1 : 1;
    expect_complaint(&wrong, "rank 0: ");
    wrong = right, wrong.bytes = rank == 0 ? 10 : 11;
    expect_complaint(&wrong, "10 and 11 bytes");
    wrong = right, wrong.path = rank == 0 ? RDMA_STAGED : RDMA_STAGED_PAGEABLE;
    expect_complaint(&wrong,
                     "ranks 0 and 1 ask for different ends (path staged and staged-pageable");
    wrong = right, wrong.place = RDMA_DEVICE, wrong.peer_place = RDMA_PAGEABLE;
    expect_complaint(&wrong, "different ends");
    expect(!rdma_complaint(&right));
    say("complaints");
}

/* Rank 1 says that it is on another host. */
static void hosts(void)
{
    for (int path = 0; path < RDMA_PATHS; path++) {
        int place = path == RDMA_HOST ? RDMA_PAGEABLE : RDMA_DEVICE;
        struct rdma_config config = config_of(path, place, place);
        if (path == RDMA_PIPELINED_SHARED || path == RDMA_PEER_COPY || path == RDMA_PEER_STORE)
            expect_complaint(&config, "needs both ranks on one host");
        else if (path <= RDMA_PIPELINED)
            expect(!rdma_complaint(&config));
    }
    say("ranks on different hosts");
}

/* ---- copies ---- */

static void expect_copies(int path, size_t engine, size_t driver)
{
    struct rdma_config config = config_of(path, RDMA_DEVICE, RDMA_DEVICE);
    struct rdma_copies copies;
    struct rdma_end *end = rdma_open(&config);
    rdma_copies_begin();
    go(end, (struct traffic){5000, {1, 0}}, 1);
    rdma_copies_end(&copies);
    expect(copies.bytes[RDMA_COPY_ENGINE] == engine);
    expect(copies.bytes[RDMA_COPY_DRIVER] == driver);
    go(end, (struct traffic){5000, {1, 0}}, 2); /* nobody counts any more */
    rdma_copies_end(&copies);
    expect(copies.bytes[RDMA_COPY_ENGINE] == engine);
    rdma_close(end);
}

static void copies_are_counted(void)
{
    expect_copies(RDMA_STAGED, 5000, 0);
    expect_copies(RDMA_STAGED_PAGEABLE, 5000, 5000);
    expect(!rdma_counts_mpi());
    rdma_copies_begin();
    rdma_enter_mpi();
    rdma_enter_mpi();
    rdma_leave_mpi();
    expect(rdma_counts_mpi());
    rdma_leave_mpi();
    expect(!rdma_counts_mpi());
    rdma_copies_end(&(struct rdma_copies){0});
    say("copies are counted");
}

static void small(void)
{
    complaints();
    copies_are_counted();
    large_blocks();
}

int main(int argc, char **argv)
{
    static const struct scenario scenarios[] = {
        {"reopening", reopening}, {"small", small}, {"hosts", hosts}, {0}};
    return run_scenario(argc, argv, scenarios);
}
