/* soft_managed_test.c: the software GPU's managed memory: faults, migration, eviction, prefetch,
 * advice. */
#include <pthread.h>

#include "softgpu/counters.h"

#include "soft_runtime_test.h"

enum { UNIT = 64 * 1024, UNITS = 16 };

static const struct cudaMemLocation on_host = {cudaMemLocationTypeHost, 0};
static const struct cudaMemLocation on_device = {cudaMemLocationTypeDevice, 0};

/* What happened since the last call. */
static struct soft_managed_counters since(void)
{
    static struct soft_managed_counters last;
    struct soft_managed_counters now, difference;

    soft_managed_counters(&now);
    difference = (struct soft_managed_counters){
        now.gpu_faults - last.gpu_faults, now.cpu_faults - last.cpu_faults,
        now.bytes_to_gpu - last.bytes_to_gpu, now.bytes_to_host - last.bytes_to_host,
        now.evictions - last.evictions};
    last = now;
    return difference;
}

static bool counted(unsigned long long gpu_faults, unsigned long long cpu_faults,
                    unsigned long long units_to_gpu, unsigned long long units_to_host,
                    unsigned long long evictions)
{
    struct soft_managed_counters c = since();
    bool same = c.gpu_faults == gpu_faults && c.cpu_faults == cpu_faults &&
                c.bytes_to_gpu == units_to_gpu * UNIT && c.bytes_to_host == units_to_host * UNIT &&
                c.evictions == evictions;

    if (!same)
        printf("# faults gpu %llu cpu %llu, bytes to gpu %llu host %llu, evictions %llu\n",
               c.gpu_faults, c.cpu_faults, c.bytes_to_gpu, c.bytes_to_host, c.evictions);
    return same;
}

struct range {
    volatile char *data;
    size_t first, end; /* units */
    int sum;
};

static void add_one(void *argument)
{
    struct range *range = argument;

    for (size_t i = range->first; i < range->end; i++)
        range->data[i * UNIT + 77]++;
}

static void sum_up(void *argument)
{
    struct range *range = argument;

    range->sum = 0;
    for (size_t i = range->first; i < range->end; i++)
        range->sum += range->data[i * UNIT + 77];
}

static void run_on_device(void (*body)(void *), struct range *range)
{
    expect_success(launch_c(body, range, NULL));
    expect_success(cudaDeviceSynchronize());
}

static char *managed(size_t units)
{
    char *data = NULL;

    expect_success(cudaMallocManaged((void **)&data, units * UNIT, cudaMemAttachGlobal));
    since();
    return data;
}

/* ---- checks ---- */

static void units_migrate_on_touch(void)
{
    char *data = managed(UNITS);
    struct range range = {data, 0, UNITS, 0};
    struct cudaPointerAttributes attributes;

    expect_success(cudaPointerGetAttributes(&attributes, data + 5));
    expect(attributes.type == cudaMemoryTypeManaged && attributes.devicePointer == data + 5);
    add_one(&range); /* first touch by the host: no fault, nothing moves */
    expect(counted(0, 0, 0, 0, 0));
    run_on_device(add_one, &range);
    expect(counted(UNITS, 0, UNITS, 0, 0));
    run_on_device(add_one, &range); /* they are there already */
    expect(counted(0, 0, 0, 0, 0));
    range.end = 3;
    sum_up(&range);
    expect(range.sum == 9);
    expect(counted(0, 3, 0, 3, 0));
    sum_up(&range);
    expect(counted(0, 0, 0, 0, 0));
    range.end = UNITS;
    run_on_device(add_one, &range);
    expect(counted(3, 0, 3, 0, 0));
    expect_success(cudaFree(data));
    expect_error(cudaErrorInvalidValue, cudaFree(data));
    expect_error(cudaErrorInvalidValue, cudaMallocManaged((void **)&data, 0, 1));
    expect_error(cudaErrorInvalidValue, cudaMallocManaged((void **)&data, 1, 8));
    expect_error(cudaErrorInvalidValue, cudaMallocManaged(NULL, 1, 1));
}

static void first_touch_by_the_device_moves_nothing(void)
{
    char *data = managed(UNITS);
    struct range range = {data, 0, UNITS, 0};

    run_on_device(add_one, &range);
    expect(counted(UNITS, 0, 0, 0, 0));
    expect_success(cudaFree(data));
}

static void the_last_unit_may_be_short(void)
{
    char *data = NULL;
    struct range range;

    expect_success(cudaMallocManaged((void **)&data, UNIT + 100, cudaMemAttachGlobal));
    range = (struct range){data, 1, 2, 0};
    add_one(&range);
    since();
    run_on_device(add_one, &range);
    struct soft_managed_counters c = since();
    expect(c.gpu_faults == 1 && c.bytes_to_gpu == 4096);
    expect(data[UNIT + 77] == 2);
    expect_success(cudaFree(data));
}

static void prefetching_avoids_faults(void)
{
    char *data = managed(UNITS);
    struct range range = {data, 0, UNITS, 0};
    int where = 55;

    add_one(&range);
    expect_success(cudaMemRangeGetAttribute(
        &where, sizeof where, cudaMemRangeAttributeLastPrefetchLocation, data, UNITS * UNIT));
    expect(where == cudaInvalidDeviceId);
    expect_success(cudaMemPrefetchAsync(data, UNITS * UNIT, on_device, 0, NULL));
    run_on_device(add_one, &range);
    expect(counted(0, 0, UNITS, 0, 0));
    expect_success(cudaMemRangeGetAttribute(
        &where, sizeof where, cudaMemRangeAttributeLastPrefetchLocation, data, UNITS * UNIT));
    expect(where == 0);
    expect_success(cudaMemPrefetchAsync(data, UNITS * UNIT / 2, on_host, 0, NULL));
    expect_success(cudaDeviceSynchronize());
    range.end = UNITS / 2;
    sum_up(&range);
    expect(range.sum == UNITS);
    expect(counted(0, 0, 0, UNITS / 2, 0));
    expect_success(cudaMemRangeGetAttribute(
        &where, sizeof where, cudaMemRangeAttributeLastPrefetchLocation, data, UNITS * UNIT));
    expect(where == cudaInvalidDeviceId); /* not one location for all */
    expect_error(cudaErrorInvalidValue,
                 cudaMemPrefetchAsync(data, UNITS * UNIT + 1, on_device, 0, NULL));
    expect_error(cudaErrorInvalidValue, cudaMemPrefetchAsync(&where, 4, on_device, 0, NULL));
    expect_error(cudaErrorInvalidValue, cudaMemPrefetchAsync(data, 4, on_device, 1, NULL));
    expect_error(cudaErrorInvalidDevice,
                 cudaMemPrefetchAsync(
                     data, 4, (struct cudaMemLocation){cudaMemLocationTypeDevice, 9}, 0, NULL));
    expect_error(cudaErrorInvalidValue,
                 cudaMemRangeGetAttribute(&where, 3, cudaMemRangeAttributeReadMostly, data, 1));
    expect_success(cudaFree(data));
}

/* Two ranges, of which one goes to the device and one stays, in one call. */
static void a_batch_prefetches_several_ranges(void)
{
    char *data = managed(UNITS);
    struct range all = {data, 0, UNITS, 0};
    void *starts[2] = {data, data + 2 * UNIT};
    size_t bytes[2] = {2 * UNIT, (UNITS - 2) * UNIT}, first[2] = {0, 1};
    struct cudaMemLocation places[2] = {on_device, on_host};
    cudaStream_t stream;

    expect_success(cudaStreamCreate(&stream));
    add_one(&all);
    since();
    expect_success(cudaMemPrefetchBatchAsync(starts, bytes, 2, places, first, 2, 0, stream));
    expect_success(cudaStreamSynchronize(stream));
    expect(counted(0, 0, 2, 0, 0));
    expect_success(cudaMemPrefetchBatchAsync(starts, bytes, 2, places, first, 1, 0, stream));
    expect_success(cudaStreamSynchronize(stream));
    expect(counted(0, 0, UNITS - 2, 0, 0));
    const cudaError_t wrong = cudaErrorInvalidValue;
    expect_error(wrong, cudaMemPrefetchBatchAsync(NULL, bytes, 2, places, first, 1, 0, stream));
    expect_error(wrong, cudaMemPrefetchBatchAsync(starts, bytes, 0, places, first, 1, 0, stream));
    expect_error(wrong, cudaMemPrefetchBatchAsync(starts, bytes, 2, places, first, 0, 0, stream));
    expect_error(wrong, cudaMemPrefetchBatchAsync(starts, bytes, 2, places, first, 3, 0, stream));
    expect_error(wrong, cudaMemPrefetchBatchAsync(starts, bytes, 2, places, first, 1, 1, stream));
    expect_error(wrong, cudaMemPrefetchBatchAsync(starts, bytes, 2, places, first, 1, 0, NULL));
    first[1] = 2;
    expect_error(wrong, cudaMemPrefetchBatchAsync(starts, bytes, 2, places, first, 2, 0, stream));
    bytes[1]++;
    expect_error(wrong, cudaMemPrefetchBatchAsync(starts, bytes, 2, places, first, 1, 0, stream));
    places[0].id = 9;
    expect_error(cudaErrorInvalidDevice,
                 cudaMemPrefetchBatchAsync(starts, bytes, 1, places, first, 1, 0, stream));
    expect(counted(0, 0, 0, 0, 0));
    expect_success(cudaStreamDestroy(stream));
    expect_success(cudaFree(data));
}

/* Units of which a part is discarded keep what they hold. */
static void what_is_discarded_does_not_move(void)
{
    char *data = managed(UNITS);
    struct range all = {data, 0, UNITS, 0}, kept = {data, 0, 1, 0};
    void *start = data + 100;
    size_t bytes = UNITS * UNIT - 100, first = 0;
    struct cudaMemLocation place = on_device;
    cudaStream_t stream;

    expect_success(cudaStreamCreate(&stream));
    add_one(&all);
    since();
    expect_success(
        cudaMemDiscardAndPrefetchBatchAsync(&start, &bytes, 1, &place, &first, 1, 0, stream));
    expect_success(cudaStreamSynchronize(stream));
    expect(counted(0, 0, 1, 0, 0)); /* the first unit */
    run_on_device(add_one, &all);
    expect(counted(0, 0, 0, 0, 0));
    sum_up(&all);
    expect(all.sum == UNITS + 1); /* what was discarded began with 0 */
    expect(counted(0, UNITS, 0, UNITS, 0));
    run_on_device(add_one, &all);
    since();
    expect_success(cudaMemDiscardBatchAsync(&start, &bytes, 1, 0, stream));
    expect_success(cudaStreamSynchronize(stream));
    all.sum = 0;
    sum_up(&all);
    expect(all.sum == 3);
    sum_up(&kept);
    expect(kept.sum == 3);
    expect(counted(0, 1, 0, 1, 0));
    expect_error(cudaErrorInvalidValue, cudaMemDiscardBatchAsync(&start, &bytes, 1, 0, NULL));
    expect_error(cudaErrorInvalidValue, cudaMemDiscardBatchAsync(&start, NULL, 1, 0, stream));
    expect_success(cudaStreamDestroy(stream));
    expect_success(cudaFree(data));
}

static void more_memory_than_the_device_has(void)
{
    size_t device_units = (8 << 20) / UNIT; /* SOFTGPU_MEMORY */
    char *data = managed(device_units + 10);
    struct range range = {data, 0, device_units + 10, 0};
    size_t free_bytes, total;
    void *block;

    add_one(&range);
    run_on_device(add_one, &range);
    expect(counted(device_units + 10, 0, device_units + 10, 10, 10));
    expect_success(cudaMemGetInfo(&free_bytes, &total));
    expect(free_bytes == 0);
    range.end = 10;
    sum_up(&range); /* the units that came first were evicted first */
    expect(range.sum == 20);
    expect(counted(0, 0, 0, 0, 0));
    expect_success(cudaMalloc(&block, 5 * UNIT)); /* pushes managed units out */
    expect(counted(0, 0, 0, 5, 5));
    expect_success(cudaFree(block));
    range.end = device_units + 10;
    sum_up(&range);
    expect(range.sum == 2 * (int)range.end);
    expect_success(cudaFree(data));
    expect_success(cudaMemGetInfo(&free_bytes, &total));
    expect(free_bytes == total);
}

static void add_one_twice(void *argument)
{
    add_one(argument);
    add_one(argument);
}

static void a_kernel_does_not_thrash(void)
{
    size_t units = (8 << 20) / UNIT + 10;
    char *data = managed(units);
    struct range range = {data, 0, units, 0};

    run_on_device(add_one_twice, &range);
    struct soft_managed_counters c = since();
    expect(c.gpu_faults == units + 10); /* the ten that had to leave fault again, and stay out */
    expect(c.evictions == 10 && c.bytes_to_gpu == 0);
    sum_up(&range);
    expect(range.sum == 2 * (int)units);
    since();
    run_on_device(add_one, &range); /* the next kernel may move them */
    expect(since().evictions > 0);
    expect_success(cudaFree(data));
}

static void read_mostly_data_is_duplicated(void)
{
    char *data = managed(UNITS);
    struct range range = {data, 0, UNITS, 0};
    int yes = -1;

    add_one(&range);
    expect_success(cudaMemAdvise(data, UNITS * UNIT, cudaMemAdviseSetReadMostly, on_host));
    expect_success(cudaMemRangeGetAttribute(&yes, sizeof yes, cudaMemRangeAttributeReadMostly, data,
                                            UNITS * UNIT));
    expect(yes == 1);
    run_on_device(sum_up, &range);
    expect(range.sum == UNITS);
    expect(counted(UNITS, 0, UNITS, 0, 0));
    sum_up(&range); /* both have a copy */
    run_on_device(sum_up, &range);
    expect(counted(0, 0, 0, 0, 0));
    range.end = 2;
    add_one(&range); /* a write ends the duplicates: one fault each, nothing moves */
    expect(counted(0, 2, 0, 0, 0));
    range.end = UNITS;
    run_on_device(sum_up, &range);
    expect(range.sum == UNITS + 2);
    expect(counted(2, 0, 2, 0, 0));
    range.end = 1;
    run_on_device(add_one, &range); /* so does a write by the device */
    expect(counted(1, 0, 0, 0, 0));
    sum_up(&range);
    expect(range.sum == 3);
    expect(counted(0, 1, 0, 1, 0));
    expect_success(cudaMemAdvise(data, UNITS * UNIT, cudaMemAdviseUnsetReadMostly, on_host));
    expect_success(cudaFree(data));
}

static void preferred_location_and_accessed_by(void)
{
    char *data = managed(UNITS);
    struct range range = {data, 0, UNITS, 0};
    int value = 77, list[3];

    add_one(&range);
    expect_success(cudaMemAdvise(data, UNITS * UNIT, cudaMemAdviseSetPreferredLocation, on_host));
    run_on_device(add_one, &range); /* mapped, not moved */
    expect(counted(UNITS, 0, 0, 0, 0));
    run_on_device(add_one, &range);
    sum_up(&range);
    expect(range.sum == 3 * UNITS);
    expect(counted(0, 0, 0, 0, 0));
    expect_success(cudaMemRangeGetAttribute(
        &value, sizeof value, cudaMemRangeAttributePreferredLocation, data, UNITS * UNIT));
    expect(value == cudaCpuDeviceId);
    expect_success(cudaMemAdvise(data, UNITS * UNIT, cudaMemAdviseUnsetPreferredLocation, on_host));
    expect_success(cudaMemAdvise(data, UNITS * UNIT, cudaMemAdviseSetAccessedBy, on_device));
    expect_success(cudaMemRangeGetAttribute(list, sizeof list, cudaMemRangeAttributeAccessedBy,
                                            data, UNITS * UNIT));
    expect(list[0] == 0 && list[1] == cudaInvalidDeviceId && list[2] == cudaInvalidDeviceId);
    run_on_device(add_one, &range); /* mapped beforehand: no faults at all */
    expect(counted(0, 0, 0, 0, 0));
    expect_success(cudaMemAdvise(data, UNITS * UNIT, cudaMemAdviseUnsetAccessedBy, on_device));
    run_on_device(add_one, &range);
    expect(counted(UNITS, 0, UNITS, 0, 0));
    expect_error(cudaErrorInvalidValue,
                 cudaMemAdvise(data, 1, (enum cudaMemoryAdvise)9, on_device));
    expect_error(cudaErrorInvalidValue,
                 cudaMemAdvise(data, UNITS * UNIT + 1, cudaMemAdviseSetReadMostly, on_host));
    expect_success(cudaFree(data));
}

static void copies_know_managed_memory(void)
{
    size_t bytes = UNITS * UNIT;
    char *data = managed(UNITS), *host = malloc(bytes), *device;
    struct range range = {data, 0, UNITS, 0};

    expect_success(cudaMalloc((void **)&device, bytes));
    memset(host, 5, bytes);
    expect_success(cudaMemcpy(data, host, bytes, cudaMemcpyHostToDevice));
    run_on_device(add_one, &range);
    since();
    expect_success(cudaMemcpy(device, data, bytes, cudaMemcpyDeviceToDevice));
    expect_success(cudaMemcpyAsync(host, device, bytes, cudaMemcpyDefault, NULL));
    expect(host[77] == 6 && host[78] == 5 && host[15 * UNIT + 77] == 6);
    memset(host, 0, bytes);
    expect_success(cudaMemcpyAsync(host, data, bytes, cudaMemcpyDefault, NULL));
    expect(host[77] == 6);
    expect_success(cudaMemset(data, 1, bytes));
    expect(counted(0, 0, 0, 0, 0)); /* copies do not fault and do not migrate */
    sum_up(&range);
    expect(range.sum == UNITS);
    expect(counted(0, UNITS, 0, UNITS, 0));
    expect_success(cudaFree(device));
    expect_success(cudaFree(data));
    free(host);
}

static void *touch_all(void *argument)
{
    struct range range = *(struct range *)argument;

    for (int round = 0; round < 50; round++)
        sum_up(&range);
    return NULL;
}

/* Host threads read while kernels write: whatever is counted, every write arrives and nothing
 * hangs. */
static void host_and_device_at_the_same_time(void)
{
    char *data = managed(UNITS);
    struct range range = {data, 0, UNITS, 0}, read_range = {data, 0, UNITS, 0};
    pthread_t threads[3];

    memset(data, 0, UNITS * UNIT);
    /* ThreadSanitizer would rightly call simultaneous plain accesses a race: threads read other
     * bytes. */
    read_range.data = data + 1;
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, touch_all, &read_range);
    for (int i = 0; i < 30; i++)
        expect_success(launch_c(add_one, &range, NULL));
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    expect_success(cudaDeviceSynchronize());
    sum_up(&range);
    expect(range.sum == 30 * UNITS);
    expect_success(cudaFree(data));
}

int main(void)
{
    setenv("SOFTGPU_MEMORY", "8M", 1);
    run_test(units_migrate_on_touch);
    run_test(first_touch_by_the_device_moves_nothing);
    run_test(the_last_unit_may_be_short);
    run_test(prefetching_avoids_faults);
    run_test(a_batch_prefetches_several_ranges);
    run_test(what_is_discarded_does_not_move);
    run_test(more_memory_than_the_device_has);
    run_test(a_kernel_does_not_thrash);
    run_test(read_mostly_data_is_duplicated);
    run_test(preferred_location_and_accessed_by);
    run_test(copies_know_managed_memory);
    run_test(host_and_device_at_the_same_time);
    return end_tests();
}
