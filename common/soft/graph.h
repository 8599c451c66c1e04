/* graph.h: what streams and events do while they are captured (graph.c). */
#ifndef SOFT_GRAPH_H
#define SOFT_GRAPH_H

#include "runtime.h"

enum { GRAPH_LANES = 128 }; /* streams that can be captured together */

struct capture;

bool stream_captured(stream_t *stream);

/* All with schedule_lock held. What is submitted to a captured stream is kept, and run by launches
 * of the graph. */
cudaError_t capture_operation(stream_t *stream, struct operation *operation);
/* The number of the capture, and the node that a wait for the event that is recorded waits for. */
cudaError_t capture_record(stream_t *stream, uint64_t *number, int *node);
/* The stream waits for a node; it is captured, too, from then on. */
cudaError_t capture_wait(stream_t *stream, uint64_t number, int node);

#endif
