/* warp.c: operations that lanes of a warp do together: shuffles, votes, __syncwarp().
 *
 * Each lane leaves a request and waits. The last one to come computes the results of all, so that a
 * lane that runs ahead cannot overwrite what a slower one has not read yet. */
#include "execute.h"

enum warp_kind { WARP_SYNC, WARP_VOTE, WARP_SHUFFLE };

/* Lanes of the warp whose CUDA threads exist and have not exited; only those are waited for. A CUDA
 * thread that has not been started is among them. */
static unsigned present_lanes(const struct block *block, unsigned warp_index)
{
    unsigned first = warp_index * WARP_LANES;
    unsigned lanes = block->threads - first < WARP_LANES ? block->threads - first : WARP_LANES;
    unsigned existing = lanes == WARP_LANES ? ~0u : (1u << lanes) - 1;
    unsigned begun = block->started <= first ? 0 : block->started - first;
    unsigned not_begun = begun >= WARP_LANES ? 0 : ~0u << begun;
    return existing & (not_begun | block->warps[warp_index].busy);
}

static bool same_operation(const struct warp_request *a, const struct warp_request *b)
{
    return a->mask == b->mask && a->kind == b->kind;
}

static void answer(struct warp *warp, unsigned lanes, enum warp_kind kind)
{
    uint64_t ballot = 0;
    for (unsigned rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        ballot |= (uint64_t)(warp->lane[lane]->request.value != 0) << lane;
    }
    for (unsigned rest = lanes; rest; rest &= rest - 1) {
        struct warp_request *request = &warp->lane[__builtin_ctz(rest)]->request;
        if (kind != WARP_SHUFFLE)
            request->result = ballot;
        else if (lanes >> request->source & 1)
            request->result = warp->lane[request->source]->request.value;
        else
            request->result = request->value; /* undefined in CUDA: the source lane is not there */
    }
}

bool warp_complete(struct block *block, unsigned warp_index, unsigned lane)
{
    struct warp *warp = &block->warps[warp_index];
    const struct warp_request *request = &warp->lane[lane]->request;
    unsigned lanes = request->mask & present_lanes(block, warp_index);
    if (lanes & ~warp->waiting)
        return false;
    for (unsigned rest = lanes; rest; rest &= rest - 1)
        if (!same_operation(&warp->lane[__builtin_ctz(rest)]->request, request))
            return false;
    answer(warp, lanes, request->kind);
    warp->waiting &= ~lanes;
    for (unsigned rest = lanes; rest; rest &= rest - 1)
        fiber_queue_push(&block->ready, warp->lane[__builtin_ctz(rest)]);
    block->quiet_rounds = 0;
    return true;
}

bool warps_settle(struct block *block)
{
    bool any = false;
    for (unsigned i = 0; i * WARP_LANES < block->threads; i++)
        for (unsigned rest = block->warps[i].waiting; rest; rest &= rest - 1)
            if (block->warps[i].waiting & (rest & -rest))
                any |= warp_complete(block, i, (unsigned)__builtin_ctz(rest));
    return any;
}

/* Inline for the same reason as fiber_switch(). */
static inline __attribute__((always_inline)) uint64_t take_part(unsigned mask, enum warp_kind kind,
                                                                uint64_t value, unsigned source)
{
    fiber_scheduler_enter();
    struct block *block = soft_block;
    struct fiber *self = block->current;
    block_note_waiting(block);
    unsigned warp_index = self->index / WARP_LANES, lane = self->index % WARP_LANES;
    struct warp *warp = &block->warps[warp_index];
    if (!(mask >> lane & 1)) { /* undefined in CUDA; its partners would wait for ever */
        fiber_scheduler_leave();
        soft_abort_kernel(SOFT_TRAP);
    }
    self->request = (struct warp_request){mask, kind, source, value, 0};
    warp->lane[lane] = self;
    warp->waiting |= 1u << lane;
    fiber_release(warp);
    warp_complete(block, warp_index, lane);
    block_wait(block);
    fiber_acquire(warp);
    uint64_t result = self->request.result;
    fiber_scheduler_leave();
    return result;
}

void soft_warp_sync(unsigned mask)
{
    take_part(mask, WARP_SYNC, 0, 0);
}

unsigned soft_warp_ballot(unsigned mask, int predicate)
{
    return (unsigned)take_part(mask, WARP_VOTE, predicate != 0, 0);
}

unsigned long long soft_warp_shuffle(unsigned mask, unsigned long long value, unsigned source)
{
    return take_part(mask, WARP_SHUFFLE, value, source);
}
