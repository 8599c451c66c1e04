/* pull.h: short copies from other devices by a kernel of the device that they go to. */
#ifndef PULL_H
#define PULL_H

#include "partition/interpose/gpu/virtual_gpu.h"
#include "partition/intervals.h"

#include "pull_list.h"

/* Copies to one device that are still to be given to it. Starts with count 0. */
struct pull {
    int count;
    struct pull_list list;
};

/* Gives the device its kernels, that for copies unless the settings say that there is none; frees
 * them. A device without them copies by its copy engines; a line says why. */
void pull_create(struct virtual_gpu *gpu, int device);
void pull_free(struct virtual_gpu *gpu, int device);

/* Takes a copy between these addresses (to both of which runs->begin is added) into the list.
 * False: it is not for the kernel, because the settings say that it is too long, or because `to`
 * does not reach the memory of `from`. */
bool pull_takes(const struct virtual_gpu *gpu, int to, int from, const struct partition_runs *runs);
void pull_add(struct pull *pull, CUdeviceptr to, CUdeviceptr from,
              const struct partition_runs *runs);

/* Gives the list to the device, which is current, and empties it. */
CUresult pull_run(struct virtual_gpu *gpu, int device, struct pull *pull);

#endif
