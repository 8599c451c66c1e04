/* What NVML says is told under its own name: by a library of that name whose answers differ. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/harness/nvml.h"
#include "tests/unit/test.h"

/* Frequencies of a kind of clock: kind 1 that of the multiprocessors, 2 that of the memory.
 * Application clocks are not supported. */
static const char source[] =
    "int nvmlInit_v2(void) { return 0; }\n"
    "int nvmlShutdown(void) { return 0; }\n"
    "int nvmlDeviceGetHandleByPciBusId_v2(const char *pci, void **device)\n"
    "{ *device = (void *)pci; return pci[0] == '?' ? 6 : 0; }\n"
    "int nvmlDeviceGetClockInfo(void *d, int kind, unsigned *mhz)\n"
    "{ (void)d; *mhz = 100 + kind; return 0; }\n"
    "int nvmlDeviceGetMaxClockInfo(void *d, int kind, unsigned *mhz)\n"
    "{ (void)d; *mhz = 200 + kind; return 0; }\n"
    "int nvmlDeviceGetApplicationsClock(void *d, int kind, unsigned *mhz)\n"
    "{ (void)d; *mhz = 300 + kind; return 3; }\n"
    "int nvmlDeviceGetPowerUsage(void *d, unsigned *mw) { (void)d; *mw = 400; return 0; }\n"
    "int nvmlDeviceGetTemperature(void *d, int sensor, unsigned *degrees)\n"
    "{ (void)d; *degrees = 50 + sensor; return 0; }\n"
    "int nvmlDeviceGetEccMode(void *d, int *now, int *pending)\n"
    "{ (void)d; *now = 1; *pending = 0; return 0; }\n"
    "int nvmlDeviceGetCurrentClocksThrottleReasons(void *d, unsigned long long *bits)\n"
    "{ (void)d; *bits = 1ull << 40; return 0; }\n";

static bool compile(const char *folder)
{
    char file[256], command[768];
    snprintf(file, sizeof file, "%s/nvml.c", folder);
    FILE *stream = fopen(file, "w");
    if (!stream)
        return false;
    const bool written = fputs(source, stream) >= 0;
    snprintf(command, sizeof command,
             "${CC:-gcc} -shared -fPIC -Wl,-soname,libnvidia-ml.so.1 -o '%s/nvml.so' '%s'", folder,
             file);
    return fclose(stream) == 0 && written && system(command) == 0;
}

/* A library that is loaded is found by the name that it has inside. */
static void *load(void)
{
    char folder[128], file[256];
    const char *parent = getenv("TMPDIR");
    void *library = NULL;
    snprintf(folder, sizeof folder, "%s/nvml_test.XXXXXX", parent ? parent : "/tmp");
    if (!mkdtemp(folder))
        return NULL;
    snprintf(file, sizeof file, "%s/nvml.so", folder);
    if (compile(folder))
        library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    unlink(file);
    snprintf(file, sizeof file, "%s/nvml.c", folder);
    unlink(file);
    rmdir(folder);
    return library;
}

static void values_have_their_names(void)
{
    struct gpu_state gpus[2] = {{.pci = "0000:01:00.0"}, {.pci = "0000:02:00.0"}};
    expect(nvml_read(gpus, 2));
    for (int i = 0; i < 2; i++) {
        expect(gpus[i].sm_mhz == 101 && gpus[i].memory_mhz == 102);
        expect(gpus[i].sm_maximum_mhz == 201 && gpus[i].memory_maximum_mhz == 202);
        expect(gpus[i].sm_application_mhz == -1);
        expect(gpus[i].power_mw == 400 && gpus[i].temperature_c == 50);
        expect(gpus[i].ecc == 1 && gpus[i].throttle_bits == (int64_t)1 << 40);
    }
}

static void a_gpu_that_is_not_found_is_told(void)
{
    struct gpu_state gpus[2] = {{.pci = "0000:01:00.0"}, {.pci = "?"}};
    expect(!nvml_read(gpus, 2));
}

static void a_library_of_that_name_is_loaded(void)
{
    expect(load() != NULL);
}

int main(void)
{
    run_test(a_library_of_that_name_is_loaded);
    run_test(values_have_their_names);
    run_test(a_gpu_that_is_not_found_is_told);
    return end_tests();
}
