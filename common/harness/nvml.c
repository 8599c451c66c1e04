#include "nvml.h"

#include <dlfcn.h>
#include <stddef.h>

/* The library is loaded when it is there: its header comes with the CUDA Toolkit alone. Names,
 * types and numbers are those of nvml.h's stable interface. */
enum { NVML_SUCCESS, CLOCK_SM = 1, CLOCK_MEMORY = 2, TEMPERATURE_GPU = 0 };
typedef struct nvmlDevice_st *nvml_device;

struct nvml {
    int (*init)(void);
    int (*shutdown)(void);
    int (*find)(const char *pci, nvml_device *device);
    int (*clock)(nvml_device device, int type, unsigned *mhz);
    int (*maximum_clock)(nvml_device device, int type, unsigned *mhz);
    int (*application_clock)(nvml_device device, int type, unsigned *mhz);
    int (*power)(nvml_device device, unsigned *mw);
    int (*temperature)(nvml_device device, int sensor, unsigned *degrees);
    int (*ecc)(nvml_device device, int *now, int *pending);
    int (*throttle)(nvml_device device, unsigned long long *bits);
};

static bool load(struct nvml *nvml)
{
    void *library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    const struct {
        void **function;
        const char *name;
    } functions[] = {
        {(void **)&nvml->init, "nvmlInit_v2"},
        {(void **)&nvml->shutdown, "nvmlShutdown"},
        {(void **)&nvml->find, "nvmlDeviceGetHandleByPciBusId_v2"},
        {(void **)&nvml->clock, "nvmlDeviceGetClockInfo"},
        {(void **)&nvml->maximum_clock, "nvmlDeviceGetMaxClockInfo"},
        {(void **)&nvml->application_clock, "nvmlDeviceGetApplicationsClock"},
        {(void **)&nvml->power, "nvmlDeviceGetPowerUsage"},
        {(void **)&nvml->temperature, "nvmlDeviceGetTemperature"},
        {(void **)&nvml->ecc, "nvmlDeviceGetEccMode"},
        {(void **)&nvml->throttle, "nvmlDeviceGetCurrentClocksThrottleReasons"},
    };
    for (size_t i = 0; library && i < sizeof functions / sizeof *functions; i++)
        if (!(*functions[i].function = dlsym(library, functions[i].name)))
            return false;
    return library != NULL;
}

/* The value's address: arguments of a call may be evaluated in any order, so that the value itself
 * could be the one before. */
static int known(int error, const unsigned *value)
{
    return error == NVML_SUCCESS ? (int)*value : -1;
}

static void read_device(const struct nvml *nvml, nvml_device device, struct gpu_state *gpu)
{
    unsigned value;
    int now, pending;
    unsigned long long bits;
    gpu->sm_mhz = known(nvml->clock(device, CLOCK_SM, &value), &value);
    gpu->sm_maximum_mhz = known(nvml->maximum_clock(device, CLOCK_SM, &value), &value);
    gpu->sm_application_mhz = known(nvml->application_clock(device, CLOCK_SM, &value), &value);
    gpu->memory_mhz = known(nvml->clock(device, CLOCK_MEMORY, &value), &value);
    gpu->memory_maximum_mhz = known(nvml->maximum_clock(device, CLOCK_MEMORY, &value), &value);
    gpu->power_mw = known(nvml->power(device, &value), &value);
    gpu->temperature_c = known(nvml->temperature(device, TEMPERATURE_GPU, &value), &value);
    gpu->ecc = nvml->ecc(device, &now, &pending) == NVML_SUCCESS ? now : -1;
    gpu->throttle_bits = nvml->throttle(device, &bits) == NVML_SUCCESS ? (int64_t)bits : -1;
}

bool nvml_read(struct gpu_state *gpus, int count)
{
    struct nvml nvml;
    if (!load(&nvml) || nvml.init() != NVML_SUCCESS)
        return false;
    bool found = true;
    for (int i = 0; i < count && found; i++) {
        nvml_device device;
        found = nvml.find(gpus[i].pci, &device) == NVML_SUCCESS;
        if (found)
            read_device(&nvml, device, &gpus[i]);
    }
    nvml.shutdown();
    return found;
}
