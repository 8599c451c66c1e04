/* copy_runs.h: runs of equal length at equal distance, copied by as few calls as possible. */
#ifndef COPY_RUNS_H
#define COPY_RUNS_H

#include "partition/interpose/gpu/virtual_gpu.h"
#include "partition/intervals.h"

/* All enqueue in the stream of the current device. Addresses are those to which the runs' begins
 * are added. */
CUresult copy_runs_to_device(CUdeviceptr to, const char *from, const struct partition_runs *runs,
                             CUstream stream);
CUresult copy_runs_to_host(char *to, CUdeviceptr from, const struct partition_runs *runs,
                           CUstream stream);
/* From device to device, which need not reach one another. */
CUresult copy_runs_to_peer(const struct virtual_gpu *gpu, int to, CUdeviceptr to_address, int from,
                           CUdeviceptr from_address, const struct partition_runs *runs);

#endif
