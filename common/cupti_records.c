#include "cupti_records.h"

#if defined(CUPTI_RECORDS)
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error_cuda.h"

enum { BUFFER_BYTES = 4 << 20, RECORD_ALIGNMENT = 8 };

/* The functions that are used, by the names of cupti_activity.h and cupti_result.h. */
static struct {
    __typeof__(cuptiActivityRegisterCallbacks) *register_callbacks;
    __typeof__(cuptiActivityConfigureUnifiedMemoryCounter) *configure;
    __typeof__(cuptiActivityEnable) *enable;
    __typeof__(cuptiActivityDisable) *disable;
    __typeof__(cuptiActivityFlushAll) *flush_all;
    __typeof__(cuptiActivityGetNextRecord) *next_record;
    __typeof__(cuptiActivityGetNumDroppedRecords) *dropped;
    __typeof__(cuptiGetResultString) *result_string;
} cupti;

static void (*take_record)(const CUpti_Activity *record);
static const CUpti_ActivityKind *started;
static size_t started_count;
static atomic_size_t lost; /* CUPTI calls back from a thread of its own */

static enum dm_status status_of_cupti(const char *what, CUptiResult result)
{
    const char *cause = "unknown error";

    if (result == CUPTI_SUCCESS)
        return DM_OK;
    cupti.result_string(result, &cause);
    return dm_fail(DM_UNAVAILABLE, "CUPTI: %s: %s", what, cause);
}

/* ---- the library ---- */

static enum dm_status open_library(void **library)
{
    char name[64], path[512];
    const char *home = getenv("CUDA_HOME"), *folders[] = {"lib64", "extras/CUPTI/lib64"};

    snprintf(name, sizeof name, "libcupti.so.%d", CUDART_VERSION / 1000);
    *library = dlopen(name, RTLD_NOW);
    for (size_t i = 0; i < 2 && !*library; i++) {
        snprintf(path, sizeof path, "%s/%s/%s", home ? home : "/usr/local/cuda", folders[i], name);
        *library = dlopen(path, RTLD_NOW);
    }
    if (*library)
        return DM_OK;
    return dm_fail(DM_UNAVAILABLE, "%s cannot be loaded: set CUDA_HOME to the CUDA toolkit", name);
}

static enum dm_status load(void)
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
    void *library;

    TRY(open_library(&library));
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        void *function = dlsym(library, wanted[i].name);
        if (!function)
            return dm_fail(DM_UNAVAILABLE, "CUPTI has no %s", wanted[i].name);
        memcpy(wanted[i].function, &function, sizeof function); /* C has no such conversion */
    }
    return DM_OK;
}

/* ---- buffers of records ---- */

static void CUPTIAPI give_buffer(uint8_t **buffer, size_t *bytes, size_t *records_max)
{
    *buffer = aligned_alloc(RECORD_ALIGNMENT, BUFFER_BYTES);
    *bytes = *buffer ? BUFFER_BYTES : 0;
    *records_max = 0;
}

static void CUPTIAPI take_buffer(CUcontext context, uint32_t stream, uint8_t *buffer, size_t bytes,
                                 size_t valid_bytes)
{
    CUpti_Activity *record = NULL;
    size_t dropped = 0;

    (void)bytes;
    while (valid_bytes > 0 && cupti.next_record(buffer, valid_bytes, &record) == CUPTI_SUCCESS)
        take_record(record);
    if (cupti.dropped(context, stream, &dropped) == CUPTI_SUCCESS)
        lost += dropped;
    free(buffer);
}

enum dm_status cupti_records_open(void (*take)(const CUpti_Activity *record))
{
    take_record = take;
    TRY(load());
    return status_of_cupti("buffers", cupti.register_callbacks(give_buffer, take_buffer));
}

/* ---- recording ---- */

enum dm_status cupti_records_configure(CUpti_ActivityUnifiedMemoryCounterConfig *settings,
                                       uint32_t count)
{
    return status_of_cupti("unified memory counters", cupti.configure(settings, count));
}

enum dm_status cupti_records_start(const CUpti_ActivityKind *kinds, size_t count)
{
    started = kinds;
    started_count = count;
    lost = 0;
    for (size_t i = 0; i < count; i++)
        TRY(status_of_cupti("start", cupti.enable(kinds[i])));
    return DM_OK;
}

enum dm_status cupti_records_stop(void)
{
    TRY_CUDA(cudaDeviceSynchronize());
    enum dm_status status =
        status_of_cupti("flush", cupti.flush_all(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED));
    for (size_t i = 0; i < started_count; i++) {
        const enum dm_status stopped = status_of_cupti("stop", cupti.disable(started[i]));
        status = status == DM_OK ? stopped : status;
    }
    return status;
}

size_t cupti_records_lost(void)
{
    return lost;
}
#endif
