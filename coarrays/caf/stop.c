#include "stop.h"

#include <stdlib.h>

#include "collective_parts.h"
#include "collective_short.h"
#include "conduit.h"
#include "control.h"
#include "error.h"
#include "memory.h"
#include "messages.h"
#include "parcel.h"
#include "sync.h"
#include "team.h"
#include "team_far.h"
#include "wait.h"
#include "watch.h"
#include "watch_far.h"

/* told_state[image]: as its last message told, or the watch of other nodes. */
static _Atomic signed char *told_state;

static enum dm_status hear(int from_image, const void *body, size_t bytes)
{
    (void)bytes;
    atomic_store(&told_state[from_image], *(const signed char *)body);
    return DM_OK;
}

enum dm_status stop_start(void)
{
    told_state = calloc((size_t)runtime.images + 1, sizeof *told_state);
    if (!told_state)
        return error_no_memory((size_t)runtime.images + 1);
    messages_handle(MESSAGE_STATE, hear);
    return DM_OK;
}

void stop_end(void)
{
    free((void *)told_state);
    told_state = NULL;
}

bool state_failed(int image)
{
    signed char state = IMAGE_RUNNING;
    return atomic_compare_exchange_strong(&told_state[image], &state, IMAGE_FAILED);
}

enum image_state image_state(int image)
{
    if (runtime.node_of[image] != runtime.node)
        return (enum image_state)atomic_load_explicit(&told_state[image], memory_order_acquire);
    return (enum image_state)atomic_load_explicit(&control_of(image)->state, memory_order_acquire);
}

static enum dm_status look_at(int image, enum image_state *state)
{
    if (!is_image(image))
        return error_no_image("IMAGE_STATUS", image);
    if (runtime.windows)
        TRY(messages_progress(NULL));
    watch_images(false);
    *state = image_state(image);
    return DM_OK;
}

enum dm_status caf_has_stopped(int image, bool *stopped)
{
    enum image_state state = IMAGE_RUNNING;
    TRY(look_at(image, &state));
    *stopped = state == IMAGE_STOPPED;
    return DM_OK;
}

enum dm_status caf_has_failed(int image, bool *failed)
{
    enum image_state state = IMAGE_RUNNING;
    TRY(look_at(image, &state));
    *failed = state == IMAGE_FAILED;
    if (*failed)
        failures_are_known();
    return DM_OK;
}

/* Then near images also need to know that they have heard all of one that has stopped. */
static bool has_meetings(void)
{
    return runtime.nodes > 1 && !runtime.by_mpi;
}

bool state_is_told(int image)
{
    return !has_meetings() || atomic_load(&told_state[image]) != IMAGE_RUNNING;
}

/* Also to an image that has failed by itself: its process waits for the others' ends. */
static enum dm_status publish(enum image_state state)
{
    signed char told = (signed char)state;
    if (runtime.by_mpi && runtime.nodes > 1)
        TRY(shorts_tell());
    atomic_store_explicit(&control_of(runtime.image)->state, state, memory_order_release);
    for (int image = 1; image <= runtime.images; image++)
        if ((!caf_is_near(image) || has_meetings()) && image != runtime.image &&
            !watch_has_ended(image))
            TRY(messages_send(image, MESSAGE_STATE, &told, sizeof told));
    return DM_OK;
}

/* Everything this image still owes the others is done by the turns of this wait. */
static enum dm_status wait_for_all(void)
{
    struct wait wait = wait_start("normal termination");
    for (int image = 1; image <= runtime.images; image++)
        while (image_state(image) == IMAGE_RUNNING)
            TRY(wait_turn(&wait));
    return DM_OK;
}

static bool mpi_runs(void)
{
    int initialised, finalised;
    MPI_Initialized(&initialised);
    MPI_Finalized(&finalised);
    return initialised && !finalised;
}

/* Who sees an error in here cannot tell the others, which may be waiting for it. */
static enum dm_status end_parts(enum image_state state)
{
    TRY(caf_sync_memory());
    TRY(publish(state));
    TRY(wait_for_all());
    watch_images(true);
    /* MPI's collective calls, which follow, would wait for ever for a process that has died. */
    if (runtime.by_mpi && watch_found_dead())
        return DM_OK;
    TRY(messages_end());
    TRY(memory_end());
    conduit->end();
    watch_far_end();
    stop_end();
    sync_images_end();
    watch_end();
    parcels_end();
    control_end();
    team_end();
    team_far_end();
    parts_end();
    return runtime_end();
}

static enum dm_status end(enum image_state state)
{
    if (!runtime.running)
        return DM_OK;
    runtime.running = false;
    if (!mpi_runs()) /* the program has ended it: there is nobody to speak to */
        return DM_OK;
    TRY(end_parts(state));
    if (runtime.owns_mpi && !watch_found_dead())
        TRY_MPI(MPI_Finalize());
    return DM_OK;
}

enum dm_status caf_end(void)
{
    return end(IMAGE_STOPPED);
}

enum dm_status caf_fail(void)
{
    if (runtime.running)
        atomic_store(&control_of(runtime.image)->left, 1);
    return end(IMAGE_FAILED);
}
