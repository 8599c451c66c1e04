#include "managed_limit.h"

#include "common/error.h"
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
