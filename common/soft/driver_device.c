/* driver_device.c: the driver's start, devices, and what concerns the current context's device. */
#include <stdio.h>

#include "soft_driver.h"

static _Atomic bool initialised;

CUresult cuInit(unsigned flags)
{
    if (flags != 0)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult result = driver_result(runtime_start());
    if (result == CUDA_SUCCESS)
        atomic_store(&initialised, true);
    return result;
}

CUresult driver_started(void)
{
    return atomic_load(&initialised) ? CUDA_SUCCESS : CUDA_ERROR_NOT_INITIALIZED;
}

CUresult driver_check_device(CUdevice device)
{
    CUresult result = driver_started();

    if (result == CUDA_SUCCESS && !device_numbered(device))
        result = CUDA_ERROR_INVALID_DEVICE;
    return result;
}

CUresult cuDriverGetVersion(int *version)
{
    if (!version)
        return CUDA_ERROR_INVALID_VALUE;
    *version = CUDA_VERSION;
    return CUDA_SUCCESS;
}

/* ---- devices ---- */

CUresult cuDeviceGetCount(int *count)
{
    CUresult result = driver_started();

    if (result == CUDA_SUCCESS && !count)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        *count = soft_settings.devices;
    return result;
}

CUresult cuDeviceGet(CUdevice *device, int ordinal)
{
    CUresult result = driver_check_device(ordinal);

    if (result == CUDA_SUCCESS && !device)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        *device = ordinal;
    return result;
}

CUresult cuDeviceGetName(char *name, int length, CUdevice device)
{
    struct cudaDeviceProp properties;
    CUresult result = driver_check_device(device);

    if (result == CUDA_SUCCESS && (!name || length <= 0))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        result = driver_result(cudaGetDeviceProperties(&properties, device));
    if (result == CUDA_SUCCESS)
        snprintf(name, (size_t)length, "%s", properties.name);
    return result;
}

/* The attributes have the same numbers in both APIs. */
CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device)
{
    CUresult result = driver_check_device(device);

    if (result == CUDA_SUCCESS)
        result = driver_result(
            cudaDeviceGetAttribute(value, (enum cudaDeviceAttr)(int)attribute, device));
    return result;
}

CUresult cuDeviceTotalMem(size_t *bytes, CUdevice device)
{
    CUresult result = driver_check_device(device);

    if (result == CUDA_SUCCESS && !bytes)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        *bytes = device_numbered(device)->memory_bytes;
    return result;
}

CUresult cuDeviceGetPCIBusId(char *bus_id, int length, CUdevice device)
{
    CUresult result = driver_check_device(device);

    return result == CUDA_SUCCESS ? driver_result(cudaDeviceGetPCIBusId(bus_id, length, device))
                                  : result;
}

CUresult cuDeviceGetByPCIBusId(CUdevice *device, const char *bus_id)
{
    CUresult result = driver_started();

    return result == CUDA_SUCCESS ? driver_result(cudaDeviceGetByPCIBusId(device, bus_id)) : result;
}

CUresult cuDeviceCanAccessPeer(int *can_access, CUdevice device, CUdevice peer)
{
    CUresult result = driver_started();

    return result == CUDA_SUCCESS ? driver_result(cudaDeviceCanAccessPeer(can_access, device, peer))
                                  : result;
}

/* ---- the current context ---- */

CUresult cuCtxGetDevice(CUdevice *device)
{
    CUcontext context;
    CUresult result = driver_begin(&context);

    if (result == CUDA_SUCCESS && !device)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        *device = context->device;
    return result;
}

CUresult cuCtxGetFlags(unsigned *flags)
{
    CUcontext context;
    CUresult result = driver_begin(&context);

    if (result == CUDA_SUCCESS && !flags)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        *flags = context->flags;
    return result;
}

CUresult cuCtxGetApiVersion(CUcontext context, unsigned *version)
{
    CUresult result = context ? driver_started() : driver_begin(NULL);

    if (result == CUDA_SUCCESS && context)
        result = driver_check_context(context);
    if (result == CUDA_SUCCESS && !version)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        *version = CUDA_VERSION;
    return result;
}

CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest)
{
    CUresult result = driver_begin(NULL);

    return result == CUDA_SUCCESS ? driver_result(cudaDeviceGetStreamPriorityRange(least, greatest))
                                  : result;
}

/* Waits for everything on the context's device. */
CUresult cuCtxSynchronize(void)
{
    CUresult result = driver_begin(NULL);

    return result == CUDA_SUCCESS ? driver_result(cudaDeviceSynchronize()) : result;
}

static CUresult begin_peer(CUcontext peer)
{
    CUresult result = driver_begin(NULL);

    return result == CUDA_SUCCESS ? driver_check_context(peer) : result;
}

CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned flags)
{
    CUresult result = begin_peer(peer);

    return result == CUDA_SUCCESS ? driver_result(cudaDeviceEnablePeerAccess(peer->device, flags))
                                  : result;
}

CUresult cuCtxDisablePeerAccess(CUcontext peer)
{
    CUresult result = begin_peer(peer);

    return result == CUDA_SUCCESS ? driver_result(cudaDeviceDisablePeerAccess(peer->device))
                                  : result;
}
