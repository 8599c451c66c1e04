/* Events (thesis, 5.1): counters that other images raise and their own image waits for.
 *
 * Posts of the same node are counted with the processor's atomics and those of other nodes with
 * MPI's, in words of their own, because the two are not atomic towards one another. All counts wrap
 * around; only their differences matter. */
#include <limits.h>
#include <stdatomic.h>

#include "control.h"
#include "error.h"
#include "messages.h"
#include "parcel.h"
#include "sync.h"
#include "wait.h"
#include "word.h"

/* Turns between two looks at whether the others have stopped. */
enum { STATE_TURNS = 256 };

enum dm_status caf_event_post(struct caf_coarray *coarray, int image, size_t offset)
{
    caf_statement = "EVENT POST";
    TRY(word_check(coarray, image, offset, sizeof(struct caf_event)));
    TRY(caf_sync_memory());
    if (runtime.node_of[image] != runtime.node)
        return word_add(coarray, image, offset + offsetof(struct caf_event, far), 1);
    struct caf_event *event = (struct caf_event *)near_address(coarray, image, offset);
    __atomic_fetch_add(&event->near, 1, __ATOMIC_RELEASE);
    return DM_OK;
}

/* Posts that no wait has taken yet. */
static uint32_t pending(const struct caf_event *event)
{
    uint32_t near = (uint32_t)__atomic_load_n(&event->near, __ATOMIC_ACQUIRE);
    uint32_t far = (uint32_t)__atomic_load_n(&event->far, __ATOMIC_ACQUIRE);
    return near + far - (uint32_t)event->taken;
}

static bool others_run(void)
{
    for (int image = 1; image <= runtime.images; image++)
        if (image != runtime.image && image_state(image) == IMAGE_RUNNING)
            return true;
    return false;
}

static enum dm_status others_stopped(uint32_t posts, uint32_t count)
{
    error_lost(CAF_STOPPED_IMAGE, "EVENT WAIT", runtime.image);
    return dm_fail(DM_LOST,
                   "EVENT WAIT: %u of %u posts have come and all other images have stopped", posts,
                   count);
}

static enum dm_status wait_for_posts(const struct caf_event *event, uint32_t count)
{
    struct wait wait = wait_start("EVENT WAIT");
    for (int turn = 0; pending(event) < count; turn++) {
        TRY(wait_turn(&wait));
        /* Their last posts came before they stopped: one more look decides. */
        if (turn % STATE_TURNS != 0 || pending(event) >= count)
            continue;
        if (failures_unknown() && pending(event) < count)
            return lost_image("EVENT WAIT");
        if (!others_run() && pending(event) < count)
            return others_stopped(pending(event), count);
    }
    return DM_OK;
}

enum dm_status caf_event_wait(struct caf_coarray *coarray, size_t offset, int until_count)
{
    caf_statement = "EVENT WAIT";
    TRY(word_check(coarray, runtime.image, offset, sizeof(struct caf_event)));
    struct caf_event *event = (struct caf_event *)near_address(coarray, runtime.image, offset);
    uint32_t count = until_count < 1 ? 1 : (uint32_t)until_count;
    enum dm_status status = wait_for_posts(event, count);
    if (status == DM_OK)
        event->taken = (int32_t)((uint32_t)event->taken + count);
    return status == DM_OK ? parcels_receive() : status;
}

enum dm_status caf_event_query(struct caf_coarray *coarray, size_t offset, int *count)
{
    caf_statement = "EVENT_QUERY";
    TRY(word_check(coarray, runtime.image, offset, sizeof(struct caf_event)));
    if (runtime.windows) /* a program may query until the count changes */
        TRY(messages_progress(NULL));
    uint32_t posts = pending((struct caf_event *)near_address(coarray, runtime.image, offset));
    *count = posts > INT_MAX ? INT_MAX : (int)posts;
    return DM_OK;
}
