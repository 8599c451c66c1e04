/* launches.c: the table of launches. */
#include "launches.h"

#include <stdlib.h>
#include <string.h>

#include "partition/interpose/report/counters.h"

/* Programs whose launches never repeat do not keep more than the least: launches by number, so that
 * to drop them takes well under a millisecond, and what they read, write and copy by bytes, enough
 * for some dozen launches that each reach a hundred thousand pieces of memory. Programs that come
 * back to all of these may keep twice as many as they come back to, up to the most. */
enum {
    LEAST_LAUNCHES = 4096,
    MOST_LAUNCHES = 65536,
    LEAST_BYTES = 64 << 20,
    MOST_BYTES = 512 << 20,
    FIRST_SLOTS = 64
};

static size_t twice(size_t kept, size_t least)
{
    return 2 * kept > least ? 2 * kept : least;
}

static void set_limits(struct launch_table *table)
{
    table->most = twice(table->count, LEAST_LAUNCHES);
    table->most_bytes = twice(bindings_memory(), LEAST_BYTES);
}

struct launch_table *launches_create(void)
{
    struct launch_table *table = calloc(1, sizeof *table);
    if (!table)
        return NULL;
    table->slot_count = FIRST_SLOTS;
    set_limits(table);
    table->slots = calloc(table->slot_count, sizeof *table->slots);
    if (table->slots)
        return table;
    free(table);
    return NULL;
}

static void free_launch(struct launch *launch)
{
    for (size_t i = 0; i < launch->binding_count; i++)
        binding_release(launch->bindings[i]);
    free(launch->bindings);
    free(launch->transfers);
    free(launch->plans);
    free(launch->parts);
    free(launch->parameters);
    free(launch->arguments);
    free(launch);
}

static bool of_function(const struct launch *launch, const void *function)
{
    return launch->function == function;
}

static bool with_buffer(const struct launch *launch, const void *buffer)
{
    for (size_t i = 0; i < launch->binding_count; i++)
        if (launch->bindings[i]->buffer == buffer)
            return true;
    return false;
}

static bool not_split(const struct launch *launch, const void *unused)
{
    (void)unused;
    return *launch->one_device;
}

static bool is_same(const struct launch *launch, const void *other)
{
    return launch == other;
}

/* Not asked for since this was asked last. */
static bool is_idle(const struct launch *launch, const void *table)
{
    return launch->used <= ((const struct launch_table *)table)->swept;
}

static bool any(const struct launch *launch, const void *unused)
{
    (void)launch;
    (void)unused;
    return true;
}

static void drop(struct launch_table *table, bool (*chosen)(const struct launch *, const void *),
                 const void *what)
{
    for (size_t i = 0; i < table->slot_count; i++)
        for (struct launch **link = &table->slots[i]; *link;) {
            struct launch *launch = *link;
            if (!chosen(launch, what)) {
                link = &launch->next;
                continue;
            }
            *link = launch->next;
            table->count--;
            free_launch(launch);
        }
}

void launches_drop_function(struct launch_table *table, const struct function *function)
{
    drop(table, of_function, function);
}

void launches_drop_buffer(struct launch_table *table, const struct buffer *buffer)
{
    drop(table, with_buffer, buffer);
}

void launches_drop_strangers(struct launch_table *table)
{
    drop(table, not_split, NULL);
}

void launches_drop(struct launch_table *table, struct launch *launch)
{
    drop(table, is_same, launch);
}

void launches_free(struct launch_table *table)
{
    drop(table, any, NULL);
    free(table->slots);
    free(table->arguments);
    free(table);
}

static uint64_t hash_bytes(uint64_t hash, const void *data, size_t bytes)
{
    const char *at = data;
    for (; bytes >= sizeof(uint64_t); bytes -= sizeof(uint64_t), at += sizeof(uint64_t)) {
        uint64_t word;
        memcpy(&word, at, sizeof word);
        hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 32;
    }
    for (; bytes; bytes--, at++)
        hash = (hash ^ (unsigned char)*at) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 29;
}

static uint64_t hash_of(const struct launch_request *request, const char *key)
{
    uint64_t hash = (uintptr_t)request->function ^ (uint64_t)request->shared_bytes << 40;
    hash = hash_bytes(hash, &request->shape, sizeof request->shape);
    return hash_bytes(hash, key, request->function->parameter_bytes);
}

static bool matches(const struct launch *launch, const struct launch_request *request,
                    const char *key)
{
    return launch->function == request->function && launch->shared_bytes == request->shared_bytes &&
           !memcmp(&launch->shape, &request->shape, sizeof launch->shape) &&
           !memcmp(launch->arguments, key, request->function->parameter_bytes);
}

static struct launch *make_launch(struct virtual_gpu *gpu, const struct launch_request *request,
                                  const char *key)
{
    struct launch *launch = calloc(1, sizeof *launch);
    if (!launch)
        return NULL;
    size_t bytes = request->function->parameter_bytes;
    launch->function = request->function;
    launch->shape = request->shape;
    launch->shared_bytes = request->shared_bytes;
    launch->arguments = calloc((size_t)gpu->devices + 1, launch_argument_room(launch->function));
    if (launch->arguments)
        memcpy(launch->arguments, key, bytes);
    if (!launch->arguments || !launch_bind(gpu, launch)) {
        free_launch(launch);
        return NULL;
    }
    for (size_t i = 0; i < launch->binding_count; i++)
        binding_note_memory(launch->bindings[i]);
    return launch;
}

static void grow(struct launch_table *table)
{
    size_t slot_count = 2 * table->slot_count;
    struct launch **slots = calloc(slot_count, sizeof *slots);
    if (!slots)
        return;
    for (size_t i = 0; i < table->slot_count; i++)
        while (table->slots[i]) {
            struct launch *launch = table->slots[i];
            table->slots[i] = launch->next;
            struct launch **slot = &slots[launch->hash & (slot_count - 1)];
            launch->next = *slot;
            *slot = launch;
        }
    free(table->slots);
    table->slots = slots;
    table->slot_count = slot_count;
}

/* Drops launches that were not asked for again since the last time; all, if the rest is too much.
 */
static void make_room(struct virtual_gpu *gpu)
{
    struct launch_table *table = gpu->launches;
    drop(table, is_idle, table);
    table->swept = table->asked;
    if (table->count > MOST_LAUNCHES || bindings_memory() > MOST_BYTES) {
        drop(table, any, NULL);
        for (size_t i = 0; i < gpu->buffer_count; i++)
            plans_free(&gpu->buffers[i]->plans);
    }
    set_limits(table);
}

static void add(struct launch_table *table, struct launch *launch)
{
    if (table->count == table->slot_count)
        grow(table);
    struct launch **slot = &table->slots[launch->hash & (table->slot_count - 1)];
    launch->next = *slot;
    *slot = launch;
    table->count++;
}

struct launch *launches_get(struct virtual_gpu *gpu, const struct launch_request *request)
{
    struct launch_table *table = gpu->launches;
    const char *key = launch_key(table, request);
    uint64_t hash = hash_of(request, key);
    if (table->count >= table->most || bindings_memory() > table->most_bytes)
        make_room(gpu);
    struct launch *launch = table->slots[hash & (table->slot_count - 1)];
    while (launch && (launch->hash != hash || !matches(launch, request, key)))
        launch = launch->next;
    table->asked++;
    if (launch) {
        launch->used = table->asked;
    } else {
        launch = make_launch(gpu, request, key);
        if (!launch)
            return NULL;
        counters.kl_created++;
        launch->hash = hash;
        add(table, launch);
    }
    launch_hand_on(launch, request, gpu->devices);
    return launch;
}
