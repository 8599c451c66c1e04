/* reductions.h: buffers that a launch updates by atomic operations alone.
 *
 * Each device works on its own copy of the whole buffer: device 0 on what is in it, the others on
 * zeros (sums), or on what is in it as well, where that does no harm (and, or, smallest, largest).
 * When the launch is over, device 0 combines all copies; only it is up to date then. Integers come
 * out as on one device, bit for bit; sums of floating-point numbers are made in another order, so
 * that they are made so only on request (PARTITION_ATOMICS=floats). */
#ifndef REDUCTIONS_H
#define REDUCTIONS_H

#include "launch_place.h"

/* What the argument's buffer is bound to, added to `placed`. DM_UNAVAILABLE: not with these devices
 * or settings; DM_NO_MEMORY. */
enum dm_status reductions_place(const struct virtual_gpu *gpu, const struct access_set *set,
                                const struct partition_argument *argument,
                                const struct buffer *buffer, struct placed *placed);

/* Before the parts are launched, and after. */
CUresult reductions_begin(struct virtual_gpu *gpu, const struct launch *launch);
CUresult reductions_end(struct virtual_gpu *gpu, const struct launch *launch);

#endif
