#include <stdlib.h>

#include "common/error_cuda.h"

#include "common/regions/copies_plan.h"

enum dm_status copies_events_create(cudaEvent_t **events, long count, bool timed)
{
    *events = calloc((size_t)count, sizeof **events);
    if (!*events)
        return error_no_memory((size_t)count * sizeof **events);
    for (long i = 0; i < count; i++)
        TRY_CUDA(cudaEventCreateWithFlags(&(*events)[i],
                                          timed ? cudaEventDefault : cudaEventDisableTiming));
    return DM_OK;
}

void copies_events_release(cudaEvent_t *events, long count)
{
    for (long i = 0; events && i < count; i++)
        if (events[i])
            cudaEventDestroy(events[i]);
    free(events);
}

enum dm_status copies_seconds_between(cudaEvent_t start, cudaEvent_t end, double *seconds)
{
    float milliseconds;
    TRY_CUDA(cudaEventElapsedTime(&milliseconds, start, end));
    *seconds = 1e-3 * milliseconds;
    return DM_OK;
}
