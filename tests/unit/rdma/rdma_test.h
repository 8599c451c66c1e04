/* rdma_test.h: what the tests of rdma/ share. They are started with mpirun on two ranks; rank 0
 * prints one line per check, which is right only if it is on both ranks. */
#ifndef TESTS_UNIT_RDMA_TEST_H
#define TESTS_UNIT_RDMA_TEST_H

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <mpi.h>

#include "common/gpu.h"
#include "common/harness/allocate.h"
#include "common/random.h"
#include "rdma/ends.h"
#include "tests/unit/test_status.h"

enum { BYTES_MAX = (3 << 20) + 5, WINDOW = 8, GUARD_BYTES = 64, POISON = 0xa5 };

static const char *only_path; /* NULL: all of them */
static int gpu = -1;          /* of this rank */
static int rank;

static inline bool wants(int path)
{
    return !only_path || strcmp(only_path, rdma_path_name((enum rdma_path)path)) == 0;
}

static inline void say(const char *name)
{
    bool failed = ranks.max(test_failed_checks) > 0;
    test_failed_checks = 0;
    test_failures += failed;
    if (rank == 0)
        printf("%sok %s\n", failed ? "not " : "", name);
    fflush(stdout);
}

static inline struct rdma_config config_of(int path, int place_0, int place_1)
{
    int places[2] = {place_0, place_1};
    return (struct rdma_config){.path = (enum rdma_path)path,
                                .ranks = MPI_COMM_WORLD,
                                .peer = 1 - rank,
                                .place = (enum rdma_place)places[rank],
                                .peer_place = (enum rdma_place)places[1 - rank],
                                .device = gpu,
                                .bytes = BYTES_MAX,
                                .window = WINDOW,
                                .wait_limit_s = 20};
}

/* The paths that a test of all goes along: on the software GPU all that there are. */
static const enum rdma_path paths[] = {RDMA_HOST,      RDMA_STAGED_PAGEABLE,  RDMA_STAGED,
                                       RDMA_PIPELINED, RDMA_PIPELINED_SHARED, RDMA_PEER_COPY,
                                       RDMA_PEER_STORE};
enum { PATHS = sizeof paths / sizeof *paths };

/* Between devices, or, along host, between pageable buffers. */
static inline struct rdma_config config_for(enum rdma_path path)
{
    int place = path == RDMA_HOST ? RDMA_PAGEABLE : RDMA_DEVICE;
    return config_of((int)path, place, place);
}

static inline bool is_here(enum rdma_path path)
{
    struct rdma_config config = config_for(path);
    return rdma_check(&config) == DM_OK;
}

/* ---- data ---- */

static char *scratch;

static inline void put(void *place, const void *data, size_t bytes)
{
    if (gpu < 0)
        memcpy(place, data, bytes);
    else
        memory_copy(place, data, bytes);
}

static inline void get(void *data, const void *place, size_t bytes)
{
    if (gpu < 0)
        memcpy(data, place, bytes);
    else
        check_cuda(cudaMemcpy(data, place, bytes, cudaMemcpyDefault));
}

/* The last bytes of a buffer are never part of a block but the largest. */
static inline size_t with_guard(size_t bytes)
{
    return bytes + GUARD_BYTES < BYTES_MAX ? bytes + GUARD_BYTES : BYTES_MAX;
}

static inline uint64_t seed_of(int sender, int round)
{
    return (uint64_t)round << 8 ^ (uint64_t)sender;
}

static inline void prepare(struct rdma_end *end, size_t bytes, int round)
{
    random_fill_bytes(scratch, bytes, seed_of(rank, round));
    put(rdma_send_buffer(end), scratch, bytes);
    memset(scratch, POISON, with_guard(bytes));
    put(rdma_receive_buffer(end), scratch, with_guard(bytes));
}

/* The first `bytes` are the other rank's, and nothing was written beyond them. */
static inline void verify(struct rdma_end *end, size_t bytes, int round)
{
    size_t untouched = 0;
    get(scratch, rdma_receive_buffer(end), with_guard(bytes));
    expect(random_count_wrong_bytes(scratch, bytes, seed_of(1 - rank, round)) == 0);
    for (size_t i = bytes; i < with_guard(bytes); i++)
        untouched += (unsigned char)scratch[i] == POISON;
    expect(untouched == with_guard(bytes) - bytes);
}

/* ---- blocks there and back ---- */

/* Blocks that go at the same time: so many from rank 0, so many from rank 1. */
struct traffic {
    size_t bytes;
    int from[2];
};

static inline void start(struct rdma_end *end, const struct traffic *traffic)
{
    int sends = traffic->from[rank], receives = traffic->from[1 - rank];
    for (int i = 0; i < WINDOW; i++) {
        if (rank == 0 && i < sends)
            start_send(end, traffic->bytes);
        if (i < receives)
            start_receive(end, traffic->bytes);
        if (rank == 1 && i < sends)
            start_send(end, traffic->bytes);
    }
}

static inline void go(struct rdma_end *end, struct traffic traffic, int round)
{
    prepare(end, traffic.bytes, round);
    start(end, &traffic);
    wait_for_blocks(end);
    verify(end, traffic.from[1 - rank] ? traffic.bytes : 0, round);
}

/* ---- what a rank has ---- */

struct possessions {
    size_t device_bytes_free;
    int files, mappings;
};

static inline struct possessions count_possessions(void)
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

static inline void expect_possessions(struct possessions before, enum rdma_path path)
{
    struct possessions after = count_possessions();
    bool are_equal = after.device_bytes_free == before.device_bytes_free &&
                     after.files == before.files && after.mappings == before.mappings;
    expect(are_equal);
    if (!are_equal)
        printf("# %s: device bytes %zu, %zu; files %d, %d; mappings %d, %d\n", rdma_path_name(path),
               before.device_bytes_free, after.device_bytes_free, before.files, after.files,
               before.mappings, after.mappings);
}

/* ---- running ---- */

struct scenario {
    const char *name;
    void (*run)(void);
};

/* The main function: PROGRAM SCENARIO [PATH]. The table ends with {0}. */
static inline int run_scenario(int argc, char **argv, const struct scenario *scenario)
{
    int gpus = 0;
    ranks_start(&argc, &argv);
    status_start_limit(HANGS_AFTER_S);
    if (argc < 2 || ranks.count != 2)
        fail("usage: mpirun -np 2 %s SCENARIO [PATH]", argv[0]);
    rank = ranks.rank;
    only_path = argc > 2 ? argv[2] : NULL;
    if (cudaGetDeviceCount(&gpus) == cudaSuccess && gpus > 0) {
        gpu = ranks.local_rank % gpus;
        check_cuda(cudaSetDevice(gpu));
    }
    scratch = allocate_or_fail(BYTES_MAX, 1);
    while (scenario->name && strcmp(scenario->name, argv[1]) != 0)
        scenario++;
    if (!scenario->name)
        fail("there is no scenario %s", argv[1]);
    scenario->run();
    free(scratch);
    ranks.stop();
    return test_failures > 0;
}

#endif
