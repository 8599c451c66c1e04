/* run_launch.c: a launch on all devices. */
#include "run_launch.h"

#include <string.h>

#include "common/clock.h"
#include "partition/interpose/gpu/order.h"
#include "partition/interpose/gpu/readers.h"
#include "partition/interpose/report/counters.h"

#include "reductions.h"

/* What to copy for each buffer. False: one_device says why the launch cannot be split. */
static bool plan_transfers(struct virtual_gpu *gpu, struct launch *launch)
{
    for (size_t i = 0; i < launch->binding_count; i++) {
        const struct plan *plan;
        if (binding_plan(gpu, launch->bindings[i], &plan) != DM_OK) {
            launch->reaches_all = true;
            reasons_keep(launch->one_device);
            return false;
        }
        launch->plans[i] = plan;
        launch->transfers[i] =
            (struct device_transfer){launch->bindings[i]->buffer, &plan->copies, 0};
    }
    return true;
}

static CUresult launch_part(struct virtual_gpu *gpu, const struct launch *launch, int device)
{
    const struct part_launch *part = &launch->parts[device];
    const unsigned *block = launch->shape.block;
    if (part->empty)
        return CUDA_SUCCESS;
    CUresult result = order_use(gpu, device);
    if (result != CUDA_SUCCESS)
        return result;
    gpu->device[device].worked = true;
    return real.cuLaunchKernel(launch->function->handle[device], part->blocks[0], part->blocks[1],
                               part->blocks[2], block[0], block[1], block[2], launch->shared_bytes,
                               gpu->device[device].stream, part->parameters, NULL);
}

/* What the launch writes may still be being copied by other devices. */
static CUresult wait_for_readers(struct virtual_gpu *gpu, const struct launch *launch)
{
    CUresult result = CUDA_SUCCESS;
    for (size_t i = 0; i < launch->binding_count; i++)
        for (int d = 0; launch->bindings[i]->writes_any && d < gpu->devices; d++)
            if (result == CUDA_SUCCESS)
                result = readers_wait(gpu, launch->bindings[i]->buffer, d);
    return result;
}

static CUresult launch_parts(struct virtual_gpu *gpu, const struct launch *launch)
{
    CUresult result = wait_for_readers(gpu, launch);
    if (result == CUDA_SUCCESS)
        result = reductions_begin(gpu, launch);
    for (int d = 0; d < gpu->devices && result == CUDA_SUCCESS; d++)
        result = launch_part(gpu, launch, d);
    return result == CUDA_SUCCESS ? reductions_end(gpu, launch) : result;
}

/* The time from *since_s until all devices have nothing to do is added to the span. */
static CUresult end_span(struct virtual_gpu *gpu, double *since_s, double *span)
{
    CUresult result = order_synchronise(gpu);
    double now_s = clock_now_s();
    *span += now_s - *since_s;
    *since_s = now_s;
    return result;
}

static CUresult run_with_spans(struct virtual_gpu *gpu, struct launch *launch)
{
    double unused = 0, since_s = clock_now_s();
    CUresult result = end_span(gpu, &since_s, &unused);
    if (result == CUDA_SUCCESS)
        result = device_transfers(gpu, launch->transfers, launch->binding_count);
    if (result == CUDA_SUCCESS)
        result = end_span(gpu, &since_s, &counters.sync_comm_s);
    if (result == CUDA_SUCCESS)
        result = launch_parts(gpu, launch);
    return result == CUDA_SUCCESS ? end_span(gpu, &since_s, &counters.kernel_s) : result;
}

static CUresult run_parts(struct virtual_gpu *gpu, struct launch *launch)
{
    if (gpu->settings.spans)
        return run_with_spans(gpu, launch);
    CUresult result = device_transfers(gpu, launch->transfers, launch->binding_count);
    return result == CUDA_SUCCESS ? launch_parts(gpu, launch) : result;
}

static CUresult run_split(struct virtual_gpu *gpu, struct launch *launch)
{
    CUresult result = run_parts(gpu, launch);
    /* A launch that CUDA refuses has written nothing. */
    for (size_t i = 0; result == CUDA_SUCCESS && i < launch->binding_count; i++)
        binding_launched(gpu, launch->bindings[i], launch->plans[i]);
    return result;
}

CUresult run_launch(struct virtual_gpu *gpu, const struct launch_request *request)
{
    struct launch *launch;
    enum dm_status status = launches_get(gpu, request, &launch);
    if (status != DM_OK)
        return result_of(status);
    counters.launches++;
    CUresult result;
    if (!*launch->one_device && plan_transfers(gpu, launch))
        result = run_split(gpu, launch);
    else
        result = run_launch_on_first(gpu, request, launch->one_device, launch->reaches_all);
    if (!gpu->settings.cache)
        launches_drop(gpu->launches, launch);
    return result;
}
