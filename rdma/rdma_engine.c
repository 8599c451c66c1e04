/* rdma_engine.c: sums of CUPTI's records of copies. CUPTI is loaded at run time, so that
 * programs start where it is missing; its headers must be there when this file is compiled. */
#include "rdma_engine.h"

#include "gpu.h"

#if defined(SOFTGPU) || !defined(__has_include) || !__has_include(<cupti.h>)

const char *rdma_engine_complaint(void)
{
#if defined(SOFTGPU)
    return "the software GPU has no CUPTI, which tells what a library copies";
#else
    return "the programs were compiled without CUPTI's headers (cupti.h), which tells what a "
           "library copies";
#endif
}

void rdma_engine_begin(void)
{
    fail("%s", rdma_engine_complaint());
}

struct rdma_engine_bytes rdma_engine_end(void)
{
    fail("%s", rdma_engine_complaint());
}

#else

#include "memory.h"

#include <cupti.h>
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BUFFER_BYTES = 1 << 20, RECORD_ALIGNMENT = 8, PROBE_BYTES = 1 << 20 };

/* The functions that are used, by the names of cupti_activity.h. */
static struct {
    __typeof__(cuptiActivityRegisterCallbacks) *register_callbacks;
    __typeof__(cuptiActivityEnable) *enable;
    __typeof__(cuptiActivityDisable) *disable;
    __typeof__(cuptiActivityFlushAll) *flush_all;
    __typeof__(cuptiActivityGetNextRecord) *next_record;
    __typeof__(cuptiActivityGetNumDroppedRecords) *dropped;
} cupti;

static char complaint[256];
/* CUPTI calls back from a thread of its own. */
static atomic_size_t engine_bytes, driver_bytes, lost;

/* ---- records ---- */

/* The beginning of CUpti_ActivityMemcpy and CUpti_ActivityMemcpyPtoP, which all their versions
 * share. */
struct copy_record {
    CUpti_ActivityKind kind;
    uint8_t copy_kind, source_kind, target_kind, flags;
    uint64_t bytes;
};

static void add(const struct copy_record *copy)
{
    engine_bytes += copy->bytes;
    if (copy->source_kind == CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE ||
        copy->target_kind == CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE)
        driver_bytes += copy->bytes;
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
        if (record->kind == CUPTI_ACTIVITY_KIND_MEMCPY ||
            record->kind == CUPTI_ACTIVITY_KIND_MEMCPY2)
            add((const struct copy_record *)(const void *)record);
    if (cupti.dropped(context, stream, &dropped) == CUPTI_SUCCESS)
        lost += dropped;
    free(buffer);
}

static bool start(void)
{
    engine_bytes = driver_bytes = lost = 0;
    return cupti.enable(CUPTI_ACTIVITY_KIND_MEMCPY) == CUPTI_SUCCESS &&
           cupti.enable(CUPTI_ACTIVITY_KIND_MEMCPY2) == CUPTI_SUCCESS;
}

static bool stop(void)
{
    check_cuda(cudaDeviceSynchronize());
    bool flushed = cupti.flush_all(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED) == CUPTI_SUCCESS;
    return cupti.disable(CUPTI_ACTIVITY_KIND_MEMCPY) == CUPTI_SUCCESS &&
           cupti.disable(CUPTI_ACTIVITY_KIND_MEMCPY2) == CUPTI_SUCCESS && flushed && lost == 0;
}

/* ---- the library ---- */

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
                  {"cuptiActivityEnable", &cupti.enable},
                  {"cuptiActivityDisable", &cupti.disable},
                  {"cuptiActivityFlushAll", &cupti.flush_all},
                  {"cuptiActivityGetNextRecord", &cupti.next_record},
                  {"cuptiActivityGetNumDroppedRecords", &cupti.dropped}};
    void *library = open_library();

    for (size_t i = 0; library && i < sizeof wanted / sizeof *wanted; i++) {
        void *function = dlsym(library, wanted[i].name);
        if (!function)
            return false;
        memcpy(wanted[i].function, &function, sizeof function); /* C has no such conversion */
    }
    return library && cupti.register_callbacks(give_buffer, take_buffer) == CUPTI_SUCCESS;
}

/* Late, or in a container without the driver's tools device, CUPTI may accept everything and
 * record nothing. */
static bool sees_a_copy(void)
{
    void *from = memory_allocate(MEMORY_DEVICE, PROBE_BYTES);
    void *to = memory_allocate(MEMORY_PINNED, PROBE_BYTES);

    bool started = start();
    check_cuda(cudaMemcpy(to, from, PROBE_BYTES, cudaMemcpyDeviceToHost));
    bool stopped = stop();
    memory_release(MEMORY_PINNED, to);
    memory_release(MEMORY_DEVICE, from);
    return started && stopped && engine_bytes == PROBE_BYTES;
}

const char *rdma_engine_complaint(void)
{
    static enum { UNTRIED, WORKS, REFUSED } state;

    if (state == UNTRIED) {
        state = REFUSED;
        if (!load())
            snprintf(complaint, sizeof complaint,
                     "libcupti.so.%d, which tells what a library copies, cannot be loaded: set "
                     "CUDA_HOME to the CUDA toolkit",
                     CUDART_VERSION / 1000);
        else if (!sees_a_copy())
            snprintf(complaint, sizeof complaint,
                     "CUPTI recorded %zu bytes of a copy of %d: what a library copies is not known",
                     engine_bytes, (int)PROBE_BYTES);
        else
            state = WORKS;
    }
    return state == WORKS ? NULL : complaint;
}

void rdma_engine_begin(void)
{
    if (!start())
        fail("CUPTI, which tells what a library copies, could not be started again");
}

struct rdma_engine_bytes rdma_engine_end(void)
{
    if (!stop())
        fail("CUPTI lost %zu records of copies: what a library copied is not known", lost);
    return (struct rdma_engine_bytes){.engine = engine_bytes, .driver = driver_bytes};
}

#endif
