#include "managed_limit.h"

#include <stdio.h>

#include "common/error_cuda.h"
#include "common/memory.h"

enum dm_status managed_check_limit(size_t bytes, bool oversubscribe)
{
    size_t available, total;

    TRY_CUDA(cudaMemGetInfo(&available, &total));
    if (oversubscribe || bytes <= available / 100 * MANAGED_PERCENT_MAX)
        return DM_OK;
    return dm_fail(DM_NO_MEMORY,
                   "%zu bytes of managed memory are more than %d %% of the %zu bytes that are free "
                   "on the device",
                   bytes, MANAGED_PERCENT_MAX, available);
}

/* 0: not known. */
static size_t available_host_bytes(void)
{
    FILE *file = fopen("/proc/meminfo", "r");
    char line[128];
    unsigned long long kib = 0;

    while (file && kib == 0 && fgets(line, sizeof line, file))
        sscanf(line, "MemAvailable: %llu kB", &kib);
    if (file)
        fclose(file);
    return (size_t)kib * 1024;
}

enum dm_status managed_check_host(size_t bytes)
{
    const size_t available = available_host_bytes();

    if (available == 0 || bytes <= available / 11 * 10)
        return DM_OK;
    return dm_fail(DM_NO_MEMORY,
                   "%zu bytes are too much for a host that has %zu bytes of memory available",
                   bytes, available);
}

enum dm_status managed_take_ballast(size_t capacity_bytes, void **ballast)
{
    size_t available, total;

    *ballast = NULL;
    TRY_CUDA(cudaMemGetInfo(&available, &total));
    return available > capacity_bytes
               ? memory_obtain(MEMORY_DEVICE, available - capacity_bytes, ballast)
               : DM_OK;
}

void managed_release_ballast(void *ballast)
{
    memory_give_back(MEMORY_DEVICE, ballast);
}
