#include "ways.h"

#include "common/gpu.h"
#include "common/harness/exit.h"
#include "common/migration.h"

#include "access.h"
#include "batch.h"

static size_t bytes_of(const struct array *array)
{
    return array->count * sizeof *array->host;
}

static bool is_copied(const struct array *array)
{
    return array->way == WAY_EXPLICIT || array->way == WAY_RECOPY;
}

bool way_fits(enum way way, enum pattern pattern)
{
    switch (way) {
    case WAY_RECOPY:
        return pattern == PATTERN_READ_MANY;
    case WAY_DISCARD:
    case WAY_DISCARD_PREFETCH:
        return pattern == PATTERN_WRITE_ONLY;
    default:
        return true;
    }
}

/* ---- moving ---- */

/* Page-locked memory that is shorter than the array is copied as often as it takes. */
static void copy(struct array *array, bool in)
{
    const size_t window = array->memory->pinned_count;

    for (size_t first = 0; first < array->count; first += window) {
        const size_t left = array->count - first;
        const size_t bytes = (left < window ? left : window) * sizeof *array->host;
        uint32_t *device = array->kernel + first;
        check_cuda(cudaMemcpyAsync(in ? device : array->host, in ? array->host : device, bytes,
                                   in ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost,
                                   array->memory->stream));
    }
    *(in ? &array->copied_in : &array->copied_out) += bytes_of(array);
}

static void to_device(struct array *array)
{
    const struct ways_memory *memory = array->memory;

    switch (array->way) {
    case WAY_PREFETCH:
        check_cuda(
            gpu_prefetch_async(array->host, bytes_of(array), memory->device, memory->stream));
        break;
    case WAY_PREFETCH_BATCH:
        check_cuda(batch_prefetch(array->host, bytes_of(array), memory->device, memory->stream));
        break;
    case WAY_DISCARD_PREFETCH:
        check_cuda(batch_discard_and_prefetch(array->host, bytes_of(array), memory->device,
                                              memory->stream));
        break;
    case WAY_DISCARD:
        check_cuda(batch_discard(array->host, bytes_of(array), memory->stream));
        break;
    case WAY_EXPLICIT:
    case WAY_RECOPY:
        copy(array, true);
        break;
    default:
        break;
    }
}

/* Results are on the host when this returns, or come there when they are touched. */
static void to_host(struct array *array)
{
    const struct ways_memory *memory = array->memory;

    switch (array->way) {
    case WAY_PREFETCH:
    case WAY_DISCARD_PREFETCH:
    case WAY_DISCARD:
        check_cuda(
            gpu_prefetch_async(array->host, bytes_of(array), cudaCpuDeviceId, memory->stream));
        break;
    case WAY_PREFETCH_BATCH:
        check_cuda(batch_prefetch(array->host, bytes_of(array), cudaCpuDeviceId, memory->stream));
        break;
    case WAY_EXPLICIT:
    case WAY_RECOPY:
        copy(array, false);
        break;
    default:
        break;
    }
    check_cuda(cudaStreamSynchronize(memory->stream));
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
        check_cuda(access_increment(array->kernel, array->count, array->memory->stream));
        to_host(array);
        increment_pages(array);
    }
}

static uint32_t sum_up(struct array *array, enum pattern pattern, int repeats, uint32_t seed)
{
    uint32_t sum;
    const cudaStream_t stream = array->memory->stream;
    int passes = pattern == PATTERN_READ_MANY ? repeats : 1;

    check_cuda(cudaMemsetAsync(array->memory->sum, 0, sizeof sum, stream));
    for (int pass = 0; pass < passes; pass++) {
        if (pass == 0 || array->way == WAY_RECOPY)
            to_device(array);
        if (pattern == PATTERN_RANDOM)
            check_cuda(access_gather(array->kernel, array->count, accesses_of(array->count), seed,
                                     array->memory->sum, stream));
        else
            check_cuda(access_sum(array->kernel, array->count, array->memory->sum, stream));
    }
    check_cuda(
        cudaMemcpyAsync(&sum, array->memory->sum, sizeof sum, cudaMemcpyDeviceToHost, stream));
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
    if (!is_copied(array))
        to_device(array);
    check_cuda(access_fill(array->kernel, array->count, ~seed, array->memory->stream));
    to_host(array);
    read_pages(array);
    return 0;
}

static uint32_t count_run(struct array *array, enum pattern pattern, int repeats, uint32_t seed,
                          enum unified_counted counted, struct unified_traffic *traffic)
{
    array_fill(array, seed);
    array_place(array);
    check_status(unified_count_start(counted));
    uint32_t sum = pattern_run(array, pattern, repeats, seed);
    check_status(unified_count_stop(traffic));
    return sum;
}

/* Bytes that must come to the device: the driver drops records when its queue is full. */
static size_t bytes_at_least(const struct array *array, enum pattern pattern, int repeats)
{
    const bool moves = array->way == WAY_FIRST_TOUCH || array->way == WAY_PREFETCH ||
                       array->way == WAY_PREFETCH_BATCH;

    switch (pattern) {
    case PATTERN_READ_ONCE:
    case PATTERN_READ_MANY:
        return moves ? bytes_of(array) : 0;
    case PATTERN_PING_PONG:
        return moves ? bytes_of(array) * (size_t)repeats : 0;
    default:
        return 0;
    }
}

static uint32_t count_twice(struct array *array, enum pattern pattern, int repeats, uint32_t seed,
                            struct unified_traffic *traffic)
{
    struct unified_traffic faults;

    count_run(array, pattern, repeats, seed, UNIFIED_COUNT_FAULTS, &faults);
    const uint32_t sum = count_run(array, pattern, repeats, seed, UNIFIED_COUNT_BYTES, traffic);
    traffic->known =
        traffic->known && traffic->bytes_to_device >= bytes_at_least(array, pattern, repeats);
    traffic->faults_known = faults.faults_known;
    traffic->device_faults = faults.device_faults;
    traffic->host_faults = faults.host_faults;
    return sum;
}

uint32_t pattern_count(struct array *array, enum pattern pattern, int repeats, uint32_t seed,
                       struct unified_traffic *traffic)
{
    const bool counts =
        !is_copied(array) && array->way != WAY_ZERO_COPY && bytes_of(array) <= (size_t)8 << 30;

    *traffic = (struct unified_traffic){0};
    if (counts)
        return count_twice(array, pattern, repeats, seed, traffic);
    array_fill(array, seed);
    array_place(array);
    array->copied_in = array->copied_out = 0;
    const uint32_t sum = pattern_run(array, pattern, repeats, seed);
    if (is_copied(array))
        *traffic = (struct unified_traffic){.known = true,
                                            .faults_known = true,
                                            .bytes_to_device = array->copied_in,
                                            .bytes_from_device = array->copied_out};
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
    sum = access_total(count, seed);
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
