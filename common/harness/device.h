/* device.h: what programs ask a device. */
#ifndef COMMON_HARNESS_DEVICE_H
#define COMMON_HARNESS_DEVICE_H

#include "common/gpu.h"

#include "exit.h"

/* An attribute of a device. Ends the program on error. */
static inline int gpu_attribute(enum cudaDeviceAttr attribute, int device)
{
    int value = 0;
    check_cuda(cudaDeviceGetAttribute(&value, attribute, device));
    return value;
}

#endif
