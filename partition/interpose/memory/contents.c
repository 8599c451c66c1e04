/* contents.c: where the bytes of a buffer are up to date, apart from launches. */
#include "contents.h"

#include <stdlib.h>

#include "common/clock.h"
#include "partition/interpose/launch/bindings.h"
#include "partition/interpose/report/counters.h"
#include "partition/last_writer.h"

static bool follows_bytes(const struct virtual_gpu *gpu)
{
    return gpu->settings.resolution != PARTITION_LAST_WRITER;
}

bool contents_written(struct virtual_gpu *gpu, struct buffer *buffer, int location, int64_t begin,
                      int64_t end)
{
    struct index_range range = {begin, end};
    const struct intervals set = {&range, 1, 1};
    if (begin == end)
        return true;
    if (!follows_bytes(gpu))
        return false;
    buffers_limit_states(buffer);
    const struct validity *next = validity_written(buffer->table, buffer->state, location, &set);
    if (next)
        buffer->state = next;
    return next;
}

/* Up to date on one device, then copied to the others, as far as the state can tell. */
bool contents_written_everywhere(struct virtual_gpu *gpu, struct buffer *buffer, int64_t begin,
                                 int64_t end)
{
    struct index_range range = {begin, end};
    const struct intervals set = {&range, 1, 1};
    if (begin == end)
        return true;
    if (!follows_bytes(gpu)) {
        /* Copying such bytes from the launch that wrote before does no harm. */
        if (begin == 0 && end == (int64_t)buffer->bytes) {
            binding_release(buffer->last_writer);
            buffer->last_writer = NULL;
        }
        return true;
    }
    if (!contents_written(gpu, buffer, 0, begin, end))
        return false;
    for (int d = 1; d < gpu->devices; d++) {
        struct transition transition;
        char reason[PARTITION_REASON];
        if (!validity_fetch(buffer->table, buffer->state, d, &set, &transition, reason))
            return false;
        buffer->state = transition.next;
        transition_free(&transition);
    }
    return true;
}

/* A launch on device 0 that may have written all of it. */
static struct binding *first_wrote_all(struct virtual_gpu *gpu, struct buffer *buffer)
{
    struct binding *binding = binding_make(gpu, buffer);
    if (binding && intervals_push(&binding->writes[0], 0, (int64_t)buffer->bytes)) {
        binding->writes_any = true;
        return binding;
    }
    binding_release(binding);
    return NULL;
}

bool contents_written_first(struct virtual_gpu *gpu, struct buffer *buffer)
{
    if (follows_bytes(gpu)) {
        buffer->state = buffer->on_first;
        return true;
    }
    struct binding *writer = first_wrote_all(gpu, buffer);
    if (!writer)
        return false;
    binding_release(buffer->last_writer);
    buffer->last_writer = writer;
    return true;
}

/* For a copy to device 0, by the launch that wrote last. */
static bool fetch_from_last_writer(struct virtual_gpu *gpu, struct buffer *buffer,
                                   struct plan *plan)
{
    struct index_range all = {0, (int64_t)buffer->bytes};
    struct intervals reads[PARTITION_MAX_DEVICES] = {{&all, 1, 1}};
    struct device_copy *items = NULL;
    size_t count = 0;
    char reason[PARTITION_REASON];
    if (buffer->last_writer && !last_writer_copies(gpu->devices, buffer->last_writer->writes, reads,
                                                   true, 1, &items, &count, reason))
        return false;
    return copies_make(&plan->copies, gpu->devices, items, count);
}

static bool fetch_bytes(struct virtual_gpu *gpu, struct buffer *buffer, struct plan *plan)
{
    struct index_range range = {plan->begin, plan->end};
    const struct intervals set = {&range, 1, 1};
    struct transition transition;
    char reason[PARTITION_REASON];
    if (!validity_fetch(buffer->table, buffer->state, 0, &set, &transition, reason))
        return false;
    plan->next = transition.next;
    return copies_make(&plan->copies, gpu->devices, transition.copies, transition.copy_count);
}

/* Adds the bytes of `rest` that are in `available` as copies to the host and takes them out of
 * `rest`. */
static bool take(struct device_copy **items, size_t *count, int from, int host,
                 struct intervals *rest, const struct intervals *available)
{
    struct intervals found = {0};
    struct strided *runs = NULL;
    ptrdiff_t run_count = -1;
    bool done = intervals_intersect(&found, rest, available) && intervals_remove(rest, &found);
    if (done)
        run_count = intervals_strided(&found, &runs);
    intervals_free(&found);
    if (run_count <= 0) {
        free(runs);
        return run_count == 0;
    }
    struct device_copy *more = realloc(*items, (*count + (size_t)run_count) * sizeof *more);
    if (!more) {
        free(runs);
        return false;
    }
    for (ptrdiff_t i = 0; i < run_count; i++)
        more[(*count)++] = (struct device_copy){from, host, runs[i]};
    *items = more;
    free(runs);
    return true;
}

/* The host's own memory first, then device after device, then device 0 for what nobody has. */
static bool gather_bytes(struct virtual_gpu *gpu, struct buffer *buffer, struct plan *plan)
{
    struct index_range all = {0, (int64_t)buffer->bytes};
    const struct intervals whole = {&all, 1, 1};
    struct intervals rest = {0};
    struct device_copy *items = NULL;
    size_t count = 0;
    int host = gpu->devices;
    const struct binding *last = buffer->last_writer;
    bool done = intervals_push(&rest, plan->begin, plan->end);
    if (follows_bytes(gpu))
        done = done && take(&items, &count, host, host, &rest, validity_at(buffer->state, host));
    for (int d = 0; d < gpu->devices && done && rest.count; d++) {
        if (follows_bytes(gpu))
            done = take(&items, &count, d, host, &rest, validity_at(buffer->state, d));
        else if (last)
            done = take(&items, &count, d, host, &rest, &last->writes[d]);
    }
    done = done && take(&items, &count, 0, host, &rest, &whole);
    intervals_free(&rest);
    if (!done)
        free(items);
    return done && copies_make(&plan->copies, gpu->devices, items, count);
}

/* The plan for a copy to the location, from the list or worked out. */
static const struct plan *plan_for(struct virtual_gpu *gpu, struct buffer *buffer, int location,
                                   int64_t begin, int64_t end)
{
    buffers_limit_states(buffer);
    const struct binding *last = buffer->last_writer;
    uintptr_t state = follows_bytes(gpu) ? (uintptr_t)buffer->state : last ? last->serial : 0;
    struct plan *plan = plans_find(&buffer->plans, buffer, state, location, begin, end);
    if (plan)
        return plan;
    plan = calloc(1, sizeof *plan);
    if (!plan)
        return NULL;
    double start_s = clock_now_s();
    *plan = (struct plan){.state = state, .location = location, .begin = begin, .end = end};
    bool done = location == gpu->devices ? gather_bytes(gpu, buffer, plan)
                : follows_bytes(gpu)     ? fetch_bytes(gpu, buffer, plan)
                                         : fetch_from_last_writer(gpu, buffer, plan);
    counters.dr_create_s += clock_now_s() - start_s;
    if (done)
        return plans_add(&buffer->plans, plan);
    free(plan);
    return NULL;
}

const struct plan *contents_fetch(struct virtual_gpu *gpu, struct buffer *buffer, int64_t begin,
                                  int64_t end)
{
    return plan_for(gpu, buffer, 0, begin, end);
}

void contents_fetched(struct buffer *buffer, const struct plan *plan)
{
    if (plan->next)
        buffer->state = plan->next;
}

const struct plan *contents_gather(struct virtual_gpu *gpu, struct buffer *buffer, int64_t begin,
                                   int64_t end)
{
    return plan_for(gpu, buffer, gpu->devices, begin, end);
}
