#include "common/harness/exit.h"

#include "pipeline_plan.h"

enum { ROW_ALIGNMENT = 512 };

size_t pipeline_buffer_bytes(const struct dm_region_array *array, long capacity)
{
    size_t row = (size_t)capacity * array->slice_bytes;
    if (array->split == DM_REGION_COLUMNS)
        row = (row + ROW_ALIGNMENT - 1) / ROW_ALIGNMENT * ROW_ALIGNMENT;
    return row * array->rows;
}

/* Slots lie one after the other, or, as panels of columns, side by side in each row. */
static cudaError_t allocate(const struct dm_region_array *array, long capacity,
                            struct pipeline_buffer *buffer, size_t *bytes)
{
    size_t row = (size_t)capacity * array->slice_bytes;
    *bytes = row;
    if (array->split != DM_REGION_COLUMNS)
        return cudaMalloc(&buffer->device, row);
    cudaError_t error = cudaMallocPitch(&buffer->device, &buffer->pitch_bytes, row, array->rows);
    *bytes = buffer->pitch_bytes * array->rows;
    return error;
}

bool pipeline_buffers_allocate(struct pipeline_plan *plan)
{
    for (int a = 0; a < plan->region->array_count; a++) {
        size_t bytes;
        cudaError_t error = allocate(&plan->region->arrays[a], plan->schedule.rings[a].capacity,
                                     &plan->buffers[a], &bytes);
        if (error == cudaErrorMemoryAllocation) {
            cudaGetLastError(); /* the complaint says it */
            plan->buffers[a].device = NULL;
            pipeline_buffers_release(plan);
            return false;
        }
        check_cuda(error);
        plan->device_bytes += bytes;
    }
    return true;
}

void pipeline_buffers_release(struct pipeline_plan *plan)
{
    for (int a = 0; a < plan->region->array_count; a++) {
        if (plan->buffers[a].device)
            check_cuda(cudaFree(plan->buffers[a].device));
        plan->buffers[a] = (struct pipeline_buffer){0};
    }
    plan->device_bytes = 0;
}

struct dm_slices pipeline_view(const struct pipeline_plan *plan, int array, long chunk)
{
    const struct dm_region_array *a = &plan->region->arrays[array];
    struct dm_slices view =
        dm_region_whole_view(a, plan->buffers[array].device, plan->buffers[array].pitch_bytes);
    long first = chunk_window(&plan->schedule.chunks, a, chunk).first;
    view.capacity = plan->schedule.rings[array].capacity;
    view.first = first - pipeline_ring_slot(&plan->schedule.rings[array], first);
    return view;
}
