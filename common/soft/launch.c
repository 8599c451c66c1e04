/* launch.c: kernel launches, function attributes and occupancy. */
#include <stdlib.h>
#include <string.h>

#include "runtime.h"

struct launch_operation {
    struct operation base;
    struct device *device;
    struct soft_kernel kernel;
};

/* The largest dynamic shared memory that any function opted in to. A launch names no function, so
 * the limit holds for all kernels of the process. */
static _Atomic int shared_opt_in = SHARED_BYTES_PER_BLOCK;

size_t dynamic_shared_limit(void)
{
    return (size_t)atomic_load(&shared_opt_in);
}

static void finish(struct device *device, enum soft_outcome outcome)
{
    switch (outcome) {
    case SOFT_OK:
        break;
    case SOFT_TRAP:
        device_break(device, cudaErrorLaunchFailure);
        break;
    case SOFT_BAD_ADDRESS:
        device_break(device, cudaErrorIllegalAddress);
        break;
    case SOFT_DEADLOCK:
        device_break(device, cudaErrorLaunchTimeout);
        break;
    case SOFT_NO_RESOURCE:
        atomic_store(&device->reported_once, cudaErrorLaunchOutOfResources);
        break;
    }
}

static void launch_run(struct operation *operation, cudaError_t status)
{
    struct launch_operation *self = (struct launch_operation *)operation;

    if (status != cudaSuccess)
        return;
    managed_kernel_begin(self->device);
    enum soft_outcome outcome = soft_execute(&self->kernel);
    managed_kernel_end(self->device);
    finish(self->device, outcome);
}

static void release(const struct soft_kernel *kernel)
{
    if (kernel->release)
        kernel->release(kernel->arguments);
}

static void launch_destroy(struct operation *operation)
{
    struct launch_operation *self = (struct launch_operation *)operation;

    release(&self->kernel);
    free(self);
}

/* CUDA 13 calls every launch beyond a limit an invalid value, CUDA 12 some an invalid
 * configuration. */
static cudaError_t check_limits(const struct soft_kernel *kernel)
{
    static const unsigned block_limit[3] = {1024, 1024, 64};
    static const unsigned grid_limit[3] = {0x7fffffff, 65535, 65535};
    unsigned long long threads = 1, blocks = 1;

    for (int i = 0; i < 3; i++) {
        if (kernel->block[i] == 0 || kernel->block[i] > block_limit[i] || kernel->grid[i] == 0 ||
            kernel->grid[i] > grid_limit[i])
            return cudaErrorInvalidValue;
        threads *= kernel->block[i];
        blocks *= kernel->grid[i]; /* below 2^31 * 2^16 * 2^16 */
    }
    if (threads > THREADS_PER_BLOCK)
        return cudaErrorInvalidValue;
    if (kernel->shared_bytes > dynamic_shared_limit())
        return cudaErrorInvalidValue;
    if (kernel->cooperative &&
        blocks > soft_cooperative_limit((unsigned)threads, kernel->shared_bytes))
        return cudaErrorCooperativeLaunchTooLarge;
    return cudaSuccess;
}

int soft_launch(const struct soft_kernel *kernel, void *handle)
{
    struct device *device;
    stream_t *stream;
    struct launch_operation *operation = NULL;
    cudaError_t error = kernel ? api_begin(&device) : cudaErrorInvalidValue;

    if (!kernel)
        return api_end(error);
    if (error == cudaSuccess && !kernel->run_thread)
        error = cudaErrorInvalidDeviceFunction;
    if (error == cudaSuccess)
        error = stream_check(handle, device, &stream);
    if (error == cudaSuccess)
        error = check_limits(kernel);
    if (error == cudaSuccess && !(operation = calloc(1, sizeof *operation)))
        error = cudaErrorMemoryAllocation;
    if (error != cudaSuccess) {
        release(kernel);
        return api_end(error);
    }
    operation->base.run = launch_run;
    operation->base.destroy = launch_destroy;
    operation->base.engine = &device->compute;
    operation->device = device;
    operation->kernel = *kernel;
    return api_end(schedule_submit(stream, &operation->base, NULL));
}

/* ---- functions ---- */

cudaError_t cudaFuncSetAttribute(const void *function, enum cudaFuncAttribute attribute, int value)
{
    struct device *device;
    cudaError_t error = api_begin(&device);

    if (error == cudaSuccess && !function)
        error = cudaErrorInvalidDeviceFunction;
    if (error != cudaSuccess)
        return api_end(error);
    switch (attribute) {
    case cudaFuncAttributeMaxDynamicSharedMemorySize:
        if (value < 0 || value > SHARED_BYTES_OPT_IN)
            return api_end(cudaErrorInvalidValue);
        for (int old = atomic_load(&shared_opt_in); value > old;)
            if (atomic_compare_exchange_weak(&shared_opt_in, &old, value))
                break;
        return api_end(cudaSuccess);
    case cudaFuncAttributePreferredSharedMemoryCarveout: /* a wish; there is no such cache here */
        return api_end(value >= -1 && value <= 100 ? cudaSuccess : cudaErrorInvalidValue);
    }
    return api_end(cudaErrorInvalidValue);
}

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, const void *function)
{
    struct device *device;
    cudaError_t error = api_begin(&device);

    if (error == cudaSuccess && !attributes)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess && !function)
        error = cudaErrorInvalidDeviceFunction;
    if (error != cudaSuccess)
        return api_end(error);
    memset(attributes, 0, sizeof *attributes);
    attributes->maxThreadsPerBlock = THREADS_PER_BLOCK;
    attributes->maxDynamicSharedSizeBytes = (int)dynamic_shared_limit();
    attributes->ptxVersion = attributes->binaryVersion = 90;
    attributes->preferredShmemCarveout = -1;
    return api_end(cudaSuccess);
}

cudaError_t cudaFuncSetCacheConfig(const void *function, enum cudaFuncCache configuration)
{
    struct device *device;
    cudaError_t error = api_begin(&device);

    if (error == cudaSuccess && !function)
        error = cudaErrorInvalidDeviceFunction;
    if (error == cudaSuccess && (unsigned)configuration > cudaFuncCachePreferEqual)
        error = cudaErrorInvalidValue;
    return api_end(error);
}

/* What a cooperative launch may have on the device, shared out among the multiprocessors. */
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *function,
                                                          int threads_per_block,
                                                          size_t shared_bytes)
{
    struct device *device;
    cudaError_t error = api_begin(&device);

    if (error == cudaSuccess && (!blocks || threads_per_block <= 0))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess && !function)
        error = cudaErrorInvalidDeviceFunction;
    if (error != cudaSuccess)
        return api_end(error);
    *blocks = 0;
    if (threads_per_block <= THREADS_PER_BLOCK && shared_bytes <= dynamic_shared_limit())
        *blocks = (int)(soft_cooperative_limit((unsigned)threads_per_block, shared_bytes) /
                        (unsigned)soft_settings.multiprocessors);
    return api_end(cudaSuccess);
}
