/* energy.h: what a GPU has consumed, by NVIDIA's management library where the driver brings it. */
#ifndef TUNER_CUDA_ENERGY_H
#define TUNER_CUDA_ENERGY_H

#include <stdbool.h>

/* Opens the counter of the GPU with this PCI address; false where there is none. */
bool energy_open(const char *pci);

/* Joules since the driver was loaded; the counter goes on every 20 to 100 ms. 0: unknown. */
double energy_joules(void);

#endif
