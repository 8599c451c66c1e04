/* contents.h: where the bytes of a buffer are up to date, apart from launches. */
#ifndef CONTENTS_H
#define CONTENTS_H

#include "buffers.h"

/* Bytes [begin, end) of the buffer have been written at the location (a device, or the host as
 * number `devices`) alone (not where launches alone are followed), or on all devices. False without
 * memory. */
bool contents_written(struct virtual_gpu *gpu, struct buffer *buffer, int location, int64_t begin,
                      int64_t end);
bool contents_written_everywhere(struct virtual_gpu *gpu, struct buffer *buffer, int64_t begin,
                                 int64_t end);

/* All of the buffer may have been written on device 0. */
bool contents_written_first(struct virtual_gpu *gpu, struct buffer *buffer);

/* What has to be copied to device 0 so that bytes [begin, end) are up to date there. NULL without
 * memory. contents_fetched() when it has been done. */
const struct plan *contents_fetch(struct virtual_gpu *gpu, struct buffer *buffer, int64_t begin,
                                  int64_t end);
void contents_fetched(struct buffer *buffer, const struct plan *plan);

/* Where bytes [begin, end) are to be read: every byte is in one of the copies (`to` is the host,
 * `from` a device or the host's memory of the buffer). Bytes that nobody has are read on device 0.
 * NULL without memory. */
const struct plan *contents_gather(struct virtual_gpu *gpu, struct buffer *buffer, int64_t begin,
                                   int64_t end);

#endif
