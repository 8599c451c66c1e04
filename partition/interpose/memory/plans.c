/* plans.c: copies that were worked out once. */
#include <stdlib.h>
#include <string.h>

#include "common/error.h"

#include "buffers.h"

/* A program in which more than that many situations alternate computes some of them again. */
enum { PLANS_MAX = 64 };

/* There is one virtual GPU at a time, and all of its functions run under one lock. */
static size_t memory;

size_t plans_memory(void)
{
    return memory;
}

static size_t bytes_of(const struct plan *plan)
{
    return sizeof *plan + plan->copies.count * sizeof *plan->copies.items;
}

void copies_free(struct copies *copies)
{
    free(copies->items);
    free(copies->needs);
    *copies = (struct copies){0};
}

enum dm_status copies_make(struct copies *copies, int devices, struct partition_copy *items,
                           size_t count)
{
    *copies = (struct copies){items, count, calloc(devices, sizeof *copies->needs), false};
    if (!copies->needs) {
        copies_free(copies);
        return error_no_memory((size_t)devices * sizeof *copies->needs);
    }
    for (size_t i = 0; i < count; i++) {
        if (items[i].from == devices)
            copies->from_host = true;
        else if (items[i].to < devices)
            copies->needs[items[i].to] |= (uint64_t)1 << items[i].from;
    }
    return DM_OK;
}

static void free_plan(struct plan *plan)
{
    copies_free(&plan->copies);
    free(plan);
}

static void forget(struct plan *plan)
{
    memory -= bytes_of(plan);
    free_plan(plan);
}

void plans_free(struct plans *plans)
{
    for (size_t i = 0; i < plans->count; i++)
        forget(plans->items[i]);
    free(plans->items);
    *plans = (struct plans){0};
}

static void forget_oldest_half(struct plans *plans)
{
    size_t half = plans->count / 2;
    for (size_t i = 0; i < half; i++)
        forget(plans->items[i]);
    memmove(plans->items, plans->items + half, (plans->count - half) * sizeof *plans->items);
    plans->count -= half;
}

enum dm_status plans_add(struct plans *plans, struct plan *plan)
{
    if (plans->count == PLANS_MAX)
        forget_oldest_half(plans);
    if (plans->count == plans->capacity) {
        size_t capacity = plans->capacity ? 2 * plans->capacity : 4;
        struct plan **items = realloc(plans->items, capacity * sizeof *items);
        if (!items) {
            free_plan(plan);
            return error_no_memory(capacity * sizeof *items);
        }
        plans->items = items;
        plans->capacity = capacity;
    }
    memory += bytes_of(plan);
    plans->items[plans->count++] = plan;
    return DM_OK;
}

struct plan *plans_find(struct plans *plans, const struct buffer *buffer, uintptr_t state,
                        int location, int64_t begin, int64_t end)
{
    if (plans->generation != buffer->generation) {
        plans_free(plans);
        plans->generation = buffer->generation;
    }
    for (size_t i = 0; i < plans->count; i++) {
        struct plan *plan = plans->items[i];
        if (plan->state == state && plan->location == location && plan->begin == begin &&
            plan->end == end)
            return plan;
    }
    return NULL;
}
