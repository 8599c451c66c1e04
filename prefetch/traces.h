/* traces.h: what happened in a run, as files. */
#ifndef PREFETCH_TRACES_H
#define PREFETCH_TRACES_H

#include <datamotion/prefetch.h>

#include "pinning/trace.h"

/* A block_event of struct prefetch_config, whose context is a struct trace. */
enum dm_status traces_add_block_event(void *trace, const struct prefetch_block_event *event);

/* Write a new file; what cannot be written ends the program with a sentence. The events are those
 * of all workers, one line each; collective, rank 0 writes. */
void traces_write_events(const char *file_name, const struct prefetch_program *program,
                         const struct prefetch_result *result);
void traces_write_blocks(const char *file_name, const struct trace *trace);

#endif
