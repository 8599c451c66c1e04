/* bindings.c: what a launch reads and writes of one buffer. */
#include "bindings.h"

#include <stdlib.h>

#include "common/clock.h"
#include "common/error.h"
#include "partition/interpose/report/counters.h"
#include "partition/last_writer.h"

/* Of all bindings; there is one virtual GPU at a time, and all of its functions run under one lock.
 */
static size_t memory;

size_t bindings_memory(void)
{
    return memory + plans_memory();
}

void binding_note_memory(struct binding *binding)
{
    memory -= binding->bytes;
    binding->bytes = sizeof *binding;
    for (int d = 0; d < binding->devices; d++)
        binding->bytes += (binding->reads[d].capacity + binding->writes[d].capacity) *
                          sizeof(struct partition_range);
    memory += binding->bytes;
}

enum dm_status binding_make(struct virtual_gpu *gpu, struct buffer *buffer, struct binding **made)
{
    struct binding *binding = calloc(1, sizeof *binding);
    if (!binding)
        return error_no_memory(sizeof *binding);
    *binding = (struct binding){.holders = 1,
                                .serial = ++gpu->serial,
                                .buffer = buffer,
                                .devices = gpu->devices,
                                .unit = 1,
                                .reads = calloc(gpu->devices, sizeof *binding->reads),
                                .writes = calloc(gpu->devices, sizeof *binding->writes)};
    if (!binding->reads || !binding->writes) {
        binding_release(binding);
        return error_no_memory((size_t)gpu->devices * sizeof *binding->reads);
    }
    *made = binding;
    return DM_OK;
}

void binding_release(struct binding *binding)
{
    if (!binding || --binding->holders)
        return;
    memory -= binding->bytes;
    intervals_free_array(binding->reads, binding->devices);
    intervals_free_array(binding->writes, binding->devices);
    plans_free(&binding->plans);
    free(binding);
}

/* Exact: from the state of every byte. */
static enum dm_status follow_bytes(struct virtual_gpu *gpu, const struct binding *binding,
                                   struct plan *plan)
{
    struct partition_transition transition = {0};
    TRY(partition_states_launch(binding->buffer->table, binding->buffer->state, binding->reads,
                                binding->writes, gpu->settings.coalesce, binding->unit,
                                &transition));
    plan->next = transition.next;
    if (gpu->settings.resolution == PARTITION_NONE) {
        partition_transition_free(&transition);
        transition = (struct partition_transition){0};
    }
    return copies_make(&plan->copies, gpu->devices, transition.copies, transition.copy_count);
}

static enum dm_status add_writes(struct partition_intervals *seen,
                                 const struct partition_intervals *writes)
{
    struct partition_intervals common = {0};
    enum dm_status status = intervals_intersect(&common, seen, writes);
    bool twice = common.count;
    partition_intervals_free(&common);
    TRY(status);
    if (twice)
        return dm_fail(DM_INVALID, "two devices would write the same element");
    return intervals_add(seen, writes);
}

/* The state is not looked at, but no two devices may write the same byte here either. */
static enum dm_status check_writes(const struct binding *binding)
{
    struct partition_intervals seen = {0};
    enum dm_status status = DM_OK;
    for (int d = 0; d < binding->devices && status == DM_OK; d++)
        status = add_writes(&seen, &binding->writes[d]);
    partition_intervals_free(&seen);
    return status;
}

/* Last writer: from the launch that wrote the buffer last. */
static enum dm_status follow_last_writer(struct virtual_gpu *gpu, const struct binding *binding,
                                         struct plan *plan)
{
    const struct binding *last = binding->buffer->last_writer;
    struct partition_copy *items = NULL;
    size_t count = 0;
    TRY(check_writes(binding));
    if (last)
        TRY(last_writer_copies(gpu->devices, last->writes, binding->reads, gpu->settings.coalesce,
                               binding->unit, &items, &count));
    return copies_make(&plan->copies, gpu->devices, items, count);
}

static uintptr_t state_of(const struct virtual_gpu *gpu, const struct buffer *buffer)
{
    if (gpu->settings.resolution != PARTITION_LAST_WRITER)
        return (uintptr_t)buffer->state;
    return buffer->last_writer ? (uintptr_t)buffer->last_writer->serial : 0;
}

/* The last-writer rule makes an object only where a launch reads what an earlier one wrote. */
static bool is_dependency(const struct virtual_gpu *gpu, const struct binding *binding)
{
    if (gpu->settings.resolution != PARTITION_LAST_WRITER)
        return true;
    bool reads_any = false;
    for (int d = 0; d < binding->devices; d++)
        reads_any = reads_any || binding->reads[d].count;
    return binding->buffer->last_writer && reads_any;
}

static enum dm_status work_out(struct virtual_gpu *gpu, struct binding *binding, uintptr_t state,
                               const struct plan **worked_out)
{
    double start_s = clock_now_s();
    struct plan *plan = calloc(1, sizeof *plan);
    if (!plan)
        return error_no_memory(sizeof *plan);
    plan->state = state;
    bool last_writer = gpu->settings.resolution == PARTITION_LAST_WRITER;
    enum dm_status status =
        last_writer ? follow_last_writer(gpu, binding, plan) : follow_bytes(gpu, binding, plan);
    double spent_s = clock_now_s() - start_s;
    counters.dr_create_s += spent_s;
    counters.dep_calc_s += spent_s;
    if (status != DM_OK) {
        free(plan);
        return status;
    }
    counters.dr_created += is_dependency(gpu, binding);
    TRY(plans_add(&binding->plans, plan));
    *worked_out = plan;
    return DM_OK;
}

enum dm_status binding_plan(struct virtual_gpu *gpu, struct binding *binding,
                            const struct plan **plan)
{
    buffers_limit_states(binding->buffer);
    uintptr_t state = state_of(gpu, binding->buffer);
    *plan = plans_find(&binding->plans, binding->buffer, state, 0, 0, 0);
    return *plan ? DM_OK : work_out(gpu, binding, state, plan);
}

void binding_launched(struct virtual_gpu *gpu, struct binding *binding, const struct plan *plan)
{
    struct buffer *buffer = binding->buffer;
    if (gpu->settings.resolution != PARTITION_LAST_WRITER) {
        buffer->state = plan->next;
    } else if (binding->writes_any && buffer->last_writer != binding) {
        binding_release(buffer->last_writer);
        binding->holders++;
        buffer->last_writer = binding;
    }
}
