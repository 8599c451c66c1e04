/* Locks, and with them critical sections: a word that holds the number of the image that has it.
 *
 * Taking is a compare-and-swap from 0 to this image's number, which acquires; giving back swaps it
 * to 0 again, which releases, after this image's puts are complete at their targets. */
#include <stdatomic.h>

#include "control.h"
#include "error.h"
#include "parcel.h"
#include "sync.h"
#include "team.h"
#include "wait.h"
#include "word.h"
#include "watch.h"

/* Turns between two looks at a lock that somebody has: they grow, so that many images that wait do
 * not slow down the one that wants to unlock. */
enum { PAUSE_MAX = 128 };

struct lock {
    struct caf_coarray *coarray;
    int image;
    size_t offset; /* of the word */
};

static enum dm_status find_lock(struct lock *lock, struct caf_coarray *coarray, int image,
                                size_t offset)
{
    *lock = (struct lock){coarray, image, offset + offsetof(struct caf_lock, owner)};
    return word_check(coarray, image, offset, sizeof(struct caf_lock));
}

static enum dm_status try_lock(const struct lock *lock, int32_t *owner)
{
    enum dm_status status =
        word_compare_swap(lock->coarray, lock->image, lock->offset, 0, runtime.image, owner);
    atomic_thread_fence(memory_order_acquire);
    return status;
}

/* In the current team, for sentences. */
static int name_of(int image)
{
    int index = current_team->index_of[image];
    return index > 0 ? index : image;
}

static enum dm_status stopped_owner(const struct lock *lock, int owner)
{
    error_lost(CAF_STOPPED_IMAGE, "LOCK", name_of(owner));
    return dm_fail(DM_LOST, "LOCK: image %d has stopped and still holds the lock on image %d",
                   name_of(owner), name_of(lock->image));
}

/* The lock of an image that has failed becomes free (Fortran 2018, 11.6.10); one image finds it. */
static enum dm_status break_lock(const struct lock *lock, int owner)
{
    int32_t found;
    TRY(word_compare_swap(lock->coarray, lock->image, lock->offset, owner, runtime.image, &found));
    if (found != owner)
        return DM_OK;
    error_lost(CAF_FAILED_IMAGE, "LOCK", name_of(owner));
    return dm_fail(DM_LOST, "LOCK: image %d, which held the lock on image %d, has failed",
                   name_of(owner), name_of(lock->image));
}

/* Images of the node still reach the memory of one that has failed, others do not, whose unlock
 * would not be seen. */
static enum dm_status check_home(int image)
{
    bool is_shared = runtime.nodes == 1 || runtime.by_mpi;
    return is_shared || image_state(image) != IMAGE_FAILED ? DM_OK : lost(caf_statement, image);
}

/* An image unlocks before it stops; so a lock that still has its number afterwards stays locked. */
static enum dm_status check_owner(const struct lock *lock, int32_t owner)
{
    if (!is_image(owner))
        return invalid(CAF_BAD_ARGUMENT,
                       "LOCK: the lock variable on image %d was overwritten: it holds %d",
                       lock->image, owner);
    if (image_state(owner) == IMAGE_RUNNING)
        return DM_OK;
    int32_t now;
    enum dm_status status = word_read(lock->coarray, lock->image, lock->offset, &now);
    if (status != DM_OK || now != owner)
        return status;
    return image_state(owner) == IMAGE_FAILED ? break_lock(lock, owner)
                                              : stopped_owner(lock, owner);
}

/* Until the word is 0; then somebody else may still be faster. */
static enum dm_status wait_until_free(const struct lock *lock, struct wait *wait, int *pause,
                                      int32_t owner)
{
    while (owner != 0) {
        for (int turn = 0; turn < *pause; turn++) {
            TRY(wait_turn(wait));
        }
        if (*pause < PAUSE_MAX)
            *pause *= 2;
        TRY(check_home(lock->image));
        TRY(check_owner(lock, owner));
        TRY(word_read(lock->coarray, lock->image, lock->offset, &owner));
    }
    return DM_OK;
}

static enum dm_status wait_for_lock(const struct lock *lock, int32_t owner)
{
    struct wait wait = wait_start("LOCK");
    int pause = 1;
    while (owner != 0) {
        TRY(wait_until_free(lock, &wait, &pause, owner));
        TRY(try_lock(lock, &owner));
    }
    return DM_OK;
}

static bool image_of_lock_failed(int32_t owner)
{
    return is_image(owner) && image_state(owner) == IMAGE_FAILED;
}

enum dm_status caf_lock(struct caf_coarray *coarray, int image, size_t offset, bool *acquired)
{
    struct lock lock;
    int32_t owner;
    caf_statement = "LOCK";
    TRY(find_lock(&lock, coarray, image, offset));
    TRY(check_home(image));
    TRY(try_lock(&lock, &owner));
    if (owner == runtime.image)
        return invalid(CAF_LOCKED, "LOCK: this image, %d, holds the lock on image %d already",
                       name_of(owner), name_of(image));
    if (!acquired) {
        enum dm_status waited = wait_for_lock(&lock, owner);
        return waited == DM_OK ? parcels_receive() : waited;
    }
    enum dm_status status = DM_OK;
    if (owner != 0) {
        watch_images(false);
        status = image_of_lock_failed(owner) ? check_owner(&lock, owner) : DM_OK;
    }
    *acquired = owner == 0 || is_failed_image(status);
    return status == DM_OK ? parcels_receive() : status;
}

enum dm_status caf_unlock(struct caf_coarray *coarray, int image, size_t offset)
{
    struct lock lock;
    int32_t owner;
    caf_statement = "UNLOCK";
    TRY(find_lock(&lock, coarray, image, offset));
    TRY(caf_sync_memory());
    TRY(check_home(image));
    atomic_thread_fence(memory_order_release);
    enum dm_status status =
        word_compare_swap(coarray, image, lock.offset, runtime.image, 0, &owner);
    if (status != DM_OK || owner == runtime.image)
        return status;
    if (owner == 0)
        return invalid(CAF_UNLOCKED, "UNLOCK: nobody holds the lock on image %d", name_of(image));
    return invalid(CAF_LOCKED_OTHER_IMAGE,
                   "UNLOCK: image %d holds the lock on image %d, not this image, %d",
                   name_of(owner), name_of(image), name_of(runtime.image));
}
