/* transport.h: how blocks travel between workers and servers.
 *
 * The ranks of a job: 0 .. workers - 1 are workers, the following `servers` ranks are servers. Two
 * ways to get a block behind one interface:
 *
 *   messages   a request, and the block as the reply: MPI_Isend into a posted MPI_Irecv, as in
 *              Peshne 2018, 4.1 and 4.2.2
 *   window     MPI_Rget out of the server's window, without the server's help where the network
 *              allows it; arrays that do not fit into the window travel as messages
 *
 *   worker                                          server
 *   transport_get  -- request ----------------->  server_run: store_acquire
 *   transport_test, transport_wait  <-- block --
 *   transport_get  <========== MPI_Rget ========  slot in the window
 *   transport_put  -- request, block ---------->  store, stamp
 *   transport_drain  <-- acknowledgement -------
 *
 * Puts are always messages, because the server looks for conflicts: two workers that put the same
 * block, or one that puts and one that gets it, without a barrier between them. */
#ifndef PREFETCH_SIP_TRANSPORT_H
#define PREFETCH_SIP_TRANSPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <mpi.h>

#include <datamotion/prefetch.h>

#include "prefetch/sip/store.h"

enum transport_kind { TRANSPORT_MESSAGES, TRANSPORT_WINDOW };

/* An array as the transport sees it. */
struct transport_array {
    const char *name;
    size_t elements; /* of one block */
    int64_t blocks;
    bool served; /* never in the window */
    bool remote; /* distributed or served; others are skipped */
};

struct transport_config {
    MPI_Comm job; /* of workers + servers ranks; all call transport_open or server_run */
    int workers, servers;
    enum transport_kind kind;
    const struct transport_array *arrays; /* must stay as long as the transport */
    int array_count;
    size_t server_memory_bytes; /* per server: window and store together */
    const char *spill_directory;
    size_t spill_limit_bytes;
    double wait_limit_s; /* of each wait; then it is DM_TIMEOUT */
};

/* Which server keeps the block: rank workers + this. Blocks go round the servers. */
int transport_home(int64_t block, int servers);

/* ---- servers ---- */

/* Serves until every worker has closed its transport. Conflicts and missing blocks are not errors
 * of the server: the worker is told. After an error the job cannot go on. */
enum dm_status server_run(const struct transport_config *config,
                          struct prefetch_server_counters *counters);

/* ---- workers ---- */

struct transport;

/* On error *transport is NULL. */
enum dm_status transport_open(struct transport **transport, const struct transport_config *config);

/* Tells the servers that this worker has ended, waits for what is in flight. Collective over
 * workers and servers. */
enum dm_status transport_close(struct transport *transport);

/* A get in flight; freed by the transport when test or wait has returned another state than
 * TRANSFER_PENDING, or an error, after which the job cannot go on. */
struct transfer;

enum transfer_state {
    TRANSFER_PENDING,
    TRANSFER_DONE,
    TRANSFER_MISSING, /* the block was never put */
    TRANSFER_CONFLICT /* another worker put it since the last barrier */
};

/* Who else wrote the block, of a TRANSFER_CONFLICT. */
struct transfer_conflict {
    int worker;
    int statement; /* the other's instruction */
    struct block_id id;
};

/* Starts to bring a block into `target`, which must stay until the final state. statement: for
 * messages. */
enum dm_status transport_get(struct transport *transport, struct block_id id, double *target,
                             int statement, struct transfer **transfer);

/* Starts to put a block (add: to add it to what is there). The data are taken before it returns.
 * Acknowledgements are collected by transport_progress and transport_drain. */
enum dm_status transport_put(struct transport *transport, struct block_id id, const double *source,
                             bool add, int statement);

/* Looks once. *conflict is set with TRANSFER_CONFLICT. */
enum dm_status transport_test(struct transport *transport, struct transfer *transfer,
                              enum transfer_state *state, struct transfer_conflict *conflict);
/* Waits within the limit: *state is never TRANSFER_PENDING. A get is a conflict if another worker
 * put the block between the same two barriers, and before the server replied to the get. */
enum dm_status transport_wait(struct transport *transport, struct transfer *transfer,
                              enum transfer_state *state, struct transfer_conflict *conflict);

/* How the puts ended that did: as the first that went wrong. */
struct put_report {
    enum transfer_state state; /* TRANSFER_DONE or TRANSFER_CONFLICT */
    int statement; /* of the put that went wrong, also of an error; else as it was before */
    struct transfer_conflict conflict;
};

/* Gives MPI and finished puts some time; cheap, to be called between instructions. */
enum dm_status transport_progress(struct transport *transport, struct put_report *report);

/* Waits until all puts are acknowledged. */
enum dm_status transport_drain(struct transport *transport, struct put_report *report);

/* drain and, if no put went wrong, a barrier of all workers within the limit: every put before it
 * is seen by every get after it. */
enum dm_status transport_barrier(struct transport *transport, struct put_report *report);

/* Collective over workers, each between two barriers of its own: the array's blocks are forgotten;
 * the servers write served arrays to disk; the numbers of all blocks that were put, ascending,
 * free() them. */
enum dm_status transport_delete(struct transport *transport, int array);
enum dm_status transport_flush(struct transport *transport);
enum dm_status transport_list(struct transport *transport, int array, int64_t **numbers,
                              size_t *count);

/* *sum of x over all workers; collective, within the limit. */
enum dm_status transport_sum(struct transport *transport, double x, double *sum);

/* The error that another state than TRANSFER_DONE is to whoever knows no statements. */
enum dm_status transport_refuse(const struct transport *transport, struct block_id id,
                                enum transfer_state state,
                                const struct transfer_conflict *conflict);

struct transport_counters {
    uint64_t window_gets, message_gets, puts;
    uint64_t bytes_received, bytes_sent; /* of blocks */
};
void transport_counters(const struct transport *transport, struct transport_counters *counters);

#endif
