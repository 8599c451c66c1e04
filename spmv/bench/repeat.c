#include "repeat.h"

#include <math.h>

#include "common/clock.h"
#include "common/harness/exit.h"

static const double sample_s = 1e-3;
enum { INNER_MAX = 100, TRIALS = 3 };

/* The next `count` operations. */
static void operate(struct spmv_repeat *repeat, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        repeat->operate(repeat->context, repeat->turn, repeat->stream);
        repeat->turn = (repeat->turn + 1) % repeat->turns;
    }
}

static double device_seconds(struct spmv_repeat *repeat)
{
    float milliseconds;
    check_cuda(cudaEventRecord(repeat->begin, repeat->stream));
    operate(repeat, repeat->inner);
    check_cuda(cudaEventRecord(repeat->end, repeat->stream));
    check_cuda(cudaEventSynchronize(repeat->end));
    check_cuda(cudaEventElapsedTime(&milliseconds, repeat->begin, repeat->end));
    return 1e-3 * milliseconds;
}

static double host_seconds(struct spmv_repeat *repeat)
{
    double start_s = clock_now_s();
    operate(repeat, repeat->inner);
    return clock_now_s() - start_s;
}

double spmv_repeat_sample(void *repeat)
{
    struct spmv_repeat *r = repeat;
    return (r->on_device ? device_seconds(r) : host_seconds(r)) / (double)r->inner;
}

/* By the shortest of some samples: others may have disturbed one. */
static size_t choose_inner(struct spmv_repeat *repeat)
{
    double shortest_s = INFINITY;
    repeat->inner = 1;
    for (int i = 0; i < TRIALS; i++)
        shortest_s = fmin(shortest_s, spmv_repeat_sample(repeat));
    return (size_t)fmax(1, fmin(INNER_MAX, sample_s / shortest_s));
}

void spmv_repeat_open(struct spmv_repeat *repeat, size_t inner)
{
    if (repeat->on_device) {
        check_cuda(cudaStreamCreateWithFlags(&repeat->stream, cudaStreamNonBlocking));
        check_cuda(cudaEventCreate(&repeat->begin));
        check_cuda(cudaEventCreate(&repeat->end));
    }
    operate(repeat, repeat->turns);
    repeat->inner = inner ? inner : choose_inner(repeat);
}

void spmv_repeat_close(struct spmv_repeat *repeat)
{
    if (!repeat->on_device)
        return;
    check_cuda(cudaStreamSynchronize(repeat->stream));
    check_cuda(cudaEventDestroy(repeat->begin));
    check_cuda(cudaEventDestroy(repeat->end));
    check_cuda(cudaStreamDestroy(repeat->stream));
}
