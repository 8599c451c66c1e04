/* virtual_devices.h: the devices behind the virtual GPU. */
#ifndef VIRTUAL_DEVICES_H
#define VIRTUAL_DEVICES_H

#include "virtual_gpu.h"

/* Makes the contexts of all devices, or none; the current one of the calling thread stays. Frees
 * that of one device. */
CUresult virtual_devices_open(struct virtual_gpu *gpu, const struct context_request *request);
void virtual_device_close(struct virtual_gpu *gpu, int d);

/* Makes the stream and the events of a device; frees those that there are. */
CUresult virtual_device_make_stream(struct virtual_gpu *gpu, int d);
void virtual_device_free_stream(struct virtual_gpu *gpu, int d);

/* Lets the devices read one another's memory where they can. */
CUresult virtual_devices_reach(struct virtual_gpu *gpu);

#endif
