#include "common/error_cuda.h"

#include "common/regions/copies_plan.h"

enum { ROW_ALIGNMENT = 512 };

size_t copies_buffer_bytes(const struct dm_region_array *array, long capacity)
{
    size_t row = (size_t)capacity * array->slice_bytes;
    if (array->split == DM_REGION_COLUMNS)
        row = (row + ROW_ALIGNMENT - 1) / ROW_ALIGNMENT * ROW_ALIGNMENT;
    return row * array->rows;
}

/* Slots lie one after the other, or, as panels of columns, side by side in each row. */
static enum dm_status allocate(const struct dm_region_array *array, long capacity,
                               struct copies_buffer *buffer, size_t *bytes)
{
    size_t row = (size_t)capacity * array->slice_bytes;
    *bytes = row;
    if (array->split != DM_REGION_COLUMNS)
        return status_of_cuda(cudaMalloc(&buffer->device, row));
    TRY_CUDA(cudaMallocPitch(&buffer->device, &buffer->pitch_bytes, row, array->rows));
    *bytes = buffer->pitch_bytes * array->rows;
    return DM_OK;
}

enum dm_status copies_buffers_allocate(struct copies_plan *plan)
{
    for (int a = 0; a < plan->region->array_count; a++) {
        size_t bytes = 0;
        enum dm_status status = allocate(&plan->region->arrays[a], plan->schedule.rings[a].capacity,
                                         &plan->buffers[a], &bytes);
        if (status != DM_OK) {
            cudaGetLastError(); /* or the caller's next check would find it */
            plan->buffers[a].device = NULL;
            copies_buffers_release(plan);
            return status;
        }
        plan->device_bytes += bytes;
    }
    return DM_OK;
}

void copies_buffers_release(struct copies_plan *plan)
{
    for (int a = 0; a < plan->region->array_count; a++) {
        if (plan->buffers[a].device)
            cudaFree(plan->buffers[a].device);
        plan->buffers[a] = (struct copies_buffer){0};
    }
    plan->device_bytes = 0;
}

struct dm_slices copies_view(const struct copies_plan *plan, int array, long chunk)
{
    const struct dm_region_array *a = &plan->region->arrays[array];
    struct dm_slices view =
        dm_region_whole_view(a, plan->buffers[array].device, plan->buffers[array].pitch_bytes);
    long first = chunk_window(&plan->schedule.chunks, a, chunk).first;
    view.capacity = plan->schedule.rings[array].capacity;
    view.first = first - ring_slot(&plan->schedule.rings[array], first);
    return view;
}
