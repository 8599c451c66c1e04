/* virtual_gpu.c: makes and frees the one GPU that the program sees. */
#include "virtual_gpu.h"

#include <pthread.h>
#include <stdlib.h>

#include "partition/interpose/launch/launches.h"
#include "partition/interpose/memory/buffers.h"
#include "partition/interpose/modules/libraries.h"
#include "partition/interpose/modules/modules.h"
#include "partition/interpose/report/counters.h"
#include "partition/interpose/report/tell.h"

#include "settings.h"
#include "order.h"
#include "virtual_devices.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct virtual_gpu *the_gpu;
/* The driver may call its own functions by their public names. */
static __thread int inside;

bool virtual_gpu_is_on(void)
{
    struct partition_settings settings;
    return !inside && (settings_now(&settings) != DM_OK || !settings.off);
}

static struct virtual_gpu *lock_if(bool (*chosen)(const struct virtual_gpu *, CUcontext),
                                   CUcontext context)
{
    real_driver_load();
    if (inside)
        return NULL;
    pthread_mutex_lock(&lock);
    if (the_gpu && chosen(the_gpu, context)) {
        inside = 1;
        the_gpu->current = -1;
        return the_gpu;
    }
    pthread_mutex_unlock(&lock);
    return NULL;
}

static bool has_handle(const struct virtual_gpu *gpu, CUcontext context)
{
    return gpu->handle == context;
}

static bool is_primary(const struct virtual_gpu *gpu, CUcontext unused)
{
    (void)unused;
    return gpu->primary;
}

#ifdef SOFTGPU
static void adopt(CUcontext current)
{
    (void)current;
}
#else

/* Whether the context is the primary one of device 0. */
static bool is_first_primary(CUcontext context)
{
    CUdevice first;
    CUcontext primary = NULL;
    unsigned flags;
    int active = 0;
    if (real.cuDeviceGet(&first, 0) != CUDA_SUCCESS ||
        real.cuDevicePrimaryCtxGetState(first, &flags, &active) != CUDA_SUCCESS || !active ||
        real.cuDevicePrimaryCtxRetain(&primary, first) != CUDA_SUCCESS)
        return false;
    real.cuDevicePrimaryCtxRelease_v2(first);
    return primary == context;
}

/* CUDA's run time gets the primary context from the driver in ways of its own: the virtual GPU is
 * made when that context is first used. A context that is another one is not looked at again. */
static void adopt(CUcontext current)
{
    static CUcontext stranger;
    const struct context_request request = {.kind = CONTEXT_PRIMARY};
    CUcontext handle;
    if (the_gpu || __atomic_load_n(&stranger, __ATOMIC_RELAXED) == current || !virtual_gpu_is_on())
        return;
    inside = 1;
    bool is_first = is_first_primary(current);
    inside = 0;
    if (!is_first || virtual_gpu_create(&request, &handle) != CUDA_SUCCESS)
        __atomic_store_n(&stranger, current, __ATOMIC_RELAXED);
}
#endif

struct virtual_gpu *virtual_gpu_enter(void)
{
    CUcontext current = NULL;
    real_driver_load();
    if (inside || real.cuCtxGetCurrent(&current) != CUDA_SUCCESS || !current)
        return NULL;
    if (!__atomic_load_n(&the_gpu, __ATOMIC_RELAXED))
        adopt(current);
    struct virtual_gpu *gpu = lock_if(has_handle, current);
    if (gpu)
        gpu->current = 0;
    return gpu;
}

struct virtual_gpu *virtual_gpu_enter_context(CUcontext handle)
{
    return lock_if(has_handle, handle);
}

struct virtual_gpu *virtual_gpu_enter_primary(void)
{
    return lock_if(is_primary, NULL);
}

static __thread CUcontext before_any;

static bool is_any(const struct virtual_gpu *gpu, CUcontext unused)
{
    (void)gpu;
    (void)unused;
    return true;
}

struct virtual_gpu *virtual_gpu_enter_any(void)
{
    struct virtual_gpu *gpu = lock_if(is_any, NULL);
    if (gpu)
        real.cuCtxGetCurrent(&before_any);
    return gpu;
}

CUresult virtual_gpu_leave_any(struct virtual_gpu *gpu, CUresult result)
{
    real.cuCtxSetCurrent(before_any);
    gpu->current = 0;
    return virtual_gpu_leave(gpu, result);
}

#ifdef SOFTGPU
bool virtual_gpu_is_captured(const struct virtual_gpu *gpu, CUstream stream)
{
    (void)gpu;
    (void)stream;
    return false;
}
#else
bool virtual_gpu_is_captured(const struct virtual_gpu *gpu, CUstream stream)
{
    CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
    return gpu->captures && real.cuStreamIsCapturing(stream, &status) == CUDA_SUCCESS &&
           status != CU_STREAM_CAPTURE_STATUS_NONE;
}
#endif

struct virtual_gpu *virtual_gpu_enter_stream(CUstream stream)
{
    struct virtual_gpu *gpu = virtual_gpu_enter();
    if (!gpu || !virtual_gpu_is_captured(gpu, stream))
        return gpu;
    virtual_gpu_leave(gpu, CUDA_SUCCESS);
    return NULL;
}

struct device_stream {
    CUcontext context;
    CUstream stream;
};

/* Leaves the first one's context current. */
static CUresult wait_for_streams(const struct device_stream *streams, int count)
{
    CUresult first = CUDA_SUCCESS;
    for (int d = count; d-- > 0;) {
        CUresult result = real.cuCtxSetCurrent(streams[d].context);
        if (result == CUDA_SUCCESS)
            result = real.cuStreamSynchronize(streams[d].stream);
        if (first == CUDA_SUCCESS)
            first = result;
    }
    return first;
}

CUresult virtual_gpu_wait(struct virtual_gpu *gpu, CUresult (*more)(CUstream), CUstream stream)
{
    struct device_stream streams[PARTITION_MAX_DEVICES];
    int devices = gpu->devices;
    uint64_t host_uses = gpu->host_uses;
    for (int d = 0; d < devices; d++)
        streams[d] = (struct device_stream){gpu->device[d].context, gpu->device[d].stream};
    pthread_mutex_unlock(&lock);
    CUresult result = wait_for_streams(streams, devices);
    if (result == CUDA_SUCCESS && more)
        result = more(stream);
    pthread_mutex_lock(&lock);
    gpu->current = 0;
    if (result == CUDA_SUCCESS && gpu->host_uses == host_uses)
        gpu->host_use = (struct host_use){0};
    return result;
}

CUresult virtual_gpu_leave(struct virtual_gpu *gpu, CUresult result)
{
    if (gpu && gpu->current > 0)
        order_use(gpu, 0);
    inside = 0;
    pthread_mutex_unlock(&lock);
    return result;
}

/* The highest number among the devices that were requested. */
static int last_device(const struct partition_settings *settings)
{
    int last = settings->devices - 1;
    for (int i = 0; settings->listed && i < settings->devices; i++)
        last = i == 0 || settings->device[i] > last ? settings->device[i] : last;
    return last;
}

/* Settings and number of devices, checked. */
static CUresult configure(struct virtual_gpu *gpu)
{
    int count = 0;
    if (settings_now(&gpu->settings) != DM_OK) {
        tell("%s", dm_message());
        return CUDA_ERROR_INVALID_VALUE;
    }
    CUresult result = real.cuDeviceGetCount(&count);
    if (result != CUDA_SUCCESS)
        return result;
    if (count < 1)
        return CUDA_ERROR_NO_DEVICE;
    if (last_device(&gpu->settings) >= count) {
        tell("%d devices were requested and there %s %d", last_device(&gpu->settings) + 1,
             count == 1 ? "is" : "are", count);
        return CUDA_ERROR_INVALID_DEVICE;
    }
    if (count > PARTITION_MAX_DEVICES)
        count = PARTITION_MAX_DEVICES;
    gpu->devices = gpu->settings.devices ? gpu->settings.devices : count;
    return CUDA_SUCCESS;
}

/* `before` is current again while the contexts go: CUDA takes it off the stack if it is one of
 * them.
 */
static void free_gpu(struct virtual_gpu *gpu, int contexts, CUcontext before)
{
    for (int d = 0; d < contexts; d++)
        virtual_device_free_stream(gpu, d);
    real.cuCtxSetCurrent(before);
    for (int d = contexts; d-- > 0;)
        virtual_device_close(gpu, d);
    if (gpu->launches)
        launches_free(gpu->launches);
    free(gpu->buffers);
    free(gpu->events);
    free(gpu);
}

static CUresult build(struct virtual_gpu *gpu, const struct context_request *request, int *contexts)
{
    gpu->launches = launches_create();
    if (!gpu->launches)
        return CUDA_ERROR_OUT_OF_MEMORY;
    CUresult result = virtual_devices_open(gpu, request);
    if (result == CUDA_SUCCESS)
        *contexts = gpu->devices;
    for (int d = 0; d < gpu->devices && result == CUDA_SUCCESS; d++)
        result = virtual_device_make_stream(gpu, d);
    if (result == CUDA_SUCCESS)
        result = virtual_devices_reach(gpu);
    if (result == CUDA_SUCCESS)
        result = order_use(gpu, 0);
    return result;
}

static CUresult create(const struct context_request *request, CUcontext *handle)
{
    struct virtual_gpu *gpu = calloc(1, sizeof *gpu);
    if (!gpu)
        return CUDA_ERROR_OUT_OF_MEMORY;
    gpu->current = -1;
    gpu->primary = request->kind == CONTEXT_PRIMARY;
    gpu->retained = gpu->primary;
    CUresult result = configure(gpu);
    int contexts = 0;
    CUcontext before = NULL;
    real.cuCtxGetCurrent(&before);
    if (result == CUDA_SUCCESS)
        result = build(gpu, request, &contexts);
    if (result != CUDA_SUCCESS) {
        free_gpu(gpu, contexts, before);
        return result;
    }
    *handle = gpu->handle = gpu->device[0].context;
    real.cuCtxSetCurrent(before);
    the_gpu = gpu;
    counters_at_exit();
    return CUDA_SUCCESS;
}

CUresult virtual_gpu_create(const struct context_request *request, CUcontext *handle)
{
    CUresult result = CUDA_ERROR_NOT_SUPPORTED;
    real_driver_load();
    if (inside)
        return result;
    pthread_mutex_lock(&lock);
    inside = 1;
    if (!the_gpu)
        result = create(request, handle);
    else if (the_gpu->primary && request->kind == CONTEXT_PRIMARY) {
        the_gpu->retained++;
        *handle = the_gpu->handle;
        result = CUDA_SUCCESS;
    }
    if (result == CUDA_SUCCESS && request->kind != CONTEXT_PRIMARY)
        result = real.cuCtxPushCurrent_v2(*handle);
    inside = 0;
    pthread_mutex_unlock(&lock);
    return result;
}

CUresult virtual_gpu_destroy(struct virtual_gpu *gpu)
{
    CUcontext before = NULL;
    real.cuCtxGetCurrent(&before);
    CUresult result = order_synchronise(gpu);
    while (gpu->modules)
        modules_unload(gpu, gpu->modules);
    libraries_forget_modules();
    while (gpu->buffer_count)
        buffers_release(gpu, gpu->buffers[gpu->buffer_count - 1]);
    free_gpu(gpu, gpu->devices, before);
    the_gpu = NULL;
    return result;
}
