#include "common/clock.h"
#include "common/random.h"

#include "object_pointers.h"
#include "object_launches.h"
#include "object_table.h"

const char *const object_pointer_steps[OBJECT_POINTER_STEPS] = {"allocation", "look-up"};

enum { ALLOCATIONS = 8, BYTES_MAX = 1 << 16 };

/* The device that has the memory; -1 if none does. */
static int device_of(CUdeviceptr address)
{
    int ordinal;
    CUresult result = cuPointerGetAttribute(&ordinal, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, address);
    return result == CUDA_SUCCESS ? ordinal : -1;
}

static int64_t on_their_devices(const struct object_entry *entry)
{
    int64_t count = 0;
    for (int d = 0; d < entry->devices; d++)
        count += device_of(entry->on[d]) == d;
    return count;
}

/* Fills pointer[] and bytes[]; the time of all calls. */
static double allocate(struct object_gpu *gpu, uint64_t seed, CUdeviceptr *pointer, size_t *bytes)
{
    for (int i = 0; i < ALLOCATIONS; i++)
        bytes[i] = 1 + random_below(seed, (uint64_t)i, BYTES_MAX);
    double start_s = clock_now_s();
    for (int i = 0; i < ALLOCATIONS; i++)
        attempt(&gpu->run, cuMemAlloc(&pointer[i], bytes[i]));
    double time_s = clock_now_s() - start_s;
    object_gpu_check(gpu);
    return time_s;
}

static double look_up_all(const CUdeviceptr *pointer, struct object_entry *entry)
{
    double start_s = clock_now_s();
    for (int i = 0; i < ALLOCATIONS; i++)
        entry[i] = object_table_find(pointer[i]);
    return clock_now_s() - start_s;
}

double object_pointer_sample(struct object_job *job)
{
    struct object_gpu *gpu = job->context;
    CUdeviceptr pointer[ALLOCATIONS];
    size_t bytes[ALLOCATIONS];
    struct object_entry entry[ALLOCATIONS];
    double allocation_s = allocate(gpu, job->seed, pointer, bytes);
    double look_up_s = look_up_all(pointer, entry);
    bool is_allocation = job->number == 0;
    int64_t matching = 0, pointers = is_allocation ? ALLOCATIONS : ALLOCATIONS * job->devices;
    for (int i = 0; i < ALLOCATIONS; i++) {
        bool is_key = entry[i].devices == job->devices && entry[i].bytes == bytes[i] &&
                      entry[i].on[0] == pointer[i];
        if (is_allocation)
            matching += is_key && device_of(pointer[i]) == 0;
        else
            matching += is_key ? on_their_devices(&entry[i]) : 0;
        attempt(&gpu->run, cuMemFree(pointer[i]));
    }
    object_gpu_check(gpu);
    job->row.pointers = pointers;
    job->row.matching = matching;
    job->errors += pointers - matching;
    return (is_allocation ? allocation_s : look_up_s) / ALLOCATIONS;
}
