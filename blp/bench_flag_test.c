#include "bench_flag_test.h"

#include "common/clock.h"
#include "common/harness/allocate.h"
#include "common/harness/exit.h"
#include "common/random.h"

static void note(struct flag_test *test, struct flag_finding finding)
{
    test->last = finding;
    test->errors += finding.errors;
    test->samples++;
}

/* ---- one flag ---- */

static unsigned first_value(const struct flag_test *test)
{
    return (unsigned)random_below(test->seed, test->samples, 1 << 20) | 1u;
}

bool flag_value_is_right(const struct flag_test *test, unsigned first, unsigned last)
{
    const unsigned bits = test->writers >= 31 ? 0x7fffffffu : (1u << test->writers) - 1;
    switch (test->operation) {
    case FLAG_ADD:
    case FLAG_INC:
        return last == first + (unsigned)(test->repetitions * test->writers);
    case FLAG_OR:
        return last == (first | bits);
    case FLAG_EXCHANGE:
        return last && !(last & (last - 1)) && (last & bits);
    case FLAG_PLAIN: /* may lose updates, but not make any */
        return last - first >= 1 && last - first <= (unsigned)(test->repetitions * test->writers);
    default:
        return last == first;
    }
}

static double sample_flag(struct flag_test *test)
{
    const unsigned first = first_value(test), none_wrong = 0;
    unsigned last, wrong;
    const bool in_turn = test->kind == FLAG_LATENCY;
    check_cuda(cudaMemcpy(test->flag, &first, sizeof first, cudaMemcpyHostToDevice));
    check_cuda(cudaMemcpy(test->wrong, &none_wrong, sizeof wrong, cudaMemcpyHostToDevice));
    double start_s = clock_now_s();
    check_cuda(in_turn ? flag_latency(test->operation, test->flag, test->repetitions, first,
                                      test->wrong, 0)
                       : flag_throughput(test->operation, test->flag, test->writers,
                                         test->repetitions, first, test->wrong, 0));
    check_cuda(cudaStreamSynchronize(0));
    double time_s = clock_now_s() - start_s;
    check_cuda(cudaMemcpy(&last, test->flag, sizeof last, cudaMemcpyDeviceToHost));
    check_cuda(cudaMemcpy(&wrong, test->wrong, sizeof wrong, cudaMemcpyDeviceToHost));
    struct flag_finding finding = {.errors = (long)wrong + !flag_value_is_right(test, first, last)};
    if (test->kind == FLAG_LOST_UPDATES)
        finding.lost = (long)(test->repetitions * test->writers) - (long)(last - first);
    note(test, finding);
    return time_s;
}

/* ---- hand-offs ---- */

static size_t flags_bytes(const struct handoff *handoff)
{
    return (size_t)handoff->pairs * (size_t)handoff->rounds * sizeof(unsigned);
}

static double sample_handoff(struct flag_test *test)
{
    struct handoff *handoff = &test->handoff;
    unsigned long long stale;
    handoff->seed = (unsigned)random_bits(test->seed, test->samples);
    check_cuda(cudaMemset(handoff->ready, 0, flags_bytes(handoff)));
    check_cuda(cudaMemset(handoff->done, 0, flags_bytes(handoff)));
    check_cuda(cudaMemset(handoff->stale, 0, sizeof stale));
    check_cuda(cudaDeviceSynchronize());
    double start_s = clock_now_s();
    cudaError_t result = flag_handoff(handoff, 0);
    if (result == cudaErrorCooperativeLaunchTooLarge)
        fail("--pairs %d: so many blocks of --threads %d cannot be resident at once",
             handoff->pairs, handoff->threads);
    check_cuda(result);
    check_cuda(cudaStreamSynchronize(0));
    double time_s = clock_now_s() - start_s;
    check_cuda(cudaMemcpy(&stale, handoff->stale, sizeof stale, cudaMemcpyDeviceToHost));
    note(test, (struct flag_finding){.stale = (long)stale, .errors = (long)stale});
    return time_s;
}

struct handoff handoff_open(int pairs, int threads, long rounds)
{
    struct handoff handoff = {.pairs = pairs, .threads = threads, .rounds = rounds};
    const size_t words = (size_t)pairs * (size_t)threads * sizeof(unsigned);
    handoff.ready = memory_allocate(MEMORY_DEVICE, flags_bytes(&handoff));
    handoff.done = memory_allocate(MEMORY_DEVICE, flags_bytes(&handoff));
    handoff.there = memory_allocate(MEMORY_DEVICE, words);
    handoff.back = memory_allocate(MEMORY_DEVICE, words);
    handoff.stale = memory_allocate(MEMORY_DEVICE, sizeof *handoff.stale);
    check_cuda(cudaMemset(handoff.there, 0, words));
    check_cuda(cudaMemset(handoff.back, 0, words));
    return handoff;
}

void handoff_close(const struct handoff *handoff)
{
    void *pointers[] = {handoff->ready, handoff->done, handoff->there, handoff->back,
                        handoff->stale};
    for (size_t i = 0; i < sizeof pointers / sizeof *pointers; i++)
        memory_release(MEMORY_DEVICE, pointers[i]);
}

double flag_sample(struct flag_test *test)
{
    return test->kind == FLAG_HANDOFF ? sample_handoff(test) : sample_flag(test);
}
