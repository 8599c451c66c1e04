/* bindings.c: what a launch reads and writes of one buffer. */
#include "bindings.h"

#include <stdio.h>
#include <stdlib.h>

#include "common/clock.h"
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
        binding->bytes +=
            (binding->reads[d].capacity + binding->writes[d].capacity) * sizeof(struct index_range);
    memory += binding->bytes;
}

struct binding *binding_make(struct virtual_gpu *gpu, struct buffer *buffer)
{
    struct binding *binding = calloc(1, sizeof *binding);
    if (!binding)
        return NULL;
    *binding = (struct binding){.holders = 1,
                                .serial = ++gpu->serial,
                                .buffer = buffer,
                                .devices = gpu->devices,
                                .unit = 1,
                                .reads = calloc(gpu->devices, sizeof *binding->reads),
                                .writes = calloc(gpu->devices, sizeof *binding->writes)};
    if (binding->reads && binding->writes)
        return binding;
    binding_release(binding);
    return NULL;
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
static bool follow_bytes(struct virtual_gpu *gpu, const struct binding *binding, struct plan *plan,
                         char reason[PARTITION_REASON])
{
    struct transition transition = {0};
    if (!validity_launch(binding->buffer->table, binding->buffer->state, binding->reads,
                         binding->writes, gpu->settings.coalesce, binding->unit, &transition,
                         reason))
        return false;
    plan->next = transition.next;
    if (gpu->settings.resolution == PARTITION_NONE) {
        transition_free(&transition);
        transition = (struct transition){0};
    }
    if (copies_make(&plan->copies, gpu->devices, transition.copies, transition.copy_count))
        return true;
    snprintf(reason, PARTITION_REASON, "there is no memory on the host");
    return false;
}

/* The state is not looked at, but no two devices may write the same byte here either. */
static bool writes_are_apart(const struct binding *binding, char reason[PARTITION_REASON])
{
    struct intervals seen = {0};
    const char *why = NULL;
    for (int d = 0; d < binding->devices && !why; d++) {
        struct intervals common = {0};
        if (!intervals_intersect(&common, &seen, &binding->writes[d]) ||
            !intervals_add(&seen, &binding->writes[d]))
            why = "there is no memory on the host";
        else if (common.count)
            why = "two devices would write the same element";
        intervals_free(&common);
    }
    intervals_free(&seen);
    if (why)
        snprintf(reason, PARTITION_REASON, "%s", why);
    return !why;
}

/* Last writer: from the launch that wrote the buffer last. */
static bool follow_last_writer(struct virtual_gpu *gpu, const struct binding *binding,
                               struct plan *plan, char reason[PARTITION_REASON])
{
    const struct binding *last = binding->buffer->last_writer;
    struct device_copy *items = NULL;
    size_t count = 0;
    if (!writes_are_apart(binding, reason))
        return false;
    if (last && !last_writer_copies(gpu->devices, last->writes, binding->reads,
                                    gpu->settings.coalesce, binding->unit, &items, &count, reason))
        return false;
    if (copies_make(&plan->copies, gpu->devices, items, count))
        return true;
    snprintf(reason, PARTITION_REASON, "there is no memory on the host");
    return false;
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

static struct plan *work_out(struct virtual_gpu *gpu, struct binding *binding, uintptr_t state,
                             char reason[PARTITION_REASON])
{
    double start_s = clock_now_s();
    struct plan *plan = calloc(1, sizeof *plan);
    if (!plan) {
        snprintf(reason, PARTITION_REASON, "there is no memory on the host");
        return NULL;
    }
    plan->state = state;
    bool last_writer = gpu->settings.resolution == PARTITION_LAST_WRITER;
    bool done = last_writer ? follow_last_writer(gpu, binding, plan, reason)
                            : follow_bytes(gpu, binding, plan, reason);
    double spent_s = clock_now_s() - start_s;
    counters.dr_create_s += spent_s;
    counters.dep_calc_s += spent_s;
    if (!done) {
        free(plan);
        return NULL;
    }
    counters.dr_created += is_dependency(gpu, binding);
    return plans_add(&binding->plans, plan);
}

const struct plan *binding_plan(struct virtual_gpu *gpu, struct binding *binding,
                                char reason[PARTITION_REASON])
{
    buffers_limit_states(binding->buffer);
    uintptr_t state = state_of(gpu, binding->buffer);
    const struct plan *plan = plans_find(&binding->plans, binding->buffer, state, 0, 0, 0);
    return plan ? plan : work_out(gpu, binding, state, reason);
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
