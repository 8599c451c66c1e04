/* rdma_test.h: what the tests of rdma/ share. They are started with mpirun on two ranks; rank 0
 * prints one line per check, which is right only if it is on both ranks. */
#ifndef TESTS_UNIT_RDMA_TEST_H
#define TESTS_UNIT_RDMA_TEST_H

#include "gpu.h"
#include "random.h"
#include "ranks.h"
#include "rdma.h"
#include "memory.h"
#include "status.h"
#include "test.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = (3 << 20) + 5, WINDOW = 8, GUARD_BYTES = 64, POISON = 0xa5 };

static const char *only_path; /* NULL: all of them */
static int gpu = -1;          /* of this rank */
static int rank;

static inline bool wants(int path)
{
    return !only_path || strcmp(only_path, rdma_paths[path].name) == 0;
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
                                .bytes = MOST_BYTES,
                                .window = WINDOW,
                                .wait_limit_s = 20};
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
    return bytes + GUARD_BYTES < MOST_BYTES ? bytes + GUARD_BYTES : MOST_BYTES;
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
            rdma_start_send(end, traffic->bytes);
        if (i < receives)
            rdma_start_receive(end, traffic->bytes);
        if (rank == 1 && i < sends)
            rdma_start_send(end, traffic->bytes);
    }
}

static inline void go(struct rdma_end *end, struct traffic traffic, int round)
{
    prepare(end, traffic.bytes, round);
    start(end, &traffic);
    rdma_wait(end);
    verify(end, traffic.from[1 - rank] ? traffic.bytes : 0, round);
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
    scratch = allocate_or_fail(MOST_BYTES, 1);
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
