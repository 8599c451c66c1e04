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

static int absent(void)
{
    for (int image = 1; image <= runtime.images; image++)
        if (image_state(image) != IMAGE_RUNNING)
            return caf_error(CAF_STOPPED_IMAGE, "SYNC ALL: image %d has stopped", image);
    return caf_error(CAF_STOPPED_IMAGE, "SYNC ALL: an image has stopped");
}

/* On one node every image looks for all others itself: that is one way of a cache line for each. */
static int wait_for_near(uint64_t number)
{
    struct wait wait = wait_start("SYNC ALL");
    bool complete = true;
    for (int place = 0; place < runtime.near_count; place++) {
        enum arrival arrival;
        while ((arrival = arrival_of(place, number)) == ARRIVAL_MISSING) {
            int code = wait_turn(&wait);
            if (code)
                return code;
        }
        complete = complete && arrival == ARRIVAL_COME;
    }
    return complete ? CAF_OK : absent();
}

/* With several nodes the first image of each speaks for it (sync_nodes.c). */
static int wait_for_release(uint64_t number)
{
    struct control *first = control_of(runtime.near[0]);
    struct wait wait = wait_start("SYNC ALL");
    sync_nodes_serve();
    while (atomic_load_explicit(&first->released, memory_order_acquire) < number) {
        int code = wait_turn(&wait);
        if (code)
            return code;
    }
    uint64_t from = atomic_load_explicit(&first->incomplete_from, memory_order_relaxed);
    return from == 0 || number < from ? CAF_OK : absent();
}

int caf_sync_all(void)
{
    caf_statement = "SYNC ALL";
    if (runtime.windows) {
        int code = caf_sync_memory();
        if (code)
            return code;
    }
    uint64_t number = arrive();
    return runtime.nodes == 1 ? wait_for_near(number) : wait_for_release(number);
}
