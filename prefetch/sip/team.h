/* team.h: what workers and servers of a transport have in common: their communicators, the window,
 * and how they wait. */
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

/* Both are collective over workers and servers. */
enum dm_status team_open(struct team *team, const struct transport_config *config);
enum dm_status team_close(struct team *team);

/* Header of a block in this server's window, with the data behind it; NULL: the block is not in the
 * window. */
struct window_header *team_slot(const struct team *team, struct block_id id);

/* Marks all blocks of an array in this server's window as never put. */
void team_clear_slots(const struct team *team, int array);

/* Waits within the limit until all requests are done. `whom`: for the message, e.g. "server 2". */
enum dm_status team_wait(const struct team *team, int count, MPI_Request *requests,
                         const char *whom);

#endif
