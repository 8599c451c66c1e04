#include "bench_flags.h"

#include "common/gpu.h"

#include <datamotion/blp_signals.h>

/* The operation; returns what was there before. */
template <int operation> static inline __device__ unsigned apply(unsigned *flag, unsigned value)
{
    volatile unsigned *seen = flag;
    if (operation == FLAG_ADD)
        return atomicAdd(flag, 1u);
    if (operation == FLAG_OR)
        return atomicOr(flag, value);
    if (operation == FLAG_EXCHANGE)
        return atomicExch(flag, value);
    if (operation == FLAG_INC)
        return atomicInc(flag, ~0u);
    if (operation == FLAG_AND)
        return atomicAnd(flag, ~0u);
    if (operation == FLAG_CAS)
        return atomicCAS(flag, 0u, 0u);
    const unsigned old = *seen;
    if (operation == FLAG_PLAIN)
        *seen = old + 1;
    return old;
}

static inline __host__ __device__ bool reads(int operation)
{
    return operation == FLAG_AND || operation == FLAG_CAS || operation == FLAG_VOLATILE;
}

template <int operation>
__global__ void repeat(unsigned *flag, long repetitions, unsigned expected, unsigned *wrong)
{
    const unsigned value = 1u << blockIdx.x % 31;
    unsigned others = 0;
    for (long i = 0; i < repetitions; i++) {
        const unsigned old = apply<operation>(flag, value);
        if (reads(operation))
            others += old != expected;
    }
    if (others)
        atomicAdd(wrong, others);
}

/* The address depends on the last result, whose highest bit is never set. */
template <int operation>
__global__ void repeat_in_turn(unsigned *flag, long repetitions, unsigned expected, unsigned *wrong)
{
    unsigned old = 0, others = 0;
    for (long i = 0; i < repetitions; i++) {
        old = apply<operation>(flag + (old >> 31), 1u);
        if (reads(operation))
            others += old != expected;
    }
    /* Always false; keeps the results alive. */
    if (others || old >> 31)
        atomicAdd(wrong, others + (old >> 31));
}

static inline __device__ unsigned word_of(unsigned seed, long index, unsigned thread)
{
    unsigned word = seed ^ (unsigned)index * 0x9e3779b9u ^ thread * 0x85ebca6bu;
    word = (word ^ word >> 16) * 0x7feb352du;
    return word ^ word >> 15;
}

/* ---- hand-offs, by the pattern of blp_signals.h ---- */

static inline __device__ void publish(const struct blp_flags *flags, long flag)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        blp_raise(flags, flag, 0);
    }
}

static inline __device__ void await(const struct blp_flags *flags, long flag)
{
    if (threadIdx.x == 0)
        blp_await(flags, flag, 1);
    __syncthreads();
}

/* Raising first and storing later is what the order is there to prevent. */
static inline __device__ void hand_over(unsigned *words, unsigned word,
                                        const struct blp_flags *flags, long flag, bool early)
{
    if (early) {
        publish(flags, flag);
        __nanosleep(50000);
    }
    words[threadIdx.x] = word;
    if (!early)
        publish(flags, flag);
}

static inline __device__ struct blp_flags flags_of(const struct handoff *handoff, unsigned *words)
{
    struct blp_flags flags;
    flags.words = words;
    flags.width = 1;
    flags.write = handoff->write;
    flags.read = handoff->read;
    return flags;
}

__global__ void hand_back_and_forth(struct handoff handoff)
{
    const struct blp_flags ready = flags_of(&handoff, handoff.ready);
    const struct blp_flags done = flags_of(&handoff, handoff.done);
    const bool first = blockIdx.x < (unsigned)handoff.pairs;
    const long pair = blockIdx.x % (unsigned)handoff.pairs;
    unsigned *there = handoff.there + pair * handoff.threads;
    unsigned *back = handoff.back + pair * handoff.threads;
    unsigned stale = 0;
    for (long round = 0; round < handoff.rounds; round++) {
        const long flag = pair * handoff.rounds + round;
        const unsigned word = word_of(handoff.seed, flag, threadIdx.x);
        if (first)
            hand_over(there, word, &ready, flag, handoff.early);
        await(first ? &done : &ready, flag);
        stale += first ? back[threadIdx.x] != ~word : there[threadIdx.x] != word;
        if (!first)
            hand_over(back, ~word, &done, flag, handoff.early);
    }
    if (stale)
        atomicAdd(handoff.stale, (unsigned long long)stale);
}

/* ---- launching: operations are template arguments, so that no branch stands in the loops ---- */

template <int operation>
static void launch_repeat(bool in_turn, unsigned *flag, int blocks, long repetitions,
                          unsigned expected, unsigned *wrong, cudaStream_t stream)
{
    if (in_turn)
        dm_launch(repeat_in_turn<operation>, (unsigned)blocks, 1, 0, stream, flag, repetitions,
                  expected, wrong);
    else
        dm_launch(repeat<operation>, (unsigned)blocks, 1, 0, stream, flag, repetitions, expected,
                  wrong);
}

static cudaError_t launch_any(enum flag_operation operation, bool in_turn, unsigned *flag,
                              int blocks, long repetitions, unsigned expected, unsigned *wrong,
                              cudaStream_t stream)
{
    static void (*const launches[FLAG_OPERATIONS])(bool, unsigned *, int, long, unsigned,
                                                   unsigned *, cudaStream_t) = {
        launch_repeat<FLAG_ADD>,      launch_repeat<FLAG_OR>,   launch_repeat<FLAG_EXCHANGE>,
        launch_repeat<FLAG_INC>,      launch_repeat<FLAG_AND>,  launch_repeat<FLAG_CAS>,
        launch_repeat<FLAG_VOLATILE>, launch_repeat<FLAG_PLAIN>};
    launches[operation](in_turn, flag, blocks, repetitions, expected, wrong, stream);
    return cudaGetLastError();
}

cudaError_t flag_throughput(enum flag_operation operation, unsigned *flag, int blocks,
                            long repetitions, unsigned expected, unsigned *wrong,
                            cudaStream_t stream)
{
    return launch_any(operation, false, flag, blocks, repetitions, expected, wrong, stream);
}

cudaError_t flag_latency(enum flag_operation operation, unsigned *flag, long repetitions,
                         unsigned expected, unsigned *wrong, cudaStream_t stream)
{
    return launch_any(operation, true, flag, 1, repetitions, expected, wrong, stream);
}

cudaError_t flag_handoff(const struct handoff *handoff, cudaStream_t stream)
{
    dm_launch_cooperative(hand_back_and_forth, 2u * (unsigned)handoff->pairs,
                          (unsigned)handoff->threads, 0, stream, *handoff);
    return cudaGetLastError();
}
