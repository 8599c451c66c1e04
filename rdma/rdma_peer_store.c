/* rdma_peer_store.c: a resident kernel moves each block with loads and stores and raises its flag.
 */
#include "rdma_peer_store.h"
#include "rdma_peer.h"

#include "memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How long the kernel stays without work. Longer than what passes between two blocks of a series,
 * as moving 1 GiB takes 2.7 ms at 400 GB/s; short enough for whatever has to wait until it has
 * left. A GPU that runs one kernel at a time, as the software GPU, can do nothing else before. */
static const double idle_s = 3e-3, idle_alone_s = 1e-4;

/* Host memory that both the processor and the kernel look at, each word on a line of its own. */
struct shared_words {
    _Alignas(128) uint32_t left;
    _Alignas(128) uint64_t commands[];
};

struct peer_store {
    struct rdma_peer peer;
    struct shared_words *words;
    struct rdma_store store;
    uint64_t commands; /* given */
    uint32_t launches;
    int blocks;
    cudaStream_t stream;
    cudaEvent_t left;
};

/* A quarter of the multiprocessors has 2 MiB in flight on an H200, several times what the link
 * needs, and leaves room for kernels that compute. */
static int blocks_of(const struct rdma_config *config)
{
    int multiprocessors = gpu_attribute(cudaDevAttrMultiProcessorCount, config->device);
    return config->store_blocks > 0 ? config->store_blocks
           : multiprocessors >= 4   ? multiprocessors / 4
                                    : 1;
}

static const char *complaint(const struct rdma_config *config)
{
    static char text[200];
    int most;
    const char *why = rdma_peer_complaint(config);
    if (why || config->place != RDMA_DEVICE || config->device < 0)
        return why;
    check_cuda(rdma_store_most_blocks(&most));
    if (blocks_of(config) <= most)
        return NULL;
    snprintf(text, sizeof text,
             "%d thread blocks (--store-blocks) do not fit on GPU %d at once: at most %d",
             blocks_of(config), config->device, most);
    return text;
}

/* ---- the kernel ---- */

static bool has_left(const struct peer_store *store)
{
    return atomic_load_explicit((_Atomic uint32_t *)&store->words->left, memory_order_acquire) ==
           store->launches;
}

/* The kernel may have left just before it would have seen the last command. */
static void keep_running(struct rdma_peer *peer)
{
    struct peer_store *store = (struct peer_store *)peer;
    if (!has_left(store))
        return;
    store->launches++;
    check_cuda(rdma_store_launch(&store->store, store->launches, store->blocks, store->stream));
    check_cuda(cudaEventRecord(store->left, store->stream));
}

static void move(struct rdma_peer *peer, int which, uint64_t number, size_t bytes)
{
    struct peer_store *store = (struct peer_store *)peer;
    (void)number; /* the kernel counts itself */
    uint64_t *slot = &store->words->commands[store->commands & (store->store.slots - 1)];
    atomic_store_explicit((_Atomic uint64_t *)slot,
                          rdma_store_command(store->commands, which, bytes), memory_order_release);
    store->commands++;
    rdma_count_copy(RDMA_COPY_KERNEL, bytes);
    keep_running(peer);
}

static const struct rdma_peer_mover mover = {.lanes = 1, .move = move, .look_after = keep_running};

/* ---- an end ---- */

static void *zeroed_device_memory(size_t bytes, cudaStream_t stream)
{
    void *memory = memory_allocate(MEMORY_DEVICE, bytes);
    check_cuda(cudaMemsetAsync(memory, 0, bytes, stream));
    return memory;
}

static struct rdma_store_way way_of(const struct rdma_peer *peer, int which)
{
    const struct rdma_peer_direction *direction = &peer->directions[which];
    return (struct rdma_store_way){
        .from = direction->from, .to = direction->to, .flag = direction->device_flags};
}

static void prepare(struct peer_store *store, const struct rdma_config *config)
{
    struct rdma_store *kernel = &store->store;
    struct shared_words *device_words;
    for (kernel->slots = 1; kernel->slots < RDMA_STORE_WAYS * (unsigned)config->window;)
        kernel->slots *= 2;
    size_t bytes = sizeof *store->words + kernel->slots * sizeof *store->words->commands;
    store->blocks = blocks_of(config);
    store->words = memory_allocate(MEMORY_MAPPED, bytes);
    memset(store->words, 0, bytes);
    check_cuda(cudaHostGetDevicePointer((void **)&device_words, store->words, 0));
    check_cuda(cudaStreamCreateWithFlags(&store->stream, cudaStreamNonBlocking));
    check_cuda(cudaEventCreateWithFlags(&store->left, cudaEventDisableTiming));
    kernel->commands = device_words->commands;
    kernel->left = &device_words->left;
    for (int which = 0; which < RDMA_PEER_DIRECTIONS; which++)
        kernel->ways[which] = way_of(&store->peer, which);
    kernel->progress = zeroed_device_memory(sizeof *kernel->progress, store->stream);
    kernel->jobs = zeroed_device_memory(kernel->slots * sizeof *kernel->jobs, store->stream);
    /* In ticks of the multiprocessors, in kHz; 0: not known, as on the software GPU, which counts
     * nanoseconds. */
    int clock_khz = gpu_attribute(cudaDevAttrClockRate, config->device);
    bool concurrent = gpu_attribute(cudaDevAttrConcurrentKernels, config->device) != 0;
    kernel->idle_ticks = (long long)((concurrent ? idle_s : idle_alone_s) * 1e3 *
                                     (clock_khz > 0 ? clock_khz : 1000000));
}

static void open_end(struct rdma_end *end)
{
    struct peer_store *store = allocate_or_fail(1, sizeof *store);
    *store = (struct peer_store){0};
    rdma_peer_open(end, &store->peer, &mover);
    if (end->config.place == RDMA_DEVICE)
        prepare(store, &end->config);
}

static void close_end(struct rdma_end *end)
{
    struct peer_store *store = end->state;
    if (end->config.place == RDMA_DEVICE) {
        rdma_wait_event(end, store->left, "the end of its kernel");
        check_cuda(cudaEventDestroy(store->left));
        check_cuda(cudaStreamDestroy(store->stream));
        memory_release(MEMORY_DEVICE, store->store.jobs);
        memory_release(MEMORY_DEVICE, store->store.progress);
        memory_release(MEMORY_MAPPED, store->words);
    }
    rdma_peer_close(end);
    free(store);
}

const struct rdma_operations rdma_peer_store_operations = {
    .complaint = complaint,
    .open = open_end,
    .start_receive = rdma_peer_start_receive,
    .start_send = rdma_peer_start_send,
    .wait = rdma_peer_wait,
    .close = close_end,
    .own_buffers = true,
    .same_host = true,
    .needs_devices = true,
};
