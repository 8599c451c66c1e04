#include <mpi.h>

#include "control.h"
#include "error.h"
#include "parcel.h"
#include "sync.h"
#include "team.h"
#include "wait.h"

/* Number of the last sync all that this image came to, in the part that the others see. */
static uint64_t arrive(void)
{
    _Atomic uint64_t *arrived = &control_of(runtime.image)->arrived;
    uint64_t number = atomic_load_explicit(arrived, memory_order_relaxed) + 1;
    atomic_store_explicit(arrived, number, memory_order_release);
    return number;
}

static int failures(void)
{
    int count = 0;
    for (int i = 1; i <= current_team->images; i++)
        count += image_state(current_team->member[i]) == IMAGE_FAILED;
    return count;
}

bool failures_unknown(void)
{
    return failures() > current_team->known_failures;
}

void failures_are_known(void)
{
    current_team->known_failures = failures();
}

enum dm_status lost(const char *statement, int image)
{
    failures_are_known();
    current_team->lost = image;
    enum caf_reason reason =
        image_state(image) == IMAGE_FAILED ? CAF_FAILED_IMAGE : CAF_STOPPED_IMAGE;
    return error_lost(reason, statement, current_team->index_of[image]);
}

enum dm_status lost_image(const char *statement)
{
    int failed = 0;
    for (int i = current_team->images; i >= 1; i--) {
        enum image_state state = image_state(current_team->member[i]);
        if (state == IMAGE_STOPPED)
            return lost(statement, current_team->member[i]);
        failed = state == IMAGE_FAILED ? current_team->member[i] : failed;
    }
    if (failed)
        return lost(statement, failed);
    current_team->lost = 0;
    return dm_fail(DM_LOST, "%s: an image has stopped", statement);
}

enum dm_status lost_again(const char *statement)
{
    return current_team->lost ? lost(statement, current_team->lost) : lost_image(statement);
}

static bool all_run(void)
{
    for (int i = 1; i <= current_team->images; i++)
        if (image_state(current_team->member[i]) != IMAGE_RUNNING)
            return false;
    return true;
}

/* With several nodes and MPI the first image of each speaks for it (sync_nodes.c). */
static enum dm_status wait_for_release(uint64_t number)
{
    struct control *first = control_of(runtime.near[0]);
    struct wait wait = wait_start("SYNC ALL");
    TRY(sync_nodes_serve());
    while (atomic_load_explicit(&first->released, memory_order_acquire) < number) {
        TRY(wait_turn(&wait));
    }
    uint64_t from = atomic_load_explicit(&first->incomplete_from, memory_order_relaxed);
    if (from == 0 || number < from)
        return DM_OK;
    /* Another node may tell of it before the image itself does, which has said how it ended. */
    while (all_run())
        TRY(wait_turn(&wait));
    return lost_image("SYNC ALL");
}

/* A team of several nodes, with MPI. Where an image is missing MPI's barrier never ends, and none
 * of those that follow is begun. */
static enum dm_status wait_for_team(void)
{
    MPI_Request request;
    int done = 0;
    if (!all_run())
        return lost_image("SYNC ALL");
    TRY_MPI(MPI_Ibarrier(current_team->all, &request));
    struct wait wait = wait_start("SYNC ALL");
    while (!done) {
        TRY_MPI(MPI_Test(&request, &done, MPI_STATUS_IGNORE));
        if (!done && !all_run())
            return lost_image("SYNC ALL");
        if (!done)
            TRY(wait_turn(&wait));
    }
    return DM_OK;
}

enum dm_status caf_sync_all(void)
{
    caf_statement = "SYNC ALL";
    if (runtime.windows) {
        TRY(caf_sync_memory());
    }
    if (runtime.nodes == 1 || !runtime.by_mpi) {
        enum dm_status status = team_meet("SYNC ALL");
        enum dm_status received = parcels_receive();
        return status != DM_OK ? status : received;
    }
    return current_team->parent ? wait_for_team() : wait_for_release(arrive());
}
