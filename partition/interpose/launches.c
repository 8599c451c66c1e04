/* launches.c: the table of launches. */
#include "launches.h"

#include "counters.h"

#include <stdlib.h>
#include <string.h>

/* Programs whose arguments change at every launch do not keep more than that. */
enum { MOST_LAUNCHES = 4096, FIRST_SLOTS = 64 };

struct launch_table *launches_create(void)
{
    struct launch_table *table = calloc(1, sizeof *table);
    if (!table)
        return NULL;
    table->slot_count = FIRST_SLOTS;
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

static uint64_t hash_of(const struct launch_request *request)
{
    uint64_t hash = (uintptr_t)request->function ^ (uint64_t)request->shared_bytes << 40;
    hash = hash_bytes(hash, &request->shape, sizeof request->shape);
    return hash_bytes(hash, request->arguments, request->function->parameter_bytes);
}

static bool matches(const struct launch *launch, const struct launch_request *request)
{
    return launch->function == request->function && launch->shared_bytes == request->shared_bytes &&
           !memcmp(&launch->shape, &request->shape, sizeof launch->shape) &&
           !memcmp(launch->arguments, request->arguments, request->function->parameter_bytes);
}

static struct launch *make_launch(struct virtual_gpu *gpu, const struct launch_request *request)
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
        memcpy(launch->arguments, request->arguments, bytes);
    if (launch->arguments && launch_bind(gpu, launch))
        return launch;
    free_launch(launch);
    return NULL;
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

struct launch *launches_get(struct virtual_gpu *gpu, const struct launch_request *request)
{
    struct launch_table *table = gpu->launches;
    uint64_t hash = hash_of(request);
    struct launch *launch = table->slots[hash & (table->slot_count - 1)];
    while (launch && (launch->hash != hash || !matches(launch, request)))
        launch = launch->next;
    if (launch)
        return launch;
    launch = make_launch(gpu, request);
    if (!launch)
        return NULL;
    counters.kl_created++;
    if (table->count == MOST_LAUNCHES)
        drop(table, any, NULL);
    if (table->count == table->slot_count)
        grow(table);
    struct launch **slot = &table->slots[hash & (table->slot_count - 1)];
    launch->hash = hash;
    launch->next = *slot;
    *slot = launch;
    table->count++;
    return launch;
}

static bool make_room(struct launch_table *table, size_t bytes)
{
    if (bytes <= table->argument_room)
        return true;
    char *arguments = realloc(table->arguments, bytes);
    if (!arguments)
        return false;
    table->arguments = arguments;
    table->argument_room = bytes;
    return true;
}

/* CU_LAUNCH_PARAM_BUFFER_POINTER's value; NULL if the list has none. */
static const char *packed_buffer(void **extra)
{
    for (; extra && *extra != CU_LAUNCH_PARAM_END; extra += 2)
        if (*extra == CU_LAUNCH_PARAM_BUFFER_POINTER)
            return extra[1];
    return NULL;
}

const char *launches_pack(struct launch_table *table, const struct function *function,
                          void **parameters, void **extra)
{
    const char *packed = parameters ? NULL : packed_buffer(extra);
    if (!make_room(table, function->parameter_bytes + 1))
        return NULL;
    memset(table->arguments, 0, function->parameter_bytes);
    for (size_t i = 0; i < function->parameters; i++) {
        const void *value = parameters ? parameters[i]
                            : packed   ? packed + function->offset[i]
                                       : NULL;
        if (value)
            memcpy(table->arguments + function->offset[i], value, function->size[i]);
    }
    return table->arguments;
}
