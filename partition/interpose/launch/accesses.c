/* accesses.c: what the parts of a launch read and write of each argument. */
#include "accesses.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "partition/interpose/report/counters.h"

/* Programs whose deciding arguments change at every launch do not keep more than that per kernel:
 * enough for some hundred launches that alternate, and, where sets have many pieces, for some of
 * the largest that are worked out at all. */
enum { MOST_SETS = 128, MOST_BYTES = 64 << 20 };

static void free_set(void *value)
{
    struct access_set *set = value;
    for (size_t i = 0; set->arguments && i < set->argument_count; i++) {
        intervals_free_array(set->arguments[i].reads, set->devices);
        intervals_free_array(set->arguments[i].writes, set->devices);
    }
    free(set->arguments);
    free(set->parts);
    free(set);
}

void accesses_free(struct function *function)
{
    access_cache_free(&function->accesses, free_set);
}

static size_t bytes_of_sets(const struct intervals *sets, int devices)
{
    size_t bytes = 0;
    for (int d = 0; sets && d < devices; d++)
        bytes += sizeof *sets + sets[d].capacity * sizeof *sets[d].items;
    return bytes;
}

static size_t bytes_of(const struct access_set *set)
{
    size_t bytes = sizeof *set;
    for (size_t i = 0; i < set->argument_count; i++)
        bytes += bytes_of_sets(set->arguments[i].reads, set->devices) +
                 bytes_of_sets(set->arguments[i].writes, set->devices);
    return bytes;
}

static struct access_set *make_set(const struct access_query *query)
{
    struct access_set *set = calloc(1, sizeof *set);
    if (!set)
        return NULL;
    set->argument_count = query->kernel->argument_count;
    set->devices = query->devices;
    set->parts = calloc(query->devices, sizeof *set->parts);
    set->arguments = calloc(set->argument_count + 1, sizeof *set->arguments);
    if (set->parts && set->arguments)
        return set;
    free_set(set);
    return NULL;
}

/* The integer of so many bytes, with its sign. */
static int64_t integer_at(const char *value, size_t bytes)
{
    uint64_t number = 0;
    memcpy(&number, value, bytes);
    unsigned unused = 64 - 8 * (unsigned)bytes;
    return (int64_t)(number << unused) >> unused;
}

/* The values of the arguments that decide what is accessed; all others are 0. The caller frees
 * them. NULL without memory. */
static int64_t *read_scalars(const struct function *function, const char *arguments)
{
    int64_t *scalars = calloc(function->parameters + 1, sizeof *scalars);
    for (size_t i = 0; scalars && i < function->parameters; i++) {
        bool decides = function->kernel->arguments[i].decides && function->size[i];
        scalars[i] = decides ? integer_at(arguments + function->offset[i], function->size[i]) : 0;
    }
    return scalars;
}

static bool cut_grid(const struct virtual_gpu *gpu, const struct access_query *query,
                     struct access_set *set)
{
    const unsigned *grid = query->shape->grid;
    const char *split = query->split;
    double start_s = clock_now_s();
    bool cut = false;
    if (gpu->settings.thesis_grid && split[0] && split[1])
        cut = partition_grid(grid, query->devices, split, true, set->parts, set->refusal);
    if (!cut && !strcmp(split, "-"))
        snprintf(set->refusal, sizeof set->refusal, "nothing of it depends on the grid");
    else if (!cut)
        cut = partition_grid(grid, query->devices, split, false, set->parts, set->refusal);
    counters.partition_s += clock_now_s() - start_s;
    if (cut)
        *set->refusal = 0;
    return cut;
}

/* One access of one argument by all parts. */
static enum access_outcome find_sets(struct function *function, const struct access_query *query,
                                     size_t argument, bool write, struct access_set *set,
                                     struct intervals **sets, struct access_times *times)
{
    enum access_outcome answer = ACCESS_NONE;
    *sets = calloc(query->devices, sizeof **sets);
    if (!*sets) {
        snprintf(set->refusal, sizeof set->refusal, "there is no memory on the host");
        return ACCESS_FAILED;
    }
    counters.aa_created++;
    for (int d = 0; d < query->devices; d++) {
        const struct grid_part *part = &set->parts[d];
        if (grid_part_is_empty(part))
            continue;
        enum access_outcome outcome = access_intervals(
            function->module->database, function->kernel, argument, write, query->scalars,
            query->shape, part, query->method, &(*sets)[d], times, set->refusal);
        if (outcome == ACCESS_FAILED || outcome == ACCESS_WHOLE)
            return outcome;
        if (outcome == ACCESS_SET)
            answer = outcome;
    }
    return answer;
}

static bool find_argument(const struct virtual_gpu *gpu, struct function *function,
                          const struct access_query *query, size_t argument, struct access_set *set,
                          struct access_times *times)
{
    const struct database_argument *known = &function->kernel->arguments[argument];
    struct argument_access *access = &set->arguments[argument];
    if (!known->level)
        return true;
    if (known->reads && gpu->settings.read_whole)
        access->read = ACCESS_WHOLE;
    else if (known->reads)
        access->read = find_sets(function, query, argument, false, set, &access->reads, times);
    if (access->read != ACCESS_FAILED && known->writes)
        access->write = find_sets(function, query, argument, true, set, &access->writes, times);
    if (access->write == ACCESS_WHOLE) {
        snprintf(set->refusal, sizeof set->refusal, "what it writes to argument %.40s is not known",
                 known->name);
        return false;
    }
    return access->read != ACCESS_FAILED && access->write != ACCESS_FAILED;
}

static void find_all(const struct virtual_gpu *gpu, struct function *function,
                     const struct access_query *query, struct access_set *set)
{
    struct access_times times = {0};
    double start_s = clock_now_s();
    bool done = access_valid(function->module->database, function->kernel, query->scalars,
                             query->shape, set->refusal);
    for (size_t i = 0; i < function->parameters && done; i++)
        done = find_argument(gpu, function, query, i, set, &times);
    double spent_s = clock_now_s() - start_s;
    counters.dep_calc_s += spent_s;
    counters.interval_s += times.interval_s;
    counters.delin_s += times.linear_s;
    if (!done && !*set->refusal)
        snprintf(set->refusal, sizeof set->refusal, "its accesses cannot be worked out");
    if (done)
        *set->refusal = 0;
}

/* Works them out and keeps them. NULL without memory. */
static const struct access_set *find_new(struct virtual_gpu *gpu, struct function *function,
                                         const struct access_query *query)
{
    struct access_set *set = make_set(query);
    if (!set)
        return NULL;
    if (!gpu->settings.cache || function->accesses.count == MOST_SETS ||
        function->accesses.bytes > MOST_BYTES)
        accesses_free(function);
    if (cut_grid(gpu, query, set))
        find_all(gpu, function, query, set);
    if (access_cache_add(&function->accesses, query, set)) {
        function->accesses.bytes += bytes_of(set);
        return set;
    }
    free_set(set);
    return NULL;
}

const struct access_set *accesses_of(struct virtual_gpu *gpu, struct function *function,
                                     const struct launch_shape *shape, const char *arguments)
{
    const char from_database[2] = {function->kernel->split, 0};
    int64_t *scalars = read_scalars(function, arguments);
    if (!scalars)
        return NULL;
    const struct access_query query = {.kernel = function->kernel,
                                       .scalars = scalars,
                                       .shape = shape,
                                       .split = *gpu->settings.split ? gpu->settings.split
                                                                     : from_database,
                                       .devices = gpu->devices,
                                       .method = gpu->settings.access};
    const struct access_set *set = access_cache_find(&function->accesses, &query);
    if (!set)
        set = find_new(gpu, function, &query);
    free(scalars);
    return set;
}
