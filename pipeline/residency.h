/* residency.h: was everything in its place? Judged from a trace alone. */
#ifndef PIPELINE_RESIDENCY_H
#define PIPELINE_RESIDENCY_H

#include <stdbool.h>

#include "common/regions/copies_trace.h"

/* Whether entry `index` of a complete trace of `region` was in order:
 * - a copy of a ring buffer's slices goes to slot first mod slots (Cui, 3.3);
 * - when a chunk of kernels starts, each slice that its iterations read has arrived in this round,
 *   and nothing else is copied to that slice's slot before the kernels end;
 * - when a copy to the host starts, the kernels that write its slices have ended, and neither a
 *   copy nor other kernels write to those slots before it ends.
 * Takes time proportional to the slices of the entry times the length of the trace. */
bool residency_in_order(const struct dm_region *region, const struct copies_trace *trace,
                        long index);

#endif
