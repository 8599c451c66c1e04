#include "unified_capacity.h"

#include <stdio.h>

#include "common/gpu.h"
#include "common/harness/allocate.h"
#include "common/harness/exit.h"

static size_t free_bytes(void)
{
    size_t available, total;

    check_cuda(cudaMemGetInfo(&available, &total));
    return available;
}

const char *unified_capacity_complaint(size_t bytes, bool oversubscribe)
{
    static _Thread_local char complaint[160];
    size_t available = free_bytes();

    if (oversubscribe || bytes <= available / 100 * UNIFIED_SHARE_MOST)
        return NULL;
    snprintf(complaint, sizeof complaint,
             "%zu bytes of managed memory are more than %d %% of the %zu bytes that are free on "
             "the device",
             bytes, UNIFIED_SHARE_MOST, available);
    return complaint;
}

void *unified_ballast_take(size_t capacity_bytes)
{
    size_t available = free_bytes();

    return available > capacity_bytes ? memory_allocate(MEMORY_DEVICE, available - capacity_bytes)
                                      : NULL;
}

void unified_ballast_release(void *ballast)
{
    memory_release(MEMORY_DEVICE, ballast);
}
