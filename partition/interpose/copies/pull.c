/* pull.c: short copies from other devices by a kernel of the device that they go to. */
#include "pull.h"

#include "partition/interpose/gpu/order.h"
#include "partition/interpose/report/tell.h"

enum { THREADS = 256, BLOCKS_MAX = 1024 };

/* pull_image.S: the module as the driver takes it. */
extern const char pull_image[];

static CUresult load(struct virtual_device *device, bool pulls)
{
    CUresult result = real.cuModuleLoadData(&device->pull_module, pull_image);
    if (result == CUDA_SUCCESS)
        result =
            real.cuModuleGetFunction(&device->combine, device->pull_module, "combine_elements");
    if (result == CUDA_SUCCESS && pulls)
        result = real.cuModuleGetFunction(&device->pull, device->pull_module, "pull_pieces");
    return result;
}

void pull_create(struct virtual_gpu *gpu, int device)
{
    if (gpu->devices == 1)
        return;
    CUresult result = order_use(gpu, device);
    if (result == CUDA_SUCCESS)
        result = load(&gpu->device[device], gpu->settings.pull_bytes > 0);
    if (result != CUDA_SUCCESS && !gpu->settings.quiet)
        tell(
            "copy engines make all copies to device %d: the kernel for short ones cannot be loaded "
            "(error %d)",
            device, (int)result);
}

void pull_free(struct virtual_gpu *gpu, int device)
{
    struct virtual_device *one = &gpu->device[device];
    if (one->pull_module && order_use(gpu, device) == CUDA_SUCCESS)
        real.cuModuleUnload(one->pull_module);
    one->pull_module = NULL;
    one->pull = one->combine = NULL;
}

bool pull_takes(const struct virtual_gpu *gpu, int to, int from, const struct partition_runs *runs)
{
    return gpu->device[to].pull && gpu->peer[to][from] &&
           runs->length * runs->count <= gpu->settings.pull_bytes;
}

void pull_add(struct pull *pull, CUdeviceptr to, CUdeviceptr from,
              const struct partition_runs *runs)
{
    pull->list.piece[pull->count++] = (struct pull_piece){
        .to = to + (CUdeviceptr)runs->begin,
        .from = from + (CUdeviceptr)runs->begin,
        .length = (unsigned long long)runs->length,
        .stride = runs->count > 1 ? (unsigned long long)runs->stride : 0,
        .count = (unsigned long long)runs->count,
    };
}

/* Enough blocks for the longest piece, a unit for each thread. Units are of 16 bytes at most: of
 * the others each thread copies several. */
static unsigned blocks_of(const struct pull *pull)
{
    unsigned long long longest = 0;
    for (int i = 0; i < pull->count; i++) {
        const struct pull_piece *piece = &pull->list.piece[i];
        unsigned long long bytes = piece->length * piece->count;
        longest = bytes > longest ? bytes : longest;
    }
    unsigned long long blocks = (longest / 16 + THREADS - 1) / THREADS;
    if (blocks > BLOCKS_MAX)
        return BLOCKS_MAX;
    return blocks ? (unsigned)blocks : 1;
}

CUresult pull_run(struct virtual_gpu *gpu, int device, struct pull *pull)
{
    if (!pull->count)
        return CUDA_SUCCESS;
    struct virtual_device *one = &gpu->device[device];
    one->worked = true;
    CUresult result =
        real.cuLaunchKernel(one->pull, blocks_of(pull), (unsigned)pull->count, 1, THREADS, 1, 1, 0,
                            one->stream, (void *[]){&pull->list}, NULL);
    pull->count = 0;
    return result;
}
