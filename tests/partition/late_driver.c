/* late_driver.c: a driver that does what it is given as late and in as strange an order as it may.
 */
#include "late_driver.h"

#include "late_queues.h"

struct real_driver late_plain;

/* ---- calls that are kept ---- */

static CUresult run_launch(const struct late_call *call)
{
    void *parameters[LATE_PARAMETERS];
    for (size_t i = 0; i < call->parameters; i++)
        parameters[i] = (void *)(call->values + call->offset[i]);
    return late_plain.cuLaunchKernel(call->function, call->grid[0], call->grid[1], call->grid[2],
                                     call->block[0], call->block[1], call->block[2],
                                     call->shared_bytes, call->stream, parameters, NULL);
}

/* The run time gives parameters one by one, except for a launch of a kernel that it does not know.
 */
static CUresult late_launch(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                            unsigned block_x, unsigned block_y, unsigned block_z,
                            unsigned shared_bytes, CUstream stream, void **parameters, void **extra)
{
    struct late_call call = {.run = run_launch,
                             .stream = stream,
                             .function = function,
                             .grid = {grid_x, grid_y, grid_z},
                             .block = {block_x, block_y, block_z},
                             .shared_bytes = shared_bytes};
    size_t size;
    if (extra)
        return CUDA_ERROR_NOT_SUPPORTED;
    while (call.parameters < LATE_PARAMETERS &&
           late_plain.cuFuncGetParamInfo(function, call.parameters, &call.offset[call.parameters],
                                         &size) == CUDA_SUCCESS) {
        memcpy(call.values + call.offset[call.parameters], parameters[call.parameters], size);
        call.parameters++;
    }
    return late_keep(&call);
}

static CUresult run_host_function(const struct late_call *call)
{
    return late_plain.cuLaunchHostFunc(call->stream, call->host_function, call->host);
}

static CUresult late_host_function(CUstream stream, CUhostFn function, void *user_data)
{
    return late_keep(&(struct late_call){
        .run = run_host_function, .stream = stream, .host_function = function, .host = user_data});
}

static CUresult run_htod(const struct late_call *call)
{
    return late_plain.cuMemcpyHtoDAsync_v2(call->to, call->host, call->bytes, call->stream);
}

static CUresult late_htod(CUdeviceptr to, const void *from, size_t bytes, CUstream stream)
{
    return late_keep(&(struct late_call){
        .run = run_htod, .stream = stream, .to = to, .host = (void *)from, .bytes = bytes});
}

static CUresult run_dtoh(const struct late_call *call)
{
    return late_plain.cuMemcpyDtoHAsync_v2(call->host, call->from, call->bytes, call->stream);
}

static CUresult late_dtoh(void *to, CUdeviceptr from, size_t bytes, CUstream stream)
{
    return late_keep(&(struct late_call){
        .run = run_dtoh, .stream = stream, .host = to, .from = from, .bytes = bytes});
}

static CUresult run_copy(const struct late_call *call)
{
    return late_plain.cuMemcpyAsync(call->to, call->from, call->bytes, call->stream);
}

static CUresult late_copy(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream)
{
    return late_keep(&(struct late_call){
        .run = run_copy, .stream = stream, .to = to, .from = from, .bytes = bytes});
}

/* Addresses are unified, so that contexts say nothing. */
static CUresult late_peer_copy(CUdeviceptr to, CUcontext to_context, CUdeviceptr from,
                               CUcontext from_context, size_t bytes, CUstream stream)
{
    (void)to_context;
    (void)from_context;
    return late_copy(to, from, bytes, stream);
}

static CUresult run_rectangle(const struct late_call *call)
{
    return late_plain.cuMemcpy2DAsync_v2(&call->rectangle, call->stream);
}

static CUresult late_rectangle(const CUDA_MEMCPY2D *copy, CUstream stream)
{
    return late_keep(
        &(struct late_call){.run = run_rectangle, .stream = stream, .rectangle = *copy});
}

static CUresult run_fill(const struct late_call *call)
{
    switch (call->element_bytes) {
    case 1:
        return late_plain.cuMemsetD2D8Async(call->to, call->pitch, (unsigned char)call->value,
                                            call->bytes, call->height, call->stream);
    case 2:
        return late_plain.cuMemsetD2D16Async(call->to, call->pitch, (unsigned short)call->value,
                                             call->bytes, call->height, call->stream);
    default:
        return late_plain.cuMemsetD2D32Async(call->to, call->pitch, call->value, call->bytes,
                                             call->height, call->stream);
    }
}

static CUresult keep_fill(CUdeviceptr to, size_t pitch, unsigned value, size_t element_bytes,
                          size_t width, size_t height, CUstream stream)
{
    if (!width || !height)
        return CUDA_SUCCESS;
    return late_keep(&(struct late_call){.run = run_fill,
                                         .stream = stream,
                                         .to = to,
                                         .pitch = pitch,
                                         .value = value,
                                         .element_bytes = element_bytes,
                                         .bytes = width,
                                         .height = height});
}

static CUresult late_fill8(CUdeviceptr to, unsigned char value, size_t count, CUstream stream)
{
    return keep_fill(to, count, value, 1, count, 1, stream);
}

static CUresult late_fill16(CUdeviceptr to, unsigned short value, size_t count, CUstream stream)
{
    return keep_fill(to, 2 * count, value, 2, count, 1, stream);
}

static CUresult late_fill32(CUdeviceptr to, unsigned value, size_t count, CUstream stream)
{
    return keep_fill(to, 4 * count, value, 4, count, 1, stream);
}

static CUresult late_fill_rectangle8(CUdeviceptr to, size_t pitch, unsigned char value,
                                     size_t width, size_t height, CUstream stream)
{
    return keep_fill(to, pitch, value, 1, width, height, stream);
}

static CUresult late_fill_rectangle16(CUdeviceptr to, size_t pitch, unsigned short value,
                                      size_t width, size_t height, CUstream stream)
{
    return keep_fill(to, pitch, value, 2, width, height, stream);
}

static CUresult late_fill_rectangle32(CUdeviceptr to, size_t pitch, unsigned value, size_t width,
                                      size_t height, CUstream stream)
{
    return keep_fill(to, pitch, value, 4, width, height, stream);
}

/* ---- what the run time gets ---- */

void late_driver_begin(uint64_t seed)
{
    real_driver_load();
    late_plain = real;
    late_queues_begin(seed);
    real.cuLaunchKernel = late_launch;
    real.cuLaunchHostFunc = late_host_function;
    real.cuMemcpyHtoDAsync_v2 = late_htod;
    real.cuMemcpyDtoHAsync_v2 = late_dtoh;
    real.cuMemcpyDtoDAsync_v2 = late_copy;
    real.cuMemcpyAsync = late_copy;
    real.cuMemcpyPeerAsync = late_peer_copy;
    real.cuMemcpy2DAsync_v2 = late_rectangle;
    real.cuMemsetD8Async = late_fill8;
    real.cuMemsetD16Async = late_fill16;
    real.cuMemsetD32Async = late_fill32;
    real.cuMemsetD2D8Async = late_fill_rectangle8;
    real.cuMemsetD2D16Async = late_fill_rectangle16;
    real.cuMemsetD2D32Async = late_fill_rectangle32;
    real.cuEventRecord = late_record;
    real.cuStreamWaitEvent = late_wait;
    real.cuStreamSynchronize = late_synchronise;
    real.cuStreamQuery = late_query;
}

bool late_driver_end(void)
{
    real = late_plain;
    return late_queues_end();
}
