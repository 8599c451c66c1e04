/* server_jobs.h: the conversations of a server.
 *
 *   a request --blocked?--> waiting --> begun: one MPI request in flight --> next step, or ended
 *                    \________________/
 *
 * Requests for one block are served in the order of their arrival where it matters: a get waits for
 * puts that are still arriving, a put waits for gets that are still being sent. Additions
 * to one block arrive side by side. */
#ifndef PREFETCH_SIP_SERVER_JOBS_H
#define PREFETCH_SIP_SERVER_JOBS_H

#include "prefetch/sip/protocol.h"
#include "prefetch/sip/team.h"

enum job_step {
    JOB_BLOCK_ARRIVES,
    JOB_BLOCK_LEAVES,
    JOB_EMPTY_LEAVES, /* then a reply that says why */
    JOB_REPLY_LEAVES,
    JOB_COUNT_LEAVES, /* then the list */
    JOB_LIST_LEAVES
};

struct job {
    struct request request;
    struct reply reply;
    int worker;
    enum job_step step;
    bool acquired;   /* the block in the store */
    double *block;   /* in the store */
    double *arrived; /* memory of the job's own: a block to be added, or to be thrown away */
    int64_t *list;
};

struct server {
    struct team team;
    struct store *store;
    struct prefetch_server_counters counters;
    int closed; /* workers that have ended */
    struct job **active;
    MPI_Request *requests; /* of the active ones */
    int *indices;          /* for MPI_Testsome */
    int active_count, active_capacity;
    struct job **waiting; /* in order of arrival */
    int waiting_count, waiting_capacity;
};

/* After an error of one of these the server cannot go on. */
enum dm_status jobs_accept(struct server *server, int worker, const struct request *request);
/* Looks once at what is in flight. *moved: whether something ended. */
enum dm_status jobs_look(struct server *server, bool *moved);

/* How a job begins and goes on (server_steps.c). */
enum job_progress { JOB_GOES_ON, JOB_ENDED, JOB_LATER /* not yet: there is no room */ };
enum dm_status job_begin(struct server *server, struct job *job, MPI_Request *mpi,
                         enum job_progress *progress);
enum dm_status job_go_on(struct server *server, struct job *job, MPI_Request *mpi,
                         enum job_progress *progress);
void job_free(struct job *job);

#endif
