/* readers.h: copies that may still be reading a buffer of another device.
 *
 * A device that is about to write a buffer must not do so while another one copies from there. Most
 * programs swap buffers, so that by the time of the next write the reader has been waited for
 * anyway; then nothing has to be asked of the devices. */
#ifndef READERS_H
#define READERS_H

#include "partition/interpose/memory/buffers.h"

/* The copies that are now given to device `to` read the buffer on device `from`. */
void readers_note(const struct virtual_gpu *gpu, struct buffer *buffer, int from, int to);

/* They have all been given. */
void readers_batch_given(struct virtual_gpu *gpu, int to);

/* The device goes on when no other one is copying from its memory of the buffer any more. */
CUresult readers_wait(struct virtual_gpu *gpu, const struct buffer *buffer, int device);

#endif
