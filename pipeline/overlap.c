#include "overlap.h"

#include <math.h>
#include <stdlib.h>

#include "common/clock.h"
#include "common/harness/allocate.h"
#include "common/harness/exit.h"
#include "common/random.h"
#include "common/workloads/overhead.h"

enum { COPY, KERNEL, OPERATIONS, THREADS = 32, BARRIERS_MAX = 1 << 26 };

/* ---- a copy beside a kernel ---- */

static void enqueue(struct overlap *overlap, int operation, cudaStream_t stream)
{
    check_cuda(cudaEventRecord(overlap->start[operation], stream));
    check_cuda(operation == COPY ? cudaMemcpyAsync(overlap->device, overlap->host, overlap->bytes,
                                                   cudaMemcpyHostToDevice, stream)
                                 : overhead_count_after_barriers(overlap->counters, 1, THREADS,
                                                                 overlap->barriers, stream));
    check_cuda(cudaEventRecord(overlap->end[operation], stream));
}

static double elapsed_s(cudaEvent_t from, cudaEvent_t to)
{
    float elapsed_ms;
    check_cuda(cudaEventElapsedTime(&elapsed_ms, from, to));
    return 1e-3 * (double)elapsed_ms;
}

static double time_alone(struct overlap *overlap, int operation)
{
    double best_s = INFINITY;
    for (int i = 0; i < 3; i++) {
        enqueue(overlap, operation, overlap->streams[0]);
        check_cuda(cudaStreamSynchronize(overlap->streams[0]));
        best_s = fmin(best_s, elapsed_s(overlap->start[operation], overlap->end[operation]));
    }
    return best_s;
}

static void calibrate(struct overlap *overlap)
{
    double copy_s = time_alone(overlap, COPY), kernel_s = 0.0;
    for (overlap->barriers = 64; overlap->barriers < BARRIERS_MAX; overlap->barriers *= 2) {
        kernel_s = time_alone(overlap, KERNEL);
        if (kernel_s >= copy_s)
            break;
    }
    double barriers = overlap->barriers * (copy_s / kernel_s);
    overlap->barriers = barriers < 1.0 ? 1 : (unsigned)barriers;
}

void overlap_open(struct overlap *overlap, size_t bytes, uint64_t seed)
{
    *overlap =
        (struct overlap){.bytes = bytes,
                         .host = memory_allocate(MEMORY_PINNED, bytes),
                         .device = memory_allocate(MEMORY_DEVICE, bytes),
                         .counters = memory_allocate(MEMORY_DEVICE, THREADS * sizeof(unsigned))};
    random_fill_bytes(overlap->host, bytes, seed);
    check_cuda(cudaMemset(overlap->counters, 0, THREADS * sizeof(unsigned)));
    check_cuda(cudaEventCreate(&overlap->begin));
    for (int i = 0; i < OPERATIONS; i++) {
        check_cuda(cudaStreamCreateWithFlags(&overlap->streams[i], cudaStreamNonBlocking));
        check_cuda(cudaEventCreate(&overlap->start[i]));
        check_cuda(cudaEventCreate(&overlap->end[i]));
    }
    check_cuda(cudaDeviceSynchronize());
    calibrate(overlap);
}

void overlap_close(struct overlap *overlap)
{
    for (int i = 0; i < OPERATIONS; i++) {
        check_cuda(cudaStreamDestroy(overlap->streams[i]));
        check_cuda(cudaEventDestroy(overlap->start[i]));
        check_cuda(cudaEventDestroy(overlap->end[i]));
    }
    check_cuda(cudaEventDestroy(overlap->begin));
    memory_release(MEMORY_PINNED, overlap->host);
    memory_release(MEMORY_DEVICE, overlap->device);
    memory_release(MEMORY_DEVICE, overlap->counters);
}

double overlap_run(struct overlap *overlap, bool default_stream, double *overlap_s)
{
    double start_s = clock_now_s(), from_s = 0.0, to_s = INFINITY;
    check_cuda(cudaEventRecord(overlap->begin, default_stream ? 0 : overlap->streams[COPY]));
    for (int i = 0; i < OPERATIONS; i++)
        enqueue(overlap, i, default_stream ? 0 : overlap->streams[i]);
    check_cuda(cudaDeviceSynchronize());
    double time_s = clock_now_s() - start_s;
    for (int i = 0; i < OPERATIONS; i++) {
        from_s = fmax(from_s, elapsed_s(overlap->begin, overlap->start[i]));
        to_s = fmin(to_s, elapsed_s(overlap->begin, overlap->end[i]));
    }
    *overlap_s = fmax(0.0, to_s - from_s);
    return time_s;
}

/* ---- a chain on one stream ---- */

static unsigned *allocate(enum memory_kind kind, size_t elements)
{
    return memory_allocate(kind, elements * sizeof(unsigned));
}

void chain_open(struct chain *chain, uint64_t seed)
{
    size_t elements = (size_t)CHAIN_LINKS * CHAIN_ELEMENTS;
    *chain = (struct chain){.host_in = allocate(MEMORY_PINNED, elements),
                            .host_out = allocate(MEMORY_PINNED, elements),
                            .device = allocate(MEMORY_DEVICE, CHAIN_ELEMENTS),
                            .start = allocate_or_fail(CHAIN_OPERATIONS, sizeof(cudaEvent_t)),
                            .end = allocate_or_fail(CHAIN_OPERATIONS, sizeof(cudaEvent_t)),
                            .seed = seed};
    check_cuda(cudaStreamCreateWithFlags(&chain->stream, cudaStreamNonBlocking));
    check_cuda(cudaEventCreate(&chain->begin));
    for (int i = 0; i < CHAIN_OPERATIONS; i++) {
        check_cuda(cudaEventCreate(&chain->start[i]));
        check_cuda(cudaEventCreate(&chain->end[i]));
    }
}

void chain_close(struct chain *chain)
{
    for (int i = 0; i < CHAIN_OPERATIONS; i++) {
        check_cuda(cudaEventDestroy(chain->start[i]));
        check_cuda(cudaEventDestroy(chain->end[i]));
    }
    check_cuda(cudaEventDestroy(chain->begin));
    check_cuda(cudaStreamDestroy(chain->stream));
    memory_release(MEMORY_PINNED, chain->host_in);
    memory_release(MEMORY_PINNED, chain->host_out);
    memory_release(MEMORY_DEVICE, chain->device);
    free(chain->start);
    free(chain->end);
}

/* All links use the same device memory, so one that overtakes another spoils its data. */
static cudaError_t enqueue_link(struct chain *chain, int operation)
{
    size_t bytes = CHAIN_ELEMENTS * sizeof(unsigned);
    size_t place = (size_t)(operation / 3) * CHAIN_ELEMENTS;
    switch (operation % 3) {
    case 0:
        return cudaMemcpyAsync(chain->device, chain->host_in + place, bytes, cudaMemcpyHostToDevice,
                               chain->stream);
    case 1:
        return overhead_count_threads(chain->device, CHAIN_ELEMENTS / THREADS, THREADS,
                                      chain->stream);
    default:
        return cudaMemcpyAsync(chain->host_out + place, chain->device, bytes,
                               cudaMemcpyDeviceToHost, chain->stream);
    }
}

double chain_run(struct chain *chain)
{
    size_t bytes = (size_t)CHAIN_LINKS * CHAIN_ELEMENTS * sizeof(unsigned);
    random_fill_bytes(chain->host_in, bytes, ++chain->seed);
    random_fill_bytes(chain->host_out, bytes, chain->seed + (1u << 20));
    double start_s = clock_now_s();
    check_cuda(cudaEventRecord(chain->begin, chain->stream));
    for (int i = 0; i < CHAIN_OPERATIONS; i++) {
        check_cuda(cudaEventRecord(chain->start[i], chain->stream));
        check_cuda(enqueue_link(chain, i));
        check_cuda(cudaEventRecord(chain->end[i], chain->stream));
    }
    check_cuda(cudaStreamSynchronize(chain->stream));
    return clock_now_s() - start_s;
}

long chain_violations(const struct chain *chain)
{
    long violations = 0;
    for (int i = 1; i < CHAIN_OPERATIONS; i++)
        violations +=
            elapsed_s(chain->begin, chain->start[i]) < elapsed_s(chain->begin, chain->end[i - 1]);
    for (long i = 0; i < (long)CHAIN_LINKS * CHAIN_ELEMENTS; i++)
        violations += chain->host_out[i] != chain->host_in[i] + 1;
    return violations;
}
