/* prefetch.h: runs SIAL programs on the ranks of an MPI job: workers execute the program, servers
 * keep the blocks of its large arrays, and blocks are requested before they are needed. Link with
 * -ldatamotion-prefetch (pkg-config datamotion-prefetch) and MPI.
 *
 *     program.sialx -- prefetch_compile --> program -- prefetch_run, on all ranks --> result
 *
 *     worker                                              server
 *     get a[i,j]:  this block, and K more  -- requests -> blocks in memory, the coldest on disk
 *     x = a[i,j] * a[i,j]:  waits here  <==== blocks ====
 *     put b[i,j] = a[i,j]  ----------------- block -----> acknowledged by the next barrier
 *
 * Errors are reported as datamotion/status.h says. Source: Peshne, Enhancements to looping
 * constructs by prefetching and exploiting GPU (University of Florida, 2018), chapters 3 and 4. */
#ifndef DATAMOTION_PREFETCH_H
#define DATAMOTION_PREFETCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <mpi.h>

#include <datamotion/pinning.h>
#include <datamotion/prefetch_program.h>
#include <datamotion/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- configuration ---- */

/* How a get travels. Puts are always messages. */
enum prefetch_transport {
    PREFETCH_MESSAGES, /* a request, and the block by MPI_Isend and MPI_Irecv */
    PREFETCH_WINDOW    /* MPI_Rget out of the server's memory */
};

/* How `pardo` deals index sets to workers; each valid set goes to exactly one (Peshne, 4.2.1). */
enum prefetch_pardo {
    PREFETCH_PARDO_AUTO,       /* balanced with where clauses or nonzero, else static */
    PREFETCH_PARDO_SEQUENTIAL, /* all to worker 0 */
    PREFETCH_PARDO_STATIC,     /* cyclically, then where clauses drop some */
    PREFETCH_PARDO_BALANCED,   /* only valid sets are dealt */
    PREFETCH_PARDO_FRAGMENTED  /* as balanced; rows and columns of a sparse array without blocks are
                                  skipped */
};

/* Where operations on blocks are computed within gpu_on .. gpu_off; outside, and without a GPU,
 * always on the host. */
enum prefetch_device { PREFETCH_HOST, PREFETCH_GPU, PREFETCH_AUTO /* by measured cost */ };

/* Kinds of indices (aoindex, moindex, ...). All segments of a kind have the same length; an `index`
 * counts, so its segment is 1. */
enum prefetch_index_kind {
    PREFETCH_INDEX_SIMPLE,
    PREFETCH_INDEX_AO,
    PREFETCH_INDEX_MO,
    PREFETCH_INDEX_MOA,
    PREFETCH_INDEX_MOB,
    PREFETCH_INDEX_LA,
    PREFETCH_INDEX_KINDS
};

enum { PREFETCH_DEFAULT_SEGMENT = 20 };

/* Blocks ahead of the get and request statements in a line of the program's own file. */
struct prefetch_distance {
    int line, blocks;
};

/* What a worker does with the memory of its blocks. */
enum prefetch_block_event_kind {
    PREFETCH_BLOCK_ALLOCATE,
    PREFETCH_BLOCK_RELEASE,
    PREFETCH_BLOCK_READ,
    PREFETCH_BLOCK_UPDATE,
    PREFETCH_BLOCK_WRITE /* overwrites the whole block */
};
struct prefetch_block_event {
    enum prefetch_block_event_kind kind;
    int slot;    /* of an access: 0 the host, 1 the GPU */
    uint32_t id; /* of the block; used again after its release */
    size_t elements;
};

struct prefetch_config {
    MPI_Comm world; /* all its ranks call prefetch_run; those beyond workers + servers are idle */
    int workers,
        servers; /* the first ranks are workers, the next ones servers; 0: prefetch_split */
    enum prefetch_transport transport;
    int prefetch; /* blocks ahead of each get and request, 0: none */
    const struct prefetch_distance
        *distances; /* other numbers for some lines; the last one counts */
    size_t distance_count;
    enum prefetch_pardo pardo;
    enum prefetch_device device;
    enum pinning_policy policy;        /* which accesses copy blocks between host and GPU */
    int segment[PREFETCH_INDEX_KINDS]; /* 0: as in the program, else PREFETCH_DEFAULT_SEGMENT */
    size_t worker_memory_bytes, server_memory_bytes; /* for blocks, each; 0: 1 GiB */
    const char *spill_directory;                     /* of servers; NULL: $TMPDIR or /tmp */
    size_t spill_limit_bytes; /* on disk, per server; 0: as much as there is */
    double wait_limit_s;      /* for a block, an acknowledgement or a barrier; 0: 60 */
    bool record_waits, record_events;
    FILE *output;  /* of print and print_block, on worker 0; NULL: none */
    uint64_t seed; /* of fill_block_random */
    /* Called on worker 0 for each event, in their order; if it does not return DM_OK, the run fails
     * with its sentence (but for a release, which cannot fail). NULL: not called. */
    enum dm_status (*block_event)(void *context, const struct prefetch_block_event *event);
    void *block_event_context;
    /* Gets a text that stays valid while it is there: what this rank is doing, such as
     * "put_test.sialx:22: get a[i,j]"; NULL when it ends. For messages of a signal handler. NULL:
     * nobody wants to know. */
    const char *volatile *activity;
};

/* The default split of `ranks`: one server for each three workers, at least one. DM_INVALID: fewer
 * than 2 ranks. */
DM_API enum dm_status prefetch_split(int ranks, int *workers, int *servers);

/* Whether prefetch_run would start; not collective. DM_INVALID: workers and servers do not fit into
 * the ranks of `world`; a segment or a number of blocks ahead is out of range, or there is no get
 * in that line; the program declares a super instruction that does not exist or has another
 * signature; blocks would be too large for a message, or an array would have more than 2^32. */
DM_API enum dm_status prefetch_check(const struct prefetch_program *program,
                                     const struct prefetch_config *config);

/* ---- results ---- */

/* The wait of one access of a get's block. */
struct prefetch_wait {
    int site;        /* which get or request of the program, in the order of the text */
    int iteration;   /* of its loop, from 0 each time the loop starts */
    int loop_length; /* the loop's iterations on this worker; 0: it had not ended */
    double get_s;    /* in the statement: requests sent */
    double wait_s;   /* blocked at the first use */
};

enum prefetch_event_kind {
    PREFETCH_EVENT_REQUEST, /* a get was sent; prefetched or not */
    PREFETCH_EVENT_ARRIVE,  /* seen to have arrived */
    PREFETCH_EVENT_WAIT,    /* blocked for a block */
    PREFETCH_EVENT_COMPUTE, /* an operation on blocks, or a super instruction */
    PREFETCH_EVENT_PUT,
    PREFETCH_EVENT_BARRIER
};
struct prefetch_event {
    double begin_s, end_s; /* since the common start of all workers */
    enum prefetch_event_kind kind;
    int worker;
    int line;      /* of the statement */
    int array;     /* position, for prefetch_array_name; -1: none */
    int64_t block; /* number within the array, row-major; -1: none */
};

/* Of one worker. Times in s. */
struct prefetch_counters {
    double run_s;          /* from the common start to the end of the program */
    double block_wait_s;   /* in get statements and blocked for blocks */
    double barrier_wait_s; /* in sip_barrier, server_barrier and collective */
    double compute_s;      /* in operations on blocks and super instructions */
    uint64_t instructions;
    uint64_t accesses;          /* operands that a statement read from a fetched block */
    uint64_t hits;              /* of these, without blocking */
    uint64_t gets, prefetches;  /* blocks requested by a get for itself, and ahead */
    uint64_t unused_prefetches; /* evicted or dropped at a barrier without an access */
    uint64_t host_operations, gpu_operations;
    uint64_t cache_hits, cache_misses; /* of the block cache: allocation requests */
    struct pinning_counters copies;    /* between host and GPU */
    uint64_t window_gets, message_gets, puts;
    uint64_t received_bytes, sent_bytes; /* of blocks */
};

/* Of one server. */
struct prefetch_server_counters {
    uint64_t gets, puts, adds; /* answered */
    uint64_t sent_bytes, received_bytes;
    double busy_s;
    uint64_t blocks, memory_bytes, disk_bytes; /* at the end */
    uint64_t spills, loads;                    /* blocks written to disk and read from it */
    uint64_t spilled_bytes, loaded_bytes;
};

/* One rank's results. */
struct prefetch_result {
    bool is_worker, is_server;
    int worker; /* -1: none */
    struct prefetch_counters counters;
    struct prefetch_server_counters server;
    double *scalars; /* of this worker at the end, in the order of their declaration */
    struct prefetch_wait *waits;
    size_t wait_count;
    struct prefetch_event *events;
    size_t event_count;
};

/* Runs the program; collective over config->world. On a failure the sentence begins with the
 * statement's place in the program: FILE:LINE: STATEMENT.
 *
 * What prefetch_check finds fails on all ranks alike. Any other error is seen by the rank where it
 * happens, while others may wait until their time limit: the caller is expected to end the job, and
 * memory that blocks may still arrive in is not given back. DM_INVALID: a mistake of the program (a
 * block that was never put, two workers that put the same block without a barrier between, an
 * assertion); DM_NO_MEMORY; DM_TIMEOUT: a server or worker did not reply within the limit;
 * DM_UNAVAILABLE: MPI cannot make a window between these ranks; DM_FAILED: MPI, the GPU or the
 * disk.
 *
 * Sets the number of OpenBLAS's threads to 1. */
DM_API enum dm_status prefetch_run(const struct prefetch_program *program,
                                   const struct prefetch_config *config,
                                   struct prefetch_result *result);

DM_API void prefetch_result_free(struct prefetch_result *result);

/* A scalar of this worker at the end, by its name. DM_INVALID: the program has no such scalar, or
 * this rank is no worker. */
DM_API enum dm_status prefetch_scalar(const struct prefetch_program *program,
                                      const struct prefetch_result *result, const char *name,
                                      double *value);

#ifdef __cplusplus
}
#endif
#endif
