/* transport_internal.h: the parts of a worker's transport.
 *
 *   transport.c             open and close, which way a block takes, waiting
 *   transport_messages.c    a get as request and reply
 *   transport_window.c      a get out of a window
 *   transport_puts.c        puts, their acknowledgements and how many there may be
 *   transport_collective.c  what all workers do together */
#ifndef PREFETCH_SIP_TRANSPORT_INTERNAL_H
#define PREFETCH_SIP_TRANSPORT_INTERNAL_H

#include "prefetch/sip/protocol.h"
#include "prefetch/sip/team.h"

enum {
    PUTS_MAX = 64 /* in flight */
};
static const size_t max_put_bytes = (size_t)64 << 20; /* in flight, unless it is a single put */

struct transfer {
    struct block_id id;
    double *target;
    bool in_window, active;
    bool refused;           /* the block was empty; the reply that says why is on its way */
    MPI_Request parts[2];   /* request and block; or header and block of a window; or the reply */
    struct request request; /* its tag belongs to this structure for good */
    struct reply reply;
    struct window_header header;
    struct transfer *next; /* free ones */
    struct transfer *all;
};

/* Memory for the data of a put, used again and again. */
struct put_buffer {
    double *data;
    size_t elements;
};

struct put {
    struct request request;
    struct reply reply;
    struct put_buffer buffer;
    MPI_Request parts[3]; /* request, block, reply */
};

struct transport {
    struct team team;
    int epoch;    /* barriers passed */
    int next_tag; /* of the next structure that needs one */
    struct transfer *free_transfers, *all_transfers;

    struct put puts[PUTS_MAX]; /* a ring: in flight are put_count from first_put on */
    int first_put, put_count;
    size_t put_bytes; /* in flight */
    struct put_buffer buffers[PUTS_MAX];
    int buffer_count;
    struct put_failure { /* the first put that went wrong and was not reported yet */
        enum dm_status status;
        char sentence[512]; /* of the status */
        struct put_report report;
    } failure;

    struct transport_counters counters;
};

/* Rank of the server that keeps the block. */
static inline int transport_rank_of(const struct transport *transport, struct block_id id)
{
    const struct transport_config *config = &transport->team.config;
    return config->workers + transport_home(id.number, config->servers);
}

static inline size_t transport_elements(const struct transport *transport, struct block_id id)
{
    return transport->team.config.arrays[id.array].elements;
}

/* DM_INVALID: there is no such block, or it is not kept by servers. */
enum dm_status transport_check(const struct transport *transport, struct block_id id);

enum dm_status transport_check_array(const struct transport *transport, int array);

/* The final state that a reply means, or the error. */
enum dm_status transport_judge(const struct transport *transport, const struct request *request,
                               const struct reply *reply, enum transfer_state *state,
                               struct transfer_conflict *conflict);

/* The two ways of a get: both start it and look once. */
enum dm_status message_get(struct transport *transport, struct transfer *transfer);
enum dm_status message_test(struct transport *transport, struct transfer *transfer,
                            enum transfer_state *state, struct transfer_conflict *conflict);
enum dm_status window_get(struct transport *transport, struct transfer *transfer, size_t offset);
enum dm_status window_test(struct transport *transport, struct transfer *transfer,
                           enum transfer_state *state, struct transfer_conflict *conflict);

void puts_open(struct transport *transport);
void puts_close(struct transport *transport);

/* Drains; a put that was a conflict is an error, too. */
enum dm_status transport_finish_puts(struct transport *transport);

/* Sends a request to a server and waits until it has left. */
enum dm_status transport_tell(struct transport *transport, int server, struct request *request);

/* Waits within the limit for a request to a server to leave, or its reply to come. */
enum dm_status transport_wait_for_server(struct transport *transport, int server,
                                         MPI_Request *request);

#endif
