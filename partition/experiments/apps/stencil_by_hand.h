/* stencil_by_hand.h: the five-point stencil on several GPUs, written by hand: what partitioned
 * programs are measured against. */
#ifndef PARTITION_STENCIL_BY_HAND_H
#define PARTITION_STENCIL_BY_HAND_H

#include "application.h"

/* Like application.run of the application `stencil`, and with the same result, on so many devices.
 * Each device has its rows and one row of each neighbour; after each step the rows at the borders
 * are copied between the devices. Copies do not overlap with the step that they follow. */
int stencil_by_hand(const struct application_input *input, int devices, void **result,
                    size_t *result_bytes, struct application_times *times);

#endif
