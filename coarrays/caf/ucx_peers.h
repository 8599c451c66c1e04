/* ucx_peers.h: what the parts of the conduit ucx share: UCX's worker of this image, and the other
 * images as UCX sees them. */
#ifndef COARRAYS_CAF_UCX_PEERS_H
#define COARRAYS_CAF_UCX_PEERS_H

#include <stdbool.h>

#include "messages.h"
#include "ucx_calls.h"

struct peer {
    void *address;
    ucp_ep_h endpoint;   /* NULL if the start has failed */
    _Atomic bool broken; /* it has failed */
    bool farewell;       /* the image needs this one no more */
};
extern struct peer *peers; /* [image] */

extern ucp_context_h ucx_context;
extern ucp_worker_h ucx_worker;
extern const ucp_request_param_t ucx_plain;

enum dm_status of_ucx(ucs_status_t status, const char *what);

/* As conduit.h demands. */
enum dm_status peers_start(void);
void peers_end(void);
void peer_forget(int image);

bool peer_is_lost(int image);

/* UCX has lost the image: DM_OK if it has ended, as the watch will tell. */
enum dm_status peer_verdict(const char *statement, int image, ucs_status_t status);

/* Waits for an operation on an image. *reached is false if that has ended. */
enum dm_status peer_complete(const char *statement, int image, ucs_status_ptr_t request,
                             bool *reached);

/* Everything that has been sent to the image has arrived. */
enum dm_status peer_flush(int image);

/* ---- ucx_helper.c ---- */

enum dm_status ucx_helper_start(void);
void ucx_helper_end(void);
bool ucx_is_helper(void); /* the thread that asks */
void ucx_note_turn(void); /* the program's thread serves others, and need not be helped */

/* ---- ucx_messages.c ---- */

enum dm_status ucx_messages_start(void);
enum dm_status ucx_send(int image, enum message_kind kind, const void *body, size_t bytes);
enum dm_status ucx_progress(bool *found);
enum dm_status ucx_settle(void);

#endif
