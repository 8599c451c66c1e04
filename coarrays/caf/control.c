#include "control.h"

#include <unistd.h>

#include "agree.h"
#include "error.h"
#include "shared.h"
#include "sync.h"

static struct shared parts = {.descriptor = -1};

struct control *control_of(int image)
{
    return parts.part[runtime.place_of[image]];
}

enum arrival arrival_at(const _Atomic uint64_t *arrived, int image, uint64_t number)
{
    if (atomic_load_explicit(arrived, memory_order_acquire) >= number)
        return ARRIVAL_COME;
    if (atomic_load_explicit(&control_of(image)->state, memory_order_acquire) == IMAGE_RUNNING)
        return ARRIVAL_MISSING;
    /* It may have come and stopped after the first look; now it does not come any more. */
    return atomic_load_explicit(arrived, memory_order_acquire) >= number ? ARRIVAL_COME
                                                                         : ARRIVAL_ABSENT;
}

enum arrival arrival_of(int place, uint64_t number)
{
    int image = runtime.near[place];
    return arrival_at(&control_of(image)->arrived, image, number);
}

void control_failed(int image)
{
    int state = IMAGE_RUNNING;
    atomic_compare_exchange_strong(&control_of(image)->state, &state, IMAGE_FAILED);
}

/* Sync counts of all images, then slots. */
static size_t slots_begin(void)
{
    return sizeof(struct control) + 64 * (size_t)runtime.images;
}

struct slot *slot_of(int image, int slot)
{
    return (struct slot *)((char *)control_of(image) + slots_begin()) + slot;
}

enum dm_status control_start(void)
{
    TRY(agree(shared_create(&parts, slots_begin() + SLOTS * sizeof(struct slot), SHARED_ANYWHERE)));
    atomic_store(&control_of(runtime.image)->pid, (int)getpid());
    return DM_OK;
}

void control_end(void)
{
    shared_destroy(&parts);
}
