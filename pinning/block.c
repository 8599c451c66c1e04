#include "block.h"

#include <stdlib.h>

struct block_store {
    struct block_cache *cache;
    enum block_policy policy;
    int first_gpu, gpus, streams;
    cudaStream_t stream[BLOCK_SLOTS][BLOCK_STREAMS]; /* of slot 1 .. gpus */
    unsigned turns[BLOCK_SLOTS];                     /* of the slot's streams */
    struct block_counters counters;
};

/* A block's data on one device. */
struct device_copy {
    double *data;
    uint64_t version; /* 0: never written and never copied to */
    bool busy;        /* `done` was recorded and not yet waited for */
    cudaEvent_t done; /* behind everything that was enqueued with these data */
    int done_gpu;     /* an event can only be recorded on streams of its own GPU */
    cudaStream_t stream;
};

struct block {
    struct block_store *store;
    size_t elements;
    struct device_copy copies[BLOCK_SLOTS];
};

/* ---- stores ---- */

/* The GPU whose streams serve the slot; the host has none of its own. */
static int gpu_of(const struct block_store *store, int slot)
{
    return store->first_gpu + (slot > 0 ? slot - 1 : 0);
}

static cudaError_t make_streams(struct block_store *store, int slot)
{
    cudaError_t error = cudaSetDevice(gpu_of(store, slot));
    for (int i = 0; i < store->streams && error == cudaSuccess; i++)
        error = cudaStreamCreateWithFlags(&store->stream[slot][i], cudaStreamNonBlocking);
    return error;
}

cudaError_t block_store_create(struct block_store **store, struct block_cache *cache, int first_gpu,
                               int gpus, int streams, enum block_policy policy)
{
    *store = NULL;
    if (gpus < 1 || gpus >= BLOCK_SLOTS || streams < 1 || streams > BLOCK_STREAMS)
        return cudaErrorInvalidValue;
    struct block_store *made = calloc(1, sizeof *made);
    if (!made)
        return cudaErrorMemoryAllocation;
    made->cache = cache;
    made->policy = policy;
    made->first_gpu = first_gpu;
    made->gpus = gpus;
    made->streams = streams;
    int before = 0;
    cudaError_t error = cudaGetDevice(&before);
    for (int slot = 1; slot <= gpus && error == cudaSuccess; slot++)
        error = make_streams(made, slot);
    cudaSetDevice(before);
    if (error != cudaSuccess) {
        block_store_destroy(made);
        return error;
    }
    *store = made;
    return cudaSuccess;
}

void block_store_destroy(struct block_store *store)
{
    if (!store)
        return;
    for (int slot = 1; slot <= store->gpus; slot++)
        for (int i = 0; i < store->streams; i++)
            if (store->stream[slot][i])
                cudaStreamDestroy(store->stream[slot][i]);
    free(store);
}

const struct block_counters *block_store_counters(const struct block_store *store)
{
    return &store->counters;
}

/* ---- blocks ---- */

struct block *block_create(struct block_store *store, size_t elements)
{
    if (elements > SIZE_MAX / sizeof(double))
        return NULL;
    struct block *block = calloc(1, sizeof *block);
    if (!block)
        return NULL;
    block->store = store;
    block->elements = elements;
    return block;
}

static size_t bytes_of(const struct block *block)
{
    return (block->elements ? block->elements : 1) * sizeof(double);
}

static void release_host(struct block *block)
{
    struct device_copy *host = &block->copies[0];
    if (host->busy)
        cudaSetDevice(host->done_gpu); /* to which the stream belongs */
    if (host->busy &&
        block_cache_release_after(block->store->cache, host->data, host->stream) == BLOCK_CACHE_OK)
        return;
    if (host->busy)
        cudaEventSynchronize(host->done);
    block_cache_release(block->store->cache, host->data);
}

/* cudaMalloc and cudaFree, not a stream's pool: MPI must be able to register the memory. */
static void release_device(struct device_copy *copy)
{
    if (copy->busy)
        cudaEventSynchronize(copy->done);
    cudaFree(copy->data);
}

void block_destroy(struct block *block)
{
    if (!block)
        return;
    int before = 0;
    cudaGetDevice(&before);
    for (int slot = 0; slot <= block->store->gpus; slot++) {
        struct device_copy *copy = &block->copies[slot];
        cudaSetDevice(gpu_of(block->store, slot));
        if (copy->data && slot == 0)
            release_host(block);
        if (copy->data && slot > 0)
            release_device(copy);
        if (copy->done)
            cudaEventDestroy(copy->done);
    }
    cudaSetDevice(before);
    free(block);
}

static cudaError_t allocate(struct block *block, int slot)
{
    struct device_copy *copy = &block->copies[slot];
    if (copy->data)
        return cudaSuccess;
    if (slot > 0) {
        cudaError_t error = cudaMalloc((void **)&copy->data, bytes_of(block));
        if (error != cudaSuccess)
            copy->data = NULL;
        return error;
    }
    void *pointer;
    if (block_cache_allocate(block->store->cache, bytes_of(block), &pointer) != BLOCK_CACHE_OK) {
        cudaError_t lost = cudaPeekAtLastError(); /* then memory is not what is missing */
        return lost != cudaSuccess ? lost : cudaErrorMemoryAllocation;
    }
    copy->data = pointer;
    return cudaSuccess;
}

int block_latest_slot(const struct block *block)
{
    int latest = -1;
    uint64_t version = 0;
    for (int slot = 0; slot <= block->store->gpus; slot++) {
        if (block->copies[slot].version > version) {
            version = block->copies[slot].version;
            latest = slot;
        }
    }
    return latest;
}

/* ---- copies ---- */

/* Records the copy's event on `stream`, of the current GPU, behind what was recorded before: the
 * caller has made the stream wait for that. */
static cudaError_t set_busy(struct device_copy *copy, int gpu, cudaStream_t stream)
{
    cudaError_t error = cudaSuccess;
    if (copy->done && copy->done_gpu != gpu) {
        cudaEventDestroy(copy->done);
        copy->done = NULL;
    }
    if (!copy->done)
        error = cudaEventCreateWithFlags(&copy->done, cudaEventDisableTiming);
    if (error == cudaSuccess)
        error = cudaEventRecord(copy->done, stream);
    copy->busy |= error == cudaSuccess;
    copy->done_gpu = gpu;
    copy->stream = stream;
    return error;
}

static cudaError_t wait_in_stream(const struct device_copy *copy, cudaStream_t stream)
{
    return copy->busy ? cudaStreamWaitEvent(stream, copy->done, 0) : cudaSuccess;
}

static cudaError_t start_copy(struct block *block, int from, int to)
{
    struct block_store *store = block->store;
    struct device_copy *source = &block->copies[from], *target = &block->copies[to];
    int worker = to > 0 ? to : from, gpu = gpu_of(store, worker);
    cudaStream_t stream = store->stream[worker][store->turns[worker]++ % (unsigned)store->streams];
    cudaError_t error = cudaSetDevice(gpu);
    if (error == cudaSuccess)
        error = wait_in_stream(source, stream);
    if (error == cudaSuccess)
        error = wait_in_stream(target, stream);
    if (error == cudaSuccess)
        error =
            cudaMemcpyAsync(target->data, source->data, bytes_of(block), cudaMemcpyDefault, stream);
    if (error != cudaSuccess)
        return error;
    target->version = source->version;
    store->counters.copies++;
    store->counters.copied_bytes += bytes_of(block);
    error = set_busy(target, gpu, stream);
    if (error == cudaSuccess)
        error = set_busy(source, gpu, stream);
    return error;
}

/* Memory must be allocated with the slot's GPU current; the action may change that. */
static cudaError_t with_gpu_of(struct block *block, int slot,
                               cudaError_t (*action)(struct block *, int))
{
    if (slot < 0 || slot > block->store->gpus)
        return cudaErrorInvalidValue;
    int before;
    cudaError_t error = cudaGetDevice(&before);
    if (error == cudaSuccess)
        error = cudaSetDevice(gpu_of(block->store, slot));
    if (error == cudaSuccess)
        error = action(block, slot);
    if (error == cudaErrorMemoryAllocation)
        cudaGetLastError(); /* reported here and shall not be found later */
    cudaError_t back = cudaSetDevice(before);
    return error != cudaSuccess ? error : back;
}

static cudaError_t update(struct block *block, int slot)
{
    int latest = block_latest_slot(block);
    if (latest < 0 || block->copies[latest].version == block->copies[slot].version)
        return cudaSuccess;
    cudaError_t error = allocate(block, slot);
    return error == cudaSuccess ? start_copy(block, latest, slot) : error;
}

cudaError_t block_update_data(struct block *block, int slot)
{
    return with_gpu_of(block, slot, update);
}

cudaError_t block_get_data(struct block *block, int slot, double **data)
{
    *data = NULL;
    cudaError_t error = with_gpu_of(block, slot, allocate);
    if (error != cudaSuccess)
        return error;
    struct device_copy *copy = &block->copies[slot];
    if (copy->busy)
        error = cudaEventSynchronize(copy->done);
    if (error != cudaSuccess)
        return error;
    copy->busy = false;
    *data = copy->data;
    return cudaSuccess;
}

cudaError_t block_access(struct block *block, int slot, enum block_intent intent, double **data)
{
    struct block_store *store = block->store;
    *data = NULL;
    if (slot < 0 || slot > store->gpus)
        return cudaErrorInvalidValue;
    int latest = block_latest_slot(block);
    uint64_t newest = latest < 0 ? 0 : block->copies[latest].version;
    bool skips = intent == BLOCK_WRITE && store->policy == BLOCK_OPTIMIZED;
    cudaError_t error = skips ? cudaSuccess : block_update_data(block, slot);
    if (error == cudaSuccess)
        error = block_get_data(block, slot, data);
    if (error != cudaSuccess)
        return error;
    store->counters.accesses++;
    if (skips && block->copies[slot].version < newest)
        store->counters.saved_copies++;
    if (intent != BLOCK_READ)
        block->copies[slot].version = newest + 1;
    return cudaSuccess;
}

cudaError_t block_set_busy(struct block *block, int slot, cudaStream_t stream)
{
    if (slot < 0 || slot > block->store->gpus || !block->copies[slot].data)
        return cudaErrorInvalidValue;
    int before;
    cudaError_t error = cudaGetDevice(&before);
    if (error == cudaSuccess)
        error = cudaSetDevice(gpu_of(block->store, slot));
    if (error == cudaSuccess)
        error = wait_in_stream(&block->copies[slot], stream);
    if (error == cudaSuccess)
        error = set_busy(&block->copies[slot], gpu_of(block->store, slot), stream);
    cudaError_t back = cudaSetDevice(before);
    return error != cudaSuccess ? error : back;
}
