/* pending.h: blocks that were released while a copy was in flight.
 *
 * Each release records an event on the copy's stream. The list is looked through only when a cache
 * is about to page-lock new memory, and at every 64th release, never on the fast path. */
#ifndef PINNING_PENDING_H
#define PINNING_PENDING_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include <cuda_runtime.h>

#include <datamotion/status.h>

/* One release; its event is used again for later ones. */
struct pending_release {
    struct pending_release *next;
    cudaEvent_t event;
    int device; /* the event belongs to it */
    void *block;
};

struct pending {
    pthread_mutex_t lock;
    struct pending_release *first;
    struct pending_release *unused;
    size_t count;
    unsigned long added;
};

void pending_init(struct pending *pending);

/* Records an event behind everything enqueued on `stream`, which belongs to the current device. */
enum dm_status pending_record(struct pending *pending, cudaStream_t stream,
                              struct pending_release **release);

/* Puts the recorded release of `block` into the list; true if it is time to poll. */
bool pending_add(struct pending *pending, struct pending_release *release, void *block);

/* Takes a recorded release back. */
void pending_cancel(struct pending *pending, struct pending_release *release);

/* Takes the releases out whose event has come and calls reclaim(context, block) for each. A failed
 * stream copies nothing any more, so an event that reports an error has come too. */
void pending_poll(struct pending *pending, void (*reclaim)(void *context, void *block),
                  void *context);

size_t pending_count(struct pending *pending);

/* Waits for all events, frees everything. */
void pending_destroy(struct pending *pending);

#endif
