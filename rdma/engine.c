/* engine.c: sums of CUPTI's records of copies. */
#include "engine.h"

#include "common/cupti_records.h"
#include "common/gpu.h"
#include "common/harness/exit.h"

#if !defined(CUPTI_RECORDS)

enum dm_status engine_check(void)
{
#if defined(SOFTGPU)
    return dm_fail(DM_UNAVAILABLE, "the software GPU has no CUPTI, which tells what a library "
                                   "copies");
#else
    return dm_fail(DM_UNAVAILABLE,
                   "the programs were compiled without CUPTI's headers (cupti.h), which tells what "
                   "a library copies");
#endif
}

void engine_begin(void)
{
    check_status(engine_check());
}

struct engine_bytes engine_end(void)
{
    check_status(engine_check());
    return (struct engine_bytes){0, 0};
}

#else

#include "common/harness/allocate.h"

#include <stdatomic.h>
#include <stdio.h>

enum { PROBE_BYTES = 1 << 20, KINDS = 2 };

static const CUpti_ActivityKind kinds[KINDS] = {CUPTI_ACTIVITY_KIND_MEMCPY,
                                                CUPTI_ACTIVITY_KIND_MEMCPY2};
/* CUPTI calls back from a thread of its own. */
static atomic_size_t engine_bytes, driver_bytes;

/* The beginning of CUpti_ActivityMemcpy and CUpti_ActivityMemcpyPtoP, which all their versions
 * share. */
struct copy_record {
    CUpti_ActivityKind kind;
    uint8_t copy_kind, source_kind, target_kind, flags;
    uint64_t bytes;
};

static void add(const CUpti_Activity *record)
{
    const struct copy_record *copy = (const struct copy_record *)(const void *)record;
    if (copy->kind != CUPTI_ACTIVITY_KIND_MEMCPY && copy->kind != CUPTI_ACTIVITY_KIND_MEMCPY2)
        return;
    engine_bytes += copy->bytes;
    if (copy->source_kind == CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE ||
        copy->target_kind == CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE)
        driver_bytes += copy->bytes;
}

static enum dm_status start(void)
{
    engine_bytes = driver_bytes = 0;
    return cupti_records_start(kinds, KINDS);
}

static bool sees_a_copy(void)
{
    void *from = memory_allocate(MEMORY_DEVICE, PROBE_BYTES);
    void *to = memory_allocate(MEMORY_PINNED, PROBE_BYTES);
    bool is_started = start() == DM_OK;
    check_cuda(cudaMemcpy(to, from, PROBE_BYTES, cudaMemcpyDeviceToHost));
    bool is_stopped = cupti_records_stop() == DM_OK;
    memory_release(MEMORY_PINNED, to);
    memory_release(MEMORY_DEVICE, from);
    return is_started && is_stopped && cupti_records_lost() == 0 && engine_bytes == PROBE_BYTES;
}

enum dm_status engine_check(void)
{
    static enum { UNTRIED, WORKS, SILENT, BLIND } state;
    static char why_silent[256];
    if (state == UNTRIED) {
        state = cupti_records_open(add) != DM_OK ? SILENT : sees_a_copy() ? WORKS : BLIND;
        snprintf(why_silent, sizeof why_silent, "%s", dm_message());
    }
    if (state == SILENT)
        return dm_fail(DM_UNAVAILABLE, "what a library copies is not known: %s", why_silent);
    if (state == BLIND)
        return dm_fail(
            DM_UNAVAILABLE,
            "CUPTI did not record a copy of %d bytes: what a library copies is not known",
            (int)PROBE_BYTES);
    return DM_OK;
}

void engine_begin(void)
{
    if (start() != DM_OK)
        fail("%s: what a library copies is not known", dm_message());
}

struct engine_bytes engine_end(void)
{
    if (cupti_records_stop() != DM_OK)
        fail("%s: what a library copied is not known", dm_message());
    if (cupti_records_lost() > 0)
        fail("CUPTI lost %zu records of copies: what a library copied is not known",
             cupti_records_lost());
    return (struct engine_bytes){.engine = engine_bytes, .driver = driver_bytes};
}

#endif
