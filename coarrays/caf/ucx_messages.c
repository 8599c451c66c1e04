/* The messages of the conduit ucx: UCX's active messages. */
#if HAVE_UCX
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "runtime.h"
#include "ucx_peers.h"
#include "wait.h"
#include "watch.h"

enum {
    MESSAGE = 1,                /* id of the only active message */
    UNSENT_BYTES_MAX = 32 << 20 /* messages on their way beyond this are waited for */
};

struct head {
    uint32_t image, kind;
};

static _Atomic size_t unsent_bytes;
static uint64_t delivered;
static enum dm_status heard; /* the first error of a message's handler */

/* Handlers read numbers in a message where they lie. */
enum { ALIGNMENT = 16 };

/* What came while the program was outside of this library (ucx_helper.c) and changes what the
 * library's calls read: it waits for the next of them. Sections of coarrays may be put and got at
 * once, also before what came earlier, as no image waits for such a message before it sends them.
 */
struct kept {
    struct kept *next;
    struct head head;
    size_t bytes;
    _Alignas(ALIGNMENT) char body[];
};
static struct kept *first_kept, **end_of_kept = &first_kept;

static enum dm_status keep(const struct head *head, const void *body, size_t bytes)
{
    size_t size = (sizeof(struct kept) + bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    struct kept *kept = aligned_alloc(ALIGNMENT, size);
    if (!kept)
        return error_no_memory(size);
    kept->next = NULL;
    kept->head = *head;
    kept->bytes = bytes;
    memcpy(kept->body, body, bytes);
    *end_of_kept = kept;
    end_of_kept = &kept->next;
    return DM_OK;
}

static enum dm_status deliver_kept(void)
{
    enum dm_status status = DM_OK;
    while (first_kept) {
        struct kept *kept = first_kept;
        first_kept = kept->next;
        if (!first_kept)
            end_of_kept = &first_kept;
        enum dm_status handled = messages_deliver(
            (int)kept->head.image, (enum message_kind)kept->head.kind, kept->body, kept->bytes);
        if (status == DM_OK)
            status = handled;
        free(kept);
    }
    return status;
}

static ucs_status_t hear(void *unused, const void *head, size_t head_bytes, void *body,
                         size_t bytes, const ucp_am_recv_param_t *how)
{
    (void)unused;
    (void)head_bytes;
    (void)how;
    struct head from;
    memcpy(&from, head, sizeof from);
    static _Alignas(16) char nothing[16];
    void *copy = NULL;
    enum dm_status status = DM_OK;
    if (bytes > 0 && (uintptr_t)body % ALIGNMENT != 0) {
        copy = malloc(bytes);
        status = copy ? DM_OK : error_no_memory(bytes);
        if (copy)
            body = memcpy(copy, body, bytes);
    }
    if (bytes == 0)
        body = nothing;
    delivered++;
    bool serves = from.kind == MESSAGE_PUT || from.kind == MESSAGE_GET;
    if (status == DM_OK && ucx_is_helper() && !serves)
        status = keep(&from, body, bytes);
    else if (status == DM_OK)
        status = messages_deliver((int)from.image, (enum message_kind)from.kind, body, bytes);
    free(copy);
    if (heard == DM_OK)
        heard = status;
    return UCS_OK;
}

enum dm_status ucx_progress(bool *found)
{
    ucx_note_turn();
    messages_hold();
    *found = first_kept;
    enum dm_status status = deliver_kept();
    uint64_t before = delivered;
    ucx.ucp_worker_progress(ucx_worker);
    *found |= delivered != before;
    if (status == DM_OK)
        status = heard;
    heard = DM_OK;
    messages_release();
    return status;
}

/* A message on its way. */
struct packet {
    size_t bytes;
    struct head head;
    char body[];
};

static void sent(void *request, ucs_status_t status, void *packet)
{
    (void)status;
    unsent_bytes -= ((struct packet *)packet)->bytes;
    free(packet);
    ucx.ucp_request_free(request);
}

/* What is sent to an image that has ended has no effect: it is found by whoever waits for it. */
enum dm_status ucx_send(int image, enum message_kind kind, const void *body, size_t bytes)
{
    if (peer_is_lost(image) || peers[image].broken)
        return DM_OK;
    struct packet *packet = malloc(sizeof *packet + bytes);
    if (!packet)
        return error_no_memory(sizeof *packet + bytes);
    packet->bytes = bytes;
    packet->head = (struct head){(uint32_t)runtime.image, (uint32_t)kind};
    if (bytes)
        memcpy(packet->body, body, bytes);
    /* Eager: a message whose data the target has to fetch would be overtaken by later ones. */
    ucp_request_param_t how = {.op_attr_mask = UCP_OP_ATTR_FIELD_FLAGS |
                                               UCP_OP_ATTR_FIELD_CALLBACK |
                                               UCP_OP_ATTR_FIELD_USER_DATA,
                               .flags = UCP_AM_SEND_FLAG_EAGER,
                               .cb.send = sent,
                               .user_data = packet};
    messages_hold();
    unsent_bytes += bytes;
    ucs_status_ptr_t request = ucx.ucp_am_send_nbx(peers[image].endpoint, MESSAGE, &packet->head,
                                                   sizeof packet->head, packet->body, bytes, &how);
    if (!UCS_PTR_IS_PTR(request)) {
        unsent_bytes -= bytes;
        free(packet);
    }
    messages_release();
    bool found;
    while (unsent_bytes > UNSENT_BYTES_MAX && !ucx_is_helper() && !messages_are_handled())
        TRY(messages_progress(&found));
    return DM_OK;
}
/* ---- start and end ---- */

static enum dm_status hear_farewell(int from_image, const void *body, size_t bytes)
{
    (void)body;
    (void)bytes;
    peers[from_image].farewell = true;
    return DM_OK;
}
enum dm_status ucx_messages_start(void)
{
    ucp_am_handler_param_t handler = {.field_mask = UCP_AM_HANDLER_PARAM_FIELD_ID |
                                                    UCP_AM_HANDLER_PARAM_FIELD_CB |
                                                    UCP_AM_HANDLER_PARAM_FIELD_FLAGS,
                                      .id = MESSAGE,
                                      .cb = hear,
                                      .flags = UCP_AM_FLAG_WHOLE_MSG};
    unsent_bytes = 0;
    heard = DM_OK;
    while (first_kept) { /* of a run that has ended */
        struct kept *next = first_kept->next;
        free(first_kept);
        first_kept = next;
    }
    end_of_kept = &first_kept;
    messages_handle(MESSAGE_FAREWELL, hear_farewell);
    return of_ucx(ucx.ucp_worker_set_am_recv_handler(ucx_worker, &handler), "start");
}

/* Who has said farewell, or has ended, needs this image no more. */
enum dm_status ucx_settle(void)
{
    struct wait wait = wait_start("normal termination");
    for (int image = 1; image <= runtime.images; image++)
        if (image != runtime.image)
            TRY(ucx_send(image, MESSAGE_FAREWELL, NULL, 0));
    for (int image = 1; image <= runtime.images; image++)
        while (image != runtime.image && !peers[image].farewell && !peers[image].broken &&
               !peer_is_lost(image) && !watch_has_ended(image))
            TRY(wait_turn(&wait));
    for (int image = 1; image <= runtime.images; image++)
        if (!peer_is_lost(image) && !watch_has_ended(image))
            TRY(peer_flush(image));
    return DM_OK;
}
#else
typedef int ucx_is_missing;
#endif
