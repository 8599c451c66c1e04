/* execute.h: the executor's inside.
 *
 *   execute.c  a launch: deals blocks to OS threads, holds them together (grid barrier, abort)
 *   block.c    one block on one OS thread: its CUDA threads as fibers
 *   barrier.c  barriers of the block and of the grid
 *   warp.c     what the lanes of a warp do together
 *   services.c yielding, traps, fences, time
 *   fault.c    stray addresses and failed assertions
 *   fiber.c    stacks and switches
 *
 * One OS thread executes one block at a time. Its scheduler is cooperative: a fiber runs CUDA
 * threads one after the other and returns to the scheduler only when the one it is in has to wait.
 * That fiber then belongs to the waiting CUDA thread, and another one goes on with the next CUDA
 * thread. */
#ifndef SOFT_EXECUTE_H
#define SOFT_EXECUTE_H

#include "softgpu/builtins.h"
#include "softgpu/execution.h"

#include "fiber.h"

enum { PATIENCE = 256 }; /* atomics and fences of a CUDA thread between two yields */

enum { WARP_LANES = 32, MAX_BLOCK_THREADS = 1024, MAX_WARPS = MAX_BLOCK_THREADS / WARP_LANES };

/* One launch; lives on the stack of soft_execute(). */
struct launch;

/* First come, first served; linked through fiber->next. */
struct fiber_queue {
    struct fiber *first;
    struct fiber *last;
    unsigned count;
};

struct warp {
    unsigned busy;    /* lanes whose CUDA thread has waited at least once and has not finished */
    unsigned waiting; /* lanes that wait for a warp operation; lane[] is valid for these */
    struct fiber *lane[WARP_LANES];
};

enum barrier_scope { BLOCK_BARRIER, GRID_BARRIER, BARRIER_SCOPES };

/* The block that an OS thread executes, and the fibers that it keeps for the next one. */
struct block {
    struct launch *launch;
    const struct soft_kernel *kernel;
    unsigned threads; /* in the block */
    unsigned
        started;   /* CUDA threads [0, started) have been started; up to date when front is NULL */
    unsigned live; /* fibers that are in the middle of a CUDA thread */

    struct fiber base;     /* the OS thread's own stack: outside all CUDA threads */
    struct fiber *current; /* the running one; &base outside kernels */
    struct fiber *front;   /* the one that starts CUDA threads one after the other, if any */

    struct fiber_queue ready;
    struct fiber_queue yielded;
    struct fiber_queue at_barrier[BARRIER_SCOPES];
    unsigned yes;         /* waiting threads whose barrier predicate was true */
    unsigned last_yes;    /* the same of the last completed barrier ... */
    unsigned last_voters; /* ... and how many took part */
    struct warp warps[MAX_WARPS];

    unsigned turns;         /* scheduling decisions */
    unsigned quiet_rounds;  /* rounds in which every CUDA thread only yielded */
    unsigned nap_ns;        /* shortest wait asked for in this round */
    uint64_t dealt_seen;    /* how many blocks of the launch had been dealt ... */
    uint64_t dealt_seen_ns; /* ... since when */

    struct fiber *fibers[MAX_BLOCK_THREADS];
    unsigned fiber_count;
    struct fiber *idle;
    void *shared; /* dynamic shared memory */
    size_t shared_bytes;
    void *fault_stack;
    char order_begin, order_end; /* addresses that name an order for TSan */
};

/* ---- block.c ---- */

/* The calling OS thread's block, NULL where no kernel has run yet. */
extern __thread struct block *soft_block;

/* The calling OS thread's block, made on the first call; NULL without memory. */
struct block *block_of_thread(void);

/* Runs the block with the given linear index; failures are noted in the launch. */
void block_run(struct block *block, struct launch *launch, const struct soft_kernel *kernel,
               uint64_t index);

/* Called in a CUDA thread, between fiber_scheduler_enter() and _leave(): */
void block_note_waiting(struct block *block); /* before queueing the current fiber */

/* The fiber that runs next: one that is ready, else one that starts the next CUDA thread, else one
 * that yielded. The base when the block is finished or the launch has failed. */
struct fiber *block_schedule(struct block *block);

/* Goes on with that fiber; returns when the current one is picked. */
static inline __attribute__((always_inline)) void block_go_on(struct block *block)
{
    struct fiber *self = block->current;
    struct fiber *next = block_schedule(block);
    if (next == self)
        return;
    block->current = next;
    fiber_switch(self, next);
}

/* Runs others until the current fiber, which is in a queue, is picked, and makes its CUDA thread
 * current. */
static inline __attribute__((always_inline)) void block_wait(struct block *block)
{
    struct fiber *self = block->current;
    block_go_on(block);
    threadIdx = self->thread;
    soft_row_end = 0;
}

void fiber_queue_push(struct fiber_queue *queue, struct fiber *fiber);
void fiber_queue_append(struct fiber_queue *to, struct fiber_queue *from); /* empties the latter */

/* ---- barrier.c ---- */

/* Exits are not announced to those who wait. When nothing else can run, this and warps_settle()
 * look whether exits have completed something, complete it, and say whether anything has become
 * ready. */
bool barriers_settle(struct block *block);

/* ---- warp.c ---- */

/* Finishes the operation that lane waits for if all its partners are there or have exited; started
 * is the number of CUDA threads of the block that have been started. */
bool warp_complete(struct block *block, unsigned warp_index, unsigned lane);

/* See barriers_settle(). */
bool warps_settle(struct block *block);

/* ---- execute.c ---- */

void launch_fail(struct launch *launch, enum soft_outcome outcome);
bool launch_failed(const struct launch *launch);

/* Blocks the OS thread until every unfinished block of the launch is here, or the launch has
 * failed. */
void launch_grid_barrier(struct launch *launch);

/* A block in which all threads only yield calls this: if blocks have not been dealt for a while,
 * another OS thread is put to work on them, as long as they would be resident together on a GPU. */
void launch_consider_growth(struct launch *launch, struct block *block);

/* ---- fault.c ---- */

/* Gives the OS thread a stack for the fault handler, because a fiber that has overflown its own has
 * none; false without memory. */
bool fault_stack_create(void **stack);

/* After the handler has been left by a switch: tells ASan that its frames are gone. */
void fault_stack_clean(void);

void fault_stack_destroy(void *stack);

#endif
