/* asian_device.c: Asian options on the current GPU: memory, copies, and the order of blocks. */
#include "asian_device.h"

#include <stdlib.h>

#include "common/harness/allocate.h"
#include "common/harness/exit.h"

#include "asian_kernels.h"

/* Options, or sums of blocks, of one kernel at most, unless one option alone has more blocks:
 * enough to fill any GPU. */
enum { MOST = 4096 };

struct asian_device {
    struct asian_simulation simulation;
    size_t blocks;                           /* of an option */
    size_t options;                          /* whose parts there is room for */
    struct asian_walk *walks, *device_walks; /* [MOST], page-locked and on the device */
    struct asian_sums *parts, *device_parts; /* likewise, of `options` * `blocks`, or one each */
    cudaStream_t stream;
};

struct asian_device *asian_device_open(const struct asian_simulation *simulation)
{
    struct asian_device *device = allocate_or_fail(1, sizeof *device);
    size_t blocks = (size_t)asian_blocks(simulation);
    size_t walk_bytes = MOST * sizeof(struct asian_walk);
    size_t part_bytes = (blocks > MOST ? blocks : MOST) * sizeof(struct asian_sums);
    *device = (struct asian_device){
        .simulation = *simulation,
        .blocks = blocks,
        .options = blocks > MOST ? 1 : MOST / blocks,
        .walks = memory_allocate(MEMORY_PINNED, walk_bytes),
        .device_walks = memory_allocate(MEMORY_DEVICE, walk_bytes),
        .parts = memory_allocate(MEMORY_PINNED, part_bytes),
        .device_parts = memory_allocate(MEMORY_DEVICE, part_bytes),
    };
    check_cuda(cudaStreamCreateWithFlags(&device->stream, cudaStreamNonBlocking));
    return device;
}

void asian_device_close(struct asian_device *device)
{
    check_cuda(cudaStreamDestroy(device->stream));
    memory_release(MEMORY_PINNED, device->walks);
    memory_release(MEMORY_DEVICE, device->device_walks);
    memory_release(MEMORY_PINNED, device->parts);
    memory_release(MEMORY_DEVICE, device->device_parts);
    free(device);
}

/* Waits for the kernels and fetches their results. */
static void fetch(struct asian_device *device, struct asian_sums *to, size_t count)
{
    check_cuda(cudaMemcpyAsync(to, device->device_parts, count * sizeof *to, cudaMemcpyDeviceToHost,
                               device->stream));
    check_cuda(cudaStreamSynchronize(device->stream));
}

/* What the kernels need to know of the options, on the device. */
static void send_walks(struct asian_device *device, const struct asian_option *options,
                       size_t count)
{
    for (size_t i = 0; i < count; i++)
        device->walks[i] = asian_walk_of(&device->simulation, &options[i]);
    check_cuda(cudaMemcpyAsync(device->device_walks, device->walks, count * sizeof *device->walks,
                               cudaMemcpyHostToDevice, device->stream));
}

static void price_batch_mt(struct asian_device *device, const struct asian_option *options,
                           size_t count, struct asian_sums *sums)
{
    send_walks(device, options, count);
    check_cuda(asian_launch_blocks(device->device_walks, count, device->simulation.paths,
                                   (int64_t)device->blocks, device->device_parts, device->stream));
    fetch(device, device->parts, count * device->blocks);
    for (size_t i = 0; i < count; i++) {
        const struct asian_sums *parts = device->parts + i * device->blocks;
        sums[i] = parts[0];
        for (size_t block = 1; block < device->blocks; block++)
            asian_add_sums(&sums[i], &parts[block]);
    }
}

static void price_batch_mo(struct asian_device *device, const struct asian_option *options,
                           size_t count, struct asian_sums *sums)
{
    send_walks(device, options, count);
    check_cuda(asian_launch_options(device->device_walks, count, device->simulation.paths,
                                    (int64_t)device->blocks, device->device_parts, device->stream));
    fetch(device, sums, count);
}

void asian_device_mt(struct asian_device *device, const struct asian_option *options, size_t count,
                     struct asian_sums *sums)
{
    for (size_t i = 0; i < count; i += device->options)
        price_batch_mt(device, options + i,
                       count - i < device->options ? count - i : device->options, sums + i);
}

void asian_device_mo(struct asian_device *device, const struct asian_option *options, size_t count,
                     struct asian_sums *sums)
{
    for (size_t i = 0; i < count; i += MOST)
        price_batch_mo(device, options + i, count - i < MOST ? count - i : MOST, sums + i);
}
