/* bench_order.h: did blocks wait for what they needed? Judged from a trace alone. */
#ifndef BENCH_ORDER_H
#define BENCH_ORDER_H

#include <stdbool.h>

#include <datamotion/blp.h>

/* Whether entry `index` of a complete trace of one round of `region` was in order:
 * - when a task is ready to compute, every slice in its windows has been copied in entirely;
 * - when copying out is ready, every iteration that writes these slices has been computed.
 * Takes time proportional to the trace's length. Source: Cui, 4.2.1 and 4.2.2. */
bool is_in_order(const struct dm_region *region, const struct blp_trace *trace, long index);

#endif
