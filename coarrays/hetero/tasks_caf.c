/* Handing out tasks by an atomic fetch-and-add on image 1. */
#include <stdlib.h>
#include <string.h>

#include "common/error.h"

#include "tasks.h"
#include "tasks_counter.h"

struct state {
    int tasks;
    size_t words;
    struct tasks_counter counter;
    struct caf_coarray *input;
};

static void destroy(void *context)
{
    struct state *state = context;
    if (!state)
        return;
    if (state->input)
        caf_free(state->input);
    tasks_counter_close(&state->counter);
    free(state);
}

static enum dm_status open_state(struct state *state, const uint64_t *input)
{
    size_t bytes = (size_t)state->tasks * state->words * sizeof *input;
    void *memory;
    TRY(tasks_counter_open(&state->counter, true));
    TRY(caf_allocate(&state->input, bytes, CAF_DATA, &memory));
    if (caf_this_image() == 1 && bytes > 0)
        memcpy(memory, input, bytes);
    return caf_sync_all();
}

static enum dm_status create(void **context, int tasks, const uint64_t *input, size_t words)
{
    struct state *state = calloc(1, sizeof *state);
    if (!state)
        return error_no_memory(sizeof *state);
    state->tasks = tasks;
    state->words = words;
    enum dm_status status = open_state(state, input);
    if (status == DM_OK)
        *context = state;
    else
        destroy(state);
    return status;
}

static enum dm_status start(void *context)
{
    struct state *state = context;
    if (caf_this_image() == 1)
        TRY(tasks_counter_reset(&state->counter));
    return caf_sync_all();
}

static enum dm_status next(void *context, uint64_t *input, int *task)
{
    struct state *state = context;
    size_t bytes = state->words * sizeof *input;
    uint32_t number;
    TRY(tasks_counter_add(&state->counter, 1, &number));
    *task = number < (uint32_t)state->tasks ? (int)number : -1;
    if (*task < 0 || bytes == 0)
        return DM_OK;
    return caf_get(input, state->input, 1, number * bytes, bytes);
}

static enum dm_status finish(void *context)
{
    (void)context;
    return caf_sync_all();
}

const struct tasks_way tasks_caf = {create, start, next, finish, destroy};
