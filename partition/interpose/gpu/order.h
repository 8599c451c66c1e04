/* order.h: which device is current, and what waits for what. */
#ifndef ORDER_H
#define ORDER_H

#include "virtual_gpu.h"

/* Makes the device's context current. */
CUresult order_use(struct virtual_gpu *gpu, int device);

/* Notes what the device has to do by now; and: device `device` goes on when `source` has done what
 * was noted last. To be called in this order. */
CUresult order_ready(struct virtual_gpu *gpu, int device);
CUresult order_after_ready(struct virtual_gpu *gpu, int device, int source);

/* Device 0 goes on when all devices have done what they have to do by now; all devices go on when
 * device 0 has. */
CUresult order_join(struct virtual_gpu *gpu);
CUresult order_fork(struct virtual_gpu *gpu);

/* The host waits for all devices, and no thread makes calls in the meantime (virtual_gpu_wait); the
 * first error of any. */
CUresult order_synchronise(struct virtual_gpu *gpu);
/* CUDA_ERROR_NOT_READY if a device has something to do. */
CUresult order_query(struct virtual_gpu *gpu);

/* Records an event of the program: all that it requested before. */
CUresult order_record(struct virtual_gpu *gpu, CUevent event);
/* Whether the event was recorded here, and is therefore behind all that is
 * still to come. */
bool order_knows(const struct virtual_gpu *gpu, CUevent event);
void order_forget(struct virtual_gpu *gpu, CUevent event);

#endif
