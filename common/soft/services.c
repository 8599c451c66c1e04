/* services.c: the rest of what kernels ask of the executor. */
#include <stdlib.h>
#include <time.h>

#include "execute.h"

void soft_yield(unsigned sleep_ns)
{
    fiber_scheduler_enter();
    soft_patience = PATIENCE;
    if (!soft_in_kernel()) {
        fiber_scheduler_leave();
        return;
    }
    struct block *block = soft_block;
    if (sleep_ns < block->nap_ns)
        block->nap_ns = sleep_ns;
    block_note_waiting(block);
    fiber_queue_push(&block->yielded, block->current);
    block_wait(block);
    fiber_scheduler_leave();
}

void soft_count_pause(void)
{
    fiber_scheduler_enter();
    bool exhausted = --soft_patience < 0;
    fiber_scheduler_leave();
    if (exhausted)
        soft_yield(0);
}

bool soft_is_cooperative(void)
{
    return soft_in_kernel() && soft_block->kernel->cooperative;
}

void soft_abort_kernel(enum soft_outcome outcome)
{
    fiber_scheduler_enter();
    struct block *block = soft_block;
    launch_fail(block->launch, outcome);
    struct fiber *self = block->current;
    block->current = &block->base;
    fiber_switch(self, &block->base);
    abort();
}

void soft_trap(void)
{
    if (!soft_in_kernel())
        abort();
    soft_abort_kernel(SOFT_TRAP);
}

/* For TSan one order for the whole process: it cannot know which flag a fence belongs to. */
void soft_fence(void)
{
    static char fence_order;
    fiber_release(&fence_order);
    fiber_acquire(&fence_order);
#if !defined(__SANITIZE_THREAD__)
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
}

long long soft_clock_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (long long)now.tv_sec * 1000000000 + now.tv_nsec;
}
