/* host_transfers.h: copies between the program's memory on the host and its buffers. Where they
 * wait, nothing but virtual_gpu_leave() may follow (virtual_gpu_wait). */
#ifndef HOST_TRANSFERS_H
#define HOST_TRANSFERS_H

#include "partition/interpose/memory/buffers.h"

/* Bytes from the host to the buffer, from its byte `begin` on, in the way that the settings say.
 * `wait`: until `source` has been read. */
CUresult host_transfer_in(struct virtual_gpu *gpu, struct buffer *buffer, size_t begin,
                          const void *source, size_t bytes, bool wait);

/* ... and from the buffer. `wait`: until they are there. */
CUresult host_transfer_out(struct virtual_gpu *gpu, struct buffer *buffer, size_t begin,
                           void *destination, size_t bytes, bool wait);

#endif
