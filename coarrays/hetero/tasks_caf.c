/* Handing out tasks by an atomic fetch-and-add on image 1. */
#include <stdlib.h>
#include <string.h>

#include "coarrays/bench/images.h"
#include "common/harness/exit.h"

#include "tasks.h"
#include "tasks_counter.h"

struct state {
    int tasks;
    size_t words;
    struct tasks_counter counter;
    struct caf_coarray *input;
};

static void *create(int tasks, const uint64_t *input, size_t words)
{
    struct state *state = allocate_or_fail(1, sizeof *state);
    void *memory;
    state->tasks = tasks;
    state->words = words;
    size_t bytes = (size_t)tasks * words * sizeof *input;
    check_status(tasks_counter_open(&state->counter, true));
    check_caf(caf_allocate(&state->input, bytes, CAF_DATA, &memory));
    if (caf_this_image() == 1 && bytes > 0)
        memcpy(memory, input, bytes);
    check_caf(caf_sync_all());
    return state;
}

static void start(void *context)
{
    struct state *state = context;
    if (caf_this_image() == 1)
        check_status(tasks_counter_reset(&state->counter));
    check_caf(caf_sync_all());
}

static int next(void *context, uint64_t *input)
{
    struct state *state = context;
    size_t bytes = state->words * sizeof *input;
    uint32_t task;
    check_status(tasks_counter_add(&state->counter, 1, &task));
    if (task >= (uint32_t)state->tasks)
        return -1;
    if (bytes > 0)
        check_caf(caf_get(input, state->input, 1, (size_t)task * bytes, bytes));
    return (int)task;
}

static void finish(void *context)
{
    (void)context;
    check_caf(caf_sync_all());
}

static void destroy(void *context)
{
    struct state *state = context;
    check_caf(caf_free(state->input));
    tasks_counter_close(&state->counter);
    free(state);
}

const struct tasks_way tasks_caf = {create, start, next, finish, destroy};
