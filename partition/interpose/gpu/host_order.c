/* host_order.c: copies of several devices that touch the same memory of the host. */
#include "host_order.h"
#include "order.h"

static bool overlap(struct host_range a, struct host_range b)
{
    return a.begin < b.end && b.begin < a.end;
}

static struct host_range range_of(const void *memory, size_t bytes)
{
    uintptr_t begin = (uintptr_t)memory;
    return (struct host_range){begin, bytes < UINTPTR_MAX - begin ? begin + bytes : UINTPTR_MAX};
}

static bool is_used(const struct virtual_gpu *gpu, struct host_range range, bool is_written)
{
    const struct host_use *use = &gpu->host_use;
    return overlap(use->written, range) || (is_written && overlap(use->read, range));
}

bool host_order_is_used(const struct virtual_gpu *gpu, const void *memory, size_t bytes,
                        bool is_written)
{
    return is_used(gpu, range_of(memory, bytes), is_written);
}

static bool is_empty(struct host_range range)
{
    return range.begin >= range.end;
}

/* The smallest range that holds both. */
static struct host_range join(struct host_range a, struct host_range b)
{
    if (is_empty(a))
        return b;
    return (struct host_range){a.begin < b.begin ? a.begin : b.begin,
                               a.end > b.end ? a.end : b.end};
}

static void note(struct virtual_gpu *gpu, int device, struct host_range range, bool is_written)
{
    struct host_use *use = &gpu->host_use;
    struct host_range *noted = is_written ? &use->written : &use->read;
    bool is_first = is_empty(use->read) && is_empty(use->written);
    use->device = is_first || use->device == device ? device : ALL_DEVICES;
    *noted = join(*noted, range);
    gpu->host_uses++;
}

static CUresult use_range(struct virtual_gpu *gpu, int device, struct host_range range,
                          bool is_written)
{
    const struct host_use *use = &gpu->host_use;
    bool in_order = gpu->devices == 1 || (device != ALL_DEVICES && use->device == device);
    CUresult result = CUDA_SUCCESS;
    if (is_empty(range))
        return result;
    if (!in_order && is_used(gpu, range, is_written)) {
        result = order_join(gpu);
        if (result == CUDA_SUCCESS)
            result = order_fork(gpu);
        if (result == CUDA_SUCCESS)
            gpu->host_use = (struct host_use){0};
    }
    note(gpu, device, range, is_written);
    return result;
}

CUresult host_order_use(struct virtual_gpu *gpu, int device, const void *memory, size_t bytes,
                        bool is_written)
{
    return use_range(gpu, device, range_of(memory, bytes), is_written);
}

CUresult host_order_use_any(struct virtual_gpu *gpu, int device)
{
    return use_range(gpu, device, (struct host_range){0, UINTPTR_MAX}, true);
}
