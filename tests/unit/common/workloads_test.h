/* workloads_test.h: executes a benchmark's region in the plainest way, for tests of its kernels:
 * chunk after chunk, with arrays on the device as a whole or in rings that are as small as the
 * windows allow. What a chunk must not read is NaN or belongs to another slice. */
#ifndef TESTS_UNIT_WORKLOADS_TEST_H
#define TESTS_UNIT_WORKLOADS_TEST_H

#include <string.h>

#include "common/harness/allocate.h"
#include "common/harness/exit.h"
#include "common/workloads/benchmark.h"

struct device_array {
    struct dm_slices view;
    long resident; /* slices before this one have been copied */
};

/* Device memory for one array, filled with NaN. */
static inline struct device_array device_array_make(const struct dm_region_array *array, long slots)
{
    struct device_array made;
    memset(&made, 0, sizeof made);
    size_t width = array->slice_bytes / sizeof(float), gap = 32;
    bool columns = array->split == DM_REGION_COLUMNS;
    made.view.capacity = slots;
    made.view.stride_bytes = width * sizeof(float);
    made.view.pitch_bytes = columns ? ((size_t)slots * width + gap) * sizeof(float) : 0;
    size_t bytes =
        columns ? made.view.pitch_bytes * array->rows : (size_t)slots * array->slice_bytes;
    made.view.base = (float *)memory_allocate(MEMORY_DEVICE, bytes);
    check_cuda(cudaMemset(made.view.base, 0xff, bytes));
    return made;
}

/* Copies slices [first, end) of an array, one by one. */
static inline void device_array_copy(const struct device_array *device,
                                     const struct dm_region_array *array, long first, long end,
                                     enum cudaMemcpyKind direction)
{
    for (long i = first; i < end; i++) {
        char *slot = (char *)device->view.base +
                     (size_t)(i % device->view.capacity) * device->view.stride_bytes;
        bool columns = array->split == DM_REGION_COLUMNS;
        char *host = (char *)array->host + (size_t)i * array->slice_bytes;
        size_t host_pitch = columns ? array->pitch_bytes : array->slice_bytes;
        size_t device_pitch = columns ? device->view.pitch_bytes : array->slice_bytes;
        if (direction == cudaMemcpyHostToDevice)
            check_cuda(cudaMemcpy2D(slot, device_pitch, host, host_pitch, array->slice_bytes,
                                    array->rows, direction));
        else
            check_cuda(cudaMemcpy2D(host, host_pitch, slot, device_pitch, array->slice_bytes,
                                    array->rows, direction));
    }
}

/* Makes the view fit iterations [begin, end), copies in what is new, and returns the view. */
static inline struct dm_slices device_array_advance(struct device_array *device,
                                                    const struct dm_region_array *array, long begin,
                                                    long end)
{
    long first, last_end;
    dm_region_window(array, begin, end, &first, &last_end);
    device->view.first = first / device->view.capacity * device->view.capacity;
    if (array->direction & DM_REGION_TO)
        device_array_copy(device, array, first > device->resident ? first : device->resident,
                          last_end, cudaMemcpyHostToDevice);
    device->resident = last_end;
    return device->view;
}

/* Executes one round in chunks of iterations. Returns the first error of a launch. */
static inline cudaError_t execute_in_chunks(const struct dm_region *region, long chunk, bool rings)
{
    struct device_array device[DM_REGION_ARRAYS];
    struct dm_slices views[DM_REGION_ARRAYS];
    cudaError_t error = cudaSuccess;
    for (int a = 0; a < region->array_count; a++) {
        const struct dm_region_array *array = &region->arrays[a];
        long window = chunk + array->length - 1;
        bool ring = rings && array->split != DM_REGION_WHOLE && window < array->slices;
        device[a] = device_array_make(array, ring ? window : array->slices);
    }
    for (long begin = region->begin; begin < region->end && !error; begin += chunk) {
        long end = begin + chunk < region->end ? begin + chunk : region->end;
        for (int a = 0; a < region->array_count; a++)
            views[a] = device_array_advance(&device[a], &region->arrays[a], begin, end);
        error = (region->launch)(region, views, begin, end, 0); /* not the macro of that name */
        check_cuda(cudaStreamSynchronize(0));
        for (int a = 0; a < region->array_count && !error; a++) {
            long first, last_end;
            dm_region_window(&region->arrays[a], begin, end, &first, &last_end);
            if (region->arrays[a].direction & DM_REGION_FROM)
                device_array_copy(&device[a], &region->arrays[a], first, last_end,
                                  cudaMemcpyDeviceToHost);
        }
    }
    for (int a = 0; a < region->array_count; a++)
        memory_release(MEMORY_DEVICE, device[a].view.base);
    return error;
}

/* Wrong elements after a fresh execution in chunks; -1 if a launch failed. */
static inline long errors_in_chunks(struct benchmark *benchmark, long chunk, bool rings, dim3 block)
{
    benchmark_reset(benchmark);
    benchmark->region.block = block;
    if (execute_in_chunks(&benchmark->region, chunk, rings) != cudaSuccess)
        return -1;
    return benchmark_errors(benchmark);
}

#endif
