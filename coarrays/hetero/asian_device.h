/* asian_device.h: Asian options on the current GPU. The sums are those of the host, bit for bit. */
#ifndef COARRAYS_HETERO_ASIAN_DEVICE_H
#define COARRAYS_HETERO_ASIAN_DEVICE_H

#include "asian.h"

/* Memory on the current device for one simulation. One thread at a time uses it. */
struct asian_device;

/* The simulation has passed asian_check. DM_NO_MEMORY or DM_FAILED. */
enum dm_status asian_device_open(struct asian_device **device,
                                 const struct asian_simulation *simulation);
void asian_device_close(struct asian_device *device);

/* sums[i] of options[i] for all i < count, back on the host. MT: a thread block per block of paths,
 * those of the first option first; where one option does not fill the device the next one begins
 * beside it. MO: a thread block per option. An error of the device: DM_LOST or DM_FAILED. */
enum dm_status asian_device_mt(struct asian_device *device, const struct asian_option *options,
                               size_t count, struct asian_sums *sums);
enum dm_status asian_device_mo(struct asian_device *device, const struct asian_option *options,
                               size_t count, struct asian_sums *sums);

#endif
