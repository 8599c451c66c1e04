/* bus.h: how fast page-locked memory is copied to the device and back. */
#ifndef SPMV_BENCH_BUS_H
#define SPMV_BENCH_BUS_H

#include <stdbool.h>

#include "common/gpu.h"

struct spmv_bus {
    bool to_device;
    size_t bytes;
    void *host, *device;
    cudaStream_t stream;
    cudaEvent_t begin, end;
    int copies; /* of a sample */
};

/* Ends the program if there is no memory. */
void spmv_bus_open(struct spmv_bus *bus, bool to_device, size_t bytes);
void spmv_bus_close(struct spmv_bus *bus);

/* Seconds of one copy, of as many one after the other as take some milliseconds. */
double spmv_bus_time(struct spmv_bus *bus);

/* Copies random bytes and counts those that arrive wrong. */
long spmv_bus_errors(struct spmv_bus *bus, unsigned long seed);

#endif
