/* contents.c: where the bytes of a buffer are up to date, apart from launches. */
#include "contents.h"

#include <stdlib.h>

#include "common/clock.h"
#include "common/error.h"
#include "partition/interpose/launch/bindings.h"
#include "partition/interpose/report/counters.h"
#include "partition/last_writer.h"

static bool follows_bytes(const struct virtual_gpu *gpu)
{
    return gpu->settings.resolution != PARTITION_LAST_WRITER;
}

enum dm_status contents_written(struct virtual_gpu *gpu, struct buffer *buffer, int location,
                                int64_t begin, int64_t end)
{
    struct partition_range range = {begin, end};
    const struct partition_intervals set = {&range, 1, 1};
    if (begin == end)
        return DM_OK;
    if (!follows_bytes(gpu))
        return dm_fail(DM_INVALID, "only what launches write is followed");
    buffers_limit_states(buffer);
    return partition_states_written(buffer->table, buffer->state, location, &set, &buffer->state);
}

/* The device gets what device 0 has of the set. */
static enum dm_status note_copy(struct buffer *buffer, int device,
                                const struct partition_intervals *set)
{
    struct partition_transition transition;
    TRY(partition_states_fetch(buffer->table, buffer->state, device, set, &transition));
    buffer->state = transition.next;
    partition_transition_free(&transition);
    return DM_OK;
}

/* Up to date on one device, then copied to the others, as far as the state can tell. */
enum dm_status contents_written_everywhere(struct virtual_gpu *gpu, struct buffer *buffer,
                                           int64_t begin, int64_t end)
{
    struct partition_range range = {begin, end};
    const struct partition_intervals set = {&range, 1, 1};
    if (begin == end)
        return DM_OK;
    if (!follows_bytes(gpu)) {
        /* Copying such bytes from the launch that wrote before does no harm. */
        if (begin == 0 && end == (int64_t)buffer->bytes) {
            binding_release(buffer->last_writer);
            buffer->last_writer = NULL;
        }
        return DM_OK;
    }
    TRY(contents_written(gpu, buffer, 0, begin, end));
    for (int d = 1; d < gpu->devices; d++)
        TRY(note_copy(buffer, d, &set));
    return DM_OK;
}

/* A launch on device 0 that may have written all of it. */
static enum dm_status first_wrote_all(struct virtual_gpu *gpu, struct buffer *buffer,
                                      struct binding **writer)
{
    struct binding *binding;
    TRY(binding_make(gpu, buffer, &binding));
    enum dm_status status =
        partition_intervals_push(&binding->writes[0], 0, (int64_t)buffer->bytes);
    if (status != DM_OK) {
        binding_release(binding);
        return status;
    }
    binding->writes_any = true;
    *writer = binding;
    return DM_OK;
}

enum dm_status contents_written_first(struct virtual_gpu *gpu, struct buffer *buffer)
{
    if (follows_bytes(gpu)) {
        buffer->state = buffer->on_first;
        return DM_OK;
    }
    struct binding *writer;
    TRY(first_wrote_all(gpu, buffer, &writer));
    binding_release(buffer->last_writer);
    buffer->last_writer = writer;
    return DM_OK;
}

/* For a copy to device 0, by the launch that wrote last. */
static enum dm_status fetch_from_last_writer(struct virtual_gpu *gpu, struct buffer *buffer,
                                             struct plan *plan)
{
    struct partition_range all = {0, (int64_t)buffer->bytes};
    struct partition_intervals reads[PARTITION_MAX_DEVICES] = {{&all, 1, 1}};
    struct partition_copy *items = NULL;
    size_t count = 0;
    if (buffer->last_writer)
        TRY(last_writer_copies(gpu->devices, buffer->last_writer->writes, reads, true, 1, &items,
                               &count));
    return copies_make(&plan->copies, gpu->devices, items, count);
}

static enum dm_status fetch_bytes(struct virtual_gpu *gpu, struct buffer *buffer, struct plan *plan)
{
    struct partition_range range = {plan->begin, plan->end};
    const struct partition_intervals set = {&range, 1, 1};
    struct partition_transition transition;
    TRY(partition_states_fetch(buffer->table, buffer->state, 0, &set, &transition));
    plan->next = transition.next;
    return copies_make(&plan->copies, gpu->devices, transition.copies, transition.copy_count);
}

/* Adds the runs as copies to the host. */
static enum dm_status add_runs(struct partition_copy **items, size_t *count, int from, int host,
                               const struct partition_runs *runs, size_t run_count)
{
    size_t bytes = (*count + run_count) * sizeof **items;
    struct partition_copy *more = run_count ? realloc(*items, bytes) : *items;
    if (run_count && !more)
        return error_no_memory(bytes);
    for (size_t i = 0; i < run_count; i++)
        more[(*count)++] = (struct partition_copy){from, host, runs[i]};
    *items = more;
    return DM_OK;
}

/* Adds the bytes of `rest` that are in `available` as copies to the host and takes them out of
 * `rest`. */
static enum dm_status take(struct partition_copy **items, size_t *count, int from, int host,
                           struct partition_intervals *rest,
                           const struct partition_intervals *available)
{
    struct partition_intervals found = {0};
    struct partition_runs *runs = NULL;
    size_t run_count = 0;
    enum dm_status status = intervals_intersect(&found, rest, available);
    if (status == DM_OK)
        status = intervals_remove(rest, &found);
    if (status == DM_OK)
        status = intervals_strided(&found, &runs, &run_count);
    if (status == DM_OK)
        status = add_runs(items, count, from, host, runs, run_count);
    partition_intervals_free(&found);
    free(runs);
    return status;
}

/* The host's own memory first, then device after device, then device 0 for what nobody has. */
static enum dm_status take_all(struct virtual_gpu *gpu, const struct buffer *buffer,
                               struct partition_intervals *rest, struct partition_copy **items,
                               size_t *count)
{
    struct partition_range all = {0, (int64_t)buffer->bytes};
    const struct partition_intervals whole = {&all, 1, 1};
    int host = gpu->devices;
    const struct binding *last = buffer->last_writer;
    if (follows_bytes(gpu))
        TRY(take(items, count, host, host, rest, partition_states_at(buffer->state, host)));
    for (int d = 0; d < gpu->devices && rest->count; d++) {
        if (follows_bytes(gpu))
            TRY(take(items, count, d, host, rest, partition_states_at(buffer->state, d)));
        else if (last)
            TRY(take(items, count, d, host, rest, &last->writes[d]));
    }
    return take(items, count, 0, host, rest, &whole);
}

static enum dm_status gather_bytes(struct virtual_gpu *gpu, struct buffer *buffer,
                                   struct plan *plan)
{
    struct partition_intervals rest = {0};
    struct partition_copy *items = NULL;
    size_t count = 0;
    enum dm_status status = partition_intervals_push(&rest, plan->begin, plan->end);
    if (status == DM_OK)
        status = take_all(gpu, buffer, &rest, &items, &count);
    partition_intervals_free(&rest);
    if (status == DM_OK)
        return copies_make(&plan->copies, gpu->devices, items, count);
    free(items);
    return status;
}

static enum dm_status work_out(struct virtual_gpu *gpu, struct buffer *buffer, struct plan *plan)
{
    double start_s = clock_now_s();
    enum dm_status status = plan->location == gpu->devices ? gather_bytes(gpu, buffer, plan)
                            : follows_bytes(gpu)           ? fetch_bytes(gpu, buffer, plan)
                                                 : fetch_from_last_writer(gpu, buffer, plan);
    counters.dr_create_s += clock_now_s() - start_s;
    return status;
}

/* The plan for a copy to the location, from the list or worked out. */
static enum dm_status plan_for(struct virtual_gpu *gpu, struct buffer *buffer, int location,
                               int64_t begin, int64_t end, const struct plan **found)
{
    buffers_limit_states(buffer);
    const struct binding *last = buffer->last_writer;
    uintptr_t state = follows_bytes(gpu) ? (uintptr_t)buffer->state : last ? last->serial : 0;
    *found = plans_find(&buffer->plans, buffer, state, location, begin, end);
    if (*found)
        return DM_OK;
    struct plan *plan = calloc(1, sizeof *plan);
    if (!plan)
        return error_no_memory(sizeof *plan);
    *plan = (struct plan){.state = state, .location = location, .begin = begin, .end = end};
    enum dm_status status = work_out(gpu, buffer, plan);
    if (status != DM_OK) {
        free(plan);
        return status;
    }
    TRY(plans_add(&buffer->plans, plan));
    *found = plan;
    return DM_OK;
}

enum dm_status contents_fetch(struct virtual_gpu *gpu, struct buffer *buffer, int64_t begin,
                              int64_t end, const struct plan **plan)
{
    return plan_for(gpu, buffer, 0, begin, end, plan);
}

void contents_fetched(struct buffer *buffer, const struct plan *plan)
{
    if (plan->next)
        buffer->state = plan->next;
}

enum dm_status contents_gather(struct virtual_gpu *gpu, struct buffer *buffer, int64_t begin,
                               int64_t end, const struct plan **plan)
{
    return plan_for(gpu, buffer, gpu->devices, begin, end, plan);
}
