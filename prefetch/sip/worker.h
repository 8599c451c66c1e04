/* worker.h: the state of one worker that runs a program; its parts are in block_table.h, get.h,
 * interpreter.h. */
#ifndef PREFETCH_SIP_WORKER_H
#define PREFETCH_SIP_WORKER_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "prefetch/sip/block_table.h"
#include "prefetch/sip/device_choice.h"
#include "prefetch/sip/index_list.h"
#include "prefetch/sip/loop.h"
#include "prefetch/sip/sip.h"
#include "prefetch/sip/tensor.h"

enum { NO_VALUE = INT_MIN }; /* of an index outside of its loops */

struct worker;

/* A loop between its begin and its end. */
struct active_loop {
    struct worker *worker;
    int loop; /* position in the program */
    int body; /* first instruction */
    struct loop source;
    struct index_list *list;
    int64_t *ints;            /* as they were at the begin, for where clauses; NULL: none */
    int iteration;            /* from 0 */
    uint64_t first_statement; /* of the iteration, as the worker counts statements */
    size_t first_wait;        /* wait records before it are older than the loop */
};

struct active_call {
    int back;  /* instruction */
    int loops; /* active at the call */
};

/* What was derived from the program. */
struct worker_site {
    int in_list; /* position among the sites of its loop */
    int distance;
};
struct worker_array {
    size_t elements; /* of a block */
    int extents[SIAL_MOST_RANK];
    bool exists;                 /* between create and delete, if the program has these */
    struct table_block *current; /* of a temp array */
    struct block_map *map;       /* of the clause nonzero; until the next barrier */
};

struct worker {
    const struct sial_program *program;
    const struct sip_config *config;
    int number, workers;
    struct transport *transport;
    struct sip_result *result;
    struct sip_counters *counters; /* of the result */
    struct sip_error *error;
    bool failed;
    double start_s;
    char **descriptions; /* of instructions, made when first needed */

    /* the interpreter's state */
    int current, next; /* instruction */
    bool halted;
    double *scalars; /* of the result */
    int64_t *ints;
    int *values; /* of indices */
    double stack[SIAL_MOST_STACK];
    int depth; /* of the stack */
    struct active_loop loops[SIAL_MOST_NESTED];
    int loop_count;
    struct active_loop **loop_of; /* by position in the program; NULL: not active */
    struct active_call calls[SIAL_MOST_CALLS];
    int call_count;
    bool in_gpu_region;

    /* blocks */
    struct worker_array *arrays;
    struct worker_site *sites;
    int *sites_of_loop;    /* how many */
    struct tensor *shapes; /* of operands, without data */
    struct worker_memory memory;
    struct block_table table;
    uint64_t statement;           /* counts statements that use blocks */
    struct table_block *replaced; /* blocks of temp arrays that go when the statement has ended */
    struct tensor_device *host, *gpu; /* gpu: NULL if there is none */
    struct device_choice *choice;     /* NULL: not by cost */

    size_t wait_capacity, event_capacity;
};

/* The file that errors without a statement name. */
const char *worker_file(const struct sial_program *program);

/* Lengths of segments by index kind: configured, else the program's own, else the default. */
void worker_segments(const struct sial_program *program, const struct sip_config *config,
                     int segments[SIAL_INDEX_KINDS]);

/* False and an error: no memory, or the GPU failed. *worker can be closed in any case. */
bool worker_open(struct worker *worker, const struct sial_program *program,
                 const struct sip_config *config, struct sip_result *result,
                 struct sip_error *error);
/* No transfer may be under way. */
void worker_close(struct worker *worker);

/* Notes what is wrong, after the current statement's place, and is false: `return
 * worker_fail(...)`. The first error stays. */
bool worker_fail(struct worker *worker, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The same for another statement. */
bool worker_fail_at(struct worker *worker, int instruction, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool worker_fail_memory(struct worker *worker);
/* One of the values is out of the range of the operand's array. */
bool worker_fail_range(struct worker *worker, int operand, const int *values);

/* `put_test.sialx:22: get a[i,j]`; stays valid. */
const char *worker_describe(struct worker *worker, int instruction);

/* Shows the current statement as what the program is doing, should a signal or the time limit end
 * it. */
void worker_show(struct worker *worker);

/* A block's name in messages: a[3,2]. */
enum { BLOCK_NAME_BYTES = 192 };
const char *worker_block_name(const struct worker *worker, int array, int64_t number,
                              char name[BLOCK_NAME_BYTES]);

/* Seconds since the common start. */
double worker_now(const struct worker *worker);

/* Of the current statement, if events are recorded. False: no memory. */
bool worker_event(struct worker *worker, enum sip_event_kind kind, double begin_s, double end_s,
                  int array, int64_t block);

/* The number of the block that an operand means now. False and an error: an index has no value or
 * is out of the array's range, or the array does not exist now. */
bool worker_resolve(struct worker *worker, int operand, int64_t *number);

/* Makes room for a block of that many bytes by evicting fetched blocks that were read, least
 * recently used first, and for a block that is needed now also others; never those that a statement
 * since `first_statement` used. False: no room; if the block is needed, with an error. */
bool worker_room(struct worker *worker, size_t bytes, uint64_t first_statement, bool needed);

#endif
