/* transport.h: how blocks travel between workers and servers.
 *
 * The ranks of a job: 0 .. workers - 1 are workers, the following `servers` ranks are servers. Two
 * ways to get a block behind one interface:
 *
 *   messages   a request, answered by a message into the block's memory: MPI_Irecv and MPI_Isend,
 * as in Peshne 2018, 4.1 and 4.2.2 window     MPI_Rget out of the server's window, without the
 * server's help where the network allows it. Arrays that do not fit into the window travel as
 * messages.
 *
 *   worker                          server
 *   transport_get  -- request ----> server_run: store_acquire -- block --> transport_test,
 * transport_wait transport_get  <============== MPI_Rget ==== window slot transport_put  --
 * request, block -> store, stamp -- acknowledgement --> transport_drain
 *
 * Puts are always messages, because the server looks for conflicts: two workers that put the same
 * block, or one that puts and one that gets it, without a barrier between them. */
#ifndef PREFETCH_SIP_TRANSPORT_H
#define PREFETCH_SIP_TRANSPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <mpi.h>

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
    double wait_limit_s; /* for each wait; then it is an error */
};

struct transport_error {
    char text[512];
};

/* Which server keeps the block: rank workers + this. Blocks go round the servers. */
int transport_home(int64_t block, int servers);

/* ---- servers ---- */

struct server_counters {
    uint64_t gets, puts, adds; /* answered */
    uint64_t bytes_sent, bytes_received;
    double busy_s;
    struct store_counters store;
};

/* Serves until every worker has closed its transport. False and an error if it cannot go on: then
 * the caller ends the job. Conflicts and missing blocks are not errors of the server: the worker is
 * told. */
bool server_run(const struct transport_config *config, struct server_counters *counters,
                struct transport_error *error);

/* ---- workers ---- */

struct transport;

/* NULL and an error: MPI failed or no memory. */
struct transport *transport_open(const struct transport_config *config,
                                 struct transport_error *error);

/* Tells the servers that this worker has ended, waits for what is in flight. Collective over
 * workers and servers. */
bool transport_close(struct transport *transport, struct transport_error *error);

/* A get or put in flight; freed by the transport when a final state has been returned by test or
 * wait. */
struct transfer;

enum transfer_state {
    TRANSFER_PENDING,
    TRANSFER_DONE,
    TRANSFER_MISSING,  /* the block was never put */
    TRANSFER_CONFLICT, /* another worker put it since the last barrier; error says who and which
                          statement */
    TRANSFER_FAILED    /* MPI, disk, memory or the wait limit; the job cannot go on */
};

/* Who else wrote the block, of a TRANSFER_CONFLICT. */
struct transfer_conflict {
    int worker;
    int statement; /* the other's instruction */
    struct block_id id;
};

/* Starts to bring a block into `target`, which must stay until the final state. statement: for
 * messages. NULL: failed, see error. */
struct transfer *transport_get(struct transport *transport, struct block_id id, double *target,
                               int statement, struct transport_error *error);

/* Starts to put a block (add: to add it to what is there). The data are taken before it returns.
 * Acknowledgements are collected by transport_progress and transport_drain. False: failed. */
bool transport_put(struct transport *transport, struct block_id id, const double *source, bool add,
                   int statement, struct transport_error *error);

/* Looks once. conflict and error may be NULL; missing blocks and conflicts have a sentence in
 * error, too. */
enum transfer_state transport_test(struct transport *transport, struct transfer *transfer,
                                   struct transfer_conflict *conflict,
                                   struct transport_error *error);
/* Waits within the limit: never returns TRANSFER_PENDING. A get is a conflict if another worker put
 * the block between the same two barriers, and before the get was answered. */
enum transfer_state transport_wait(struct transport *transport, struct transfer *transfer,
                                   struct transfer_conflict *conflict,
                                   struct transport_error *error);

/* Gives MPI and finished puts some time; cheap, to be called between instructions. The result is
 * that of the puts that ended: TRANSFER_DONE, or the first that went wrong, with its own statement
 * in *statement. */
enum transfer_state transport_progress(struct transport *transport, int *statement,
                                       struct transfer_conflict *conflict,
                                       struct transport_error *error);

/* Waits until all puts are acknowledged; results as above. */
enum transfer_state transport_drain(struct transport *transport, int *statement,
                                    struct transfer_conflict *conflict,
                                    struct transport_error *error);

/* drain, then a barrier of all workers within the limit: every put before it is seen by every get
 * after it. *wait_s (may be NULL): time in it. */
enum transfer_state transport_barrier(struct transport *transport, double *wait_s, int *statement,
                                      struct transfer_conflict *conflict,
                                      struct transport_error *error);

/* Collective over workers, each between two barriers of its own: the array's blocks are forgotten;
 * the servers write served arrays to disk; the numbers of all blocks that were put, ascending,
 * free() them. */
bool transport_delete(struct transport *transport, int array, struct transport_error *error);
bool transport_flush(struct transport *transport, struct transport_error *error);
bool transport_list(struct transport *transport, int array, int64_t **numbers, size_t *count,
                    struct transport_error *error);

/* *sum of x over all workers; collective, within the limit. */
bool transport_sum(struct transport *transport, double x, double *sum,
                   struct transport_error *error);

struct transport_counters {
    uint64_t window_gets, message_gets, puts;
    uint64_t bytes_received, bytes_sent; /* of blocks */
};
void transport_counters(const struct transport *transport, struct transport_counters *counters);

#endif
