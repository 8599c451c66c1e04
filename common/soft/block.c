/* block.c: one CUDA block on one OS thread. See execute.h for the idea. */
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "execute.h"

enum {
    FAIR_TURNS = 256,      /* decisions after which those that yielded are preferred once */
    RESTLESS_ROUNDS = 16,  /* quiet rounds before the OS thread really sleeps */
    LONGEST_NAP_NS = 50000 /* so that a flag set by another OS thread is seen soon */
};

/* The built-in variables of the running CUDA thread, and what its inlined parts need (device.h). */
__thread uint3 threadIdx, blockIdx;
__thread dim3 blockDim, gridDim;
__thread unsigned soft_row_end;
__thread int soft_patience = PATIENCE;
__thread void *soft_shared_memory;

__thread struct block *soft_block;

static pthread_key_t block_key;
static pthread_once_t block_key_once = PTHREAD_ONCE_INIT;

static void fiber_main(void);

/* ---- queues ---- */

void fiber_queue_push(struct fiber_queue *queue, struct fiber *fiber)
{
    fiber->next = NULL;
    if (queue->count++)
        queue->last->next = fiber;
    else
        queue->first = fiber;
    queue->last = fiber;
}

static struct fiber *queue_pop(struct fiber_queue *queue)
{
    struct fiber *fiber = queue->first;
    queue->first = fiber->next;
    queue->count--;
    return fiber;
}

void fiber_queue_append(struct fiber_queue *to, struct fiber_queue *from)
{
    if (!from->count)
        return;
    if (to->count)
        to->last->next = from->first;
    else
        to->first = from->first;
    to->last = from->last;
    to->count += from->count;
    from->count = 0;
}

/* ---- the OS thread's block ---- */

static void block_free(void *argument)
{
    struct block *block = argument;
    for (unsigned i = 0; i < block->fiber_count; i++) {
        fiber_destroy(block->fibers[i]);
        free(block->fibers[i]);
    }
    fault_stack_destroy(block->fault_stack);
    free(block->shared);
    free(block);
    soft_block = NULL;
}

static void create_block_key(void)
{
    pthread_key_create(&block_key, block_free);
}

struct block *block_of_thread(void)
{
    if (soft_block)
        return soft_block;
    pthread_once(&block_key_once, create_block_key);
    struct block *block = calloc(1, sizeof *block);
    if (!block || !fault_stack_create(&block->fault_stack)) {
        free(block);
        return NULL;
    }
    fiber_adopt_thread(&block->base);
    block->current = &block->base;
    pthread_setspecific(block_key, block);
    soft_block = block;
    return block;
}

bool soft_in_kernel(void)
{
    return soft_block && soft_block->current != &soft_block->base;
}

static bool prepare_shared_memory(struct block *block, size_t bytes)
{
    if (bytes != block->shared_bytes) {
        /* Exactly as large as asked for, so that ASan sees an access beyond the end. */
        free(block->shared);
        block->shared = NULL;
        block->shared_bytes = 0;
        if (bytes && posix_memalign(&block->shared, 128, bytes))
            return false;
        block->shared_bytes = bytes;
    }
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    /* Nobody may rely on what the previous block left. */
    if (bytes)
        memset(block->shared, 0xA5, bytes);
#endif
    soft_shared_memory = block->shared;
    return true;
}

/* ---- scheduling ---- */

/* An idle fiber for the next CUDA thread, or NULL if there is no memory for one more stack. */
static struct fiber *idle_fiber(struct block *block)
{
    if (FIBER_PER_THREAD && block->started < block->fiber_count)
        return block->fibers[block->started];
    struct fiber *fiber = block->idle;
    if (!FIBER_PER_THREAD && fiber) {
        block->idle = fiber->next;
        return fiber;
    }
    fiber = malloc(sizeof *fiber);
    if (!fiber || !fiber_create(fiber, block->fiber_count, fiber_main)) {
        free(fiber);
        launch_fail(block->launch, SOFT_NO_RESOURCE);
        return NULL;
    }
    block->fibers[block->fiber_count++] = fiber;
    return fiber;
}

/* The fiber used last is used first: its stack is in the cache. */
static void make_idle(struct block *block, struct fiber *fiber)
{
    fiber->next = block->idle;
    block->idle = fiber;
}

/* Every CUDA thread that could run waits for something outside of this block. */
static void let_others_run(struct block *block)
{
    launch_consider_growth(block->launch, block);
    block->quiet_rounds++;
    unsigned nap_ns = block->nap_ns < LONGEST_NAP_NS ? block->nap_ns : LONGEST_NAP_NS;
    if (nap_ns && block->quiet_rounds > RESTLESS_ROUNDS)
        nanosleep(&(struct timespec){.tv_nsec = nap_ns}, NULL);
    else
        sched_yield();
    block->nap_ns = UINT_MAX;
}

struct fiber *block_schedule(struct block *block)
{
    bool prefer_starting = false;
    if (++block->turns % FAIR_TURNS == 0) {
        fiber_queue_append(&block->ready, &block->yielded);
        prefer_starting = block->started < block->threads;
    }
    while (!launch_failed(block->launch)) {
        if (block->ready.count && !prefer_starting)
            return queue_pop(&block->ready);
        if (block->started < block->threads) {
            struct fiber *fiber = idle_fiber(block);
            if (fiber)
                return fiber;
        } else if (!block->live) {
            break;
        } else if (barriers_settle(block) || warps_settle(block)) {
            continue;
        } else if (block->yielded.count) {
            let_others_run(block);
            fiber_queue_append(&block->ready, &block->yielded);
        } else {
            launch_fail(block->launch, SOFT_DEADLOCK);
        }
    }
    return &block->base;
}

/* ---- CUDA threads ---- */

static unsigned linear_index(uint3 thread)
{
    return (thread.z * blockDim.y + thread.y) * blockDim.x + thread.x;
}

/* A launch's run_thread() may itself go on with the next CUDA threads (launch.h's does, so that the
 * loop around the kernel's body is inlined); one that does not comes back here after each. */
static bool next_thread(void)
{
    if (!FIBER_PER_THREAD && ++threadIdx.x < soft_row_end)
        return true;
    return soft_next_row();
}

/* The current fiber starts CUDA threads, beginning with the next one. */
static void start_threads(struct block *block)
{
    unsigned row = block->started / blockDim.x;
    threadIdx = (uint3){block->started % blockDim.x, row % blockDim.y, row / blockDim.y};
    soft_row_end = FIBER_PER_THREAD ? 0 : blockDim.x;
    block->front = block->current;
    block->live++;
    fiber_acquire(&block->order_begin);
    fiber_scheduler_leave();
    do
        block->kernel->run_thread(block->kernel->arguments);
    while (next_thread());
    fiber_scheduler_enter();
    fiber_release(&block->order_end);
    block->live--;
    block->quiet_rounds = 0;
    if (!FIBER_PER_THREAD)
        make_idle(block, block->current);
}

static void fiber_main(void)
{
    for (;;) {
        start_threads(soft_block);
        block_go_on(soft_block);
    }
}

bool soft_next_row(void)
{
    fiber_scheduler_enter();
    struct block *block = soft_block;
    struct fiber *self = block->current;
    bool more = false;
    if (block->front != self) {
        if (self->index != FIBER_IDLE)
            block->warps[self->index / WARP_LANES].busy &= ~(1u << self->index % WARP_LANES);
        self->index = FIBER_IDLE;
    } else if (FIBER_PER_THREAD) {
        block->started++;
        block->front = NULL;
    } else if (threadIdx.x + 1 < soft_row_end) {
        /* A kernel compiled for ThreadSanitizer asks after each CUDA thread, whatever this is
         * compiled for. */
        threadIdx.x++;
        more = true;
    } else {
        threadIdx.x = 0;
        if (++threadIdx.y == blockDim.y) {
            threadIdx.y = 0;
            threadIdx.z++;
        }
        more = threadIdx.z < blockDim.z;
        if (!more) {
            block->started = block->threads;
            block->front = NULL;
            soft_row_end = 0;
        }
    }
    fiber_scheduler_leave();
    return more;
}

void block_note_waiting(struct block *block)
{
    struct fiber *self = block->current;
    if (block->front != self)
        return;
    self->thread = threadIdx;
    self->index = linear_index(threadIdx);
    block->warps[self->index / WARP_LANES].busy |= 1u << self->index % WARP_LANES;
    block->started = self->index + 1;
    block->front = NULL;
}

/* ---- the block as a whole ---- */

static void begin_block(struct block *block, struct launch *launch,
                        const struct soft_kernel *kernel, uint64_t index)
{
    const unsigned *grid = kernel->grid, *threads = kernel->block;
    block->launch = launch;
    block->kernel = kernel;
    block->threads = threads[0] * threads[1] * threads[2];
    block->started = 0;
    block->nap_ns = UINT_MAX;
    block->quiet_rounds = 0;
    block->dealt_seen = UINT64_MAX;
    const unsigned *offset = kernel->place.offset;
    const unsigned *seen = kernel->place.grid[0] ? kernel->place.grid : grid;
    gridDim = (dim3){seen[0], seen[1], seen[2]};
    blockDim = (dim3){threads[0], threads[1], threads[2]};
    blockIdx = (uint3){offset[0] + (unsigned)(index % grid[0]),
                       offset[1] + (unsigned)(index / grid[0] % grid[1]),
                       offset[2] + (unsigned)(index / grid[0] / grid[1])};
}

/* Fibers that were left in the middle of a CUDA thread are made new. */
static void clear_after_failure(struct block *block)
{
    fault_stack_clean();
    block->live = 0;
    block->yes = 0;
    block->front = NULL;
    block->idle = NULL;
    block->ready = block->yielded = (struct fiber_queue){0};
    for (int scope = 0; scope < BARRIER_SCOPES; scope++)
        block->at_barrier[scope] = (struct fiber_queue){0};
    for (int i = 0; i < MAX_WARPS; i++)
        block->warps[i].busy = block->warps[i].waiting = 0;
    for (unsigned i = 0; i < block->fiber_count; i++) {
        fiber_restart(block->fibers[i]);
        make_idle(block, block->fibers[i]);
    }
}

void block_run(struct block *block, struct launch *launch, const struct soft_kernel *kernel,
               uint64_t index)
{
    begin_block(block, launch, kernel, index);
    if (!prepare_shared_memory(block, kernel->shared_bytes)) {
        launch_fail(launch, SOFT_NO_RESOURCE);
        return;
    }
    if (kernel->prepare)
        kernel->prepare();
    fiber_release(&block->order_begin);
    fiber_scheduler_enter();
    block_go_on(block);
    if (launch_failed(launch))
        clear_after_failure(block);
    fiber_scheduler_leave();
    fiber_acquire(&block->order_end);
}
