/* counters_cupti.c: sums of CUPTI's records of managed memory. */
#include <datamotion/unified_memory.h>

#if !defined(SOFTGPU)
#include "common/cupti_records.h"
#include "common/error_cuda.h"
#include "common/migration.h"

#if !defined(CUPTI_RECORDS)
enum dm_status unified_count_start(enum unified_counted counted)
{
    (void)counted;
    return DM_OK;
}

enum dm_status unified_count_stop(struct unified_traffic *traffic)
{
    *traffic = (struct unified_traffic){.known = false};
    return status_of_cuda(cudaDeviceSynchronize());
}

enum dm_status unified_count_check(void)
{
    return dm_fail(DM_UNAVAILABLE, "unified_memory was compiled without CUPTI's header (cupti.h)");
}
#else
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

enum { PROBE_BYTES = 4 << 20 };

static enum { UNTRIED, WORKS, BROKEN } state;
static enum unified_counted kind_counted;
static char why_not[256]; /* the sentence of unified_count_check; "": none */
/* CUPTI calls back from a thread of its own. */
static _Atomic unsigned long long bytes_in, bytes_out, device_faults, host_faults, evictions;

/* CUDA 12.8 made the record longer; what is read here has stayed where it was. */
static void add(const CUpti_Activity *activity)
{
    const CUpti_ActivityUnifiedMemoryCounter2 *record =
        (const CUpti_ActivityUnifiedMemoryCounter2 *)(const void *)activity;

    if (activity->kind != CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER)
        return;
    switch (record->counterKind) {
    case CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_HTOD:
        bytes_in += record->value;
        break;
    case CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_DTOH:
        bytes_out += record->value;
        evictions += record->flags == CUPTI_ACTIVITY_UNIFIED_MEMORY_MIGRATION_CAUSE_EVICTION;
        break;
    case CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_GPU_PAGE_FAULT:
        device_faults += record->value;
        break;
    case CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_CPU_PAGE_FAULT_COUNT:
        host_faults++; /* one record per fault; its value is an address */
        break;
    default:
        break;
    }
}

static enum dm_status configure(enum unified_counted counted)
{
    enum { KINDS = 4 };
    static const struct {
        CUpti_ActivityUnifiedMemoryCounterKind kind;
        enum unified_counted counted;
    } kinds[KINDS] = {
        {CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_HTOD, UNIFIED_COUNT_BYTES},
        {CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_DTOH, UNIFIED_COUNT_BYTES},
        {CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_GPU_PAGE_FAULT, UNIFIED_COUNT_FAULTS},
        {CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_CPU_PAGE_FAULT_COUNT, UNIFIED_COUNT_FAULTS}};
    CUpti_ActivityUnifiedMemoryCounterConfig settings[KINDS];
    int device;

    TRY_CUDA(cudaGetDevice(&device));
    for (size_t i = 0; i < KINDS; i++)
        settings[i] = (CUpti_ActivityUnifiedMemoryCounterConfig){
            .scope = CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_SCOPE_PROCESS_SINGLE_DEVICE,
            .kind = kinds[i].kind,
            .deviceId = (uint32_t)device,
            .enable = kinds[i].counted == counted};
    return cupti_records_configure(settings, KINDS);
}

static enum dm_status start(enum unified_counted counted)
{
    static const CUpti_ActivityKind kinds[] = {CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER};

    bytes_in = bytes_out = device_faults = host_faults = evictions = 0;
    TRY(configure(counted));
    return cupti_records_start(kinds, 1);
}

static enum dm_status count_probe(char *probe)
{
    int device;

    TRY_CUDA(cudaGetDevice(&device));
    memset(probe, 1, PROBE_BYTES);
    TRY(start(UNIFIED_COUNT_BYTES));
    TRY_CUDA(gpu_prefetch_async(probe, PROBE_BYTES, device, 0));
    TRY(cupti_records_stop());
    if (bytes_in >= PROBE_BYTES)
        return DM_OK;
    return dm_fail(DM_UNAVAILABLE, "CUPTI recorded %llu of %d bytes of a migration",
                   (unsigned long long)bytes_in, (int)PROBE_BYTES);
}

static enum dm_status prepare(void)
{
    char *probe = NULL;

    TRY(cupti_records_open(add));
    TRY_CUDA(cudaMallocManaged((void **)&probe, PROBE_BYTES, cudaMemAttachGlobal));
    const enum dm_status status = count_probe(probe);
    cudaFree(probe);
    return status;
}

/* From now on nothing is counted if CUPTI is missing or reported an error. Other errors are the
 * caller's. */
static enum dm_status keep(enum dm_status status)
{
    state = status == DM_OK ? WORKS : BROKEN;
    if (status == DM_UNAVAILABLE)
        snprintf(why_not, sizeof why_not, "%s", dm_message());
    return status == DM_UNAVAILABLE ? DM_OK : status;
}

enum dm_status unified_count_start(enum unified_counted counted)
{
    if (state == UNTRIED)
        TRY(keep(prepare()));
    if (state == WORKS)
        TRY(keep(start(counted)));
    kind_counted = counted;
    return DM_OK;
}

enum dm_status unified_count_stop(struct unified_traffic *traffic)
{
    *traffic = (struct unified_traffic){.known = false};
    if (state == WORKS)
        TRY(keep(cupti_records_stop()));
    if (state != WORKS)
        return status_of_cuda(cudaDeviceSynchronize());
    const size_t lost = cupti_records_lost();
    if (lost > 0) {
        snprintf(why_not, sizeof why_not, "CUPTI lost %zu records", lost);
        return DM_OK;
    }
    *traffic = (struct unified_traffic){.known = kind_counted == UNIFIED_COUNT_BYTES,
                                        .faults_known = kind_counted == UNIFIED_COUNT_FAULTS,
                                        .bytes_to_device = bytes_in,
                                        .bytes_from_device = bytes_out,
                                        .device_faults = device_faults,
                                        .host_faults = host_faults,
                                        .evictions = evictions};
    return DM_OK;
}

enum dm_status unified_count_check(void)
{
    return *why_not ? dm_fail(DM_UNAVAILABLE, "%s", why_not) : DM_OK;
}
#endif
#endif
