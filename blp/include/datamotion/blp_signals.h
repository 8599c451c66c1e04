/* blp_signals.h: how blocks of a persistent kernel tell one another that data are there. Device
 * code, part of blp_device.h; nothing here is for callers.
 *
 * One thread of a block raises and waits; the others are behind __syncthreads():
 *
 *   writer   all threads store data           reader   one thread reads the flag until it is raised
 *            __syncthreads()                           and once more, with acquire semantics
 *            one thread: __threadfence()               __syncthreads()
 *                        atomic on the flag            all threads load data
 *
 * By CUDA's memory model (PTX ISA, memory consistency) the writer's fence and flag synchronise with
 * the reader's acquiring load, and __syncthreads() extends that to the other threads of both
 * blocks, so that ordinary loads see the data, also where this multiprocessor has read the same
 * ring slot before: its L1 cache is not coherent, and the acquiring load is what makes it forget
 * the old slot. Only ordinary loads are covered: a kernel must not read such data through the
 * read-only path (__ldg, or `const __restrict__` kernel parameters). */
#ifndef DATAMOTION_BLP_SIGNALS_H
#define DATAMOTION_BLP_SIGNALS_H

#include <datamotion/blp_work.h>

#if defined(__CUDACC__) || (defined(SOFTGPU) && defined(__cplusplus))

#include <datamotion/launch.h>

/* A wait that takes this long cannot end any more: the kernel is stopped with an error. */
static const long long blp_longest_wait_ns = 60000000000ll;

/* Nanoseconds of a clock that all multiprocessors share. */
static inline __device__ long long blp_now_ns(void)
{
#if defined(__CUDA_ARCH__)
    long long now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
#else
    return clock64();
#endif
}

static inline __device__ unsigned blp_read_word(unsigned *word, enum blp_read read)
{
    switch (read) {
    case BLP_READ_AND:
        return atomicAnd(word, ~0u);
    case BLP_READ_CAS:
        return atomicCAS(word, 0u, 0u);
    default:
        return *(volatile unsigned *)word;
    }
}

/* What was stored before the word was raised is seen from now on. A fence would do, but it also
 * waits until the block's own stores have arrived, those of a copy-out block in host memory. */
static inline __device__ unsigned blp_acquire(unsigned *word)
{
    unsigned value;
#if defined(__CUDA_ARCH__)
    asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(value) : "l"(word) : "memory");
#else
    value = *(volatile unsigned *)word;
    __threadfence();
#endif
    return value;
}

/* How long one wait has taken so far. {0, 0} at first. */
struct blp_wait {
    long long since, waited;
};

/* The longer a wait has taken the longer are the pauses, up to 8 us: hundreds of blocks that wait
 * for one word would keep the memory behind it from all else. */
static inline __device__ void blp_pause(struct blp_wait *wait)
{
    __nanosleep((unsigned)min(max(wait->waited / 4, 32ll), 8000ll));
    long long now = blp_now_ns();
    wait->since = wait->since ? wait->since : now;
    wait->waited = now - wait->since;
    if (wait->waited > blp_longest_wait_ns)
        __trap();
}

static inline __device__ void blp_await_word(unsigned *word, unsigned wanted, enum blp_read read)
{
    struct blp_wait wait = {0, 0};
    while (blp_read_word(word, read) != wanted)
        blp_pause(&wait);
    (void)blp_acquire(word);
}

/* Of piece `piece`; called by one thread after __threadfence(). */
static inline __device__ void blp_raise(const struct blp_flags *flags, long flag, int piece)
{
    unsigned *words = flags->words + flag * flags->width;
    switch (flags->write) {
    case BLP_WRITE_OR:
        atomicOr(words + piece / BLP_WORD_BITS, 1u << piece % BLP_WORD_BITS);
        break;
    case BLP_WRITE_EXCHANGE:
        atomicExch(words + piece, 1u);
        break;
    case BLP_WRITE_INC:
        atomicInc(words, ~0u);
        break;
    default:
        atomicAdd(words, 1u);
    }
}

/* Until all `pieces` have been raised; called by one thread. */
static inline __device__ void blp_await(const struct blp_flags *flags, long flag, int pieces)
{
    unsigned *words = flags->words + flag * flags->width;
    if (flags->write == BLP_WRITE_EXCHANGE)
        for (int piece = 0; piece < pieces; piece++)
            blp_await_word(words + piece, 1u, flags->read);
    else if (flags->write == BLP_WRITE_OR)
        for (; pieces > 0; pieces -= BLP_WORD_BITS, words++)
            blp_await_word(words, ~0u >> max(BLP_WORD_BITS - pieces, 0), flags->read);
    else
        blp_await_word(words, (unsigned)pieces, flags->read);
}

/* ---- copy engines ---- */

/* What a copy engine wrote before it wrote the word is seen from now on. */
static inline __device__ unsigned blp_acquire_from_engine(unsigned *word)
{
    unsigned value;
#if defined(__CUDA_ARCH__)
    asm volatile("ld.acquire.sys.u32 %0, [%1];" : "=r"(value) : "l"(word) : "memory");
#else
    value = *(volatile unsigned *)word;
    __threadfence_system();
#endif
    return value;
}

/* Until engines have copied the batches up to that of a task. Lanes are in order, so that the last
 * batch of each implies the others. One thread. */
static inline __device__ void blp_await_engines(const struct blp_work *work, unsigned *lanes,
                                                long task)
{
    long batch = (unsigned)task / (unsigned)work->engines.batch;
    for (long b = batch; b >= 0 && b > batch - BLP_LANES; b--) {
        unsigned *word = &lanes[b % BLP_LANES], wanted = work->engines.base + (unsigned)b + 1;
        struct blp_wait wait = {0, 0};
        while ((int)(*(volatile unsigned *)word - wanted) < 0)
            blp_pause(&wait);
        (void)blp_acquire_from_engine(word);
    }
}

/* A last unit or a copy out of a task is over, after __threadfence(). The host is told when all
 * are. One thread. */
static inline __device__ void blp_end_part(const struct blp_work *work, long task)
{
    const struct blp_engines *engines = &work->engines;
    if (!engines->done || atomicAdd(&engines->ended[task], 1u) + 1 != engines->ends)
        return;
    __threadfence_system();
    *(volatile unsigned *)&engines->done[task] = engines->run;
}

/* ---- slots ---- */

/* Until the slots of slices [first, end) may be overwritten: all uses of the slices that had them
 * before are over. Called by one thread. */
static inline __device__ void blp_await_slots(const struct blp_work *work, int a, long first,
                                              long end)
{
    const struct blp_array *array = &work->arrays[a];
    long group, groups_end;
    blp_replaced(work, array, first, end, &group, &groups_end);
    if (group < groups_end && work->engines.out && blp_copies(array, DM_REGION_FROM))
        blp_await_engines(work, work->engines.left, groups_end - 1);
    for (; group < groups_end; group++)
        blp_await_word(work->uses + a * work->groups + group, 0u, BLP_READ_VOLATILE);
}

/* One use of a group is over; called by one thread after __threadfence(). */
static inline __device__ void blp_release(const struct blp_work *work, int a, long group)
{
    if (work->arrays[a].ring)
        atomicSub(work->uses + a * work->groups + group, 1u);
}

#endif
#endif
