/* machine_state.h: what may change from one run to the next on one machine: load, frequencies,
 * temperatures. Read before and after the measurements, so that a result says what it was measured
 * under. */
#ifndef COMMON_MACHINE_STATE_H
#define COMMON_MACHINE_STATE_H

#include "json.h"

enum { STATE_GPUS = 16 };

/* Clocks in MHz; -1: not told. */
struct gpu_state {
    char pci[32];
    int sm_mhz, sm_application_mhz, sm_maximum_mhz;
    int memory_mhz, memory_maximum_mhz;
    int power_mw, temperature_c;
    int ecc;               /* 0 or 1 */
    int64_t throttle_bits; /* NVML's clocks throttle reasons */
};

struct machine_state {
    double load_1min;  /* processes that run or want to, mean of the last minute */
    char governor[32]; /* of CPU 0's frequency; empty where there is none */
    int gpu_count;
    struct gpu_state gpus[STATE_GPUS]; /* empty with the software GPU, and without NVML */
};

void machine_state_read(struct machine_state *state);

/* Writes the object "key". */
void machine_state_write(struct json *json, const char *key, const struct machine_state *state);

#endif
