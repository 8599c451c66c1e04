/* messages.h: short messages between images of different nodes, for what needs both sides: sync
 * all, sync images, termination, and sections whose elements the target must put in place.
 *
 * A message is handled by the target whenever it is inside this library; messages from one image to
 * another are handled in order. Handlers may send, but not wait. With one node nothing is ever
 * sent, except with PATH_RMA, where sections go through the same channel. */
#ifndef COARRAYS_CAF_MESSAGES_H
#define COARRAYS_CAF_MESSAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <datamotion/status.h>

enum message_kind {
    MESSAGE_SYNC_ALL,    /* sync_nodes.c */
    MESSAGE_SYNC_IMAGES, /* sync_images.c */
    MESSAGE_STATE,       /* stop.c */
    MESSAGE_PUT,         /* packed.c: elements to put in place */
    MESSAGE_PUT_DONE,    /* packed.c */
    MESSAGE_GET,         /* packed.c: elements wanted */
    MESSAGE_GET_DONE,    /* packed.c */
    MESSAGE_COME,        /* team_far.c: has come to a meeting */
    MESSAGE_MET,         /* team_far.c: what came of a meeting */
    MESSAGE_ASK,         /* team_far.c: a new leader wants to know */
    MESSAGE_PART,        /* collective_parts.c */
    MESSAGE_SHORTS,      /* collective_short.c */
    MESSAGE_FAREWELL,    /* conduit_ucx.c */
    MESSAGE_CALL,        /* call.c */
    MESSAGE_REPLY,       /* call.c */
    MESSAGE_KINDS
};

/* `body` is valid during the call. What a handler returns is returned by messages_progress. */
typedef enum dm_status message_handler(int from_image, const void *body, size_t bytes);

/* Each module names its handlers at start. */
void messages_handle(enum message_kind kind, message_handler *handler);

/* Copies body, so it may be changed at once. Any size. */
enum dm_status messages_send(int image, enum message_kind kind, const void *body, size_t bytes);

/* Handles one message that has come and tells in *found, which may be NULL, whether there was one;
 * else gives MPI a chance to progress. Cheap when nothing has come. */
enum dm_status messages_progress(bool *found);

/* A message that the conduit has received: aligned to 16 bytes. */
enum dm_status messages_deliver(int from_image, enum message_kind kind, const void *body,
                                size_t bytes);

/* Whether a handler runs, which may not wait. */
bool messages_are_handled(void);

/* In between no other thread handles messages (ucx_helper.c): around what their handlers read, and
 * around calls of UCX. May be nested; without a wait in between. */
void messages_hold(void);
void messages_release(void);

/* Collective over all images. */
enum dm_status messages_start(void);
enum dm_status messages_end(void);

#endif
