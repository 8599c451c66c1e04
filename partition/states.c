/* states.c: a launch or a copy as a transition from one state of a buffer to the next. */
#include <stdlib.h>
#include <string.h>

#include "device_copies.h"
#include "states_internal.h"

/* What of a launch or a copy to a device is being worked out. */
struct step {
    struct partition_states *table;
    const struct partition_state *state;
    bool coalesce;
    int64_t unit;
    struct device_copies copies;
};

/* ---- where missing bytes come from ---- */

/* The k-th location from which `location` takes bytes that it misses. Devices begin with the next
 * one, so that not all take from the same; the host is the last. */
static int source_of(const struct step *step, int location, int k)
{
    int devices = step->table->devices;
    if (location == devices)
        return k;
    return k < devices - 1 ? (location + 1 + k) % devices : devices;
}

/* Takes from each source what it has of the missing bytes; what nobody has
 * remains. */
static enum dm_status take_from_sources(const struct step *step, int location,
                                        struct partition_intervals *missing,
                                        struct partition_intervals *taken)
{
    for (int k = 0; k < step->table->devices && missing->count > 0; k++) {
        int source = source_of(step, location, k);
        const struct partition_intervals *there = &step->state->at[source]->set;
        if (there->count == 0)
            continue;
        TRY(intervals_intersect(&taken[source], missing, there));
        TRY(intervals_remove(missing, &taken[source]));
    }
    return DM_OK;
}

static enum dm_status add_copies(struct step *step, int location,
                                 const struct partition_intervals *taken)
{
    for (int source = 0; source <= step->table->devices; source++)
        TRY(device_copies_add(&step->copies, source, location, &taken[source], step->coalesce,
                              step->unit));
    return DM_OK;
}

/* Lists the copies that bring `range` to the location; `have`: what is up to
 * date there then. */
static enum dm_status fetch(struct step *step, int location,
                            const struct partition_intervals *range,
                            struct partition_intervals *have)
{
    const struct partition_intervals *before = &step->state->at[location]->set;
    struct partition_intervals missing = {0}, taken[PARTITION_MAX_DEVICES + 1] = {{0}};
    enum dm_status status = intervals_subtract(&missing, range, before);
    if (status == DM_OK)
        status = take_from_sources(step, location, &missing, taken);
    if (status == DM_OK)
        status = add_copies(step, location, taken);
    if (status == DM_OK)
        status = intervals_copy(have, before);
    for (int source = 0; source <= step->table->devices; source++) {
        if (status == DM_OK)
            status = intervals_add(have, &taken[source]);
        partition_intervals_free(&taken[source]);
    }
    partition_intervals_free(&missing);
    return status;
}

/* ---- what is written ---- */

static enum dm_status check_within(const struct partition_states *table,
                                   const struct partition_intervals *set)
{
    if (set->count == 0 ||
        (set->items[0].begin >= 0 && set->items[set->count - 1].end <= table->bytes))
        return DM_OK;
    return dm_fail(DM_INVALID, "bytes %lld to %lld are accessed of a buffer that has %lld bytes",
                   (long long)set->items[0].begin, (long long)set->items[set->count - 1].end,
                   (long long)table->bytes);
}

static enum dm_status check_location(const struct partition_states *table, int location)
{
    if (location >= 0 && location <= table->devices)
        return DM_OK;
    return dm_fail(DM_INVALID, "location %d: devices are 0 to %d, and the host is %d", location,
                   table->devices - 1, table->devices);
}

/* Fails with the names of two devices that write the same byte; there are some. */
static enum dm_status conflict(int devices, const struct partition_intervals *writes)
{
    for (int first = 0; first < devices; first++)
        for (int second = first + 1; second < devices; second++) {
            struct partition_intervals common = {0};
            TRY(intervals_intersect(&common, &writes[first], &writes[second]));
            bool is_found = common.count > 0;
            int64_t byte = is_found ? common.items[0].begin : 0;
            partition_intervals_free(&common);
            if (is_found)
                return dm_fail(DM_INVALID, "devices %d and %d both write byte %lld", first, second,
                               (long long)byte);
        }
    return dm_fail(DM_INVALID, "two devices write the same byte");
}

/* all = what any device writes. */
static enum dm_status unite_writes(int devices, const struct partition_intervals *writes,
                                   struct partition_intervals *all)
{
    int64_t total = 0;
    for (int device = 0; device < devices; device++) {
        total += intervals_total(&writes[device]);
        TRY(intervals_add(all, &writes[device]));
    }
    return intervals_total(all) == total ? DM_OK : conflict(devices, writes);
}

/* The location's set after it holds `have`, all have written `all` and itself `own`. */
static enum dm_status after_writes(struct partition_states *table, struct partition_intervals *have,
                                   const struct partition_intervals *all,
                                   const struct partition_intervals *own, struct byte_set **after)
{
    TRY(intervals_remove(have, all));
    TRY(intervals_add(have, own));
    return unique_set(table, have, after);
}

/* ---- transitions ---- */

/* Takes over the copies, if `computed` is DM_OK. */
static enum dm_status finish(struct step *step, const struct next_state *next,
                             enum dm_status computed, struct partition_transition *out)
{
    enum dm_status status =
        computed == DM_OK ? unique_state(step->table, next, &out->next) : computed;
    if (status != DM_OK) {
        free(step->copies.items);
        return status;
    }
    out->copies = step->copies.items;
    out->copy_count = step->copies.count;
    return DM_OK;
}

static enum dm_status compute_device(struct step *step, int device,
                                     const struct partition_intervals *reads,
                                     const struct partition_intervals *all,
                                     const struct partition_intervals *own, struct next_state *next)
{
    struct partition_intervals have = {0};
    enum dm_status status = fetch(step, device, reads, &have);
    if (status == DM_OK)
        status = after_writes(step->table, &have, all, own, &next->at[device]);
    partition_intervals_free(&have);
    return status;
}

static enum dm_status compute_host(struct step *step, const struct partition_intervals *all,
                                   struct next_state *next)
{
    const struct partition_intervals none = {0};
    return compute_device(step, step->table->devices, &none, all, &none, next);
}

enum dm_status partition_states_launch(struct partition_states *table,
                                       const struct partition_state *state,
                                       const struct partition_intervals *reads,
                                       const struct partition_intervals *writes, bool coalesce,
                                       int64_t unit, struct partition_transition *out)
{
    *out = (struct partition_transition){0};
    for (int device = 0; device < table->devices; device++) {
        TRY(check_within(table, &reads[device]));
        TRY(check_within(table, &writes[device]));
    }
    TRY(device_copies_check_unit(coalesce, unit));
    struct partition_intervals all = {0};
    struct step step = {table, state, coalesce, unit, {0}};
    struct next_state next;
    enum dm_status status = unite_writes(table->devices, writes, &all);
    for (int device = 0; status == DM_OK && device < table->devices; device++)
        status = compute_device(&step, device, &reads[device], &all, &writes[device], &next);
    if (status == DM_OK)
        status = compute_host(&step, &all, &next);
    partition_intervals_free(&all);
    return finish(&step, &next, status, out);
}

enum dm_status partition_states_fetch(struct partition_states *table,
                                      const struct partition_state *state, int location,
                                      const struct partition_intervals *range,
                                      struct partition_transition *out)
{
    *out = (struct partition_transition){0};
    TRY(check_location(table, location));
    TRY(check_within(table, range));
    struct step step = {table, state, true, 0, {0}};
    struct partition_intervals have = {0};
    struct next_state next;
    memcpy(next.at, state->at, (size_t)(table->devices + 1) * sizeof next.at[0]);
    enum dm_status status = fetch(&step, location, range, &have);
    if (status == DM_OK)
        status = unique_set(table, &have, &next.at[location]);
    partition_intervals_free(&have);
    return finish(&step, &next, status, out);
}

enum dm_status partition_states_written(struct partition_states *table,
                                        const struct partition_state *state, int location,
                                        const struct partition_intervals *range,
                                        const struct partition_state **next)
{
    const struct partition_intervals none = {0};
    struct next_state after;
    TRY(check_location(table, location));
    TRY(check_within(table, range));
    for (int other = 0; other <= table->devices; other++) {
        struct partition_intervals have = {0};
        enum dm_status status = intervals_copy(&have, &state->at[other]->set);
        if (status == DM_OK)
            status = after_writes(table, &have, range, other == location ? range : &none,
                                  &after.at[other]);
        partition_intervals_free(&have);
        TRY(status);
    }
    return unique_state(table, &after, next);
}

void partition_transition_free(struct partition_transition *transition)
{
    free(transition->copies);
    *transition = (struct partition_transition){0};
}
