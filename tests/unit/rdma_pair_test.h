/* rdma_pair_test.h: what the tests of the peer and the pipelined paths share: two ranks, pairs of
 * places, blocks of random data with poison around them. */
#ifndef TESTS_UNIT_RDMA_PAIR_TEST_H
#define TESTS_UNIT_RDMA_PAIR_TEST_H

#include "gpu.h"
#include "memory.h"
#include "random.h"
#include "ranks.h"
#include "rdma_internal.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { POISON = 0xa5 };

static enum rdma_path path;
static uint64_t seed; /* of the message; both ranks count alike */
static unsigned char *host;

/* The places of ranks 0 and 1, and whether a rank without device memory sees no GPU at all. */
struct pair {
    enum rdma_place places[2];
    bool server;
};

/* Ends the program if the path cannot be taken. */
static inline struct rdma_end *open_or_fail(const struct rdma_config *config)
{
    const char *complaint = rdma_complaint(config);
    if (complaint)
        fail("%s", complaint);
    return rdma_open(config);
}

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
    random_fill_bytes(host, bytes, message * 2 + (uint64_t)end->rank);
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
           random_count_wrong_bytes(host, bytes, message * 2 + (uint64_t)end->config.peer) == 0;
}

static inline void nap(double seconds)
{
    struct timespec time = {0, (long)(1e9 * seconds)};
    nanosleep(&time, NULL);
}

#endif
