/* device.c: the devices, their start and loss, the current device, errors of API calls. */
#include <stdio.h>
#include <stdlib.h>

#include "runtime.h"

struct device soft_devices[MAX_DEVICES];
_Thread_local bool soft_in_host_function;
_Thread_local const void *soft_owner;

static pthread_once_t start_once = PTHREAD_ONCE_INIT;
static cudaError_t start_error;
static _Thread_local int current_device;
static _Thread_local cudaError_t last_error;
static _Atomic unsigned device_flags = cudaDeviceMapHost;

static void start(void)
{
    if (!settings_read(&soft_settings)) {
        start_error = cudaErrorInitializationError;
        return;
    }
    if (soft_settings.devices == 0)
        start_error = cudaErrorNoDevice;
    for (int i = 0; i < soft_settings.devices; i++) {
        struct device *device = &soft_devices[i];
        device->index = i;
        device->memory_bytes = soft_settings.memory_bytes;
        cudaError_t error = stream_make(device, 0, 0, true, &device->default_stream);
        if (error != cudaSuccess)
            start_error = error;
    }
    atexit(schedule_shut_down);
}

cudaError_t runtime_start(void)
{
    pthread_once(&start_once, start);
    return start_error;
}

struct device *device_current(void)
{
    return &soft_devices[current_device];
}

struct device *device_numbered(int index)
{
    return index >= 0 && index < soft_settings.devices ? &soft_devices[index] : NULL;
}

/* A device that was lost to SOFTGPU_FAIL_AFTER stays lost, also after a reset. */
static cudaError_t count_operation(struct device *device)
{
    if (soft_settings.fail_after >= 0 &&
        atomic_fetch_add(&device->operations, 1) >= soft_settings.fail_after)
        device_break(device, cudaErrorDevicesUnavailable);
    return (cudaError_t)atomic_load(&device->sticky);
}

cudaError_t api_begin(struct device **device)
{
    cudaError_t error = runtime_start();

    if (error != cudaSuccess)
        return error;
    if (soft_in_host_function)
        return cudaErrorNotPermitted;
    *device = device_current();
    return count_operation(*device);
}

cudaError_t api_end(cudaError_t error)
{
    if (error != cudaSuccess)
        last_error = error;
    return error;
}

void device_break(struct device *device, cudaError_t error)
{
    int none = cudaSuccess;

    atomic_compare_exchange_strong(&device->sticky, &none, error);
}

cudaError_t device_status(struct device *device)
{
    int sticky = atomic_load(&device->sticky);

    managed_show_host();
    if (sticky != cudaSuccess)
        return (cudaError_t)sticky;
    return (cudaError_t)atomic_exchange(&device->reported_once, cudaSuccess);
}

/* ---- errors ---- */

cudaError_t cudaPeekAtLastError(void)
{
    cudaError_t error = runtime_start();

    if (error == cudaSuccess)
        error = (cudaError_t)atomic_load(&device_current()->sticky);
    return error != cudaSuccess ? error : last_error;
}

cudaError_t cudaGetLastError(void)
{
    cudaError_t error = cudaPeekAtLastError();

    last_error = cudaSuccess;
    return error;
}

/* ---- choosing a device ---- */

cudaError_t cudaGetDeviceCount(int *count)
{
    cudaError_t error = runtime_start();

    if (!count)
        return api_end(cudaErrorInvalidValue);
    *count = error == cudaSuccess ? soft_settings.devices : 0;
    return api_end(error);
}

cudaError_t cudaSetDevice(int device)
{
    cudaError_t error = runtime_start();

    if (error == cudaSuccess && !device_numbered(device))
        error = cudaErrorInvalidDevice;
    if (error == cudaSuccess) {
        current_device = device;
        soft_owner = NULL;
    }
    return api_end(error);
}

cudaError_t cudaInitDevice(int device, unsigned flags_of_device, unsigned flags)
{
    cudaError_t error = runtime_start();

    if (error == cudaSuccess && !device_numbered(device))
        error = cudaErrorInvalidDevice;
    if (error == cudaSuccess && (flags != 0 || flags_of_device != 0))
        error = cudaErrorInvalidValue;
    return api_end(error);
}

cudaError_t cudaGetDevice(int *device)
{
    cudaError_t error = runtime_start();

    if (!device)
        return api_end(cudaErrorInvalidValue);
    *device = current_device;
    return api_end(error);
}

/* The flags say how a waiting host thread spends its time; here it always sleeps. */
cudaError_t cudaSetDeviceFlags(unsigned flags)
{
    unsigned known = cudaDeviceScheduleMask | cudaDeviceMapHost | cudaDeviceLmemResizeToMax;
    unsigned schedule = flags & cudaDeviceScheduleMask;

    if ((flags & ~known) || (schedule & (schedule - 1)))
        return api_end(cudaErrorInvalidValue);
    atomic_store(&device_flags, flags | cudaDeviceMapHost);
    return api_end(runtime_start());
}

cudaError_t cudaGetDeviceFlags(unsigned *flags)
{
    if (!flags)
        return api_end(cudaErrorInvalidValue);
    *flags = atomic_load(&device_flags);
    return api_end(runtime_start());
}

/* ---- waiting and starting again ---- */

cudaError_t cudaDeviceSynchronize(void)
{
    struct device *device;
    cudaError_t error = api_begin(&device);

    if (error == cudaSuccess) {
        device_wait(device);
        error = device_status(device);
    }
    return api_end(error);
}

void device_give_back(struct device *device, const void *owner)
{
    unsigned kinds = 1u << DEVICE_MEMORY | 1u << IPC_MEMORY;
    struct allocation allocation;

    device_wait(device);
    streams_discard(device, owner);
    while (allocation_of_device(device->index, kinds, owner, &allocation))
        if (allocation_take((void *)allocation.base, kinds, &allocation))
            device_memory_release(&allocation);
}

void device_mend(struct device *device)
{
    atomic_store(&device->peers, 0);
    atomic_store(&device->reported_once, cudaSuccess);
    atomic_store(&device->sticky, cudaSuccess);
}

/* Ends the device's streams, frees its memory and clears its error. Page-locked and managed memory
 * belongs to no single device and stays. */
cudaError_t cudaDeviceReset(void)
{
    cudaError_t error = runtime_start();

    if (error == cudaSuccess && soft_in_host_function)
        error = cudaErrorNotPermitted;
    if (error != cudaSuccess)
        return api_end(error);
    struct device *device = device_current();

    device_give_back(device, NULL);
    device_mend(device);
    last_error = cudaSuccess;
    return api_end(count_operation(device));
}

/* ---- peers ---- */

cudaError_t cudaDeviceCanAccessPeer(int *can_access, int device, int peer)
{
    struct device *current;
    cudaError_t error = api_begin(&current);

    if (error == cudaSuccess && !can_access)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess && (!device_numbered(device) || !device_numbered(peer)))
        error = cudaErrorInvalidDevice;
    if (error == cudaSuccess)
        *can_access = device != peer;
    return api_end(error);
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags)
{
    struct device *device;
    cudaError_t error = api_begin(&device);

    if (error == cudaSuccess && flags != 0)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess && (!device_numbered(peer) || peer == device->index))
        error = cudaErrorInvalidDevice;
    if (error == cudaSuccess && (atomic_fetch_or(&device->peers, 1u << peer) & 1u << peer))
        error = cudaErrorPeerAccessAlreadyEnabled;
    return api_end(error);
}

cudaError_t cudaDeviceDisablePeerAccess(int peer)
{
    struct device *device;
    cudaError_t error = api_begin(&device);

    if (error == cudaSuccess && !device_numbered(peer))
        error = cudaErrorInvalidDevice;
    if (error == cudaSuccess && !(atomic_fetch_and(&device->peers, ~(1u << peer)) & 1u << peer))
        error = cudaErrorPeerAccessNotEnabled;
    return api_end(error);
}
