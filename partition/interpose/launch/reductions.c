/* reductions.c: buffers that a launch updates by atomic operations alone. */
#include "reductions.h"

#include <stddef.h>

#include "common/error.h"
#include "partition/interpose/copies/combine_pieces.h"
#include "partition/interpose/gpu/order.h"
#include "partition/interpose/gpu/readers.h"
#include "partition/interpose/report/counters.h"

enum { THREADS = 256, BLOCKS_MAX = 1024 };

_Static_assert((int)COMBINE_ADD_32 == (int)PARTITION_ADD_32 &&
                   (int)COMBINE_XOR == (int)PARTITION_XOR &&
                   (int)COMBINE_MIN_U64 == (int)PARTITION_MIN_U64 &&
                   (int)COMBINE_MAX_U64 == (int)PARTITION_MAX_U64 &&
                   (int)COMBINE_ADD_F64 == (int)PARTITION_ADD_F64,
               "kinds have the same numbers on the device");

static bool is_real(enum partition_reduction kind)
{
    return kind == PARTITION_ADD_F32 || kind == PARTITION_ADD_F64;
}

/* Copies but the first begin with zeros. */
static bool begins_with_zeros(enum partition_reduction kind)
{
    return kind == PARTITION_ADD_32 || kind == PARTITION_ADD_64 || kind == PARTITION_XOR ||
           is_real(kind);
}

static size_t element_bytes(enum partition_reduction kind)
{
    switch (kind) {
    case PARTITION_ADD_64:
    case PARTITION_MIN_S64:
    case PARTITION_MIN_U64:
    case PARTITION_MAX_S64:
    case PARTITION_MAX_U64:
    case PARTITION_ADD_F64:
        return 8;
    default:
        return 4;
    }
}

/* Fails where the copies cannot be combined. */
static enum dm_status check(const struct virtual_gpu *gpu, const struct access_set *set,
                            const struct partition_argument *argument)
{
    if (gpu->settings.atomics == PARTITION_ATOMICS_NONE)
        return dm_fail(DM_UNAVAILABLE,
                       "it updates %.40s by atomic operations "
                       "(PARTITION_ATOMICS=none)",
                       argument->name);
    if (is_real(argument->reduction) && gpu->settings.atomics != PARTITION_ATOMICS_FLOATS)
        return dm_fail(DM_UNAVAILABLE,
                       "it adds floating-point numbers to %.40s by atomic operations: on several "
                       "devices in another order, with other rounding; PARTITION_ATOMICS=floats "
                       "allows it",
                       argument->name);
    if (gpu->settings.resolution != PARTITION_EXACT)
        return dm_fail(DM_UNAVAILABLE,
                       "it updates %.40s by atomic operations, which only the "
                       "resolution exact follows",
                       argument->name);
    for (int d = 1; d < gpu->devices; d++)
        if (!partition_part_is_empty(&set->parts[d]) &&
            (!gpu->device[0].combine || !gpu->peer[0][d]))
            return dm_fail(DM_UNAVAILABLE,
                           "device 0 cannot combine what device %d would make of "
                           "%.40s",
                           d, argument->name);
    return DM_OK;
}

enum dm_status reductions_place(const struct virtual_gpu *gpu, const struct access_set *set,
                                const struct partition_argument *argument,
                                const struct buffer *buffer, struct placed *placed)
{
    int64_t bytes = (int64_t)buffer->bytes;
    TRY(check(gpu, set, argument));
    for (int d = 0; d < gpu->devices; d++)
        if (d == 0 ||
            (!begins_with_zeros(argument->reduction) && !partition_part_is_empty(&set->parts[d])))
            TRY(partition_intervals_push(&placed->reads[d], 0, bytes));
    return partition_intervals_push(&placed->writes[0], 0, bytes);
}

static bool has_copy(const struct launch *launch, int device)
{
    return device > 0 && !launch->parts[device].empty;
}

CUresult reductions_begin(struct virtual_gpu *gpu, const struct launch *launch)
{
    CUresult result = CUDA_SUCCESS;
    for (size_t i = 0; i < launch->binding_count; i++) {
        const struct binding *binding = launch->bindings[i];
        const struct buffer *buffer = binding->buffer;
        for (int d = 1; begins_with_zeros(binding->reduction) && d < gpu->devices; d++) {
            if (!has_copy(launch, d) || result != CUDA_SUCCESS)
                continue;
            result = order_use(gpu, d);
            if (result == CUDA_SUCCESS)
                result = real.cuMemsetD8Async(buffer->address[d], 0, buffer->bytes,
                                              gpu->device[d].stream);
        }
    }
    return result;
}

static CUresult combine(struct virtual_gpu *gpu, struct binding *binding, int device)
{
    struct buffer *buffer = binding->buffer;
    size_t count = buffer->bytes / element_bytes(binding->reduction);
    size_t blocks = (count + THREADS - 1) / THREADS;
    struct combine_pieces what = {.to = buffer->address[0],
                                  .from = buffer->address[device],
                                  .count = count,
                                  .kind = binding->reduction};
    if (!count)
        return CUDA_SUCCESS;
    counters_add_copy(device, 0, buffer->bytes);
    readers_note(gpu, buffer, device, 0);
    return real.cuLaunchKernel(gpu->device[0].combine,
                               blocks < BLOCKS_MAX ? (unsigned)blocks : BLOCKS_MAX, 1, 1, THREADS,
                               1, 1, 0, gpu->device[0].stream, (void *[]){&what}, NULL);
}

/* All copies of one device, when it has made them. */
static CUresult combine_all(struct virtual_gpu *gpu, const struct launch *launch, int device)
{
    CUresult result = order_ready(gpu, device);
    if (result == CUDA_SUCCESS)
        result = order_after_ready(gpu, 0, device);
    if (result == CUDA_SUCCESS)
        result = order_use(gpu, 0);
    for (size_t i = 0; i < launch->binding_count && result == CUDA_SUCCESS; i++)
        if (launch->bindings[i]->reduction)
            result = combine(gpu, launch->bindings[i], device);
    return result;
}

CUresult reductions_end(struct virtual_gpu *gpu, const struct launch *launch)
{
    bool any = false;
    CUresult result = CUDA_SUCCESS;
    for (size_t i = 0; i < launch->binding_count; i++)
        any = any || launch->bindings[i]->reduction;
    for (int d = 1; any && d < gpu->devices && result == CUDA_SUCCESS; d++)
        if (has_copy(launch, d))
            result = combine_all(gpu, launch, d);
    if (any) {
        gpu->device[0].worked = true;
        readers_batch_given(gpu, 0);
    }
    return result;
}
