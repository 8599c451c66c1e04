#include "allocator.h"

#include <stdlib.h>

#include "common/clock.h"
#include "common/harness/allocate.h"
#include "common/harness/exit.h"

static void *malloc_allocate(void *state, size_t bytes)
{
    (void)state;
    void *block = malloc(bytes);
    if (!block)
        fail("malloc has no memory for a block of %zu bytes: choose smaller sizes", bytes);
    return block;
}

static void malloc_release(void *state, void *pointer)
{
    (void)state;
    free(pointer);
}

const struct allocator allocator_malloc = {NULL, malloc_allocate, malloc_release};

static void *uncached_allocate(void *state, size_t bytes)
{
    (void)state;
    return memory_allocate(MEMORY_PINNED, bytes);
}

static void uncached_release(void *state, void *pointer)
{
    (void)state;
    memory_release(MEMORY_PINNED, pointer);
}

const struct allocator allocator_uncached = {NULL, uncached_allocate, uncached_release};

static void *cache_allocate(void *state, size_t bytes)
{
    void *pointer;
    enum dm_status status = pinning_cache_allocate(state, bytes, &pointer);
    if (status != DM_OK)
        check_cuda(cudaPeekAtLastError()); /* the GPU is lost: memory is not what is missing */
    check_status(status);
    return pointer;
}

static void cache_release(void *state, void *pointer)
{
    check_status(pinning_cache_release(state, pointer));
}

struct allocator allocator_of_cache(struct pinning_cache *cache)
{
    return (struct allocator){cache, cache_allocate, cache_release};
}

double allocator_replay(const struct allocator *allocator, const struct steps *steps)
{
    void **slots = allocate_or_fail(steps->slots, sizeof *slots);
    double start_s = clock_now_s();
    for (size_t i = 0; i < steps->count; i++) {
        const struct step *step = &steps->all[i];
        if (step->bytes == 0) {
            allocator->release(allocator->state, slots[step->slot]);
            slots[step->slot] = NULL;
            continue;
        }
        char *block = allocator->allocate(allocator->state, step->bytes);
        *(volatile char *)block = 1;
        slots[step->slot] = block;
    }
    double end_s = clock_now_s();
    for (uint32_t slot = 0; slot < steps->slots; slot++)
        if (slots[slot])
            allocator->release(allocator->state, slots[slot]);
    free(slots);
    return end_s - start_s;
}

struct steps steps_of_trace(const struct trace *trace, unsigned size_factor)
{
    struct steps steps = {.all = allocate_or_fail(trace->count, sizeof *steps.all),
                          .slots = trace->ids};
    for (size_t i = 0; i < trace->count; i++) {
        const struct trace_event *event = &trace->events[i];
        if (event->kind != TRACE_ALLOCATE && event->kind != TRACE_RELEASE)
            continue;
        bool allocates = event->kind == TRACE_ALLOCATE;
        uint64_t bytes = allocates ? event->elements * sizeof(double) * size_factor : 0;
        steps.all[steps.count++] = (struct step){bytes, event->id};
        steps.requests += allocates;
    }
    return steps;
}

void steps_free(struct steps *steps)
{
    free(steps->all);
    *steps = (struct steps){0};
}
