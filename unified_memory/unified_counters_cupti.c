/* unified_counters_cupti.c: sums of CUPTI's records of unified memory.
 *
 * CUPTI is loaded at run time, so that programs start where it is missing. Its headers must be on
 * the compiler's path when this file is compiled (CUDA 12 and later put them beside cuda.h). */
#include "unified_counters.h"

#if !defined(SOFTGPU)
#include "gpu.h"

#if !defined(__has_include) || !__has_include(<cupti.h>)
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
#include <cupti.h>
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BUFFER_BYTES = 4 << 20, RECORD_ALIGNMENT = 8, PROBE_BYTES = 4 << 20 };

/* The functions that are used, by the names of cupti_activity.h and cupti_result.h. */
static struct {
    CUptiResult (*register_callbacks)(CUpti_BuffersCallbackRequestFunc,
                                      CUpti_BuffersCallbackCompleteFunc);
    CUptiResult (*configure)(CUpti_ActivityUnifiedMemoryCounterConfig *, uint32_t);
    CUptiResult (*enable)(CUpti_ActivityKind);
    CUptiResult (*disable)(CUpti_ActivityKind);
    CUptiResult (*flush_all)(uint32_t);
    CUptiResult (*next_record)(uint8_t *, size_t, CUpti_Activity **);
    CUptiResult (*dropped)(CUcontext, uint32_t, size_t *);
    CUptiResult (*result_string)(CUptiResult, const char **);
} cupti;

static enum { UNTRIED, WORKS, REFUSED } state;
static enum unified_counted kind_counted;
static char complaint[256];
/* CUPTI calls back from a thread of its own. */
static _Atomic unsigned long long bytes_in, bytes_out, device_faults, host_faults, evictions, lost;

/* ---- records ---- */

static void add(const CUpti_ActivityUnifiedMemoryCounter2 *record)
{
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

static void CUPTIAPI give_buffer(uint8_t **buffer, size_t *bytes, size_t *records_most)
{
    *buffer = aligned_alloc(RECORD_ALIGNMENT, BUFFER_BYTES);
    *bytes = *buffer ? BUFFER_BYTES : 0;
    *records_most = 0;
}

static void CUPTIAPI take_buffer(CUcontext context, uint32_t stream, uint8_t *buffer, size_t bytes,
                                 size_t valid_bytes)
{
    CUpti_Activity *record = NULL;
    size_t dropped = 0;

    (void)bytes;
    while (valid_bytes > 0 && cupti.next_record(buffer, valid_bytes, &record) == CUPTI_SUCCESS)
        /* CUDA 12.8 made the record longer; what is read here has stayed where it was. */
        if (record->kind == CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER)
            add((const CUpti_ActivityUnifiedMemoryCounter2 *)(const void *)record);
    if (cupti.dropped(context, stream, &dropped) == CUPTI_SUCCESS)
        lost += dropped;
    free(buffer);
}

/* ---- start ---- */

static void *open_library(void)
{
    char name[64], path[512];
    const char *home = getenv("CUDA_HOME"), *folders[] = {"lib64", "extras/CUPTI/lib64"};
    void *library;

    snprintf(name, sizeof name, "libcupti.so.%d", CUDART_VERSION / 1000);
    library = dlopen(name, RTLD_NOW);
    for (size_t i = 0; i < 2 && !library; i++) {
        snprintf(path, sizeof path, "%s/%s/%s", home ? home : "/usr/local/cuda", folders[i], name);
        library = dlopen(path, RTLD_NOW);
    }
    return library;
}

static bool load(void)
{
    const struct {
        const char *name;
        void *function;
    } wanted[] = {{"cuptiActivityRegisterCallbacks", &cupti.register_callbacks},
                  {"cuptiActivityConfigureUnifiedMemoryCounter", &cupti.configure},
                  {"cuptiActivityEnable", &cupti.enable},
                  {"cuptiActivityDisable", &cupti.disable},
                  {"cuptiActivityFlushAll", &cupti.flush_all},
                  {"cuptiActivityGetNextRecord", &cupti.next_record},
                  {"cuptiActivityGetNumDroppedRecords", &cupti.dropped},
                  {"cuptiGetResultString", &cupti.result_string}};
    void *library = open_library();

    if (!library) {
        snprintf(complaint, sizeof complaint, "libcupti.so.%d cannot be loaded",
                 CUDART_VERSION / 1000);
        return false;
    }
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        void *function = dlsym(library, wanted[i].name);
        if (!function) {
            snprintf(complaint, sizeof complaint, "CUPTI has no %s", wanted[i].name);
            return false;
        }
        memcpy(wanted[i].function, &function, sizeof function); /* C has no such conversion */
    }
    return true;
}

static bool succeeded(const char *what, CUptiResult result)
{
    const char *reason = "unknown error";

    if (result == CUPTI_SUCCESS)
        return true;
    cupti.result_string(result, &reason);
    snprintf(complaint, sizeof complaint, "CUPTI: %s: %s", what, reason);
    return false;
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
    return succeeded("unified memory counters", cupti.configure(settings, KINDS));
}

/* ---- counting ---- */

static void clear(void)
{
    bytes_in = bytes_out = device_faults = host_faults = evictions = lost = 0;
}

static bool start(enum unified_counted counted)
{
    clear();
    return configure(counted) &&
           succeeded("start", cupti.enable(CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER));
}

static bool stop(void)
{
    check_cuda(cudaDeviceSynchronize());
    bool flushed = succeeded("flush", cupti.flush_all(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED));
    return succeeded("stop", cupti.disable(CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER)) && flushed;
}

/* Whether a migration of known size is seen. CUPTI that was loaded late, or in a container without
 * the driver's tools device, may accept everything and record nothing. */
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
    return load() && succeeded("buffers", cupti.register_callbacks(give_buffer, take_buffer)) &&
           sees_a_migration();
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
    if (lost > 0)
        snprintf(complaint, sizeof complaint, "CUPTI lost %llu records", (unsigned long long)lost);
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
