/* accelerated.h: coarrays whose memory the GPU computes on (Fanfarillo 2016, 7.2: the attribute
 * `accelerated`, CAF_UM and CAF_PIN).
 *
 *     accelerated_allocate(&x, bytes, ACCELERATED_DEVICE);
 *     kernel<<<...>>>(accelerated_memory(x), ...);           x = ... on the GPU
 *     accelerated_sync(1, &x);                               sync all, the GPU's work included
 *     accelerated_get(panel, x, 2, 0, bytes, stream);        panel = x[2], when the stream is there
 *
 * How another image reaches a part depends on where it lies:
 *
 *     kind     memory of a part       same node                    another node
 *     managed  cudaMallocManaged      published copy, by DMA       published copy, caf_get
 *     mapped   page-locked coarray    the memory itself, by DMA    the same, caf_get
 *     device   cudaMalloc             the memory itself, CUDA IPC  published copy, caf_get
 *
 * DMA is the copy engine of the reader's GPU; caf_get goes through page-locked buffers, of which
 * one is on the network while another one is copied to or from the GPU.
 *
 * Managed memory belongs to one process and moves, so neither CUDA IPC nor MPI's windows can have
 * it (a system call or a network device that meets pages on the GPU fails), and device memory of
 * another node needs an MPI that knows it. There the part has a copy in an ordinary coarray, which
 * accelerated_sync brings up to date: what other images put is moved into the part, then the part
 * is copied out.
 *
 * Fortran's rules and images are those of datamotion/coarrays.h, with accelerated_sync in the place
 * of sync all; so are the errors, and DM_FAILED also means that a CUDA call failed, which leaves
 * the other images waiting. Transfers are in the order of the stream; between nodes the call itself
 * waits for the network.
 *
 * From Fortran: the module in accelerated.f90, compiled and linked by `caf --accelerated`.
 *
 * Environment: CAF_ACCELERATED=staged treats all other images as if they lay on other nodes
 * (default: direct); the same on all images. */
#ifndef COARRAYS_HETERO_ACCELERATED_H
#define COARRAYS_HETERO_ACCELERATED_H

#include <datamotion/coarrays.h>

#include "common/gpu.h"

#ifdef __cplusplus
extern "C" {
#endif

enum accelerated_kind {
    ACCELERATED_MANAGED, /* CAF_UM */
    ACCELERATED_MAPPED,  /* CAF_PIN */
    ACCELERATED_DEVICE,
    ACCELERATED_KINDS
};

struct accelerated;

#pragma GCC visibility push(default)

/* Puts that an image takes at most between two synchronisations where a part has a published copy.
 */
enum { ACCELERATED_PUTS = 1024 };

/* Allocates `bytes` on every image, zero, for the device that is current here and stays so for all
 * calls with this coarray. Collective, with a sync all; equal sizes and kinds. DM_NO_MEMORY on all
 * images if one cannot have the memory or not reach another's; DM_INVALID for another kind,
 * or sizes, kinds or an environment that are wrong or not the same. *coarray is set if all is well.
 */
enum dm_status accelerated_allocate(struct accelerated **coarray, size_t bytes,
                                    enum accelerated_kind kind);

/* Collective, with a sync all; waits for the device. */
enum dm_status accelerated_free(struct accelerated *coarray);

/* This image's part, as the GPU addresses it; the CPU may use it too if it is managed or, where
 * host and GPU address it alike, mapped. */
void *accelerated_memory(const struct accelerated *coarray);

/* Copies `bytes` from `offset` of the image's part to `to`; from `from` to `offset` of its part.
 * `to` and `from` are any memory that the GPU can copy, that is all but a coarray of device memory
 * of another process. Both return before the copy is done, and what they name must stay until the
 * stream has got there. DM_INVALID for a wrong image or range; put: DM_NO_MEMORY if the image has
 * been sent ACCELERATED_PUTS puts since it last synchronised and needs their list. */
enum dm_status accelerated_get(void *to, struct accelerated *from, int image, size_t offset,
                               size_t bytes, cudaStream_t stream);
enum dm_status accelerated_put(struct accelerated *to, int image, size_t offset, const void *from,
                               size_t bytes, cudaStream_t stream);

/* Waits for the device of every image, then sync all: puts to and writes of the `count` coarrays
 * before it are seen by the gets after it. Collective; the same coarrays everywhere. */
enum dm_status accelerated_sync(int count, struct accelerated *const *coarrays);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif
#endif
