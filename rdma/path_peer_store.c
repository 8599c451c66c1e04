/* path_peer_store.c: a resident kernel moves each block with loads and stores and raises its flag.
 */
#include <string.h>

#include "common/error_cuda.h"
#include "common/memory.h"

#include "count.h"
#include "peer.h"
#include "store_kernel.h"

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
    struct peer peer;
    struct shared_words *words;
    struct store store;
    uint64_t commands; /* given */
    uint32_t launches;
    int blocks;
    cudaStream_t stream;
    cudaEvent_t left;
};

/* A quarter of the multiprocessors has 2 MiB in flight on an H200, several times what the link
 * needs, and leaves room for kernels that compute. */
static enum dm_status count_blocks(const struct rdma_config *config, int *blocks)
{
    int multiprocessors;
    TRY_CUDA(
        cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, config->device));
    *blocks = config->store_blocks > 0 ? config->store_blocks
              : multiprocessors >= 4   ? multiprocessors / 4
                                       : 1;
    return DM_OK;
}

/* Of the configuration's device, which need not be the current one. */
static enum dm_status count_blocks_max(const struct rdma_config *config, int *blocks)
{
    int before;
    TRY_CUDA(cudaGetDevice(&before));
    TRY_CUDA(cudaSetDevice(config->device));
    enum dm_status status = status_of_cuda(store_blocks_max(blocks));
    cudaSetDevice(before);
    return status;
}

static enum dm_status check(const struct rdma_config *config)
{
    int blocks, blocks_max;
    TRY(peer_check(config));
    if (config->place != RDMA_DEVICE || config->device < 0)
        return DM_OK;
    TRY(count_blocks(config, &blocks));
    TRY(count_blocks_max(config, &blocks_max));
    if (blocks <= blocks_max)
        return DM_OK;
    return dm_fail(DM_UNAVAILABLE,
                   "%d thread blocks (store_blocks) do not fit on GPU %d at once: at most %d",
                   blocks, config->device, blocks_max);
}

/* ---- the kernel ---- */

static bool has_left(const struct peer_store *store)
{
    return atomic_load_explicit((_Atomic uint32_t *)&store->words->left, memory_order_acquire) ==
           store->launches;
}

static enum dm_status launch(struct peer_store *store)
{
    store->launches++;
    TRY_CUDA(store_launch(&store->store, store->launches, store->blocks, store->stream));
    return status_of_cuda(cudaEventRecord(store->left, store->stream));
}

/* The kernel may have left just before it would have seen the last command. */
static enum dm_status keep_running(struct peer *peer)
{
    struct peer_store *store = (struct peer_store *)peer;
    return has_left(store) ? launch(store) : DM_OK;
}

static enum dm_status move(struct peer *peer, int which, uint64_t number, size_t bytes)
{
    struct peer_store *store = (struct peer_store *)peer;
    (void)number; /* the kernel counts itself */
    uint64_t *slot = &store->words->commands[store->commands & (store->store.slots - 1)];
    atomic_store_explicit((_Atomic uint64_t *)slot, store_command(store->commands, which, bytes),
                          memory_order_release);
    store->commands++;
    copies_add(COPIER_KERNEL, bytes);
    return keep_running(peer);
}

static const struct peer_mover mover = {.lanes = 1, .move = move, .look_after = keep_running};

/* ---- an end ---- */

static enum dm_status make_zeroed(void **memory, size_t bytes, cudaStream_t stream)
{
    TRY(memory_obtain(MEMORY_DEVICE, bytes, memory));
    return status_of_cuda(cudaMemsetAsync(*memory, 0, bytes, stream));
}

static struct store_way way_of(const struct peer *peer, int which)
{
    const struct peer_direction *direction = &peer->directions[which];
    return (struct store_way){
        .from = direction->from, .to = direction->to, .flag = direction->device_flags};
}

/* Clocks of the multiprocessors are in kHz; 0: not known, as on the software GPU, which counts
 * nanoseconds. */
static enum dm_status count_idle_ticks(int device, long long *ticks)
{
    int clock_khz, is_concurrent;
    TRY_CUDA(cudaDeviceGetAttribute(&clock_khz, cudaDevAttrClockRate, device));
    TRY_CUDA(cudaDeviceGetAttribute(&is_concurrent, cudaDevAttrConcurrentKernels, device));
    *ticks = (long long)((is_concurrent ? idle_s : idle_alone_s) * 1e3 *
                         (clock_khz > 0 ? clock_khz : 1000000));
    return DM_OK;
}

static enum dm_status make_words(struct peer_store *store)
{
    struct shared_words *device_words;
    void *words;
    const size_t bytes = sizeof *store->words + store->store.slots * sizeof *store->words->commands;
    TRY(memory_obtain(MEMORY_MAPPED, bytes, &words));
    store->words = words;
    memset(words, 0, bytes);
    TRY_CUDA(cudaHostGetDevicePointer((void **)&device_words, words, 0));
    store->store.commands = device_words->commands;
    store->store.left = &device_words->left;
    return DM_OK;
}

static enum dm_status prepare(struct peer_store *store, const struct rdma_config *config)
{
    struct store *kernel = &store->store;
    for (kernel->slots = 1; kernel->slots < STORE_WAYS * (unsigned)config->window;)
        kernel->slots *= 2;
    for (int which = 0; which < PEER_DIRECTIONS; which++)
        kernel->ways[which] = way_of(&store->peer, which);
    TRY(count_blocks(config, &store->blocks));
    TRY(count_idle_ticks(config->device, &kernel->idle_ticks));
    TRY(make_words(store));
    TRY_CUDA(cudaStreamCreateWithFlags(&store->stream, cudaStreamNonBlocking));
    TRY_CUDA(cudaEventCreateWithFlags(&store->left, cudaEventDisableTiming));
    TRY(make_zeroed((void **)&kernel->progress, sizeof *kernel->progress, store->stream));
    return make_zeroed((void **)&kernel->jobs, kernel->slots * sizeof *kernel->jobs, store->stream);
}

static enum dm_status open_peer_store(struct rdma_end *end)
{
    TRY(peer_open(end, &mover));
    return end->config.place == RDMA_DEVICE ? prepare(end->state, &end->config) : DM_OK;
}

/* The kernel leaves when it has had no command for a while. */
static void disconnect(struct rdma_end *end)
{
    struct peer_store *store = end->state;
    if (store->left)
        event_wait(&end->contact, store->left, "the end of its kernel");
    peer_disconnect(end);
}

static void close_peer_store(struct rdma_end *end)
{
    struct peer_store *store = end->state;
    if (store->left)
        cudaEventDestroy(store->left);
    if (store->stream)
        cudaStreamDestroy(store->stream);
    memory_give_back(MEMORY_DEVICE, store->store.jobs);
    memory_give_back(MEMORY_DEVICE, store->store.progress);
    memory_give_back(MEMORY_MAPPED, store->words);
    peer_close(end);
}

const struct path path_peer_store = {
    .check = check,
    .state_bytes = sizeof(struct peer_store),
    .open = open_peer_store,
    .start_receive = peer_start_receive,
    .start_send = peer_start_send,
    .wait = peer_wait,
    .disconnect = disconnect,
    .close = close_peer_store,
    .own_buffers = true,
    .same_host = true,
    .needs_devices = true,
};
