/* Sync all between nodes: the first images of the nodes send messages to one another in log2(nodes)
 * rounds. In round r a node tells the one 2^r after it that it, and all it has heard of, have come,
 * and whether an image was missing because it had stopped (dissemination). */
#include "control.h"
#include "error.h"
#include "messages.h"
#include "sync.h"

enum { MAX_ROUNDS = 31 };

struct note {
    uint64_t number;
    int32_t round;
    int32_t absent;
};

static struct {
    int rounds;
    uint64_t number; /* the sync all that is going on, or will be next */
    bool entered;
    int round;
    bool absent; /* heard so far */
    /* heard[number % 2][round]: a node can be at most one sync all ahead of another. */
    struct note heard[2][MAX_ROUNDS];
} state;

static enum dm_status hear(int from_image, const void *body, size_t bytes)
{
    const struct note *note = body;
    (void)from_image;
    (void)bytes;
    state.heard[note->number % 2][note->round] = *note;
    return DM_OK;
}

void sync_nodes_start(void)
{
    state.number = 1;
    state.entered = false;
    state.rounds = 0;
    while (1L << state.rounds < runtime.nodes)
        state.rounds++;
    for (int i = 0; i < 2 * MAX_ROUNDS; i++)
        state.heard[i / MAX_ROUNDS][i % MAX_ROUNDS].number = 0;
    messages_handle(MESSAGE_SYNC_ALL, hear);
}

static enum dm_status tell(void)
{
    long node = (runtime.node + (1L << state.round)) % runtime.nodes;
    struct note note = {state.number, state.round, state.absent};
    return messages_send(runtime.first_of[node], MESSAGE_SYNC_ALL, &note, sizeof note);
}

static bool heard_any(void)
{
    for (int round = 0; round < state.rounds; round++)
        if (state.heard[state.number % 2][round].number == state.number)
            return true;
    return false;
}

/* A node whose images have all stopped has come to every sync all, but goes into one only when
 * somebody else has: else it would never end. */
static enum dm_status enter(void)
{
    bool wanted = false, absent = false;
    for (int place = 0; place < runtime.near_count; place++) {
        enum arrival arrival = arrival_of(place, state.number);
        if (arrival == ARRIVAL_MISSING)
            return DM_OK;
        wanted = wanted || arrival == ARRIVAL_COME;
        absent = absent || arrival == ARRIVAL_ABSENT;
    }
    if (!wanted && !heard_any())
        return DM_OK;
    state.entered = true;
    state.absent = absent;
    state.round = 0;
    return tell();
}

static void release(void)
{
    struct control *control = control_of(runtime.image);
    if (state.absent && atomic_load_explicit(&control->incomplete_from, memory_order_relaxed) == 0)
        atomic_store_explicit(&control->incomplete_from, state.number, memory_order_relaxed);
    atomic_store_explicit(&control->released, state.number, memory_order_release);
    state.number++;
    state.entered = false;
}

enum dm_status sync_nodes_serve(void)
{
    if (runtime.nodes == 1 || runtime.image != runtime.near[0])
        return DM_OK;
    if (!state.entered)
        TRY(enter());
    if (!state.entered)
        return DM_OK;
    while (state.round < state.rounds) {
        const struct note *note = &state.heard[state.number % 2][state.round];
        if (note->number != state.number)
            return DM_OK;
        state.absent = state.absent || note->absent;
        if (++state.round < state.rounds)
            TRY(tell());
    }
    release();
    return DM_OK;
}
