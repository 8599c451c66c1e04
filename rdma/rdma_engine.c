/* rdma_engine.c: sums of CUPTI's records of copies. */
#include "rdma_engine.h"

#include "cupti_records.h"
#include "gpu.h"

#if !defined(CUPTI_RECORDS)

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

#include <stdatomic.h>
#include <stdio.h>

enum { PROBE_BYTES = 1 << 20, KINDS = 2 };

static const CUpti_ActivityKind kinds[KINDS] = {CUPTI_ACTIVITY_KIND_MEMCPY,
                                                CUPTI_ACTIVITY_KIND_MEMCPY2};
static char complaint[512];
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

static bool start(void)
{
    engine_bytes = driver_bytes = 0;
    return cupti_records_start(kinds, KINDS);
}

static bool sees_a_copy(void)
{
    void *from = memory_allocate(MEMORY_DEVICE, PROBE_BYTES);
    void *to = memory_allocate(MEMORY_PINNED, PROBE_BYTES);

    bool started = start();
    check_cuda(cudaMemcpy(to, from, PROBE_BYTES, cudaMemcpyDeviceToHost));
    bool stopped = cupti_records_stop();
    memory_release(MEMORY_PINNED, to);
    memory_release(MEMORY_DEVICE, from);
    return started && stopped && cupti_records_lost() == 0 && engine_bytes == PROBE_BYTES;
}

const char *rdma_engine_complaint(void)
{
    static enum { UNTRIED, WORKS, REFUSED } state;

    if (state == UNTRIED) {
        state = REFUSED;
        if (!cupti_records_open(add))
            snprintf(complaint, sizeof complaint, "what a library copies is not known: %s",
                     cupti_records_complaint());
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
        fail("%s: what a library copies is not known", cupti_records_complaint());
}

struct rdma_engine_bytes rdma_engine_end(void)
{
    if (!cupti_records_stop())
        fail("%s: what a library copied is not known", cupti_records_complaint());
    if (cupti_records_lost() > 0)
        fail("CUPTI lost %zu records of copies: what a library copied is not known",
             cupti_records_lost());
    return (struct rdma_engine_bytes){.engine = engine_bytes, .driver = driver_bytes};
}

#endif
