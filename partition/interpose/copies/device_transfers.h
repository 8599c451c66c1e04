/* device_transfers.h: copies between devices, in order with what runs there. */
#ifndef DEVICE_TRANSFERS_H
#define DEVICE_TRANSFERS_H

#include "partition/interpose/memory/buffers.h"

struct device_transfer {
    struct buffer *buffer;
    const struct copies *copies;
    size_t done; /* copies that have been given to the devices; 0 at first */
};

/* Does the copies of all transfers. Each runs on the device that it goes to, after what its source
 * has been given to do by now. Who is to write there next waits by readers_wait(). The host waits
 * for nothing. */
CUresult device_transfers(struct virtual_gpu *gpu, struct device_transfer *transfers, size_t count);

#endif
