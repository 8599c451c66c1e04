/* rdma_pair_test.h: what the tests of the peer and the pipelined paths share: two ranks, pairs of
 * places, blocks of random data with poison around them. */
#ifndef TESTS_UNIT_RDMA_PAIR_TEST_H
#define TESTS_UNIT_RDMA_PAIR_TEST_H

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/gpu.h"
#include "common/harness/allocate.h"
#include "common/random.h"
#include "rdma/ends.h"
#include "rdma/path.h"
#include "tests/unit/test_status.h"

enum { POISON = 0xa5 };

static enum rdma_path path;
static uint64_t seed; /* of the message; both ranks count alike */
static unsigned char *host;

/* The places of ranks 0 and 1, and whether a rank without device memory sees no GPU at all. */
struct pair {
    enum rdma_place places[2];
    bool server;
};

/* For a pair; what a path has beyond this is the caller's to add. Sets the device. */
static inline struct rdma_config config_of(const struct pair *pair, size_t bytes, int window)
{
    int devices = 0, me = ranks.rank;
    bool server = pair->server && pair->places[me] != RDMA_DEVICE;
    if (!server)
        check_cuda(cudaGetDeviceCount(&devices));
    struct rdma_config config = {.path = path,
                                 .ranks = MPI_COMM_WORLD,
                                 .peer = !me,
                                 .place = pair->places[me],
                                 .peer_place = pair->places[!me],
                                 .device = server ? -1 : me % devices,
                                 .bytes = bytes,
                                 .window = window,
                                 .wait_limit_s = 20};
    if (!server)
        check_cuda(cudaSetDevice(config.device));
    return config;
}

static inline void write_buffer(const struct rdma_end *end, void *buffer, size_t bytes)
{
    if (end->config.place == RDMA_DEVICE)
        memory_copy(buffer, host, bytes);
    else
        memcpy(buffer, host, bytes);
}

static inline void fill_send(const struct rdma_end *end, uint64_t message, size_t bytes)
{
    random_fill_bytes(host, bytes, message * 2 + (uint64_t)end->contact.rank);
    write_buffer(end, rdma_send_buffer(end), bytes);
}

static inline void poison_receive(const struct rdma_end *end)
{
    memset(host, POISON, end->config.bytes);
    write_buffer(end, rdma_receive_buffer(end), end->config.bytes);
}

/* Nothing was written behind the first bytes. */
static inline bool is_untouched_behind(const struct rdma_end *end, size_t bytes)
{
    const void *buffer = rdma_receive_buffer(end);
    if (end->config.place == RDMA_DEVICE)
        check_cuda(cudaMemcpy(host, buffer, end->config.bytes, cudaMemcpyDeviceToHost));
    else
        memcpy(host, buffer, end->config.bytes);
    for (size_t i = bytes; i < end->config.bytes; i++)
        if (host[i] != POISON)
            return false;
    return true;
}

/* The first bytes came, and nothing was written behind them. */
static inline bool has_received(const struct rdma_end *end, uint64_t message, size_t bytes)
{
    return is_untouched_behind(end, bytes) &&
           random_count_wrong_bytes(host, bytes, message * 2 + (uint64_t)end->contact.peer) == 0;
}

static inline void nap(double seconds)
{
    struct timespec time = {0, (long)(1e9 * seconds)};
    nanosleep(&time, NULL);
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

static inline void run_step(const struct step *step)
{
    test_failed_checks = 0;
    step->run();
    bool failed = ranks.max(test_failed_checks) > 0;
    if (ranks.rank == 0)
        printf("%sok %s\n", failed ? "not " : "", step->name);
    fflush(stdout);
    test_failures += failed;
}

/* The main function: PROGRAM SCENARIO PATH. The tables end with {0}; blocks have up to so many
 * bytes. */
static inline int run_scenario(int argc, char **argv, const struct step *scenario,
                               const enum rdma_path *paths, size_t bytes_max)
{
    ranks_start(&argc, &argv);
    alarm(HANGS_AFTER_S);
    if (argc != 3 || ranks.count != 2)
        fail("usage: mpirun -np 2 %s SCENARIO PATH", argv[0]);
    path = strcmp(argv[2], rdma_path_name(paths[0])) == 0 ? paths[0] : paths[1];
    host = allocate_or_fail(bytes_max, 1);
    while (scenario->name && strcmp(scenario->name, argv[1]) != 0)
        scenario++;
    if (!scenario->name)
        fail("there is no scenario %s", argv[1]);
    scenario->run();
    free(host);
    ranks.stop();
    return test_failures > 0;
}

#endif
