/* asian_device.c: Asian options on the current GPU: memory, copies, and the order of blocks. */
#include "asian_device.h"

#include <stdlib.h>

#include "common/error_cuda.h"
#include "common/memory.h"

#include "asian_kernels.h"

/* Options, or sums of blocks, of one kernel at most, unless one option alone has more blocks:
 * enough to fill any GPU. */
enum { BATCH_MAX = 4096 };

struct asian_device {
    struct asian_simulation simulation;
    size_t blocks;                           /* of an option */
    size_t options;                          /* whose parts there is room for */
    struct asian_walk *walks, *device_walks; /* [BATCH_MAX], page-locked and on the device */
    struct asian_sums *parts, *device_parts; /* likewise, of `options` * `blocks`, or one each */
    cudaStream_t stream;
};

static enum dm_status obtain(struct asian_device *device)
{
    size_t walk_bytes = BATCH_MAX * sizeof(struct asian_walk);
    size_t parts = device->blocks > BATCH_MAX ? device->blocks : BATCH_MAX;
    size_t part_bytes = parts * sizeof(struct asian_sums);
    TRY_CUDA(cudaStreamCreateWithFlags(&device->stream, cudaStreamNonBlocking));
    TRY(memory_obtain(MEMORY_PINNED, walk_bytes, (void **)&device->walks));
    TRY(memory_obtain(MEMORY_DEVICE, walk_bytes, (void **)&device->device_walks));
    TRY(memory_obtain(MEMORY_PINNED, part_bytes, (void **)&device->parts));
    return memory_obtain(MEMORY_DEVICE, part_bytes, (void **)&device->device_parts);
}

enum dm_status asian_device_open(struct asian_device **device,
                                 const struct asian_simulation *simulation)
{
    struct asian_device *opened = calloc(1, sizeof *opened);
    size_t blocks = (size_t)asian_blocks(simulation);
    if (!opened)
        return error_no_memory(sizeof *opened);
    *opened = (struct asian_device){.simulation = *simulation,
                                    .blocks = blocks,
                                    .options = blocks > BATCH_MAX ? 1 : BATCH_MAX / blocks};
    enum dm_status status = obtain(opened);
    if (status != DM_OK)
        asian_device_close(opened);
    else
        *device = opened;
    return status;
}

void asian_device_close(struct asian_device *device)
{
    if (!device)
        return;
    if (device->stream)
        cudaStreamDestroy(device->stream);
    memory_give_back(MEMORY_PINNED, device->walks);
    memory_give_back(MEMORY_DEVICE, device->device_walks);
    memory_give_back(MEMORY_PINNED, device->parts);
    memory_give_back(MEMORY_DEVICE, device->device_parts);
    free(device);
}

/* Waits for the kernels and fetches their results. */
static enum dm_status fetch(struct asian_device *device, struct asian_sums *to, size_t count)
{
    TRY_CUDA(cudaMemcpyAsync(to, device->device_parts, count * sizeof *to, cudaMemcpyDeviceToHost,
                             device->stream));
    return status_of_cuda(cudaStreamSynchronize(device->stream));
}

/* What the kernels need to know of the options, on the device. */
static enum dm_status send_walks(struct asian_device *device, const struct asian_option *options,
                                 size_t count)
{
    for (size_t i = 0; i < count; i++)
        device->walks[i] = asian_walk_of(&device->simulation, &options[i]);
    return status_of_cuda(cudaMemcpyAsync(device->device_walks, device->walks,
                                          count * sizeof *device->walks, cudaMemcpyHostToDevice,
                                          device->stream));
}

static enum dm_status price_batch_mt(struct asian_device *device,
                                     const struct asian_option *options, size_t count,
                                     struct asian_sums *sums)
{
    TRY(send_walks(device, options, count));
    TRY_CUDA(asian_launch_blocks(device->device_walks, count, device->simulation.paths,
                                 (int64_t)device->blocks, device->device_parts, device->stream));
    TRY(fetch(device, device->parts, count * device->blocks));
    for (size_t i = 0; i < count; i++) {
        const struct asian_sums *parts = device->parts + i * device->blocks;
        sums[i] = parts[0];
        for (size_t block = 1; block < device->blocks; block++)
            asian_add_sums(&sums[i], &parts[block]);
    }
    return DM_OK;
}

static enum dm_status price_batch_mo(struct asian_device *device,
                                     const struct asian_option *options, size_t count,
                                     struct asian_sums *sums)
{
    TRY(send_walks(device, options, count));
    TRY_CUDA(asian_launch_options(device->device_walks, count, device->simulation.paths,
                                  (int64_t)device->blocks, device->device_parts, device->stream));
    return fetch(device, sums, count);
}

enum dm_status asian_device_mt(struct asian_device *device, const struct asian_option *options,
                               size_t count, struct asian_sums *sums)
{
    for (size_t i = 0; i < count; i += device->options)
        TRY(price_batch_mt(device, options + i,
                           count - i < device->options ? count - i : device->options, sums + i));
    return DM_OK;
}

enum dm_status asian_device_mo(struct asian_device *device, const struct asian_option *options,
                               size_t count, struct asian_sums *sums)
{
    for (size_t i = 0; i < count; i += BATCH_MAX)
        TRY(price_batch_mo(device, options + i, count - i < BATCH_MAX ? count - i : BATCH_MAX,
                           sums + i));
    return DM_OK;
}
