#include "prefetch/sip/team.h"

#include <limits.h>
#include <string.h>
#include <mpi.h>

#include "common/error.h"

enum dm_status team_wait(const struct team *team, int count, MPI_Request *requests,
                         const char *whom)
{
    struct patience patience = patience_begin(team->config.wait_limit_s, team->crowded);
    for (int done = 0;;) {
        TRY_MPI(MPI_Testall(count, requests, &done, MPI_STATUSES_IGNORE));
        if (done)
            return DM_OK;
        if (!patience_pause(&patience))
            return dm_fail(DM_TIMEOUT,
                           "no reply from %s for %g s: it has ended or is slow; look at its "
                           "messages, or raise the wait limit",
                           whom, team->config.wait_limit_s);
    }
}

static enum dm_status check(const struct transport_config *config)
{
    int ranks;
    TRY_MPI(MPI_Comm_size(config->job, &ranks));
    if (config->workers < 1 || config->servers < 1 || config->workers + config->servers != ranks)
        return dm_fail(DM_INVALID,
                       "%d workers and %d servers need as many ranks, and at least one of each; "
                       "there are %d",
                       config->workers, config->servers, ranks);
    for (int i = 0; i < config->array_count; i++) {
        const struct transport_array *array = &config->arrays[i];
        if (array->remote && (array->elements < 1 || array->elements > INT_MAX))
            return dm_fail(DM_INVALID,
                           "a block of array %s has %zu elements: 1 to %d can be sent; choose "
                           "shorter segments",
                           array->name, array->elements, INT_MAX);
    }
    return DM_OK;
}

/* The first thing that all do together, so that a rank that never comes is noticed within the
 * limit. */
static enum dm_status copy_communicator(struct team *team)
{
    MPI_Request copied;
    bool is_worker = team->rank < team->config.workers;
    TRY_MPI(MPI_Comm_idup(team->config.job, &team->job, &copied));
    TRY(team_wait(team, 1, &copied, "the other workers and servers"));
    TRY_MPI(MPI_Comm_set_errhandler(team->job, MPI_ERRORS_RETURN));
    TRY_MPI(MPI_Comm_split(team->job, is_worker ? 0 : MPI_UNDEFINED, team->rank, &team->workers));
    return DM_OK;
}

void team_clear_slots(const struct team *team, int array)
{
    if (!team->has_window)
        return;
    const struct window_place *place = &team->layout.places[array];
    for (int64_t i = 0; i < place->slots; i++)
        memset(team->window_base + place->first + (size_t)i * place->slot_bytes, 0,
               sizeof(struct window_header));
}

/* A quarter of a server's memory stays for blocks that are not in the window. */
static enum dm_status open_window(struct team *team)
{
    const struct transport_config *config = &team->config;
    bool is_server = team->rank >= config->workers;
    TRY(window_layout_create(&team->layout, config->arrays, config->array_count, config->servers,
                             config->server_memory_bytes / 4 * 3));
    enum dm_status status = status_of_mpi(
        MPI_Win_allocate(is_server ? (MPI_Aint)team->layout.bytes : 0, 1, MPI_INFO_NULL, team->job,
                         &team->window_base, &team->window));
    if (status != DM_OK)
        return dm_fail(DM_UNAVAILABLE,
                       "this MPI cannot make a window over these hosts (%.300s): choose the "
                       "transport with messages, or another way for one-sided communication, "
                       "for Open MPI over TCP with OMPI_MCA_osc=ucx UCX_TLS=tcp,self",
                       dm_message());
    team->has_window = true;
    for (int array = 0; is_server && array < config->array_count; array++)
        team_clear_slots(team, array);
    TRY_MPI(MPI_Win_set_errhandler(team->window, MPI_ERRORS_RETURN));
    TRY_MPI(MPI_Win_lock_all(MPI_MODE_NOCHECK, team->window));
    TRY_MPI(MPI_Win_sync(team->window));
    TRY_MPI(MPI_Barrier(team->job));
    return DM_OK;
}

enum dm_status team_open(struct team *team, const struct transport_config *config)
{
    *team = (struct team){.config = *config, .job = MPI_COMM_NULL, .workers = MPI_COMM_NULL};
    TRY(check(config));
    TRY_MPI(MPI_Comm_rank(config->job, &team->rank));
    TRY(copy_communicator(team));
    TRY(patience_look_around(team->job, &team->crowded));
    return config->kind == TRANSPORT_MESSAGES ? DM_OK : open_window(team);
}

static enum dm_status disband(struct team *team)
{
    MPI_Request here;
    TRY_MPI(MPI_Ibarrier(team->job, &here));
    TRY(team_wait(team, 1, &here, "the other workers and servers"));
    if (team->has_window) {
        TRY_MPI(MPI_Win_unlock_all(team->window));
        TRY_MPI(MPI_Win_free(&team->window));
    }
    if (team->workers != MPI_COMM_NULL)
        TRY_MPI(MPI_Comm_free(&team->workers));
    TRY_MPI(MPI_Comm_free(&team->job));
    return DM_OK;
}

enum dm_status team_close(struct team *team)
{
    enum dm_status status = disband(team);
    window_layout_destroy(&team->layout);
    return status;
}

struct window_header *team_slot(const struct team *team, struct block_id id)
{
    size_t offset;
    if (!team->has_window || !window_layout_find(&team->layout, id, &offset))
        return NULL;
    return (struct window_header *)(team->window_base + offset);
}
