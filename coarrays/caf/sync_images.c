#include <stdlib.h>

#include "control.h"
#include "error.h"
#include "messages.h"
#include "parcel.h"
#include "sync.h"
#include "team.h"
#include "wait.h"

static uint64_t *named;  /* named[image]: how often this image has named that one */
static uint64_t *listed; /* listed[image]: number of the last statement that names it */
static uint64_t statements;

/* A far image has named this one. */
static enum dm_status hear(int from_image, const void *body, size_t bytes)
{
    (void)bytes;
    _Atomic uint64_t *count = sync_count(control_of(runtime.image), from_image);
    atomic_store_explicit(count, *(const uint64_t *)body, memory_order_release);
    return DM_OK;
}

enum dm_status sync_images_start(void)
{
    named = calloc((size_t)runtime.images + 1, sizeof *named);
    listed = calloc((size_t)runtime.images + 1, sizeof *listed);
    if (!named || !listed)
        return error_no_memory(2 * ((size_t)runtime.images + 1) * sizeof *named);
    statements = 0;
    messages_handle(MESSAGE_SYNC_IMAGES, hear);
    return DM_OK;
}

void sync_images_end(void)
{
    free(named);
    free(listed);
    named = listed = NULL;
}

static enum dm_status check(const int *images, int count)
{
    if (count < -1 || (count > 0 && !images))
        return invalid(CAF_BAD_ARGUMENT, "SYNC IMAGES: a list of %d images", count);
    statements++;
    for (int i = 0; i < count; i++) {
        if (!is_image(images[i]))
            return error_no_image("SYNC IMAGES", images[i]);
        if (listed[images[i]] == statements)
            return invalid(CAF_BAD_IMAGE, "SYNC IMAGES: image %d is named twice",
                           current_team->index_of[images[i]]);
        listed[images[i]] = statements;
    }
    return DM_OK;
}

static enum dm_status name(int image)
{
    uint64_t count = ++named[image];
    if (!caf_is_near(image))
        return messages_send(image, MESSAGE_SYNC_IMAGES, &count, sizeof count);
    atomic_store_explicit(sync_count(control_of(image), runtime.image), count,
                          memory_order_release);
    return DM_OK;
}

static bool has_named_me(int image)
{
    _Atomic uint64_t *count = sync_count(control_of(runtime.image), image);
    return atomic_load_explicit(count, memory_order_acquire) >= named[image];
}

static enum dm_status wait_for(int image, struct wait *wait)
{
    while (!has_named_me(image)) {
        /* A look at its state first: it may have named this image just before it stopped. */
        if (image_state(image) != IMAGE_RUNNING && !has_named_me(image))
            return lost("SYNC IMAGES", image);
        TRY(wait_turn(wait));
    }
    return DM_OK;
}

enum dm_status caf_sync_images(int count, const int *images)
{
    caf_statement = "SYNC IMAGES";
    TRY(check(images, count));
    if (runtime.windows)
        TRY(caf_sync_memory());
    struct wait wait = wait_start("SYNC IMAGES");
    int partners = count < 0 ? current_team->images : count;
    for (int i = 0; i < partners; i++) {
        int image = count < 0 ? current_team->member[i + 1] : images[i];
        if (image != runtime.image)
            TRY(name(image));
    }
    /* Those that run are waited for also when one has stopped. */
    enum dm_status result = DM_OK;
    int absent = 0;
    for (int i = 0; i < partners && result != DM_TIMEOUT; i++) {
        int image = count < 0 ? current_team->member[i + 1] : images[i];
        enum dm_status status = image == runtime.image ? DM_OK : wait_for(image, &wait);
        if (status == DM_LOST && (absent == 0 || image_state(image) == IMAGE_STOPPED))
            absent = image;
        if (status != DM_OK)
            result = status;
    }
    enum dm_status received = parcels_receive();
    if (result == DM_OK)
        return received;
    return result == DM_LOST ? lost("SYNC IMAGES", absent) : result;
}
