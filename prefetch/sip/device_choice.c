#include "device_choice.h"

#include <math.h>
#include <stdlib.h>

#include "common/clock.h"
#include "common/error_cuda.h"

enum {
    CHOICE_DEVICES = 2,
    BUCKETS = 64, /* of work, by powers of two */
    TRIALS = 3,   /* the first one warms up: workspaces grow, libraries load */
    WINDOW = 5,   /* samples that count: costs drift with what else the node does */
    RETRY_FIRST = 8,
    RETRY_LAST = 512, /* operations until the other device is tried again: from, up to */
    COPY_SAMPLES = 9
};

static const size_t copy_bytes = (size_t)4 << 20;

struct cost {
    double window_s[WINDOW]; /* the newest samples, the next one at samples % WINDOW */
    uint64_t samples;
    unsigned trials;
    bool warming; /* the only sample is the first one, which the second one replaces */
};

/* When the device that looks slower is tried again, for operations of a kind and about the same
 * work. */
struct retry {
    enum choice_device favourite;
    unsigned unused; /* operations since the other device was chosen */
    unsigned after;  /* so many of them until it is tried again; 0: not yet set */
};

/* Copies towards one device. */
struct transfer {
    double latency_s, byte_s;
};

struct device_choice {
    struct cost costs[CHOICE_OPERATIONS][CHOICE_DEVICES][BUCKETS];
    struct retry retries[CHOICE_OPERATIONS][BUCKETS];
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

/* The median of the newest samples, of an even number the lower one of the two in the middle: a
 * disturbance makes an operation slower, never faster. */
static double median_of(const struct cost *cost)
{
    double sorted_s[WINDOW];
    int count = cost->samples < WINDOW ? (int)cost->samples : WINDOW;
    for (int i = 0; i < count; i++) {
        int at = i;
        for (; at > 0 && sorted_s[at - 1] > cost->window_s[i]; at--)
            sorted_s[at] = sorted_s[at - 1];
        sorted_s[at] = cost->window_s[i];
    }
    return count > 0 ? sorted_s[(count - 1) / 2] : NAN;
}

static double transfer_cost(const struct device_choice *choice, enum choice_device device,
                            size_t bytes, int blocks)
{
    const struct transfer *transfer = &choice->transfers[device];
    return transfer->latency_s * blocks + transfer->byte_s * (double)bytes;
}

double device_choice_cost(const struct device_choice *choice, enum choice_operation operation,
                          double work, enum choice_device device, size_t transfer_bytes,
                          int transfer_blocks)
{
    return median_of(&choice->costs[operation][device][bucket_of(work)]) +
           transfer_cost(choice, device, transfer_bytes, transfer_blocks);
}

void device_choice_learn(struct device_choice *choice, enum choice_operation operation, double work,
                         enum choice_device device, double time_s)
{
    if (!(time_s >= 0.0) || isinf(time_s))
        return;
    struct cost *cost = &choice->costs[operation][device][bucket_of(work)];
    bool replaces_first = cost->warming;
    cost->warming = cost->samples == 0;
    cost->samples -= replaces_first;
    cost->window_s[cost->samples++ % WINDOW] = time_s;
}

/* ---- decisions ---- */

/* Whether the device has to be tried first. A trial whose time nobody reports is not repeated for
 * ever. */
static bool try_first(struct device_choice *choice, enum choice_operation operation, double work,
                      enum choice_device device)
{
    struct cost *cost = &choice->costs[operation][device][bucket_of(work)];
    if (cost->trials >= TRIALS || cost->samples >= TRIALS - 1)
        return false;
    cost->trials++;
    return true;
}

/* Whether the device that looks slower is tried again, which mends a choice that a disturbance or a
 * former load made: first after a few operations, then ever more seldom. It is not where its
 * transfers alone cost more than all of the favourite. */
static bool try_again(struct retry *retry, enum choice_device favourite, double favourite_s,
                      double other_transfer_s)
{
    if (retry->after == 0 || retry->favourite != favourite)
        *retry = (struct retry){.favourite = favourite, .after = RETRY_FIRST};
    if (++retry->unused <= retry->after || other_transfer_s >= favourite_s)
        return false;
    retry->unused = 0;
    retry->after = retry->after < RETRY_LAST / 2 ? 2 * retry->after : RETRY_LAST;
    return true;
}

/* Operands that one device lacks. */
struct operands {
    size_t bytes;
    int blocks;
};

static enum choice_device decide(struct device_choice *choice, enum choice_operation operation,
                                 double work, const struct operands missing[CHOICE_DEVICES])
{
    double cost_s[CHOICE_DEVICES], transfer_s[CHOICE_DEVICES];
    for (int i = 0; i < CHOICE_DEVICES; i++) {
        enum choice_device device = (enum choice_device)i;
        if (try_first(choice, operation, work, device))
            return device;
        transfer_s[i] = transfer_cost(choice, device, missing[i].bytes, missing[i].blocks);
        cost_s[i] = device_choice_cost(choice, operation, work, device, missing[i].bytes,
                                       missing[i].blocks);
    }
    const double host_s = cost_s[CHOICE_HOST], gpu_s = cost_s[CHOICE_GPU];
    if (isnan(host_s) && isnan(gpu_s))
        return missing[CHOICE_HOST].bytes > missing[CHOICE_GPU].bytes ? CHOICE_GPU : CHOICE_HOST;
    enum choice_device best = isnan(host_s) || gpu_s < host_s ? CHOICE_GPU : CHOICE_HOST;
    enum choice_device other = best == CHOICE_GPU ? CHOICE_HOST : CHOICE_GPU;
    if (isnan(cost_s[other]) || !try_again(&choice->retries[operation][bucket_of(work)], best,
                                           cost_s[best], transfer_s[other]))
        return best;
    return other;
}

enum choice_device device_choice_decide(struct device_choice *choice,
                                        enum choice_operation operation, double work,
                                        size_t to_gpu_bytes, int to_gpu_blocks,
                                        size_t to_host_bytes, int to_host_blocks)
{
    const struct operands missing[CHOICE_DEVICES] = {
        [CHOICE_HOST] = {to_host_bytes, to_host_blocks},
        [CHOICE_GPU] = {to_gpu_bytes, to_gpu_blocks},
    };
    enum choice_device device = decide(choice, operation, work, missing);
    choice->counts[device]++;
    return device;
}

uint64_t device_choice_count(const struct device_choice *choice, enum choice_device device)
{
    return choice->counts[device];
}
