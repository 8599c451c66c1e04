#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "control.h"
#include "error.h"
#include "memory.h"
#include "messages.h"
#include "sync.h"
#include "wait.h"

static signed char *far_state; /* far_state[image]: as its last message told */

static void hear(int from_image, const void *body, size_t bytes)
{
    (void)bytes;
    far_state[from_image] = *(const signed char *)body;
}

void stop_start(void)
{
    far_state = calloc((size_t)runtime.images + 1, sizeof *far_state);
    if (!far_state)
        caf_error_stop(1, "there is no memory for the states of the images");
    messages_handle(MESSAGE_STATE, hear);
}

void stop_end(void)
{
    free(far_state);
    far_state = NULL;
}

enum image_state image_state(int image)
{
    if (runtime.node_of[image] != runtime.node)
        return (enum image_state)far_state[image];
    return (enum image_state)atomic_load_explicit(&control_of(image)->state, memory_order_acquire);
}

int caf_image_status(int image)
{
    if (!is_image(image))
        return caf_error(CAF_BAD_IMAGE, "IMAGE_STATUS: there is no image %d of %d", image,
                         runtime.images);
    if (runtime.windows)
        messages_progress();
    if (image_state(image) == IMAGE_RUNNING)
        return CAF_OK;
    return caf_error(CAF_STOPPED_IMAGE, "IMAGE_STATUS: image %d has stopped", image);
}

static void publish(enum image_state state)
{
    signed char told = (signed char)state;
    atomic_store_explicit(&control_of(runtime.image)->state, state, memory_order_release);
    for (int image = 1; image <= runtime.images; image++)
        if (!caf_is_near(image))
            messages_send(image, MESSAGE_STATE, &told, sizeof told);
}

/* Everything this image still owes the others is done by the turns of this wait. */
static void wait_for_all(void)
{
    struct wait wait = wait_start("normal termination");
    for (int image = 1; image <= runtime.images; image++)
        while (image_state(image) == IMAGE_RUNNING)
            if (wait_turn(&wait))
                caf_error_stop(1, caf_error_text());
}

static bool mpi_runs(void)
{
    int initialised, finalised;
    MPI_Initialized(&initialised);
    MPI_Finalized(&finalised);
    return initialised && !finalised;
}

void caf_end(void)
{
    if (!runtime.running)
        return;
    runtime.running = false;
    if (!mpi_runs()) /* the program has ended it: there is nobody to speak to */
        return;
    if (caf_sync_memory())
        caf_error_stop(1, caf_error_text());
    publish(IMAGE_STOPPED);
    wait_for_all();
    messages_end();
    memory_end();
    stop_end();
    sync_images_end();
    control_end();
    runtime_end();
    if (runtime.owns_mpi)
        MPI_Finalize();
}

void caf_stop(int code)
{
    caf_end();
    /* Also if it is not the library's: a process that exits without it makes the launcher end all.
     */
    if (mpi_runs())
        MPI_Finalize();
    exit(code);
}

void caf_error_stop(int code, const char *text)
{
    static bool stopping;
    /* The launcher keeps 8 bits, and 0 would be success. */
    int status = (code & 255) == 0 ? 1 : code;
    if (!stopping) {
        stopping = true;
        fflush(stdout);
        if (text && runtime.image)
            fprintf(stderr, "ERROR STOP, image %d: %s\n", runtime.image, text);
        else if (text)
            fprintf(stderr, "ERROR STOP: %s\n", text);
        if (mpi_runs())
            MPI_Abort(MPI_COMM_WORLD, status);
    }
    _exit(status);
}
