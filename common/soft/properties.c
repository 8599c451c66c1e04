/* properties.c: what a device says about itself. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime.h"

/* The CPU's clock in kHz, or 0 if the system does not say. */
static int cpu_clock_khz(void)
{
    FILE *file = fopen("/proc/cpuinfo", "r");
    char line[256];
    double mhz = 0;

    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "cpu MHz : %lf", &mhz) == 1)
            break;
    if (file)
        fclose(file);
    return (int)(mhz * 1000);
}

static int last_level_cache_bytes(void)
{
    long bytes = sysconf(_SC_LEVEL3_CACHE_SIZE);

    if (bytes <= 0)
        bytes = sysconf(_SC_LEVEL2_CACHE_SIZE);
    return bytes > 0 && bytes < 0x7fffffff ? (int)bytes : 0;
}

static void fill(struct cudaDeviceProp *p, const struct device *device)
{
    memset(p, 0, sizeof *p);
    snprintf(p->name, sizeof p->name, "datamotion software GPU");
    memcpy(p->uuid.bytes, "datamotion-soft", 15);
    p->uuid.bytes[15] = (char)device->index;
    p->totalGlobalMem = device->memory_bytes;
    p->sharedMemPerBlock = SHARED_BYTES_PER_BLOCK;
    p->sharedMemPerBlockOptin = SHARED_BYTES_OPT_IN;
    p->sharedMemPerMultiprocessor = SHARED_BYTES_OPT_IN;
    p->regsPerBlock = p->regsPerMultiprocessor = 65536;
    p->warpSize = 32;
    p->memPitch = 0x7fffffff;
    p->maxThreadsPerBlock = THREADS_PER_BLOCK;
    p->maxThreadsPerMultiProcessor = 2048;
    p->maxBlocksPerMultiProcessor = 32;
    p->maxThreadsDim[0] = p->maxThreadsDim[1] = 1024;
    p->maxThreadsDim[2] = 64;
    p->maxGridSize[0] = 0x7fffffff;
    p->maxGridSize[1] = p->maxGridSize[2] = 65535;
    p->totalConstMem = 65536;
    p->major = 9;
    p->textureAlignment = 512;
    p->multiProcessorCount = soft_settings.multiprocessors;
    p->integrated = 0;
    p->canMapHostMemory = p->canUseHostPointerForRegisteredMem = p->hostRegisterSupported = 1;
    p->concurrentKernels = 0; /* one compute engine */
    p->pciBusID = device->index + 1;
    p->asyncEngineCount = 2;
    p->unifiedAddressing = 1;
    p->l2CacheSize = last_level_cache_bytes();
    p->streamPrioritiesSupported = 1;
    p->managedMemory = p->concurrentManagedAccess = 1;
    p->hostNativeAtomicSupported = 1;
    p->cooperativeLaunch = 1;
    p->memoryPoolsSupported = 1;
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *properties, int device)
{
    struct device *current;
    cudaError_t error = api_begin(&current);

    if (error == cudaSuccess && !properties)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess && !device_numbered(device))
        error = cudaErrorInvalidDevice;
    if (error == cudaSuccess)
        fill(properties, device_numbered(device));
    return api_end(error);
}

static cudaError_t attribute_of(const struct cudaDeviceProp *p, enum cudaDeviceAttr attribute,
                                int *value)
{
    const struct {
        enum cudaDeviceAttr attribute;
        int value;
    } table[] = {
        {cudaDevAttrMaxThreadsPerBlock, p->maxThreadsPerBlock},
        {cudaDevAttrMaxBlockDimX, p->maxThreadsDim[0]},
        {cudaDevAttrMaxBlockDimY, p->maxThreadsDim[1]},
        {cudaDevAttrMaxBlockDimZ, p->maxThreadsDim[2]},
        {cudaDevAttrMaxGridDimX, p->maxGridSize[0]},
        {cudaDevAttrMaxGridDimY, p->maxGridSize[1]},
        {cudaDevAttrMaxGridDimZ, p->maxGridSize[2]},
        {cudaDevAttrMaxSharedMemoryPerBlock, (int)p->sharedMemPerBlock},
        {cudaDevAttrTotalConstantMemory, (int)p->totalConstMem},
        {cudaDevAttrWarpSize, p->warpSize},
        {cudaDevAttrMaxPitch, (int)p->memPitch},
        {cudaDevAttrMaxRegistersPerBlock, p->regsPerBlock},
        {cudaDevAttrClockRate, cpu_clock_khz()},
        {cudaDevAttrTextureAlignment, (int)p->textureAlignment},
        {cudaDevAttrGpuOverlap, 1},
        {cudaDevAttrMultiProcessorCount, p->multiProcessorCount},
        {cudaDevAttrKernelExecTimeout, 0},
        {cudaDevAttrIntegrated, p->integrated},
        {cudaDevAttrCanMapHostMemory, p->canMapHostMemory},
        {cudaDevAttrComputeMode, cudaComputeModeDefault},
        {cudaDevAttrConcurrentKernels, p->concurrentKernels},
        {cudaDevAttrEccEnabled, p->ECCEnabled},
        {cudaDevAttrPciBusId, p->pciBusID},
        {cudaDevAttrPciDeviceId, p->pciDeviceID},
        {cudaDevAttrPciDomainId, p->pciDomainID},
        {cudaDevAttrMemoryClockRate, 0}, /* not known for a CPU's memory */
        {cudaDevAttrGlobalMemoryBusWidth, p->memoryBusWidth},
        {cudaDevAttrL2CacheSize, p->l2CacheSize},
        {cudaDevAttrMaxThreadsPerMultiProcessor, p->maxThreadsPerMultiProcessor},
        {cudaDevAttrAsyncEngineCount, p->asyncEngineCount},
        {cudaDevAttrUnifiedAddressing, p->unifiedAddressing},
        {cudaDevAttrComputeCapabilityMajor, p->major},
        {cudaDevAttrComputeCapabilityMinor, p->minor},
        {cudaDevAttrStreamPrioritiesSupported, p->streamPrioritiesSupported},
        {cudaDevAttrMaxSharedMemoryPerMultiprocessor, (int)p->sharedMemPerMultiprocessor},
        {cudaDevAttrMaxRegistersPerMultiprocessor, p->regsPerMultiprocessor},
        {cudaDevAttrManagedMemory, p->managedMemory},
        {cudaDevAttrHostNativeAtomicSupported, p->hostNativeAtomicSupported},
        {cudaDevAttrPageableMemoryAccess, p->pageableMemoryAccess},
        {cudaDevAttrConcurrentManagedAccess, p->concurrentManagedAccess},
        {cudaDevAttrComputePreemptionSupported, p->computePreemptionSupported},
        {cudaDevAttrCanUseHostPointerForRegisteredMem, p->canUseHostPointerForRegisteredMem},
        {cudaDevAttrCooperativeLaunch, p->cooperativeLaunch},
        {cudaDevAttrMaxSharedMemoryPerBlockOptin, (int)p->sharedMemPerBlockOptin},
        {cudaDevAttrHostRegisterSupported, p->hostRegisterSupported},
        {cudaDevAttrPageableMemoryAccessUsesHostPageTables,
         p->pageableMemoryAccessUsesHostPageTables},
        {cudaDevAttrDirectManagedMemAccessFromHost, p->directManagedMemAccessFromHost},
        {cudaDevAttrMaxBlocksPerMultiprocessor, p->maxBlocksPerMultiProcessor},
        {cudaDevAttrReservedSharedMemoryPerBlock, (int)p->reservedSharedMemPerBlock},
        {cudaDevAttrMemoryPoolsSupported, p->memoryPoolsSupported},
        {cudaDevAttrGPUDirectRDMASupported, p->gpuDirectRDMASupported},
        {cudaDevAttrIpcEventSupport, p->ipcEventSupported},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (table[i].attribute == attribute) {
            *value = table[i].value;
            return cudaSuccess;
        }
    return cudaErrorInvalidValue;
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device)
{
    struct device *current;
    struct cudaDeviceProp properties;
    cudaError_t error = api_begin(&current);

    if (error == cudaSuccess && !value)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess && !device_numbered(device))
        error = cudaErrorInvalidDevice;
    if (error == cudaSuccess) {
        fill(&properties, device_numbered(device));
        error = attribute_of(&properties, attribute, value);
    }
    return api_end(error);
}

cudaError_t cudaDeviceGetPCIBusId(char *bus_id, int length, int device)
{
    struct device *current;
    cudaError_t error = api_begin(&current);

    if (error == cudaSuccess && (!bus_id || length < 13))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess && !device_numbered(device))
        error = cudaErrorInvalidDevice;
    if (error == cudaSuccess)
        snprintf(bus_id, (size_t)length, "0000:%02X:00.0", (unsigned)(device + 1) & 0xffu);
    return api_end(error);
}

cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *bus_id)
{
    struct device *current;
    unsigned domain, bus, slot;
    cudaError_t error = api_begin(&current);

    if (error == cudaSuccess && (!device || !bus_id))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess && (sscanf(bus_id, "%x:%x:%x", &domain, &bus, &slot) != 3 ||
                                 domain != 0 || slot != 0 || !device_numbered((int)bus - 1)))
        error = cudaErrorInvalidDevice;
    if (error == cudaSuccess)
        *device = (int)bus - 1;
    return api_end(error);
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
    struct device *current;
    cudaError_t error = api_begin(&current);

    if (error == cudaSuccess && least)
        *least = 0;
    if (error == cudaSuccess && greatest)
        *greatest = PRIORITY_HIGHEST;
    return api_end(error);
}

cudaError_t cudaDriverGetVersion(int *version)
{
    if (!version)
        return api_end(cudaErrorInvalidValue);
    *version = CUDART_VERSION;
    return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int *version)
{
    return cudaDriverGetVersion(version);
}

cudaError_t cudaProfilerStart(void)
{
    return api_end(runtime_start());
}

cudaError_t cudaProfilerStop(void)
{
    return api_end(runtime_start());
}
