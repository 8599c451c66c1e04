/* sip.h: the Super Instruction Processor: runs a compiled SIAL program on workers and servers
 * (Peshne 2018, 3.1 to 3.5 and 4.2). */
#ifndef PREFETCH_SIP_SIP_H
#define PREFETCH_SIP_SIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <mpi.h>

#include <datamotion/pinning.h>
#include "prefetch/sial/bytecode.h"
#include "prefetch/sip/loop.h"
#include "prefetch/sip/transport.h"

/* Where operations on blocks are computed within gpu_on .. gpu_off; outside always on the host. */
enum sip_device { SIP_HOST, SIP_GPU, SIP_AUTO /* by measured cost */ };

/* What a worker notes, with one line per event, when tracing. */
enum sip_event_kind {
    SIP_EVENT_REQUEST, /* a get was sent; prefetched or not */
    SIP_EVENT_ARRIVE,  /* seen to have arrived */
    SIP_EVENT_WAIT,    /* blocked for a block */
    SIP_EVENT_COMPUTE, /* an operation on blocks */
    SIP_EVENT_PUT,
    SIP_EVENT_BARRIER
};
struct sip_event {
    double begin_s, end_s; /* since the start of the program on this worker (all left a barrier) */
    enum sip_event_kind kind;
    int worker;
    int instruction;
    int array; /* -1: none */
    int64_t block;
};

/* The wait of one access of a get's block, by how many-th iteration of its loop it was. */
struct sip_wait {
    int site;
    int iteration;   /* from 0: the first of the loop, each time the loop starts */
    int loop_length; /* of the loop's visits on this worker: iterations so far when the loop ended;
                        0: still open */
    double get_s;    /* in the statement get: requests sent */
    double wait_s;   /* blocked at the first use */
};

struct sip_config {
    MPI_Comm
        world; /* all its ranks call sip_run; ranks beyond workers + servers have nothing to do */
    int workers, servers; /* 0: the default split */
    enum transport_kind transport;
    int prefetch;             /* blocks ahead per get statement, 0: off */
    const int *site_prefetch; /* per site, instead; NULL: none; entries < 0: the default */
    bool loop_given;          /* else balanced with where clauses or nonzero, and static without */
    enum loop_kind loop;      /* of all pardos */
    enum sip_device device;
    enum pinning_policy policy;      /* which accesses copy blocks between host and GPU */
    int segment[SIAL_INDEX_KINDS]; /* 0: as in the program, else SIP_DEFAULT_SEGMENT */
    size_t worker_memory_bytes, server_memory_bytes; /* each; 0: default */
    const char *spill_directory;                     /* NULL: $TMPDIR or /tmp */
    size_t spill_limit_bytes;
    double wait_limit_s; /* 0: 60 */
    bool record_waits, record_events;
    FILE *output;              /* of print, on worker 0; NULL: none */
    struct trace *block_trace; /* of worker 0: allocations and accesses of blocks (pinning/trace.h);
                                  NULL: none */
    uint64_t seed;             /* of fill_random */
};

enum { SIP_DEFAULT_SEGMENT = 20 };

/* One rank's numbers. Times in s. */
struct sip_counters {
    double run_s;          /* from the common start to the end of the program */
    double block_wait_s;   /* in get statements and blocked for blocks */
    double barrier_wait_s; /* in sip_barrier, server_barrier and collective */
    double compute_s;      /* in operations on blocks and super instructions */
    uint64_t instructions;
    uint64_t accesses,
        hits; /* operands that a statement read from a fetched block; without blocking */
    uint64_t gets, prefetches;  /* blocks requested by a get for itself, and ahead */
    uint64_t unused_prefetches; /* evicted or dropped at a barrier without an access */
    uint64_t host_operations, gpu_operations;
    uint64_t cache_hits,
        cache_misses; /* of the block cache of page-locked memory: allocation requests */
    struct pinning_counters copies; /* between host and GPU */
    struct transport_counters transport;
};

struct sip_result {
    bool is_worker, is_server;
    int worker;
    struct sip_counters counters;  /* of this worker */
    struct server_counters server; /* of this server */
    double *scalars;               /* of this worker at the end, by position in the program */
    struct sip_wait *waits;
    size_t wait_count;
    struct sip_event *events;
    size_t event_count;
};

struct sip_error {
    char text[1536]; /* with file and line of the statement */
};

/* The default split of `ranks`: one server for each three workers, at least one. False if ranks
 * < 2. */
bool sip_default_split(int ranks, int *workers, int *servers);

/* Runs the program. Collective over config->world. False and an error on the rank where something
 * went wrong; the others may then still wait, so the caller must end the job (fail()). Prints only
 * what the program prints. */
bool sip_run(const struct sial_program *program, const struct sip_config *config,
             struct sip_result *result, struct sip_error *error);
void sip_result_free(struct sip_result *result);

/* ---- super instructions ---- */

struct super_argument {
    enum sial_argument_kind kind;
    double
        number; /* scalar, number, int, index; a scalar is written back if its letter is w or u */
    const char *string;
    struct {
        double *data; /* in host memory */
        int rank;
        int extent[SIAL_MOST_RANK];
        int segment[SIAL_MOST_RANK]; /* which segment of its index, from the index's value */
        int64_t number;              /* of the block within its array */
        const char *array;
    } block;
};

/* What a super instruction may ask for. */
struct super_context {
    uint64_t seed;
    int worker;
    FILE *output;                                         /* NULL on all but worker 0 */
    void (*set_prefetch)(void *worker_state, int blocks); /* of all sites, from now on */
    void *worker_state;
    char *error; /* a sentence, if it returns false */
    size_t error_bytes;
};

/* NAME is what a program declares with `special`; the signature there must be this one. */
struct super_instruction {
    const char *name, *signature, *meaning;
    bool (*run)(struct super_argument *arguments, int count, struct super_context *context);
};

/* Adds to the ones that every program can use (super_instructions.c). False: the table is full or
 * the name taken. */
bool sip_register(const struct super_instruction *instruction);
const struct super_instruction *sip_super_instruction(const char *name);
/* The table, ended by a NULL name, for help texts. */
const struct super_instruction *sip_super_instructions(void);

#endif
