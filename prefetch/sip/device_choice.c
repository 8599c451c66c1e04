#include "device_choice.h"

#include <math.h>
#include <stdlib.h>

#include "common/clock.h"
#include "common/error.h"

enum {
    CHOICE_DEVICES = 2,
    BUCKETS = 64, /* of work, by powers of two */
    TRIALS = 2,   /* the first one warms up: workspaces grow, libraries load */
    COPY_SAMPLES = 9
};

/* Share of a new sample in the mean: costs drift with what else the node does. */
static const double new_share = 0.25;
static const size_t copy_bytes = (size_t)4 << 20;

struct cost {
    double mean_s;
    unsigned trials, samples;
};

/* Copies towards one device. */
struct transfer {
    double latency_s, byte_s;
};

struct device_choice {
    struct cost costs[CHOICE_OPERATIONS][CHOICE_DEVICES][BUCKETS];
    struct transfer transfers[CHOICE_DEVICES]; /* to the host, to the GPU */
    uint64_t counts[CHOICE_DEVICES];
};

/* ---- copies ---- */

/* *min_s = the time of an undisturbed copy, waited for. */
static enum dm_status time_copy(void *to, const void *from, size_t bytes, cudaStream_t stream,
                                double *min_s)
{
    *min_s = INFINITY;
    for (int i = 0; i < COPY_SAMPLES; i++) {
        double start_s = clock_now_s();
        TRY_CUDA(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream));
        TRY_CUDA(cudaStreamSynchronize(stream));
        *min_s = fmin(*min_s, clock_now_s() - start_s);
    }
    return DM_OK;
}

static enum dm_status measure_transfer(struct transfer *transfer, void *to, const void *from,
                                       cudaStream_t stream)
{
    double small_s, large_s;
    TRY(time_copy(to, from, sizeof(double), stream, &small_s));
    TRY(time_copy(to, from, copy_bytes, stream, &large_s));
    /* where small copies were disturbed, the difference says nothing about the rate */
    double bytes_s = fmax(large_s - small_s, 0.5 * large_s);
    *transfer = (struct transfer){.latency_s = small_s, .byte_s = bytes_s / (double)copy_bytes};
    return DM_OK;
}

/* What copies are measured with. */
struct bench {
    void *host, *gpu;
    cudaStream_t stream;
};

static enum dm_status open_bench(struct bench *bench)
{
    TRY_CUDA(cudaMallocHost(&bench->host, copy_bytes));
    TRY_CUDA(cudaMalloc(&bench->gpu, copy_bytes));
    TRY_CUDA(cudaStreamCreateWithFlags(&bench->stream, cudaStreamNonBlocking));
    TRY_CUDA(cudaMemsetAsync(bench->gpu, 0, copy_bytes, bench->stream));
    return DM_OK;
}

static enum dm_status measure_with(struct device_choice *choice, struct bench *bench)
{
    TRY(open_bench(bench));
    TRY(measure_transfer(&choice->transfers[CHOICE_HOST], bench->host, bench->gpu, bench->stream));
    return measure_transfer(&choice->transfers[CHOICE_GPU], bench->gpu, bench->host, bench->stream);
}

static enum dm_status measure_transfers(struct device_choice *choice)
{
    struct bench bench = {0};
    enum dm_status status = measure_with(choice, &bench);
    if (bench.stream)
        cudaStreamDestroy(bench.stream);
    cudaFree(bench.gpu);
    cudaFreeHost(bench.host);
    return status;
}

enum dm_status device_choice_create(struct device_choice **choice)
{
    *choice = calloc(1, sizeof **choice);
    if (!*choice)
        return error_no_memory(sizeof **choice);
    enum dm_status status = measure_transfers(*choice);
    if (status != DM_OK) {
        device_choice_destroy(*choice);
        *choice = NULL;
    }
    return status;
}

void device_choice_destroy(struct device_choice *choice)
{
    free(choice);
}

/* ---- costs ---- */

static int bucket_of(double work)
{
    if (!(work >= 1.0))
        return 0;
    int power = ilogb(work);
    return power < BUCKETS ? power : BUCKETS - 1;
}

double device_choice_cost(const struct device_choice *choice, enum choice_operation operation,
                          double work, enum choice_device device, size_t transfer_bytes,
                          int transfer_blocks)
{
    const struct cost *cost = &choice->costs[operation][device][bucket_of(work)];
    const struct transfer *transfer = &choice->transfers[device];
    if (cost->samples == 0)
        return NAN;
    return cost->mean_s + transfer->latency_s * transfer_blocks +
           transfer->byte_s * (double)transfer_bytes;
}

void device_choice_learn(struct device_choice *choice, enum choice_operation operation, double work,
                         enum choice_device device, double time_s)
{
    if (!(time_s >= 0.0) || isinf(time_s))
        return;
    struct cost *cost = &choice->costs[operation][device][bucket_of(work)];
    double share = cost->samples < TRIALS ? 1.0 : new_share;
    cost->mean_s += share * (time_s - cost->mean_s);
    cost->samples++;
}

/* ---- decisions ---- */

/* Whether the device has to be tried first. A trial whose time nobody reports is not repeated for
 * ever. */
static bool try_first(struct device_choice *choice, enum choice_operation operation, double work,
                      enum choice_device device)
{
    struct cost *cost = &choice->costs[operation][device][bucket_of(work)];
    if (cost->trials >= TRIALS || cost->samples >= TRIALS)
        return false;
    cost->trials++;
    return true;
}

static enum choice_device decide(struct device_choice *choice, enum choice_operation operation,
                                 double work, size_t to_gpu_bytes, int to_gpu_blocks,
                                 size_t to_host_bytes, int to_host_blocks)
{
    if (try_first(choice, operation, work, CHOICE_HOST))
        return CHOICE_HOST;
    if (try_first(choice, operation, work, CHOICE_GPU))
        return CHOICE_GPU;
    double host_s =
        device_choice_cost(choice, operation, work, CHOICE_HOST, to_host_bytes, to_host_blocks);
    double gpu_s =
        device_choice_cost(choice, operation, work, CHOICE_GPU, to_gpu_bytes, to_gpu_blocks);
    if (isnan(host_s) && isnan(gpu_s))
        return to_host_bytes > to_gpu_bytes ? CHOICE_GPU : CHOICE_HOST;
    return isnan(host_s) || gpu_s < host_s ? CHOICE_GPU : CHOICE_HOST;
}

enum choice_device device_choice_decide(struct device_choice *choice,
                                        enum choice_operation operation, double work,
                                        size_t to_gpu_bytes, int to_gpu_blocks,
                                        size_t to_host_bytes, int to_host_blocks)
{
    enum choice_device device =
        decide(choice, operation, work, to_gpu_bytes, to_gpu_blocks, to_host_bytes, to_host_blocks);
    choice->counts[device]++;
    return device;
}

uint64_t device_choice_count(const struct device_choice *choice, enum choice_device device)
{
    return choice->counts[device];
}
