/* The lock of image 1; on several nodes, where the memory of an image that fails is lost, that of
 * the first image that has not failed, which is called the home.
 *
 * When the home fails, somebody may be inside by its lock. So each image writes its home into its
 * own part of the lock before it tries, and takes that back when it has left; whoever goes to a new
 * home waits until nobody names an earlier one. After a home has failed nobody gets its lock. */
#include "critical.h"

#include <stdatomic.h>
#include <stddef.h>
#include <time.h>

#include "control.h"
#include "error.h"
#include "memory.h"
#include "wait.h"
#include "watch.h"
#include "word.h"

/* An image on the node of a process that ends may see it later than others do. */
static const struct timespec GRACE = {.tv_nsec = 300000000};

/* What an image keeps in its own part. */
struct construct {
    int32_t owner; /* of the lock, where this image is the home */
    int32_t home;  /* that it tries or has; 0: none */
    int32_t known; /* a home before which no earlier one is in use */
    int32_t unused;
};
_Static_assert(sizeof(struct construct) == sizeof(struct caf_lock), "it lies in a lock");

static struct construct *own_part(const struct caf_coarray *coarray, size_t offset)
{
    return (struct construct *)near_address(coarray, runtime.image, offset);
}

static void set_home(struct construct *own, int home)
{
    __atomic_store_n(&own->home, home, __ATOMIC_SEQ_CST);
}

static bool moves(void)
{
    return runtime.nodes > 1 && !runtime.by_mpi;
}

static bool has_failed(int image)
{
    return image_state(image) == IMAGE_FAILED;
}

static int find_home(void)
{
    int home = 1;
    while (moves() && has_failed(home))
        home++;
    return home;
}

/* Until the image neither tries nor has the lock of an earlier home. */
static enum dm_status wait_for(struct caf_coarray *coarray, int image, size_t offset, int home)
{
    struct wait wait = wait_start("CRITICAL");
    for (;;) {
        int32_t named = 0;
        enum dm_status status =
            word_read(coarray, image, offset + offsetof(struct construct, home), &named);
        if (is_failed_image(status) || (status == DM_OK && (named == 0 || named >= home)))
            return DM_OK;
        TRY(status);
        TRY(wait_turn(&wait));
    }
}

static enum dm_status wait_for_earlier(struct caf_coarray *coarray, size_t offset, int home)
{
    nanosleep(&GRACE, NULL);
    for (int image = 1; image <= runtime.images; image++)
        if (image != runtime.image && !has_failed(image))
            TRY(wait_for(coarray, image, offset, home));
    return DM_OK;
}

enum dm_status critical_enter(struct caf_coarray *coarray, size_t offset)
{
    struct construct *own = own_part(coarray, offset);
    for (;;) {
        int home = find_home();
        set_home(own, home);
        if (home > 1 && home != own->known)
            TRY(wait_for_earlier(coarray, offset, home));
        enum dm_status status = caf_lock(coarray, home, offset, NULL);
        if (status != DM_OK && !is_failed_image(status))
            return status;
        watch_images(true);
        if (!moves() || !has_failed(home)) {
            own->known = home;
            return status;
        }
    }
}

enum dm_status critical_leave(struct caf_coarray *coarray, size_t offset)
{
    struct construct *own = own_part(coarray, offset);
    int home = own->home;
    enum dm_status status = caf_unlock(coarray, home, offset);
    if (moves() && has_failed(home) && is_failed_image(status))
        status = DM_OK;
    set_home(own, 0);
    return status;
}
