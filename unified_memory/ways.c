#include "ways.h"

#include "common/gpu.h"
#include "common/harness/allocate.h"
#include "common/harness/exit.h"

#include "access.h"

static size_t bytes_of(const struct array *array)
{
    return array->count * sizeof *array->host;
}

/* ---- memory ---- */

static enum memory_kind kind_of(enum way way)
{
    switch (way) {
    case WAY_ZERO_COPY:
        return MEMORY_MAPPED;
    case WAY_EXPLICIT:
    case WAY_RECOPY:
        return MEMORY_PINNED;
    default:
        return MEMORY_MANAGED;
    }
}

static bool is_copied(const struct array *array)
{
    return kind_of(array->way) == MEMORY_PINNED;
}

void array_open(struct array *array, enum way way, size_t count, uint32_t seed)
{
    *array = (struct array){.way = way, .count = count};
    check_cuda(cudaGetDevice(&array->device));
    check_cuda(cudaStreamCreateWithFlags(&array->stream, cudaStreamNonBlocking));
    array->host = memory_allocate(kind_of(way), bytes_of(array));
    array->sum = memory_allocate(MEMORY_DEVICE, sizeof *array->sum);
    array->kernel = array->host;
    if (is_copied(array))
        array->kernel = memory_allocate(MEMORY_DEVICE, bytes_of(array));
    else if (way == WAY_ZERO_COPY)
        check_cuda(cudaHostGetDevicePointer((void **)&array->kernel, array->host, 0));
    array_fill(array, seed);
}

void array_close(struct array *array)
{
    check_cuda(cudaStreamDestroy(array->stream));
    if (is_copied(array))
        memory_release(MEMORY_DEVICE, array->kernel);
    memory_release(MEMORY_DEVICE, array->sum);
    memory_release(kind_of(array->way), array->host);
}

void array_fill(struct array *array, uint32_t seed)
{
    for (size_t i = 0; i < array->count; i++)
        array->host[i] = access_value(i, seed);
}

static void advise(const struct array *array, enum cudaMemoryAdvise advice, int device)
{
    check_cuda(gpu_advise(array->host, bytes_of(array), advice, device));
}

/* Advice is taken back first: a read-mostly duplicate on the device would outlive the prefetch. */
void array_place(struct array *array)
{
    if (kind_of(array->way) != MEMORY_MANAGED)
        return;
    if (array->way == WAY_READ_MOSTLY)
        advise(array, cudaMemAdviseUnsetReadMostly, array->device);
    check_cuda(gpu_prefetch_async(array->host, bytes_of(array), cudaCpuDeviceId, array->stream));
    check_cuda(cudaStreamSynchronize(array->stream));
    if (array->way == WAY_READ_MOSTLY)
        advise(array, cudaMemAdviseSetReadMostly, array->device);
    if (array->way == WAY_ACCESSED_BY)
        advise(array, cudaMemAdviseSetAccessedBy, array->device);
    if (array->way == WAY_PREFERRED_HOST)
        advise(array, cudaMemAdviseSetPreferredLocation, cudaCpuDeviceId);
}

/* ---- moving ---- */

static void to_device(struct array *array)
{
    if (array->way == WAY_PREFETCH)
        check_cuda(gpu_prefetch_async(array->host, bytes_of(array), array->device, array->stream));
    if (!is_copied(array))
        return;
    check_cuda(cudaMemcpyAsync(array->kernel, array->host, bytes_of(array), cudaMemcpyHostToDevice,
                               array->stream));
    array->copied_in += bytes_of(array);
}

/* Results are on the host when this returns, or come there when they are touched. */
static void to_host(struct array *array)
{
    if (array->way == WAY_PREFETCH)
        check_cuda(
            gpu_prefetch_async(array->host, bytes_of(array), cudaCpuDeviceId, array->stream));
    if (is_copied(array)) {
        check_cuda(cudaMemcpyAsync(array->host, array->kernel, bytes_of(array),
                                   cudaMemcpyDeviceToHost, array->stream));
        array->copied_out += bytes_of(array);
    }
    check_cuda(cudaStreamSynchronize(array->stream));
}

static void read_pages(const struct array *array)
{
    for (size_t i = 0; i < array->count; i += PAGE_ELEMENTS)
        (void)*(volatile const uint32_t *)&array->host[i];
}

static void increment_pages(struct array *array)
{
    for (size_t i = 0; i < array->count; i += PAGE_ELEMENTS)
        array->host[i]++;
}

/* ---- patterns ---- */

static size_t accesses_of(size_t count)
{
    return (count + PAGE_ELEMENTS - 1) / PAGE_ELEMENTS;
}

double pattern_bytes(enum pattern pattern, size_t count, int repeats)
{
    double bytes = (double)count * sizeof(uint32_t);

    return pattern == PATTERN_READ_MANY || pattern == PATTERN_PING_PONG ? bytes * repeats : bytes;
}

static void ping_pong(struct array *array, int turns)
{
    for (int turn = 0; turn < turns; turn++) {
        to_device(array);
        check_cuda(access_increment(array->kernel, array->count, array->stream));
        to_host(array);
        increment_pages(array);
    }
}

static uint32_t sum_up(struct array *array, enum pattern pattern, int repeats, uint32_t seed)
{
    uint32_t sum;
    cudaStream_t stream = array->stream;
    int passes = pattern == PATTERN_READ_MANY ? repeats : 1;

    check_cuda(cudaMemsetAsync(array->sum, 0, sizeof sum, stream));
    for (int pass = 0; pass < passes; pass++) {
        if (pass == 0 || array->way == WAY_RECOPY)
            to_device(array);
        if (pattern == PATTERN_RANDOM)
            check_cuda(access_gather(array->kernel, array->count, accesses_of(array->count), seed,
                                     array->sum, stream));
        else
            check_cuda(access_sum(array->kernel, array->count, array->sum, stream));
    }
    check_cuda(cudaMemcpyAsync(&sum, array->sum, sizeof sum, cudaMemcpyDeviceToHost, stream));
    check_cuda(cudaStreamSynchronize(stream));
    return sum;
}

uint32_t pattern_run(struct array *array, enum pattern pattern, int repeats, uint32_t seed)
{
    if (pattern == PATTERN_PING_PONG) {
        ping_pong(array, repeats);
        return 0;
    }
    if (pattern != PATTERN_WRITE_ONLY)
        return sum_up(array, pattern, repeats, seed);
    if (array->way == WAY_PREFETCH)
        to_device(array);
    check_cuda(access_fill(array->kernel, array->count, ~seed, array->stream));
    to_host(array);
    read_pages(array);
    return 0;
}

static uint32_t count_run(struct array *array, enum pattern pattern, int repeats, uint32_t seed,
                          enum unified_counted counted, struct unified_traffic *traffic)
{
    array_fill(array, seed);
    array_place(array);
    array->copied_in = array->copied_out = 0;
    check_status(unified_count_start(counted));
    uint32_t sum = pattern_run(array, pattern, repeats, seed);
    check_status(unified_count_stop(traffic));
    return sum;
}

uint32_t pattern_count(struct array *array, enum pattern pattern, int repeats, uint32_t seed,
                       struct unified_traffic *traffic)
{
    struct unified_traffic faults;

    count_run(array, pattern, repeats, seed, UNIFIED_COUNT_FAULTS, &faults);
    uint32_t sum = count_run(array, pattern, repeats, seed, UNIFIED_COUNT_BYTES, traffic);
    traffic->faults_known = faults.faults_known;
    traffic->device_faults = faults.device_faults;
    traffic->host_faults = faults.host_faults;
    if (is_copied(array))
        *traffic = (struct unified_traffic){.known = true,
                                            .faults_known = true,
                                            .bytes_to_device = array->copied_in,
                                            .bytes_from_device = array->copied_out};
    if (array->way == WAY_ZERO_COPY)
        *traffic = (struct unified_traffic){0};
    return sum;
}

/* ---- the same on the CPU ---- */

static uint32_t expected_sum(size_t count, enum pattern pattern, int repeats, uint32_t seed)
{
    uint32_t sum = 0;

    if (pattern == PATTERN_RANDOM) {
        for (size_t k = 0; k < accesses_of(count); k++)
            sum += access_value(access_index((uint32_t)k, seed, count), seed);
        return sum;
    }
    for (size_t i = 0; i < count; i++)
        sum += access_value(i, seed);
    return pattern == PATTERN_READ_MANY ? sum * (uint32_t)repeats : sum;
}

long pattern_wrong(const struct array *array, enum pattern pattern, int repeats, uint32_t seed,
                   uint32_t sum)
{
    long wrong = 0;
    bool writes = pattern == PATTERN_WRITE_ONLY, turns = pattern == PATTERN_PING_PONG;

    if (!writes && !turns)
        return sum != expected_sum(array->count, pattern, repeats, seed);
    for (size_t i = 0; i < array->count; i++) {
        uint32_t kernels = writes ? 0 : (uint32_t)repeats;
        uint32_t host = i % PAGE_ELEMENTS == 0 ? kernels : 0;
        uint32_t expected = access_value(i, writes ? ~seed : seed) + kernels + host;
        wrong += array->host[i] != expected;
    }
    return wrong;
}
