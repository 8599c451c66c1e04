#include "control.h"
#include "error.h"
#include "sync.h"
#include "wait.h"

/* Number of the last sync all that this image came to, in the part that the others see. */
static uint64_t arrive(void)
{
    _Atomic uint64_t *arrived = &control_of(runtime.image)->arrived;
    uint64_t number = atomic_load_explicit(arrived, memory_order_relaxed) + 1;
    atomic_store_explicit(arrived, number, memory_order_release);
    return number;
}

static enum dm_status absent(void)
{
    for (int image = 1; image <= runtime.images; image++)
        if (image_state(image) != IMAGE_RUNNING)
            return dm_fail(DM_LOST, "SYNC ALL: image %d has stopped", image);
    return dm_fail(DM_LOST, "SYNC ALL: an image has stopped");
}

/* On one node every image looks for all others itself: that is one way of a cache line for each. */
static enum dm_status wait_for_near(uint64_t number)
{
    struct wait wait = wait_start("SYNC ALL");
    bool complete = true;
    for (int place = 0; place < runtime.near_count; place++) {
        enum arrival arrival;
        while ((arrival = arrival_of(place, number)) == ARRIVAL_MISSING) {
            TRY(wait_turn(&wait));
        }
        complete = complete && arrival == ARRIVAL_COME;
    }
    return complete ? DM_OK : absent();
}

/* With several nodes the first image of each speaks for it (sync_nodes.c). */
static enum dm_status wait_for_release(uint64_t number)
{
    struct control *first = control_of(runtime.near[0]);
    struct wait wait = wait_start("SYNC ALL");
    TRY(sync_nodes_serve());
    while (atomic_load_explicit(&first->released, memory_order_acquire) < number) {
        TRY(wait_turn(&wait));
    }
    uint64_t from = atomic_load_explicit(&first->incomplete_from, memory_order_relaxed);
    return from == 0 || number < from ? DM_OK : absent();
}

enum dm_status caf_sync_all(void)
{
    caf_statement = "SYNC ALL";
    if (runtime.windows) {
        TRY(caf_sync_memory());
    }
    uint64_t number = arrive();
    return runtime.nodes == 1 ? wait_for_near(number) : wait_for_release(number);
}
