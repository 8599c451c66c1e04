#include <math.h>
#include <stdlib.h>
#include <unistd.h>
#include <mpi.h>

#include "common/clock.h"
#include "common/error.h"
#include "prefetch/sip/server_jobs.h"

/* Requests are received ahead, and taken in the order in which they were sent. */
enum { RECEIVED_AHEAD = 16 };

struct mailbox {
    struct request letters[RECEIVED_AHEAD];
    MPI_Request arriving[RECEIVED_AHEAD];
    int next;
};

static enum dm_status expect_letter(struct server *server, struct mailbox *mailbox, int at)
{
    TRY_MPI(MPI_Irecv(&mailbox->letters[at], sizeof mailbox->letters[at], MPI_BYTE, MPI_ANY_SOURCE,
                      TAG_REQUEST, server->team.job, &mailbox->arriving[at]));
    return DM_OK;
}

/* Looks once for a request. *moved: there was one. */
static enum dm_status take_letter(struct server *server, struct mailbox *mailbox, bool *moved)
{
    int here, at = mailbox->next;
    MPI_Status status;
    *moved = false;
    TRY_MPI(MPI_Test(&mailbox->arriving[at], &here, &status));
    if (!here)
        return DM_OK;
    *moved = true;
    struct request request = mailbox->letters[at];
    mailbox->next = (at + 1) % RECEIVED_AHEAD;
    TRY(expect_letter(server, mailbox, at));
    return jobs_accept(server, status.MPI_SOURCE, &request);
}

static enum dm_status close_mailbox(struct mailbox *mailbox)
{
    for (int i = 0; i < RECEIVED_AHEAD; i++) {
        TRY_MPI(MPI_Cancel(&mailbox->arriving[i]));
        TRY_MPI(MPI_Wait(&mailbox->arriving[i], MPI_STATUS_IGNORE));
    }
    return DM_OK;
}

static bool is_finished(const struct server *server)
{
    return server->closed == server->team.config.workers && server->active_count == 0 &&
           server->waiting_count == 0;
}

/* Workers may compute for as long as they like, so a server waits without a time limit. */
static enum dm_status serve(struct server *server, struct mailbox *mailbox)
{
    struct patience patience = patience_begin(INFINITY, server->team.crowded);
    while (!is_finished(server)) {
        bool came, went;
        double start_s = clock_now_s();
        TRY(take_letter(server, mailbox, &came));
        TRY(jobs_look(server, &went));
        if (came || went) {
            patience = patience_begin(INFINITY, server->team.crowded);
            server->counters.busy_s += patience.start_s - start_s;
        } else {
            patience_pause(&patience);
        }
    }
    return close_mailbox(mailbox);
}

static enum dm_status serve_from_mailbox(struct server *server)
{
    struct mailbox mailbox = {.next = 0};
    for (int i = 0; i < RECEIVED_AHEAD; i++)
        TRY(expect_letter(server, &mailbox, i));
    TRY(serve(server, &mailbox));
    return team_close(&server->team);
}

static double *place_in_window(void *context, struct block_id id)
{
    struct window_header *header = team_slot(context, id);
    return header ? (double *)(header + 1) : NULL;
}

/* The store gets the memory that the window left. */
static enum dm_status open_store(struct server *server)
{
    const struct transport_config *config = &server->team.config;
    struct store_config store = {.limit_bytes =
                                     config->server_memory_bytes - server->team.layout.bytes,
                                 .spill_directory = config->spill_directory,
                                 .spill_limit_bytes = config->spill_limit_bytes};
    if (config->spill_directory && access(config->spill_directory, W_OK | X_OK) != 0)
        return dm_fail(DM_FAILED,
                       "server %d cannot write to the spill directory %s: choose another",
                       server->team.rank - config->workers, config->spill_directory);
    TRY(store_create(&server->store, &store));
    for (int i = 0; i < config->array_count; i++)
        TRY(config->arrays[i].served
                ? store_set_served(server->store, i)
                : store_set_resident(server->store, i, place_in_window, &server->team));
    return DM_OK;
}

static void count_store(const struct store *store, struct prefetch_server_counters *counters)
{
    struct store_counters own;
    store_counters(store, &own);
    counters->blocks = own.blocks;
    counters->memory_bytes = own.memory_bytes;
    counters->disk_bytes = own.disk_bytes;
    counters->spills = own.spills;
    counters->loads = own.loads;
    counters->spilled_bytes = own.spilled_bytes;
    counters->loaded_bytes = own.loaded_bytes;
}

static enum dm_status open_and_serve(struct server *server, const struct transport_config *config)
{
    TRY(team_open(&server->team, config));
    TRY(open_store(server));
    return serve_from_mailbox(server);
}

enum dm_status server_run(const struct transport_config *config,
                          struct prefetch_server_counters *counters)
{
    struct server server = {.closed = 0};
    enum dm_status status = open_and_serve(&server, config);
    if (server.store)
        count_store(server.store, &server.counters);
    *counters = server.counters;
    store_destroy(server.store);
    free(server.active);
    free(server.requests);
    free(server.indices);
    free(server.waiting);
    return status;
}
