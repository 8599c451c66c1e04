/* barrier.c: barriers of the block and of the grid. */
#include "execute.h"

static void complete_barrier(struct block *block, enum barrier_scope scope)
{
    struct fiber_queue *waiting = &block->at_barrier[scope];
    block->last_yes = block->yes;
    block->last_voters = waiting->count;
    block->yes = 0;
    block->quiet_rounds = 0;
    if (scope == GRID_BARRIER) {
        fiber_acquire(waiting);
        launch_grid_barrier(block->launch);
        fiber_release(waiting);
    }
    fiber_queue_append(&block->ready, waiting);
}

static bool barrier_is_complete(const struct block *block, enum barrier_scope scope)
{
    unsigned count = block->at_barrier[scope].count;
    return count && count == block->live && block->started == block->threads;
}

bool barriers_settle(struct block *block)
{
    for (int scope = 0; scope < BARRIER_SCOPES; scope++)
        if (barrier_is_complete(block, scope)) {
            complete_barrier(block, scope);
            return true;
        }
    return false;
}

struct soft_votes soft_barrier(int scope, int predicate)
{
    struct block *block = soft_block;
    if (scope == GRID_BARRIER && !block->kernel->cooperative)
        soft_abort_kernel(SOFT_DEADLOCK);
    fiber_scheduler_enter();
    block_note_waiting(block);
    fiber_queue_push(&block->at_barrier[scope], block->current);
    block->yes += predicate != 0;
    fiber_release(&block->at_barrier[scope]);
    if (barrier_is_complete(block, scope))
        complete_barrier(block, scope);
    block_wait(block);
    fiber_acquire(&block->at_barrier[scope]);
    fiber_acquire(&block->order_end); /* of those that have exited */
    struct soft_votes votes = {block->last_yes, block->last_voters};
    fiber_scheduler_leave();
    return votes;
}
