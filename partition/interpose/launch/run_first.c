/* run_first.c: what cannot be split runs on device 0. */
#include <stdlib.h>

#include "common/clock.h"
#include "partition/interpose/gpu/host_order.h"
#include "partition/interpose/gpu/order.h"
#include "partition/interpose/gpu/readers.h"
#include "partition/interpose/memory/contents.h"
#include "partition/interpose/report/counters.h"
#include "partition/interpose/report/reasons.h"

#include "run_launch.h"

/* Brings buffers that are used up to date on device 0. */
static CUresult fetch_used(struct virtual_gpu *gpu, const struct first_device_task *task)
{
    struct device_transfer *transfers = calloc(gpu->buffer_count + 1, sizeof *transfers);
    const struct plan **plans = calloc(gpu->buffer_count + 1, sizeof *plans);
    CUresult result = transfers && plans ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
    size_t count = 0;
    for (size_t i = 0; i < gpu->buffer_count && result == CUDA_SUCCESS; i++) {
        struct buffer *buffer = gpu->buffers[i];
        if (launch_use(gpu, task, buffer) == BUFFER_UNUSED)
            continue;
        result = result_of(contents_fetch(gpu, buffer, 0, (int64_t)buffer->bytes, &plans[count]));
        if (result == CUDA_SUCCESS)
            transfers[count] = (struct device_transfer){buffer, &plans[count]->copies, 0};
        count++;
    }
    if (result == CUDA_SUCCESS)
        result = device_transfers(gpu, transfers, count);
    for (size_t i = 0; i < count && result == CUDA_SUCCESS; i++)
        contents_fetched(transfers[i].buffer, plans[i]);
    free(transfers);
    free(plans);
    return result;
}

static CUresult used_may_be_written(struct virtual_gpu *gpu, const struct first_device_task *task)
{
    CUresult result = CUDA_SUCCESS;
    for (size_t i = 0; i < gpu->buffer_count; i++) {
        if (launch_use(gpu, task, gpu->buffers[i]) != BUFFER_WRITTEN)
            continue;
        enum dm_status status = contents_written_first(gpu, gpu->buffers[i]);
        if (status != DM_OK)
            result = result_of(status);
    }
    return result;
}

/* Other devices may still be copying from there. */
static CUresult wait_for_readers(struct virtual_gpu *gpu)
{
    CUresult result = CUDA_SUCCESS;
    for (size_t i = 0; i < gpu->buffer_count && result == CUDA_SUCCESS; i++)
        result = readers_wait(gpu, gpu->buffers[i], 0);
    return result;
}

static CUresult end_span(struct virtual_gpu *gpu, double start_s, double *span)
{
    if (!gpu->settings.spans)
        return CUDA_SUCCESS;
    CUresult result = order_synchronise(gpu);
    *span += clock_now_s() - start_s;
    return result;
}

CUresult run_on_first_device(struct virtual_gpu *gpu, const struct first_device_task *task)
{
    double start_s = clock_now_s();
    CUresult result = fetch_used(gpu, task);
    if (result == CUDA_SUCCESS)
        result = wait_for_readers(gpu);
    if (result == CUDA_SUCCESS)
        result = end_span(gpu, start_s, &counters.sync_comm_s);
    if (result != CUDA_SUCCESS)
        return result;
    if (task->kernel)
        reasons_tell(task->kernel, task->reason, gpu->settings.quiet);
    start_s = clock_now_s();
    /* The kernel may use memory of the host that a copy of another device still fills. */
    result = host_order_use_any(gpu, 0);
    if (result == CUDA_SUCCESS)
        result = order_use(gpu, 0);
    if (result != CUDA_SUCCESS)
        return result;
    result = task->run(gpu->device[0].stream, task->task);
    gpu->device[0].worked = true;
    /* What failed may still have begun. */
    CUresult noted = used_may_be_written(gpu, task);
    if (result == CUDA_SUCCESS)
        result = noted;
    return result == CUDA_SUCCESS ? end_span(gpu, start_s, &counters.kernel_s) : result;
}

/* The whole grid as one part, with the program's own addresses. */
static CUresult launch_whole(CUstream stream, void *task)
{
    const struct launch_request *request = task;
    const struct function *function = request->function;
    const unsigned *grid = request->shape.grid, *block = request->shape.block;
    struct partition_place place = {.grid = {grid[0], grid[1], grid[2]}};
    void **parameters = calloc(function->parameters + 1, sizeof *parameters);
    if (!parameters)
        return CUDA_ERROR_OUT_OF_MEMORY;
    for (size_t i = 0; i < function->parameters; i++)
        parameters[i] = (void *)(request->arguments + function->offset[i]);
    parameters[function->parameters] = &place;
    CUresult result =
        real.cuLaunchKernel(function->handle[0], grid[0], grid[1], grid[2], block[0], block[1],
                            block[2], request->shared_bytes, stream, parameters, NULL);
    free(parameters);
    return result;
}

CUresult run_launch_on_first(struct virtual_gpu *gpu, const struct launch_request *request,
                             const char *reason, bool reaches_all)
{
    counters.one_device++;
    return run_on_first_device(gpu, &(struct first_device_task){
                                        .kernel = request->function->name,
                                        .reason = reason,
                                        .run = launch_whole,
                                        .task = (void *)request,
                                        .by_arguments = reaches_all ? NULL : request,
                                    });
}
