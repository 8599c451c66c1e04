#include "machine_state.h"

#include <stdlib.h>
#include <string.h>

#include "common/gpu.h"

#include "nvml.h"

static void read_governor(char *governor, size_t bytes)
{
    FILE *file = fopen("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "r");
    governor[0] = '\0';
    if (!file)
        return;
    if (!fgets(governor, (int)bytes, file))
        governor[0] = '\0';
    governor[strcspn(governor, "\n")] = '\0';
    fclose(file);
}

static int read_gpus(struct gpu_state *gpus)
{
    int count = 0;
    if (strcmp(GPU_KIND, "cuda") != 0 || cudaGetDeviceCount(&count) != cudaSuccess)
        return 0;
    if (count > STATE_GPUS)
        count = STATE_GPUS;
    for (int device = 0; device < count; device++)
        if (cudaDeviceGetPCIBusId(gpus[device].pci, sizeof gpus[device].pci, device) != cudaSuccess)
            return 0;
    return nvml_read(gpus, count) ? count : 0;
}

void machine_state_read(struct machine_state *state)
{
    memset(state, 0, sizeof *state);
    if (getloadavg(&state->load_1min, 1) != 1)
        state->load_1min = -1.0;
    read_governor(state->governor, sizeof state->governor);
    state->gpu_count = read_gpus(state->gpus);
}

static void write_known(struct json *json, const char *key, int64_t value)
{
    if (value >= 0)
        json_integer(json, key, value);
    else
        json_text(json, key, NULL);
}

static void write_gpu(struct json *json, const struct gpu_state *gpu)
{
    json_open(json, NULL, '{');
    json_text(json, "pci", gpu->pci);
    write_known(json, "sm_mhz", gpu->sm_mhz);
    write_known(json, "sm_application_mhz", gpu->sm_application_mhz);
    write_known(json, "sm_maximum_mhz", gpu->sm_maximum_mhz);
    write_known(json, "memory_mhz", gpu->memory_mhz);
    write_known(json, "memory_maximum_mhz", gpu->memory_maximum_mhz);
    write_known(json, "power_mw", gpu->power_mw);
    write_known(json, "temperature_c", gpu->temperature_c);
    write_known(json, "ecc", gpu->ecc);
    write_known(json, "throttle_bits", gpu->throttle_bits);
    json_close(json, '}');
}

void machine_state_write(struct json *json, const char *key, const struct machine_state *state)
{
    json_open(json, key, '{');
    json_real(json, "load_1min", state->load_1min);
    json_text(json, "governor", *state->governor ? state->governor : NULL);
    json_open(json, "gpus", '[');
    for (int i = 0; i < state->gpu_count; i++)
        write_gpu(json, &state->gpus[i]);
    json_close(json, ']');
    json_close(json, '}');
}
