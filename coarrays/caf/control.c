#include "control.h"

#include "agree.h"
#include "error.h"
#include "shared.h"
#include "sync.h"

static struct shared parts = {.descriptor = -1};

struct control *control_of(int image)
{
    return parts.part[runtime.place_of[image]];
}

enum arrival arrival_of(int place, uint64_t number)
{
    struct control *control = parts.part[place];
    if (atomic_load_explicit(&control->arrived, memory_order_acquire) >= number)
        return ARRIVAL_COME;
    if (atomic_load_explicit(&control->state, memory_order_acquire) == IMAGE_RUNNING)
        return ARRIVAL_MISSING;
    /* It may have come and stopped after the first look; now it does not come any more. */
    return atomic_load_explicit(&control->arrived, memory_order_acquire) >= number ? ARRIVAL_COME
                                                                                   : ARRIVAL_ABSENT;
}

enum dm_status control_start(void)
{
    return agree(shared_create(&parts, sizeof(struct control) + 64 * (size_t)runtime.images));
}

void control_end(void)
{
    shared_destroy(&parts);
}
