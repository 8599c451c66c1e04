/* validity.c: a launch or a copy as a transition from one state of a buffer to the next. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device_copies.h"
#include "validity_internal.h"

/* What of a launch or a copy to a device is being worked out. */
struct step {
    struct validity_table *table;
    const struct validity *state;
    bool coalesce;
    int64_t unit;
    struct device_copies copies;
};

/* ---- where missing bytes come from ---- */

/* The k-th location to ask for bytes that `location` misses. Devices ask the
 * next one first, so that not all ask the same; the host is the last. */
static int source_of(const struct step *step, int location, int k)
{
    int devices = step->table->devices;
    if (location == devices)
        return k;
    return k < devices - 1 ? (location + 1 + k) % devices : devices;
}

/* Takes from each source what it has of the missing bytes; what nobody has
 * remains. */
static bool take_from_sources(const struct step *step, int location, struct intervals *missing,
                              struct intervals *taken)
{
    for (int k = 0; k < step->table->devices && missing->count > 0; k++) {
        int source = source_of(step, location, k);
        const struct intervals *there = &step->state->at[source]->set;
        if (there->count == 0)
            continue;
        if (!intervals_intersect(&taken[source], missing, there) ||
            !intervals_remove(missing, &taken[source]))
            return false;
    }
    return true;
}

static bool add_copies(struct step *step, int location, const struct intervals *taken)
{
    for (int source = 0; source <= step->table->devices; source++)
        if (!device_copies_add(&step->copies, source, location, &taken[source], step->coalesce,
                               step->unit))
            return false;
    return true;
}

/* Lists the copies that bring `range` to the location; `have`: what is up to
 * date there then. */
static bool fetch(struct step *step, int location, const struct intervals *range,
                  struct intervals *have)
{
    const struct intervals *before = &step->state->at[location]->set;
    struct intervals missing = {0}, taken[PARTITION_MAX_DEVICES + 1] = {{0}};
    bool done = intervals_subtract(&missing, range, before) &&
                take_from_sources(step, location, &missing, taken) &&
                add_copies(step, location, taken) && intervals_copy(have, before);
    for (int source = 0; source <= step->table->devices; source++) {
        done = done && intervals_add(have, &taken[source]);
        intervals_free(&taken[source]);
    }
    intervals_free(&missing);
    return done;
}

/* ---- what is written ---- */

static bool is_within(const struct validity_table *table, const struct intervals *set,
                      char reason[PARTITION_REASON])
{
    if (set->count == 0 ||
        (set->items[0].begin >= 0 && set->items[set->count - 1].end <= table->bytes))
        return true;
    snprintf(reason, PARTITION_REASON,
             "bytes %lld to %lld are accessed of a buffer that has %lld bytes",
             (long long)set->items[0].begin, (long long)set->items[set->count - 1].end,
             (long long)table->bytes);
    return false;
}

/* Names two devices that write the same byte; there are some. */
static void find_conflict(int devices, const struct intervals *writes,
                          char reason[PARTITION_REASON])
{
    for (int first = 0; first < devices; first++)
        for (int second = first + 1; second < devices; second++) {
            struct intervals common = {0};
            bool is_found =
                intervals_intersect(&common, &writes[first], &writes[second]) && common.count > 0;
            if (is_found)
                snprintf(reason, PARTITION_REASON, "devices %d and %d both write byte %lld", first,
                         second, (long long)common.items[0].begin);
            intervals_free(&common);
            if (is_found)
                return;
        }
}

/* all = what any device writes; false with the reason if two write the same
 * byte. */
static bool unite_writes(int devices, const struct intervals *writes, struct intervals *all,
                         char reason[PARTITION_REASON])
{
    int64_t total = 0;
    for (int device = 0; device < devices; device++) {
        total += intervals_total(&writes[device]);
        if (!intervals_add(all, &writes[device]))
            return device_copies_no_memory(reason);
    }
    if (intervals_total(all) == total)
        return true;
    snprintf(reason, PARTITION_REASON, "two devices write the same byte");
    find_conflict(devices, writes, reason);
    return false;
}

/* The location's set after it holds `have`, all have written `all` and itself
 * `own`. */
static struct byte_set *after_writes(struct validity_table *table, struct intervals *have,
                                     const struct intervals *all, const struct intervals *own)
{
    if (!intervals_remove(have, all) || !intervals_add(have, own))
        return NULL;
    return unique_set(table, have);
}

/* ---- transitions ---- */

static bool finish(struct step *step, const struct next_state *next, bool is_computed,
                   struct transition *out, char reason[PARTITION_REASON])
{
    out->next = is_computed ? unique_state(step->table, next) : NULL;
    if (!out->next) {
        free(step->copies.items);
        return device_copies_no_memory(reason);
    }
    out->copies = step->copies.items;
    out->copy_count = step->copies.count;
    return true;
}

static bool compute_device(struct step *step, int device, const struct intervals *reads,
                           const struct intervals *all, const struct intervals *own,
                           struct next_state *next)
{
    struct intervals have = {0};
    next->at[device] =
        fetch(step, device, reads, &have) ? after_writes(step->table, &have, all, own) : NULL;
    intervals_free(&have);
    return next->at[device] != NULL;
}

static bool compute_host(struct step *step, const struct intervals *all, struct next_state *next)
{
    const struct intervals none = {0};
    return compute_device(step, step->table->devices, &none, all, &none, next);
}

bool validity_launch(struct validity_table *table, const struct validity *state,
                     const struct intervals *reads, const struct intervals *writes, bool coalesce,
                     int64_t unit, struct transition *out, char reason[PARTITION_REASON])
{
    *out = (struct transition){0};
    for (int device = 0; device < table->devices; device++)
        if (!is_within(table, &reads[device], reason) || !is_within(table, &writes[device], reason))
            return false;
    if (!device_copies_unit_is_valid(coalesce, unit, reason))
        return false;
    struct intervals all = {0};
    struct step step = {table, state, coalesce, unit, {0}};
    struct next_state next;
    bool is_possible = unite_writes(table->devices, writes, &all, reason);
    bool is_computed = is_possible;
    for (int device = 0; is_computed && device < table->devices; device++)
        is_computed = compute_device(&step, device, &reads[device], &all, &writes[device], &next);
    is_computed = is_computed && compute_host(&step, &all, &next);
    intervals_free(&all);
    return is_possible && finish(&step, &next, is_computed, out, reason);
}

bool validity_fetch(struct validity_table *table, const struct validity *state, int location,
                    const struct intervals *range, struct transition *out,
                    char reason[PARTITION_REASON])
{
    *out = (struct transition){0};
    if (!is_within(table, range, reason))
        return false;
    struct step step = {table, state, true, 0, {0}};
    struct intervals have = {0};
    struct next_state next;
    memcpy(next.at, state->at, (size_t)(table->devices + 1) * sizeof next.at[0]);
    next.at[location] = fetch(&step, location, range, &have) ? unique_set(table, &have) : NULL;
    intervals_free(&have);
    return finish(&step, &next, next.at[location] != NULL, out, reason);
}

const struct validity *validity_written(struct validity_table *table, const struct validity *state,
                                        int location, const struct intervals *range)
{
    const struct intervals none = {0};
    struct next_state next;
    for (int other = 0; other <= table->devices; other++) {
        struct intervals have = {0};
        next.at[other] = intervals_copy(&have, &state->at[other]->set)
                             ? after_writes(table, &have, range, other == location ? range : &none)
                             : NULL;
        intervals_free(&have);
        if (!next.at[other])
            return NULL;
    }
    return unique_state(table, &next);
}

void transition_free(struct transition *transition)
{
    free(transition->copies);
    *transition = (struct transition){0};
}
