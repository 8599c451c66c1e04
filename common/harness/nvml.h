/* nvml.h: clocks, power, temperature and errors of GPUs, by NVIDIA's management library where the
 * driver brings it. */
#ifndef COMMON_NVML_H
#define COMMON_NVML_H

#include <stdbool.h>

#include "machine_state.h"

/* Fills all but `pci` of each GPU; what NVML does not tell is -1. False, with nothing filled, where
 * there is no NVML. */
bool nvml_read(struct gpu_state *gpus, int count);

#endif
