/* trace.h: a kernel's trace, from the device's memory to the caller's. */
#ifndef BLP_TRACE_H
#define BLP_TRACE_H

#include <datamotion/blp_work.h>

/* Replaces the entries of `trace` by those of the last kernel, which has ended. DM_NO_MEMORY. */
enum dm_status read_records(const struct blp_work *work, struct blp_trace *trace);

#endif
