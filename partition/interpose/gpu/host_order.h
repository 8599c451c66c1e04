/* host_order.h: copies of several devices that touch the same memory of the host. In the program's
 * own stream they came one after the other; here each device has a stream. */
#ifndef HOST_ORDER_H
#define HOST_ORDER_H

#include "virtual_gpu.h"

enum { ALL_DEVICES = -1 };

/* Whether devices may still write these bytes of the host or, if they are to be written, read
 * them. */
bool host_order_is_used(const struct virtual_gpu *gpu, const void *memory, size_t bytes,
                        bool is_written);

/* Before the device, or all of them, is given work that reads or writes these bytes of the host:
 * what comes now is behind what was given to other devices, where both touch the same bytes. */
CUresult host_order_use(struct virtual_gpu *gpu, int device, const void *memory, size_t bytes,
                        bool is_written);
/* The same for a device that may touch any memory of the host. */
CUresult host_order_use_any(struct virtual_gpu *gpu, int device);

#endif
