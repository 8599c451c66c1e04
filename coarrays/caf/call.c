#include "call.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "control.h"
#include "error.h"
#include "messages.h"
#include "team.h"
#include "wait.h"

/* Before the body of a request and of its reply. */
struct envelope {
    _Alignas(16) uint64_t ticket;
};

/* The one that this image waits for. */
static struct {
    uint64_t ticket;
    void *reply;
    size_t bytes;
    bool done;
} call;

static call_server *server;

void call_serve(call_server *served_by)
{
    server = served_by;
}

/* A copy that begins at an address of malloc's alignment. */
static enum dm_status copy_of(const void *body, size_t bytes, void **copy)
{
    *copy = malloc(bytes ? bytes : 1);
    if (!*copy)
        return error_no_memory(bytes);
    memcpy(*copy, body, bytes);
    return DM_OK;
}

static enum dm_status send(int image, enum message_kind kind, uint64_t ticket, const void *body,
                           size_t bytes)
{
    char *message = malloc(sizeof(struct envelope) + bytes);
    if (!message)
        return error_no_memory(sizeof(struct envelope) + bytes);
    memset(message, 0, sizeof(struct envelope));
    memcpy(message, &ticket, sizeof ticket);
    if (bytes)
        memcpy(message + sizeof(struct envelope), body, bytes);
    enum dm_status status = messages_send(image, kind, message, sizeof(struct envelope) + bytes);
    free(message);
    return status;
}

static enum dm_status handle_call(int from_image, const void *body, size_t bytes)
{
    uint64_t ticket;
    void *request, *reply = NULL;
    size_t length = bytes - sizeof(struct envelope), reply_bytes = 0;
    memcpy(&ticket, body, sizeof ticket);
    TRY(copy_of((const char *)body + sizeof(struct envelope), length, &request));
    enum dm_status status = server(from_image, request, length, &reply, &reply_bytes);
    if (status == DM_OK)
        status = send(from_image, MESSAGE_REPLY, ticket, reply, reply_bytes);
    free(request);
    free(reply);
    return status;
}

/* A reply that nobody waits for any more, because the wait for it has ended, has another ticket. */
static enum dm_status handle_reply(int from_image, const void *body, size_t bytes)
{
    uint64_t ticket;
    (void)from_image;
    memcpy(&ticket, body, sizeof ticket);
    if (ticket != call.ticket || call.done)
        return DM_OK;
    call.bytes = bytes - sizeof(struct envelope);
    TRY(copy_of((const char *)body + sizeof(struct envelope), call.bytes, &call.reply));
    call.done = true;
    return DM_OK;
}

void call_start(void)
{
    messages_handle(MESSAGE_CALL, handle_call);
    messages_handle(MESSAGE_REPLY, handle_reply);
}

static enum dm_status wait_for_reply(int image)
{
    struct wait wait = wait_start(caf_statement);
    while (!call.done) {
        if (image_state(image) == IMAGE_FAILED)
            return error_lost(CAF_FAILED_IMAGE, caf_statement, current_team->index_of[image]);
        TRY(wait_turn(&wait));
    }
    return DM_OK;
}

enum dm_status call_image(int image, const void *request, size_t bytes, void **reply,
                          size_t *reply_bytes)
{
    TRY(caf_sync_memory());
    call.ticket++;
    call.done = false;
    TRY(send(image, MESSAGE_CALL, call.ticket, request, bytes));
    enum dm_status status = wait_for_reply(image);
    if (status != DM_OK) {
        call.ticket++;
        return status;
    }
    *reply = call.reply;
    *reply_bytes = call.bytes;
    return DM_OK;
}
