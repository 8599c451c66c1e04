#include <stdbool.h>
#include <stdlib.h>

#include <datamotion/pinning.h>

#include "common/error_cuda.h"

struct pinning_store {
    struct pinning_cache *cache;
    enum pinning_policy policy;
    int first_gpu, gpus, streams;
    cudaStream_t stream[PINNING_SLOTS][PINNING_STREAMS]; /* of slot 1 .. gpus */
    unsigned turns[PINNING_SLOTS];                       /* of the slot's streams */
    struct pinning_counters counters;
};

/* A block's data on one device. */
struct device_copy {
    void *data;
    uint64_t version; /* 0: never written and never copied to */
    bool busy;        /* `done` was recorded and not yet waited for */
    cudaEvent_t done; /* behind everything that was enqueued with these data */
    int done_gpu;     /* an event can only be recorded on streams of its own GPU */
    cudaStream_t stream;
};

struct pinning_block {
    struct pinning_store *store;
    size_t bytes;
    struct device_copy copies[PINNING_SLOTS];
};

/* The GPU whose streams serve the slot; the host has none of its own. */
static int gpu_of(const struct pinning_store *store, int slot)
{
    return store->first_gpu + (slot > 0 ? slot - 1 : 0);
}

static enum dm_status check_slot(const struct pinning_block *block, int slot)
{
    if (slot >= 0 && slot <= block->store->gpus)
        return DM_OK;
    return dm_fail(DM_INVALID, "slot %d of a block: the host is 0, and GPUs are 1 to %d", slot,
                   block->store->gpus);
}

/* Does something with a GPU current, and makes the one before current again. */
static enum dm_status with_gpu(int gpu, enum dm_status (*action)(void *, int), void *object,
                               int slot)
{
    int before;
    TRY_CUDA(cudaGetDevice(&before));
    enum dm_status status = status_of_cuda(cudaSetDevice(gpu));
    if (status == DM_OK)
        status = action(object, slot);
    if (status == DM_NO_MEMORY)
        cudaGetLastError(); /* reported here and shall not be found later */
    cudaError_t back = cudaSetDevice(before);
    return status != DM_OK ? status : status_of_cuda(back);
}

/* ---- stores ---- */

static enum dm_status make_streams(void *made, int slot)
{
    struct pinning_store *store = made;
    for (int i = 0; i < store->streams; i++)
        TRY_CUDA(cudaStreamCreateWithFlags(&store->stream[slot][i], cudaStreamNonBlocking));
    return DM_OK;
}

enum dm_status pinning_store_create(struct pinning_store **store, struct pinning_cache *cache,
                                    int first_gpu, int gpus, int streams,
                                    enum pinning_policy policy)
{
    *store = NULL;
    if (gpus < 1 || gpus >= PINNING_SLOTS)
        return dm_fail(DM_INVALID, "a store of blocks on %d GPUs: 1 to %d are possible", gpus,
                       PINNING_SLOTS - 1);
    if (streams < 1 || streams > PINNING_STREAMS)
        return dm_fail(DM_INVALID, "a store of blocks with %d streams: 1 to %d are possible",
                       streams, PINNING_STREAMS);
    struct pinning_store *made = calloc(1, sizeof *made);
    if (!made)
        return error_no_memory(sizeof *made);
    made->cache = cache;
    made->policy = policy;
    made->first_gpu = first_gpu;
    made->gpus = gpus;
    made->streams = streams;
    enum dm_status status = DM_OK;
    for (int slot = 1; slot <= gpus && status == DM_OK; slot++)
        status = with_gpu(gpu_of(made, slot), make_streams, made, slot);
    if (status == DM_OK)
        *store = made;
    else
        pinning_store_destroy(made);
    return status;
}

void pinning_store_destroy(struct pinning_store *store)
{
    if (!store)
        return;
    for (int slot = 1; slot <= store->gpus; slot++)
        for (int i = 0; i < store->streams; i++)
            if (store->stream[slot][i])
                cudaStreamDestroy(store->stream[slot][i]);
    free(store);
}

const struct pinning_counters *pinning_store_counters(const struct pinning_store *store)
{
    return &store->counters;
}

/* ---- blocks ---- */

enum dm_status pinning_block_create(struct pinning_block **block, struct pinning_store *store,
                                    size_t bytes)
{
    *block = calloc(1, sizeof **block);
    if (!*block)
        return error_no_memory(sizeof **block);
    (*block)->store = store;
    (*block)->bytes = bytes ? bytes : 1;
    return DM_OK;
}

static void release_host(struct pinning_block *block)
{
    struct pinning_cache *cache = block->store->cache;
    struct device_copy *host = &block->copies[0];
    if (host->busy) {
        cudaSetDevice(host->done_gpu); /* to which the stream belongs */
        if (pinning_cache_release_after(cache, host->data, host->stream) == DM_OK)
            return;
        cudaEventSynchronize(host->done);
    }
    pinning_cache_release(cache, host->data);
}

/* cudaMalloc and cudaFree, not a stream's pool: MPI must be able to register the memory. */
static void release_device(struct device_copy *copy)
{
    if (copy->busy)
        cudaEventSynchronize(copy->done);
    cudaFree(copy->data);
}

void pinning_block_destroy(struct pinning_block *block)
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

static enum dm_status allocate_on_host(struct pinning_block *block)
{
    void *pointer;
    enum dm_status status = pinning_cache_allocate(block->store->cache, block->bytes, &pointer);
    if (status != DM_OK) {
        TRY_CUDA(cudaPeekAtLastError()); /* a lost GPU: then memory is not what is missing */
        return status;
    }
    block->copies[0].data = pointer;
    return DM_OK;
}

/* Memory must be allocated with the slot's GPU current. */
static enum dm_status allocate(void *object, int slot)
{
    struct pinning_block *block = object;
    struct device_copy *copy = &block->copies[slot];
    if (copy->data)
        return DM_OK;
    if (slot == 0)
        return allocate_on_host(block);
    enum dm_status status = status_of_cuda(cudaMalloc(&copy->data, block->bytes));
    if (status == DM_OK)
        return DM_OK;
    copy->data = NULL;
    return error_within(status, "a block of %zu bytes on GPU %d", block->bytes,
                        gpu_of(block->store, slot));
}

int pinning_block_latest_slot(const struct pinning_block *block)
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
static enum dm_status set_busy(struct device_copy *copy, int gpu, cudaStream_t stream)
{
    if (copy->done && copy->done_gpu != gpu) {
        cudaEventDestroy(copy->done);
        copy->done = NULL;
    }
    copy->done_gpu = gpu;
    copy->stream = stream;
    if (!copy->done)
        TRY_CUDA(cudaEventCreateWithFlags(&copy->done, cudaEventDisableTiming));
    TRY_CUDA(cudaEventRecord(copy->done, stream));
    copy->busy = true;
    return DM_OK;
}

static enum dm_status wait_in_stream(const struct device_copy *copy, cudaStream_t stream)
{
    return copy->busy ? status_of_cuda(cudaStreamWaitEvent(stream, copy->done, 0)) : DM_OK;
}

static enum dm_status start_copy(struct pinning_block *block, int from, int to)
{
    struct pinning_store *store = block->store;
    struct device_copy *source = &block->copies[from], *target = &block->copies[to];
    int worker = to > 0 ? to : from, gpu = gpu_of(store, worker);
    cudaStream_t stream = store->stream[worker][store->turns[worker]++ % (unsigned)store->streams];
    TRY_CUDA(cudaSetDevice(gpu));
    TRY(wait_in_stream(source, stream));
    TRY(wait_in_stream(target, stream));
    TRY_CUDA(cudaMemcpyAsync(target->data, source->data, block->bytes, cudaMemcpyDefault, stream));
    target->version = source->version;
    store->counters.copies++;
    store->counters.copied_bytes += block->bytes;
    TRY(set_busy(target, gpu, stream));
    return set_busy(source, gpu, stream);
}

static enum dm_status update(void *object, int slot)
{
    struct pinning_block *block = object;
    int latest = pinning_block_latest_slot(block);
    if (latest < 0 || block->copies[latest].version == block->copies[slot].version)
        return DM_OK;
    TRY(allocate(block, slot));
    return start_copy(block, latest, slot);
}

enum dm_status pinning_block_update_data(struct pinning_block *block, int slot)
{
    TRY(check_slot(block, slot));
    return with_gpu(gpu_of(block->store, slot), update, block, slot);
}

enum dm_status pinning_block_get_data(struct pinning_block *block, int slot, void **data)
{
    *data = NULL;
    TRY(check_slot(block, slot));
    TRY(with_gpu(gpu_of(block->store, slot), allocate, block, slot));
    struct device_copy *copy = &block->copies[slot];
    if (copy->busy)
        TRY_CUDA(cudaEventSynchronize(copy->done));
    copy->busy = false;
    *data = copy->data;
    return DM_OK;
}

enum dm_status pinning_block_access(struct pinning_block *block, int slot,
                                    enum pinning_intent intent, void **data)
{
    struct pinning_store *store = block->store;
    *data = NULL;
    TRY(check_slot(block, slot));
    int latest = pinning_block_latest_slot(block);
    uint64_t newest = latest < 0 ? 0 : block->copies[latest].version;
    bool skips = intent == PINNING_WRITE && store->policy == PINNING_OPTIMIZED;
    if (!skips)
        TRY(pinning_block_update_data(block, slot));
    TRY(pinning_block_get_data(block, slot, data));
    store->counters.accesses++;
    if (skips && block->copies[slot].version < newest)
        store->counters.saved_copies++;
    if (intent != PINNING_READ)
        block->copies[slot].version = newest + 1;
    return DM_OK;
}

/* The stream of pinning_block_set_busy on its way through with_gpu. */
struct user {
    struct pinning_block *block;
    cudaStream_t stream;
};

static enum dm_status add_user(void *object, int slot)
{
    const struct user *user = object;
    struct device_copy *copy = &user->block->copies[slot];
    TRY(wait_in_stream(copy, user->stream));
    return set_busy(copy, gpu_of(user->block->store, slot), user->stream);
}

enum dm_status pinning_block_set_busy(struct pinning_block *block, int slot, cudaStream_t stream)
{
    struct user user = {block, stream};
    TRY(check_slot(block, slot));
    if (!block->copies[slot].data)
        return dm_fail(DM_INVALID, "slot %d of a block has no data that could be in use", slot);
    return with_gpu(gpu_of(block->store, slot), add_user, &user, slot);
}
