#include "messages.h"

#include <pthread.h>

#include "conduit.h"
#include "error.h"
#include "runtime.h"

static message_handler *handlers[MESSAGE_KINDS];
static bool open, handling;

void messages_handle(enum message_kind kind, message_handler *handler)
{
    handlers[kind] = handler;
}

enum dm_status messages_send(int image, enum message_kind kind, const void *body, size_t bytes)
{
    return conduit->send(image, kind, body, bytes);
}

enum dm_status messages_deliver(int from_image, enum message_kind kind, const void *body,
                                size_t bytes)
{
    return handlers[kind](from_image, body, bytes);
}

/* A handler may send, and sending may wait for room, but handlers do not nest. */
enum dm_status messages_progress(bool *found)
{
    bool ignored;
    found = found ? found : &ignored;
    *found = false;
    if (!open || handling)
        return DM_OK;
    handling = true;
    enum dm_status status = conduit->progress(found);
    handling = false;
    return status;
}

bool messages_are_handled(void)
{
    return handling;
}

static pthread_mutex_t held = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

void messages_hold(void)
{
    pthread_mutex_lock(&held);
}

void messages_release(void)
{
    pthread_mutex_unlock(&held);
}

enum dm_status messages_start(void)
{
    for (int kind = 0; kind < MESSAGE_KINDS; kind++)
        handlers[kind] = NULL;
    handling = false;
    if (!runtime.windows)
        return DM_OK;
    TRY(conduit->start());
    open = true;
    return DM_OK;
}

enum dm_status messages_end(void)
{
    if (!open)
        return DM_OK;
    enum dm_status status = conduit->settle();
    open = false;
    return status;
}
