/* team.h: what workers and servers of a transport have in common: their communicators, the window,
 * how they wait, and how an MPI error becomes a sentence. */
#ifndef PREFETCH_SIP_TEAM_H
#define PREFETCH_SIP_TEAM_H

#include "prefetch/sip/patience.h"
#include "prefetch/sip/transport.h"
#include "prefetch/sip/window_layout.h"

struct team {
    struct transport_config config; /* its arrays are the caller's */
    MPI_Comm job, workers;          /* own copies; workers: MPI_COMM_NULL on a server */
    int rank;
    bool crowded;
    bool has_window;
    MPI_Win window;
    struct window_layout layout;
    char *window_base; /* on a server: its part of the window */
};

/* Both are collective over workers and servers. False and an error. */
bool team_open(struct team *team, const struct transport_config *config,
               struct transport_error *error);
bool team_close(struct team *team, struct transport_error *error);

/* Header of a block in this server's window, with the data behind it; NULL: the block is not in the
 * window. */
struct window_header *team_slot(const struct team *team, struct block_id id);

/* Marks all blocks of an array in this server's window as never put. */
void team_clear_slots(const struct team *team, int array);

/* Waits within the limit until all requests are done. `whom`: for the message, e.g. "server 2". */
bool team_wait(const struct team *team, int count, MPI_Request *requests, const char *whom,
               struct transport_error *error);

/* True if an MPI call returned success; else writes what was being done, and MPI's words. */
bool team_mpi(int code, const char *doing, struct transport_error *error);

/* Writes the sentence, and returns false. */
bool team_fail(struct transport_error *error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
