/* launches.c: the table of launches. */
#include "launches.h"

#include <stdlib.h>
#include <string.h>

#include "common/error.h"
#include "partition/interpose/report/counters.h"

/* Programs whose launches never repeat keep no more than the minimum: launches by number, so that
 * dropping them takes well under a millisecond, and what they read, write and copy by bytes, enough
 * for some dozen launches that each reach a hundred thousand pieces of memory. Programs that come
 * back to all of these may keep twice as many as they come back to, up to the maximum. */
enum {
    LAUNCHES_MIN = 4096,
    LAUNCHES_MAX = 65536,
    BYTES_MIN = 64 << 20,
    BYTES_MAX = 512 << 20,
    FIRST_SLOTS = 64
};

static size_t twice(size_t kept, size_t minimum)
{
    return 2 * kept > minimum ? 2 * kept : minimum;
}

static void set_limits(struct launch_table *table)
{
    table->limit = twice(table->count, LAUNCHES_MIN);
    table->limit_bytes = twice(bindings_memory(), BYTES_MIN);
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

/* Not requested since the table was swept last. */
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

static enum dm_status make_launch(struct virtual_gpu *gpu, const struct launch_request *request,
                                  const char *key, struct launch **made)
{
    struct launch *launch = calloc(1, sizeof *launch);
    if (!launch)
        return error_no_memory(sizeof *launch);
    size_t bytes = request->function->parameter_bytes;
    launch->function = request->function;
    launch->shape = request->shape;
    launch->shared_bytes = request->shared_bytes;
    launch->arguments = calloc((size_t)gpu->devices + 1, launch_argument_room(launch->function));
    enum dm_status status = launch->arguments ? DM_OK : error_no_memory(bytes);
    if (status == DM_OK) {
        memcpy(launch->arguments, key, bytes);
        status = launch_bind(gpu, launch);
    }
    if (status != DM_OK) {
        free_launch(launch);
        return status;
    }
    for (size_t i = 0; i < launch->binding_count; i++)
        binding_note_memory(launch->bindings[i]);
    *made = launch;
    return DM_OK;
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

/* Drops launches that were not requested again since the last time; all, if the rest is too much.
 */
static void make_room(struct virtual_gpu *gpu)
{
    struct launch_table *table = gpu->launches;
    drop(table, is_idle, table);
    table->swept = table->requests;
    if (table->count > LAUNCHES_MAX || bindings_memory() > BYTES_MAX) {
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

enum dm_status launches_get(struct virtual_gpu *gpu, const struct launch_request *request,
                            struct launch **found)
{
    struct launch_table *table = gpu->launches;
    const char *key = launch_key(table, request);
    uint64_t hash = hash_of(request, key);
    if (table->count >= table->limit || bindings_memory() > table->limit_bytes)
        make_room(gpu);
    struct launch *launch = table->slots[hash & (table->slot_count - 1)];
    while (launch && (launch->hash != hash || !matches(launch, request, key)))
        launch = launch->next;
    table->requests++;
    if (launch) {
        launch->used = table->requests;
    } else {
        TRY(make_launch(gpu, request, key, &launch));
        counters.kl_created++;
        launch->hash = hash;
        add(table, launch);
    }
    launch_hand_on(launch, request, gpu->devices);
    *found = launch;
    return DM_OK;
}
