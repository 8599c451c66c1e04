#include "prefetch/sip/team.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <mpi.h>

bool team_fail(struct transport_error *error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    return false;
}

bool team_mpi(int code, const char *doing, struct transport_error *error)
{
    if (code == MPI_SUCCESS)
        return true;
    char cause[MPI_MAX_ERROR_STRING] = "unknown MPI error";
    int length;
    MPI_Error_string(code, cause, &length);
    return team_fail(error, "MPI failed at %s: %s", doing, cause);
}

bool team_wait(const struct team *team, int count, MPI_Request *requests, const char *whom,
               struct transport_error *error)
{
    struct patience patience = patience_begin(team->config.wait_limit_s, team->crowded);
    for (int done = 0;;) {
        if (!team_mpi(MPI_Testall(count, requests, &done, MPI_STATUSES_IGNORE), whom, error))
            return false;
        if (done)
            return true;
        if (!patience_pause(&patience))
            return team_fail(error,
                             "no answer from %s for %g s: it has ended or is slow; look at its "
                             "messages, or raise the wait limit",
                             whom, team->config.wait_limit_s);
    }
}

static bool check(const struct transport_config *config, struct transport_error *error)
{
    int ranks;
    if (!team_mpi(MPI_Comm_size(config->job, &ranks), "counting ranks", error))
        return false;
    if (config->workers < 1 || config->servers < 1 || config->workers + config->servers != ranks)
        return team_fail(error,
                         "%d workers and %d servers need as many ranks, and at least one of each; "
                         "there are %d",
                         config->workers, config->servers, ranks);
    for (int i = 0; i < config->array_count; i++) {
        const struct transport_array *array = &config->arrays[i];
        if (array->remote && (array->elements < 1 || array->elements > INT_MAX))
            return team_fail(error,
                             "a block of array %s has %zu elements: 1 to %d can be sent; choose "
                             "smaller segments",
                             array->name, array->elements, INT_MAX);
    }
    return true;
}

/* The first thing that all do together, so that a rank that never comes is noticed within the
 * limit. */
static bool copy_communicator(struct team *team, struct transport_error *error)
{
    MPI_Request copied;
    if (!team_mpi(MPI_Comm_idup(team->config.job, &team->job, &copied), "starting", error) ||
        !team_wait(team, 1, &copied, "the other workers and servers", error))
        return false;
    bool is_worker = team->rank < team->config.workers;
    return team_mpi(MPI_Comm_set_errhandler(team->job, MPI_ERRORS_RETURN), "starting", error) &&
           team_mpi(
               MPI_Comm_split(team->job, is_worker ? 0 : MPI_UNDEFINED, team->rank, &team->workers),
               "starting", error);
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
static bool open_window(struct team *team, struct transport_error *error)
{
    const struct transport_config *config = &team->config;
    bool is_server = team->rank >= config->workers;
    if (!window_layout_create(&team->layout, config->arrays, config->array_count, config->servers,
                              config->server_memory_bytes / 4 * 3))
        return team_fail(error, "no memory for the layout of the window");
    int code = MPI_Win_allocate(is_server ? (MPI_Aint)team->layout.bytes : 0, 1, MPI_INFO_NULL,
                                team->job, &team->window_base, &team->window);
    struct transport_error cause;
    if (!team_mpi(code, "MPI_Win_allocate", &cause))
        return team_fail(error,
                         "this MPI cannot make a window over these hosts (%.200s): choose the "
                         "transport with messages, or another way for one-sided communication, "
                         "for Open MPI over TCP with OMPI_MCA_osc=ucx UCX_TLS=tcp,self",
                         cause.text);
    team->has_window = true;
    for (int array = 0; is_server && array < config->array_count; array++)
        team_clear_slots(team, array);
    return team_mpi(MPI_Win_set_errhandler(team->window, MPI_ERRORS_RETURN), "MPI_Win", error) &&
           team_mpi(MPI_Win_lock_all(MPI_MODE_NOCHECK, team->window), "MPI_Win_lock_all", error) &&
           team_mpi(MPI_Win_sync(team->window), "MPI_Win_sync", error) &&
           team_mpi(MPI_Barrier(team->job), "starting", error);
}

bool team_open(struct team *team, const struct transport_config *config,
               struct transport_error *error)
{
    int code;
    *team = (struct team){.config = *config, .job = MPI_COMM_NULL, .workers = MPI_COMM_NULL};
    if (!check(config, error) ||
        !team_mpi(MPI_Comm_rank(config->job, &team->rank), "starting", error) ||
        !copy_communicator(team, error))
        return false;
    team->crowded = patience_is_crowded(team->job, &code);
    return team_mpi(code, "starting", error) &&
           (config->kind == TRANSPORT_MESSAGES || open_window(team, error));
}

bool team_close(struct team *team, struct transport_error *error)
{
    MPI_Request here;
    bool fine = team_mpi(MPI_Ibarrier(team->job, &here), "ending", error) &&
                team_wait(team, 1, &here, "the other workers and servers", error);
    if (fine && team->has_window)
        fine = team_mpi(MPI_Win_unlock_all(team->window), "MPI_Win_unlock_all", error) &&
               team_mpi(MPI_Win_free(&team->window), "MPI_Win_free", error);
    if (fine && team->workers != MPI_COMM_NULL)
        fine = team_mpi(MPI_Comm_free(&team->workers), "ending", error);
    if (fine)
        fine = team_mpi(MPI_Comm_free(&team->job), "ending", error);
    window_layout_destroy(&team->layout);
    return fine;
}

struct window_header *team_slot(const struct team *team, struct block_id id)
{
    size_t offset;
    if (!team->has_window || !window_layout_find(&team->layout, id, &offset))
        return NULL;
    return (struct window_header *)(team->window_base + offset);
}
