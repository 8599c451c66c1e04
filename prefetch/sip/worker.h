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
#include "prefetch/sip/setup.h"
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
    int extents[SIAL_RANK_MAX];
    bool exists;                 /* between create and delete, if the program has these */
    struct table_block *current; /* of a temp array */
    struct block_map *map;       /* of the clause nonzero; until the next barrier */
};

struct worker {
    const struct prefetch_program *program;
    const struct prefetch_config *config;
    int number, workers;
    struct transport *transport;
    struct prefetch_result *result;
    struct prefetch_counters *counters; /* of the result */
    enum dm_status failed;              /* the first error */
    const char *volatile *activity;
    const char *volatile unwatched; /* the activity if nobody wants to know */
    double start_s;
    char **descriptions; /* of instructions, made when first needed */

    /* the interpreter's state */
    int current, next; /* instruction */
    bool halted;
    double *scalars; /* of the result */
    int64_t *ints;
    int *values; /* of indices */
    double stack[SIAL_STACK_MAX];
    int depth; /* of the stack */
    struct active_loop loops[SIAL_NESTED_MAX];
    int loop_count;
    struct active_loop **loop_of; /* by position in the program; NULL: not active */
    struct active_call calls[SIAL_CALLS_MAX];
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

/* DM_NO_MEMORY, or the GPU failed. *worker can be closed in any case. */
enum dm_status worker_open(struct worker *worker, const struct prefetch_program *program,
                           const struct prefetch_config *config, struct prefetch_result *result);
/* No transfer may be under way. */
void worker_close(struct worker *worker);

/* Fails with what is wrong, behind the current statement's place. The first error stays, also its
 * sentence. */
enum dm_status worker_fail(struct worker *worker, enum dm_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The same of another statement. */
enum dm_status worker_fail_at(struct worker *worker, int instruction, enum dm_status status,
                              const char *format, ...) __attribute__((format(printf, 4, 5)));
/* One of the values is out of the range of the operand's array. */
enum dm_status worker_fail_range(struct worker *worker, int operand, const int *values);
/* An index is used outside of a loop over it. */
enum dm_status worker_fail_value(struct worker *worker, int index);

/* Puts the statement's place before the sentence of a callee that knows no statements. */
enum dm_status worker_within(struct worker *worker, int instruction, enum dm_status status);
#define TRY_IN_STATEMENT(worker, expression)                                                       \
    do {                                                                                           \
        enum dm_status try_status = (expression);                                                  \
        if (try_status != DM_OK)                                                                   \
            return worker_within((worker), (worker)->current, try_status);                         \
    } while (0)

/* `put_test.sialx:22: get a[i,j]`; stays valid. */
const char *worker_describe(struct worker *worker, int instruction);

/* Shows the current statement as what this rank is doing. */
void worker_show(struct worker *worker);

/* A block's name in messages: a[3,2]. */
enum { BLOCK_NAME_BYTES = 192 };
const char *worker_block_name(const struct worker *worker, int array, int64_t number,
                              char name[BLOCK_NAME_BYTES]);

/* Seconds since the common start. */
double worker_now(const struct worker *worker);

/* Of the current statement, if events are recorded. */
enum dm_status worker_event(struct worker *worker, enum prefetch_event_kind kind, double begin_s,
                            double end_s, int array, int64_t block);

/* The number of the block that an operand means now. DM_INVALID: an index has no value or is out of
 * the array's range, or the array does not exist now. */
enum dm_status worker_resolve(struct worker *worker, int operand, int64_t *number);

/* Makes room for a block of that many bytes by evicting fetched blocks that were read, least
 * recently used first; never those that a statement since `first_statement` used. *room: whether
 * there is. */
enum dm_status worker_room_ahead(struct worker *worker, size_t bytes, uint64_t first_statement,
                                 bool *room);

/* The same for a block that is needed now: others go, too. DM_NO_MEMORY. */
enum dm_status worker_room(struct worker *worker, size_t bytes, uint64_t first_statement);

#endif
