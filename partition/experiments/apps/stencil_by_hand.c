#include "stencil_by_hand.h"

#include <stdio.h>
#include <stdlib.h>

#include "application_device.h"

enum { DEVICES_MAX = 64 };

/* A device's share: the rows from first to last - 1 of the whole grid, and a row on both sides. */
struct slab {
    CUdevice device;
    CUcontext context;
    CUmodule module;
    CUfunction function;
    CUstream stream;
    CUevent computed;
    CUdeviceptr grid[2];
    size_t first, last;
};

struct slabs {
    struct slab list[DEVICES_MAX];
    int count;
    size_t width;
    unsigned block[3];
};

static size_t row_bytes(const struct slabs *slabs)
{
    return slabs->width * sizeof(float);
}

/* The context and the module of device 0 belong to `run`. */
static void open_device(struct application_run *run, const struct application_input *input, int d,
                        struct slab *slab)
{
    attempt(run, cuDeviceGet(&slab->device, d));
    if (d == 0) {
        slab->context = run->context;
        slab->module = run->module;
        return;
    }
    attempt(run, application_context(&slab->context, slab->device));
    application_module(run, input, "stencil", &slab->module);
}

static void create_slab(struct application_run *run, const struct application_input *input, int d,
                        struct slabs *slabs)
{
    struct slab *slab = &slabs->list[d];
    size_t interior = slabs->width - 2, count = (size_t)slabs->count;
    slab->first = 1 + interior * (size_t)d / count;
    slab->last = 1 + interior * (size_t)(d + 1) / count;
    open_device(run, input, d, slab);
    attempt(run, cuModuleGetFunction(&slab->function, slab->module, "stencil5p_rows"));
    attempt(run, cuStreamCreate(&slab->stream, CU_STREAM_NON_BLOCKING));
    attempt(run, cuEventCreate(&slab->computed, CU_EVENT_DISABLE_TIMING));
    for (int i = 0; i < 2; i++)
        attempt(run, cuMemAlloc(&slab->grid[i], (slab->last - slab->first + 2) * row_bytes(slabs)));
}

/* Without peer access the driver copies through the host. */
static void enable_peer(struct application_run *run, const struct slab *slab,
                        const struct slab *neighbour)
{
    int reachable = 0;
    attempt(run, cuDeviceCanAccessPeer(&reachable, slab->device, neighbour->device));
    if (!reachable)
        return;
    attempt(run, cuCtxSetCurrent(slab->context));
    CUresult enabled = run->error ? CUDA_SUCCESS : cuCtxEnablePeerAccess(neighbour->context, 0);
    if (enabled != CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED)
        attempt(run, enabled);
}

static void create_slabs(struct application_run *run, const struct application_input *input,
                         int devices, struct slabs *slabs)
{
    *slabs = (struct slabs){.width = (size_t)input->n};
    application_require(run, input->n >= 3 && input->n <= APPLICATION_WIDEST,
                        "n must be from 3 to 46340");
    application_require(run, devices > 0 && devices <= DEVICES_MAX,
                        "the number of devices must be from 1 to 64");
    application_block(run, input, 32, 32, 1, slabs->block);
    if (run->error)
        return;
    slabs->count = devices < input->n - 2 ? devices : (int)input->n - 2;
    for (int d = 0; d < slabs->count; d++)
        create_slab(run, input, d, slabs);
    for (int d = 0; d + 1 < slabs->count; d++) {
        enable_peer(run, &slabs->list[d], &slabs->list[d + 1]);
        enable_peer(run, &slabs->list[d + 1], &slabs->list[d]);
    }
}

static void destroy_slab(struct slab *slab, bool first)
{
    if (!slab->context || cuCtxSetCurrent(slab->context) != CUDA_SUCCESS)
        return;
    for (int i = 0; i < 2; i++)
        if (slab->grid[i])
            cuMemFree(slab->grid[i]);
    if (slab->computed)
        cuEventDestroy(slab->computed);
    if (slab->stream)
        cuStreamDestroy(slab->stream);
    if (first)
        return;
    if (slab->module)
        cuModuleUnload(slab->module);
    cuDevicePrimaryCtxRelease(slab->device);
}

/* Leaves device 0's context current. */
static void destroy_slabs(struct slabs *slabs)
{
    for (int d = slabs->count - 1; d >= 0; d--)
        destroy_slab(&slabs->list[d], d == 0);
}

static void wait_for_all(struct application_run *run, const struct slabs *slabs)
{
    for (int d = 0; d < slabs->count; d++)
        attempt(run, cuStreamSynchronize(slabs->list[d].stream));
}

static void copy_in(struct application_run *run, const struct slabs *slabs, const float *grid)
{
    for (int d = 0; d < slabs->count; d++) {
        const struct slab *slab = &slabs->list[d];
        const float *from = grid + (slab->first - 1) * slabs->width;
        size_t bytes = (slab->last - slab->first + 2) * row_bytes(slabs);
        attempt(run, cuCtxSetCurrent(slab->context));
        for (int i = 0; i < 2; i++)
            attempt(run, cuMemcpyHtoDAsync(slab->grid[i], from, bytes, slab->stream));
    }
    wait_for_all(run, slabs);
}

/* The first and the last row of the whole grid keep the values that `grid` has. */
static void copy_out(struct application_run *run, const struct slabs *slabs, int buffer,
                     float *grid)
{
    for (int d = 0; d < slabs->count; d++) {
        const struct slab *slab = &slabs->list[d];
        attempt(run, cuCtxSetCurrent(slab->context));
        attempt(run, cuMemcpyDtoHAsync(
                         grid + slab->first * slabs->width, slab->grid[buffer] + row_bytes(slabs),
                         (slab->last - slab->first) * row_bytes(slabs), slab->stream));
    }
    wait_for_all(run, slabs);
}

static void compute(struct application_run *run, struct slabs *slabs, struct slab *slab, int in)
{
    int n = (int)slabs->width, first = 1, last = first + (int)(slab->last - slab->first);
    attempt(run, cuCtxSetCurrent(slab->context));
    application_launch(run, slab->function, slabs->width, slab->last - slab->first, 1, slabs->block,
                       slab->stream,
                       (void *[]){&slab->grid[in], &slab->grid[1 - in], &n, &first, &last});
    attempt(run, cuEventRecord(slab->computed, slab->stream));
}

/* Copies `from_row` of the neighbour to `to_row` (both counted in the slabs) when the neighbour has
 * computed it. The neighbour does not write that buffer again before it has waited for this
 * device's next step, which comes after the copy. */
static void copy_row(struct application_run *run, const struct slabs *slabs,
                     const struct slab *slab, size_t to_row, const struct slab *neighbour,
                     size_t from_row, int buffer)
{
    size_t bytes = row_bytes(slabs);
    attempt(run, cuStreamWaitEvent(slab->stream, neighbour->computed, 0));
    attempt(run, cuMemcpyPeerAsync(slab->grid[buffer] + to_row * bytes, slab->context,
                                   neighbour->grid[buffer] + from_row * bytes, neighbour->context,
                                   bytes, slab->stream));
}

static void exchange(struct application_run *run, const struct slabs *slabs, int d, int buffer)
{
    const struct slab *slab = &slabs->list[d];
    attempt(run, cuCtxSetCurrent(slab->context));
    if (d > 0) {
        const struct slab *above = slab - 1;
        copy_row(run, slabs, slab, 0, above, above->last - above->first, buffer);
    }
    if (d + 1 < slabs->count)
        copy_row(run, slabs, slab, slab->last - slab->first + 1, slab + 1, 1, buffer);
}

static void step(struct application_run *run, struct slabs *slabs, int in)
{
    for (int d = 0; d < slabs->count; d++)
        compute(run, slabs, &slabs->list[d], in);
    for (int d = 0; d < slabs->count; d++)
        exchange(run, slabs, d, 1 - in);
}

int stencil_by_hand(const struct application_input *input, int devices, void **result,
                    size_t *result_bytes, struct application_times *times)
{
    struct application_run run;
    struct slabs slabs;
    size_t width = (size_t)input->n, bytes = width * width * sizeof(float);
    application_begin(&run, input, "stencil");
    create_slabs(&run, input, devices, &slabs);
    float *grid = application_host(&run, bytes);
    application_fill(grid, width * width, input->seed, 0, 127);

    application_lap(&run);
    copy_in(&run, &slabs, grid);
    times->htod_s = application_lap(&run);
    for (int64_t i = 0; i < input->iterations; i++)
        step(&run, &slabs, (int)(i % 2));
    wait_for_all(&run, &slabs);
    times->kernel_s = application_lap(&run);
    copy_out(&run, &slabs, (int)(input->iterations % 2), grid);
    times->dtoh_s = application_lap(&run);
    times->total_s = times->htod_s + times->kernel_s + times->dtoh_s;
    destroy_slabs(&slabs);
    return application_end(&run, grid, bytes, result, result_bytes);
}
