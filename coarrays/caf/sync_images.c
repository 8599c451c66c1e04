#include <stdlib.h>

#include "control.h"
#include "error.h"
#include "messages.h"
#include "sync.h"
#include "wait.h"

static uint64_t *named;  /* named[image]: how often this image has named that one */
static uint64_t *listed; /* listed[image]: number of the last statement that names it */
static uint64_t statements;

/* A far image has named this one. */
static void hear(int from_image, const void *body, size_t bytes)
{
    (void)bytes;
    _Atomic uint64_t *count = sync_count(control_of(runtime.image), from_image);
    atomic_store_explicit(count, *(const uint64_t *)body, memory_order_release);
}

void sync_images_start(void)
{
    named = calloc((size_t)runtime.images + 1, sizeof *named);
    listed = calloc((size_t)runtime.images + 1, sizeof *listed);
    if (!named || !listed)
        caf_error_stop(1, "there is no memory for the counters of sync images");
    statements = 0;
    messages_handle(MESSAGE_SYNC_IMAGES, hear);
}

void sync_images_end(void)
{
    free(named);
    free(listed);
    named = listed = NULL;
}

static int check(const int *images, int count)
{
    if (count < -1 || (count > 0 && !images))
        return caf_error(CAF_BAD_ARGUMENT, "SYNC IMAGES: a list of %d images", count);
    statements++;
    for (int i = 0; i < count; i++) {
        if (!is_image(images[i]))
            return caf_error(CAF_BAD_IMAGE, "SYNC IMAGES: there is no image %d of %d", images[i],
                             runtime.images);
        if (listed[images[i]] == statements)
            return caf_error(CAF_BAD_IMAGE, "SYNC IMAGES: image %d is named twice", images[i]);
        listed[images[i]] = statements;
    }
    return CAF_OK;
}

static void name(int image)
{
    uint64_t count = ++named[image];
    if (caf_is_near(image))
        atomic_store_explicit(sync_count(control_of(image), runtime.image), count,
                              memory_order_release);
    else
        messages_send(image, MESSAGE_SYNC_IMAGES, &count, sizeof count);
}

static bool has_named_me(int image)
{
    _Atomic uint64_t *count = sync_count(control_of(runtime.image), image);
    return atomic_load_explicit(count, memory_order_acquire) >= named[image];
}

static int wait_for(int image, struct wait *wait)
{
    while (!has_named_me(image)) {
        /* A look at its state first: it may have named this image just before it stopped. */
        if (image_state(image) != IMAGE_RUNNING && !has_named_me(image))
            return caf_error(CAF_STOPPED_IMAGE, "SYNC IMAGES: image %d has stopped", image);
        int code = wait_turn(wait);
        if (code)
            return code;
    }
    return CAF_OK;
}

int caf_sync_images(int count, const int *images)
{
    caf_statement = "SYNC IMAGES";
    int result = check(images, count);
    if (!result && runtime.windows)
        result = caf_sync_memory();
    if (result)
        return result;
    struct wait wait = wait_start("SYNC IMAGES");
    int partners = count < 0 ? runtime.images : count;
    for (int i = 0; i < partners; i++) {
        int image = count < 0 ? i + 1 : images[i];
        if (image != runtime.image)
            name(image);
    }
    /* Those that run are waited for also when one has stopped. */
    for (int i = 0; i < partners && result != CAF_WAIT_LIMIT; i++) {
        int image = count < 0 ? i + 1 : images[i];
        int code = image == runtime.image ? CAF_OK : wait_for(image, &wait);
        result = code ? code : result;
    }
    return result;
}
