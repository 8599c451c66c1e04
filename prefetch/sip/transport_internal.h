/* transport_internal.h: the parts of a worker's transport.
 *
 *   transport.c             open and close, which way a block takes, waiting
 *   transport_messages.c    a get as request and answer
 *   transport_window.c      a get out of a window
 *   transport_puts.c        puts, their acknowledgements and how many there may be
 *   transport_collective.c  what all workers do together */
#ifndef PREFETCH_SIP_TRANSPORT_INTERNAL_H
#define PREFETCH_SIP_TRANSPORT_INTERNAL_H

#include "prefetch/sip/protocol.h"
#include "prefetch/sip/team.h"

enum {
    MOST_PUTS = 64 /* in flight */
};
static const size_t most_put_bytes = (size_t)64 << 20; /* in flight, unless it is a single put */

struct transfer {
    struct block_id id;
    double *target;
    bool in_window, active;
    bool refused;           /* the answer was empty; the reply is on its way */
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

    struct put puts[MOST_PUTS]; /* a ring: in flight are put_count from first_put on */
    int first_put, put_count;
    size_t put_bytes; /* in flight */
    struct put_buffer buffers[MOST_PUTS];
    int buffer_count;
    struct put_failure { /* the first put that went wrong and was not reported yet */
        enum transfer_state state;
        int statement;
        struct transfer_conflict conflict;
        struct transport_error error;
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

/* False and an error: there is no such block, or it is not kept by servers. */
bool transport_check(const struct transport *transport, struct block_id id,
                     struct transport_error *error);

bool transport_check_array(const struct transport *transport, int array,
                           struct transport_error *error);

/* The final state that a reply other than REPLY_DONE means, with its sentence. */
enum transfer_state transport_judge(const struct transport *transport,
                                    const struct request *request, const struct reply *reply,
                                    struct transfer_conflict *conflict,
                                    struct transport_error *error);

/* The two ways of a get: both start it and look once. */
bool message_get(struct transport *transport, struct transfer *transfer,
                 struct transport_error *error);
enum transfer_state message_test(struct transport *transport, struct transfer *transfer,
                                 struct transfer_conflict *conflict, struct transport_error *error);
bool window_get(struct transport *transport, struct transfer *transfer, size_t offset,
                struct transport_error *error);
enum transfer_state window_test(struct transport *transport, struct transfer *transfer,
                                struct transfer_conflict *conflict, struct transport_error *error);

void puts_open(struct transport *transport);
void puts_close(struct transport *transport);

/* Sends a request to a server and waits until it has left. */
bool transport_tell(struct transport *transport, int server, struct request *request,
                    struct transport_error *error);

/* Waits within the limit for what a server was asked or has to answer. */
bool transport_wait_for_server(struct transport *transport, int server, MPI_Request *request,
                               struct transport_error *error);

#endif
