/* unified_counters_cupti.c: sums of CUPTI's records of unified memory. */
#include "unified_counters.h"

#if !defined(SOFTGPU)
#include "common/harness/exit.h"
#include "common/cupti_records.h"
#include "common/gpu.h"

#if !defined(CUPTI_RECORDS)
void unified_counters_begin(enum unified_counted counted)
{
    (void)counted;
}

void unified_counters_end(struct unified_traffic *traffic)
{
    check_cuda(cudaDeviceSynchronize());
    *traffic = (struct unified_traffic){.known = false};
}

const char *unified_counters_complaint(void)
{
    return "the programs were compiled without CUPTI's headers (cupti.h)";
}
#else
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

enum { PROBE_BYTES = 4 << 20 };

static enum { UNTRIED, WORKS, REFUSED } state;
static enum unified_counted kind_counted;
static char complaint[256];
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

/* Keeps the reason when CUPTI refuses. */
static bool accepted(bool done)
{
    if (!done)
        snprintf(complaint, sizeof complaint, "%s", cupti_records_complaint());
    return done;
}

static bool configure(enum unified_counted counted)
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

    check_cuda(cudaGetDevice(&device));
    for (size_t i = 0; i < KINDS; i++)
        settings[i] = (CUpti_ActivityUnifiedMemoryCounterConfig){
            .scope = CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_SCOPE_PROCESS_SINGLE_DEVICE,
            .kind = kinds[i].kind,
            .deviceId = (uint32_t)device,
            .enable = kinds[i].counted == counted};
    return accepted(cupti_records_configure(settings, KINDS));
}

static bool start(enum unified_counted counted)
{
    static const CUpti_ActivityKind kinds[] = {CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER};

    bytes_in = bytes_out = device_faults = host_faults = evictions = 0;
    return configure(counted) && accepted(cupti_records_start(kinds, 1));
}

static bool stop(void)
{
    return accepted(cupti_records_stop());
}

static bool sees_a_migration(void)
{
    char *probe = NULL;
    int device;

    check_cuda(cudaGetDevice(&device));
    check_cuda(cudaMallocManaged((void **)&probe, PROBE_BYTES, cudaMemAttachGlobal));
    memset(probe, 1, PROBE_BYTES);
    bool counted = start(UNIFIED_COUNT_BYTES);
    check_cuda(gpu_prefetch_async(probe, PROBE_BYTES, device, 0));
    counted = counted && stop();
    check_cuda(cudaFree(probe));
    if (counted && bytes_in < PROBE_BYTES)
        snprintf(complaint, sizeof complaint, "CUPTI recorded %llu of %d bytes of a migration",
                 (unsigned long long)bytes_in, (int)PROBE_BYTES);
    return counted && bytes_in >= PROBE_BYTES;
}

static bool prepare(void)
{
    return accepted(cupti_records_open(add)) && sees_a_migration();
}

void unified_counters_begin(enum unified_counted counted)
{
    if (state == UNTRIED)
        state = prepare() ? WORKS : REFUSED;
    if (state == WORKS && !start(counted))
        state = REFUSED;
    kind_counted = counted;
}

void unified_counters_end(struct unified_traffic *traffic)
{
    if (state != WORKS) {
        check_cuda(cudaDeviceSynchronize());
        *traffic = (struct unified_traffic){.known = false};
        return;
    }
    if (!stop())
        state = REFUSED;
    size_t lost = cupti_records_lost();
    if (lost > 0)
        snprintf(complaint, sizeof complaint, "CUPTI lost %zu records", lost);
    bool known = state == WORKS && lost == 0;
    *traffic =
        (struct unified_traffic){.known = known && kind_counted == UNIFIED_COUNT_BYTES,
                                 .faults_known = known && kind_counted == UNIFIED_COUNT_FAULTS,
                                 .bytes_to_device = bytes_in,
                                 .bytes_from_device = bytes_out,
                                 .device_faults = device_faults,
                                 .host_faults = host_faults,
                                 .evictions = evictions};
}

const char *unified_counters_complaint(void)
{
    return *complaint ? complaint : NULL;
}
#endif
#endif
