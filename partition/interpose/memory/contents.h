/* contents.h: where the bytes of a buffer are up to date, apart from launches. */
#ifndef CONTENTS_H
#define CONTENTS_H

#include "buffers.h"

/* Bytes [begin, end) of the buffer have been written at the location (a device, or the host as
 * number `devices`) alone (DM_INVALID where launches alone are followed), or on all devices.
 * DM_NO_MEMORY, as all below. */
enum dm_status contents_written(struct virtual_gpu *gpu, struct buffer *buffer, int location,
                                int64_t begin, int64_t end);
enum dm_status contents_written_everywhere(struct virtual_gpu *gpu, struct buffer *buffer,
                                           int64_t begin, int64_t end);

/* All of the buffer may have been written on device 0. */
enum dm_status contents_written_first(struct virtual_gpu *gpu, struct buffer *buffer);

/* What has to be copied to device 0 so that bytes [begin, end) are up to date there.
 * contents_fetched() when it has been done. */
enum dm_status contents_fetch(struct virtual_gpu *gpu, struct buffer *buffer, int64_t begin,
                              int64_t end, const struct plan **plan);
void contents_fetched(struct buffer *buffer, const struct plan *plan);

/* Where bytes [begin, end) are to be read: every byte is in one of the copies (`to` is the host,
 * `from` a device or the host's memory of the buffer). Bytes that nobody has are read on device 0.
 */
enum dm_status contents_gather(struct virtual_gpu *gpu, struct buffer *buffer, int64_t begin,
                               int64_t end, const struct plan **plan);

#endif
