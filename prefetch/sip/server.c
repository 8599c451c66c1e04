#include <math.h>
#include <stdlib.h>
#include <unistd.h>
#include <mpi.h>

#include "common/clock.h"
#include "prefetch/sip/server_jobs.h"

/* Requests are received ahead, and taken in the order in which they were sent. */
enum { RECEIVED_AHEAD = 16 };

struct mailbox {
    struct request letters[RECEIVED_AHEAD];
    MPI_Request arriving[RECEIVED_AHEAD];
    int next;
};

static bool expect_letter(struct server *server, struct mailbox *mailbox, int at,
                          struct transport_error *error)
{
    return team_mpi(MPI_Irecv(&mailbox->letters[at], sizeof mailbox->letters[at], MPI_BYTE,
                              MPI_ANY_SOURCE, TAG_REQUEST, server->team.job,
                              &mailbox->arriving[at]),
                    "waiting for requests", error);
}

/* Looks once for a request. *moved: there was one. */
static bool take_letter(struct server *server, struct mailbox *mailbox, bool *moved,
                        struct transport_error *error)
{
    int here, at = mailbox->next;
    MPI_Status status;
    *moved = false;
    if (!team_mpi(MPI_Test(&mailbox->arriving[at], &here, &status), "waiting for requests", error))
        return false;
    if (!here)
        return true;
    *moved = true;
    struct request request = mailbox->letters[at];
    mailbox->next = (at + 1) % RECEIVED_AHEAD;
    return expect_letter(server, mailbox, at, error) &&
           jobs_accept(server, status.MPI_SOURCE, &request, error);
}

static bool close_mailbox(struct mailbox *mailbox, struct transport_error *error)
{
    for (int i = 0; i < RECEIVED_AHEAD; i++)
        if (!team_mpi(MPI_Cancel(&mailbox->arriving[i]), "ending", error) ||
            !team_mpi(MPI_Wait(&mailbox->arriving[i], MPI_STATUS_IGNORE), "ending", error))
            return false;
    return true;
}

static bool is_finished(const struct server *server)
{
    return server->closed == server->team.config.workers && server->active_count == 0 &&
           server->waiting_count == 0;
}

/* Workers may compute for as long as they like, so a server's waiting has no limit of its own. */
static bool serve(struct server *server, struct mailbox *mailbox, struct transport_error *error)
{
    struct patience patience = patience_begin(INFINITY, server->team.crowded);
    while (!is_finished(server)) {
        bool came, went;
        double start_s = clock_now_s();
        if (!take_letter(server, mailbox, &came, error) || !jobs_look(server, &went, error))
            return false;
        if (came || went) {
            patience = patience_begin(INFINITY, server->team.crowded);
            server->counters.busy_s += patience.start_s - start_s;
        } else {
            patience_pause(&patience);
        }
    }
    return close_mailbox(mailbox, error);
}

static bool serve_from_mailbox(struct server *server, struct transport_error *error)
{
    struct mailbox mailbox = {.next = 0};
    for (int i = 0; i < RECEIVED_AHEAD; i++)
        if (!expect_letter(server, &mailbox, i, error))
            return false;
    return serve(server, &mailbox, error) && team_close(&server->team, error);
}

static double *place_in_window(void *context, struct block_id id)
{
    struct window_header *header = team_slot(context, id);
    return header ? (double *)(header + 1) : NULL;
}

/* The store gets the memory that the window left. */
static bool open_store(struct server *server, struct transport_error *error)
{
    const struct transport_config *config = &server->team.config;
    struct store_config store = {.limit_bytes =
                                     config->server_memory_bytes - server->team.layout.bytes,
                                 .spill_directory = config->spill_directory,
                                 .spill_limit_bytes = config->spill_limit_bytes};
    if (config->spill_directory && access(config->spill_directory, W_OK | X_OK) != 0)
        return team_fail(error, "server %d cannot write to the spill directory %s: choose another",
                         server->team.rank - config->workers, config->spill_directory);
    server->store = store_create(&store);
    bool fine = server->store != NULL;
    for (int i = 0; fine && i < config->array_count; i++)
        fine = config->arrays[i].served
                   ? store_set_served(server->store, i)
                   : store_set_resident(server->store, i, place_in_window, &server->team);
    return fine || team_fail(error, "no memory for the store of a server");
}

bool server_run(const struct transport_config *config, struct server_counters *counters,
                struct transport_error *error)
{
    struct server server = {.closed = 0};
    bool fine = team_open(&server.team, config, error) && open_store(&server, error) &&
                serve_from_mailbox(&server, error);
    if (server.store)
        store_counters(server.store, &server.counters.store);
    *counters = server.counters;
    store_destroy(server.store);
    free(server.active);
    free(server.requests);
    free(server.indices);
    free(server.waiting);
    return fine;
}
