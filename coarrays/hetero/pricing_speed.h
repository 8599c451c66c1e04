/* pricing_speed.h: what each image's device can do while the others rest. */
#ifndef COARRAYS_HETERO_PRICING_SPEED_H
#define COARRAYS_HETERO_PRICING_SPEED_H

#include "pricing.h"

/* *speed is the random values per second that this image's device consumes alone: the best of
 * several measurements of at least 0.1 s together, each of `many` options by one thread each or,
 * with 0, of one option; a GPU: of as many as make it fastest. The images measure one after the
 * other. Collective. DM_NO_MEMORY, or an error of the device or the coarray library. */
enum dm_status pricing_speed_alone(const struct pricing_portfolio *portfolio,
                                   const struct pricing_device *device, int many, double *speed);

#endif
