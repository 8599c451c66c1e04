/* batch.h: hints of CUDA 13 for several ranges at once: an array in pieces by one call. */
#ifndef UNIFIED_MEMORY_BATCH_H
#define UNIFIED_MEMORY_BATCH_H

#include <cuda_runtime.h>
#include <stddef.h>

/* Each enqueues on the stream, which is not the default one, what it says for [start, start +
 * bytes), cut into pieces of whole MiB. device: cudaCpuDeviceId for the host. Before CUDA 13:
 * cudaErrorNotSupported. */
cudaError_t batch_prefetch(void *start, size_t bytes, int device, cudaStream_t stream);
cudaError_t batch_discard(void *start, size_t bytes, cudaStream_t stream);
cudaError_t batch_discard_and_prefetch(void *start, size_t bytes, int device, cudaStream_t stream);

#endif
