#include "block_trace.h"

enum dm_status block_trace_add(void *trace, const struct prefetch_block_event *event)
{
    static const enum trace_kind kinds[] = {[PREFETCH_BLOCK_ALLOCATE] = TRACE_ALLOCATE,
                                            [PREFETCH_BLOCK_RELEASE] = TRACE_RELEASE,
                                            [PREFETCH_BLOCK_READ] = TRACE_READ,
                                            [PREFETCH_BLOCK_UPDATE] = TRACE_UPDATE,
                                            [PREFETCH_BLOCK_WRITE] = TRACE_WRITE};
    return trace_add(trace, (struct trace_event){.kind = (uint8_t)kinds[event->kind],
                                                 .device = (uint8_t)event->slot,
                                                 .id = event->id,
                                                 .elements = event->elements});
}
