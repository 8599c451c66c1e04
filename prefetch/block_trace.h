/* block_trace.h: what a worker does with its blocks, as a trace for the programs of pinning/. */
#ifndef PREFETCH_BLOCK_TRACE_H
#define PREFETCH_BLOCK_TRACE_H

#include <datamotion/prefetch.h>

#include "pinning/trace.h"

/* A block_event of struct prefetch_config, whose context is a struct trace. */
enum dm_status block_trace_add(void *trace, const struct prefetch_block_event *event);

#endif
