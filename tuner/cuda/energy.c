#include "energy.h"

#include <dlfcn.h>
#include <stddef.h>

/* Names, types and numbers are those of nvml.h's stable interface. */
typedef struct nvmlDevice_st *nvml_device;

static int (*read_energy)(nvml_device device, unsigned long long *millijoules);
static nvml_device device;

bool energy_open(const char *pci)
{
    void *library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return false;
    int (*init)(void) = (int (*)(void))dlsym(library, "nvmlInit_v2");
    int (*find)(const char *, nvml_device *) =
        (int (*)(const char *, nvml_device *))dlsym(library, "nvmlDeviceGetHandleByPciBusId_v2");
    read_energy = (int (*)(nvml_device, unsigned long long *))dlsym(
        library, "nvmlDeviceGetTotalEnergyConsumption");
    if (!init || !find || !read_energy || init() != 0 || find(pci, &device) != 0) {
        read_energy = NULL;
        return false;
    }
    return energy_joules() > 0.0;
}

double energy_joules(void)
{
    unsigned long long millijoules = 0;

    if (!read_energy || read_energy(device, &millijoules) != 0)
        return 0.0;
    return 1e-3 * (double)millijoules;
}
