/* partition_states against a model with one flag for each byte and location, and the
 * last writer's number in each byte: every copy must have a source that is up
 * to date, and every byte that is read the latest value. */
#include <stdlib.h>

#include <datamotion/partition.h>

#include "tests/unit/test_status.h"

#include "intervals_test.h"

enum { DEVICES_MAX = 5, LOCATIONS = DEVICES_MAX + 1, STEPS = 400, UNIT = 4 };

struct model {
    int devices;
    bool valid[LOCATIONS][FLAGS];
    int value[LOCATIONS][FLAGS];
    int latest[FLAGS]; /* 0: never written */
    int writes;        /* numbers given so far */
};

static bool agrees(const struct partition_state *state, const struct model *model)
{
    for (int l = 0; l <= model->devices; l++)
        if (!has_flags(partition_states_at(state, l), model->valid[l]))
            return false;
    return true;
}

static void model_write(struct model *model, int location, const bool range[FLAGS])
{
    model->writes++;
    for (int i = 0; i < FLAGS; i++) {
        if (!range[i])
            continue;
        for (int l = 0; l <= model->devices; l++)
            model->valid[l][i] = l == location;
        model->value[location][i] = model->latest[i] = model->writes;
    }
}

static void copy_byte(struct model *model, const struct model *before,
                      const struct partition_copy *copy, int64_t byte, const bool (*wanted)[FLAGS])
{
    expect(byte >= 0 && byte < FLAGS);
    if (byte < 0 || byte >= FLAGS)
        return;
    expect(wanted[copy->to][byte]);
    expect(before->valid[copy->from][byte]);
    expect(!model->valid[copy->to][byte]); /* not there already, not copied twice */
    model->value[copy->to][byte] = before->value[copy->from][byte];
    model->valid[copy->to][byte] = true;
}

/* All copies take place at the same time. */
static void model_copies(struct model *model, const struct partition_transition *step,
                         const bool (*wanted)[FLAGS])
{
    struct model before = *model;
    for (size_t i = 0; i < step->copy_count; i++) {
        const struct partition_copy *copy = &step->copies[i];
        expect(i == 0 || copy->to > copy[-1].to ||
               (copy->to == copy[-1].to && copy->from >= copy[-1].from));
        for (int64_t k = 0; k < copy->bytes.count; k++)
            for (int64_t b = 0; b < copy->bytes.length; b++)
                copy_byte(model, &before, copy, copy->bytes.begin + k * copy->bytes.stride + b,
                          wanted);
    }
}

/* What was asked for has the latest value where it was asked for, if it has
 * one. */
static void check_values(const struct model *model, int location, const bool wanted[FLAGS])
{
    for (int i = 0; i < FLAGS; i++)
        if (wanted[i] && model->latest[i])
            expect(model->valid[location][i] && model->value[location][i] == model->latest[i]);
}

/* ---- random steps ---- */

struct history {
    struct partition_states *table;
    struct model model;
    const struct partition_state *state;
    const struct partition_state *states[STEPS + 1];
    bool valid[STEPS + 1][LOCATIONS][FLAGS];
    int count;
};

static void written_step(struct history *h)
{
    bool range[FLAGS];
    struct partition_intervals set = {0};
    int location = (int)next_random((uint64_t)h->model.devices + 1);
    random_flags(range, 40);
    expect_ok(set_of_flags(&set, range));
    expect_ok(partition_states_written(h->table, h->state, location, &set, &h->state));
    model_write(&h->model, location, range);
    partition_intervals_free(&set);
}

static void fetch_step(struct history *h)
{
    bool wanted[LOCATIONS][FLAGS] = {{0}};
    struct partition_intervals set = {0};
    struct partition_transition step;
    int location = (int)next_random((uint64_t)h->model.devices + 1);
    random_flags(wanted[location], 20);
    expect_ok(set_of_flags(&set, wanted[location]));
    expect_ok(partition_states_fetch(h->table, h->state, location, &set, &step));
    model_copies(&h->model, &step, wanted);
    check_values(&h->model, location, wanted[location]);
    h->state = step.next;
    partition_transition_free(&step);
    expect(!step.copies && step.copy_count == 0);
    partition_intervals_free(&set);
}

/* Gives each byte that is written to one device. */
static void random_writes(int devices, bool writes[LOCATIONS][FLAGS])
{
    bool any[FLAGS];
    random_flags(any, 20);
    int device = 0;
    for (int i = 0; i < FLAGS; i++) {
        if (next_random(10) == 0)
            device = (int)next_random((uint64_t)devices);
        writes[device][i] = any[i];
    }
}

static void check_lengths(const struct partition_transition *step, bool coalesce)
{
    for (size_t i = 0; i < step->copy_count && !coalesce; i++) {
        expect(step->copies[i].bytes.count == 1);
        expect(step->copies[i].bytes.length <= UNIT);
    }
}

static void launch_step(struct history *h)
{
    bool reads[LOCATIONS][FLAGS] = {{0}}, writes[LOCATIONS][FLAGS] = {{0}};
    struct partition_intervals read_sets[LOCATIONS] = {{0}}, write_sets[LOCATIONS] = {{0}};
    bool coalesce = next_random(2);
    random_writes(h->model.devices, writes);
    for (int d = 0; d < h->model.devices; d++) {
        random_flags(reads[d], 20);
        expect_ok(set_of_flags(&read_sets[d], reads[d]));
        expect_ok(set_of_flags(&write_sets[d], writes[d]));
    }
    struct partition_transition step;
    expect_ok(
        partition_states_launch(h->table, h->state, read_sets, write_sets, coalesce, UNIT, &step));
    check_lengths(&step, coalesce);
    model_copies(&h->model, &step, reads);
    for (int d = 0; d < h->model.devices; d++)
        check_values(&h->model, d, reads[d]);
    for (int d = 0; d < h->model.devices; d++)
        model_write(&h->model, d, writes[d]);
    h->state = step.next;
    partition_transition_free(&step);
    for (int d = 0; d < LOCATIONS; d++) {
        partition_intervals_free(&read_sets[d]);
        partition_intervals_free(&write_sets[d]);
    }
}

/* Equal sets, and only they, are the same state. */
static void check_identity(struct history *h)
{
    int known = 0;
    for (; known < h->count; known++)
        if (memcmp(h->valid[known], h->model.valid, sizeof h->model.valid) == 0)
            break;
    if (known < h->count) {
        expect(h->states[known] == h->state);
        return;
    }
    for (int i = 0; i < h->count; i++)
        expect(h->states[i] != h->state);
    memcpy(h->valid[h->count], h->model.valid, sizeof h->model.valid);
    h->states[h->count++] = h->state;
    expect(partition_states_count(h->table) == (size_t)h->count);
}

/* ---- forgetting ---- */

static void check_states(const struct history *h)
{
    for (int i = 0; i < h->count; i++)
        for (int l = 0; l <= h->model.devices; l++)
            expect(has_flags(partition_states_at(h->states[i], l), h->valid[i][l]));
}

/* Keeps the state, sometimes another one, and what a table always has: the initial one, which came
 * first. */
static void forget_most(struct history *h)
{
    int count = 1;
    for (int i = 1; i < h->count; i++) {
        if (h->states[i] != h->state && next_random(10) > 0)
            continue;
        memcpy(h->valid[count], h->valid[i], sizeof h->valid[i]);
        h->states[count++] = h->states[i];
    }
    size_t before = partition_states_memory(h->table);
    h->count = count;
    partition_states_forget(h->table, h->states + 1, (size_t)count - 1);
    expect(partition_states_memory(h->table) <= before);
    expect(partition_states_count(h->table) == (size_t)count);
    check_states(h);
}

/* What is kept takes what it was counted as when it was made. */
static void forget_none(struct history *h)
{
    size_t before = partition_states_memory(h->table);
    partition_states_forget(h->table, h->states, (size_t)h->count);
    expect(partition_states_memory(h->table) == before);
    expect(partition_states_count(h->table) == (size_t)h->count);
    check_states(h);
}

/* ---- sequences ---- */

static void sequence(int devices, bool forgets)
{
    static void (*const kinds[])(struct history *) = {written_step, fetch_step, launch_step,
                                                      forget_most, forget_none};
    struct history *h = calloc(1, sizeof *h);
    expect_ok(partition_states_create(&h->table, devices, FLAGS));
    h->model.devices = devices;
    h->state = partition_states_initial(h->table);
    check_identity(h);
    for (int step = 0; step < STEPS && h->state; step++) {
        kinds[next_random(forgets ? 5 : 3)](h);
        expect(h->state && agrees(h->state, &h->model));
        check_identity(h);
    }
    expect(h->state != NULL);
    partition_states_destroy(h->table);
    free(h);
}

static void random_sequences(void)
{
    for (int devices = 1; devices <= DEVICES_MAX; devices++)
        sequence(devices, false);
}

static void random_sequences_that_forget_states(void)
{
    for (int devices = 1; devices <= DEVICES_MAX; devices++)
        sequence(devices, true);
}

int main(void)
{
    run_test(random_sequences);
    run_test(random_sequences_that_forget_states);
    return end_tests();
}
