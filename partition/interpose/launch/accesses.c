/* accesses.c: what the parts of a launch read and write of each argument. */
#include "accesses.h"

#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/error.h"
#include "partition/intervals.h"
#include "partition/interpose/report/counters.h"

#include "choose_split.h"

/* Programs whose deciding arguments change at every launch do not keep more than that per kernel:
 * enough for some hundred launches that alternate, and, where sets have many pieces, for some of
 * the largest that are worked out at all. */
enum { SETS_MAX = 128, BYTES_MAX = 64 << 20 };

void access_set_free(struct access_set *set)
{
    if (!set)
        return;
    for (size_t i = 0; set->arguments && i < set->argument_count; i++) {
        intervals_free_array(set->arguments[i].reads, set->devices);
        intervals_free_array(set->arguments[i].writes, set->devices);
    }
    free(set->arguments);
    free(set->parts);
    free(set);
}

static void free_set(void *value)
{
    access_set_free(value);
}

void accesses_free(struct function *function)
{
    access_cache_free(&function->accesses, free_set);
}

static size_t bytes_of_sets(const struct partition_intervals *sets, int devices)
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
    access_set_free(set);
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
static int64_t *read_scalars(const struct function *function, const struct partition_kernel *kernel,
                             const char *arguments)
{
    int64_t *scalars = calloc(kernel->argument_count + 1, sizeof *scalars);
    for (size_t i = 0; scalars && i < kernel->argument_count; i++) {
        const struct partition_argument *argument = &kernel->arguments[i];
        size_t at = functions_argument_at(function, kernel, i);
        size_t bytes = (argument->bits + 7) / 8;
        scalars[i] = argument->decides && bytes ? integer_at(arguments + at, bytes) : 0;
    }
    return scalars;
}

static enum dm_status cut_grid(const struct virtual_gpu *gpu, const struct access_query *query,
                               const char *split, struct access_set *set)
{
    const unsigned *grid = query->shape->grid;
    double start_s = clock_now_s();
    enum dm_status status = DM_INVALID;
    if (gpu->settings.thesis_grid && split[0] && split[1])
        status = partition_grid(grid, query->devices, split, true, set->parts);
    if (status != DM_OK)
        status = partition_grid(grid, query->devices, split, false, set->parts);
    counters.partition_s += clock_now_s() - start_s;
    return status;
}

/* One access of one argument by all parts. */
static enum dm_status find_sets(const struct access_query *query, size_t argument, bool write,
                                const struct partition_part *parts,
                                struct partition_intervals **sets, enum partition_extent *extent,
                                struct partition_times *times)
{
    const struct partition_launch launch = {query->kernel, query->scalars, query->shape};
    *sets = calloc(query->devices, sizeof **sets);
    if (!*sets)
        return error_no_memory((size_t)query->devices * sizeof **sets);
    counters.aa_created++;
    for (int d = 0; d < query->devices && *extent != PARTITION_WHOLE; d++) {
        enum partition_extent found;
        if (partition_part_is_empty(&parts[d]))
            continue;
        TRY(partition_accesses(&launch, argument, write, &parts[d], query->method, &(*sets)[d],
                               &found, times));
        if (found != PARTITION_NOTHING)
            *extent = found;
    }
    return DM_OK;
}

static enum dm_status find_argument(const struct virtual_gpu *gpu, const struct access_query *query,
                                    size_t argument, struct access_set *set,
                                    struct partition_times *times)
{
    const struct partition_argument *known = &query->kernel->arguments[argument];
    struct argument_access *access = &set->arguments[argument];
    if (!known->level)
        return DM_OK;
    if (known->reads && gpu->settings.read_whole)
        access->read = PARTITION_WHOLE;
    else if (known->reads)
        TRY(find_sets(query, argument, false, set->parts, &access->reads, &access->read, times));
    if (known->writes)
        TRY(find_sets(query, argument, true, set->parts, &access->writes, &access->write, times));
    return DM_OK;
}

static enum dm_status find_all(const struct virtual_gpu *gpu, const struct access_query *query,
                               struct access_set *set)
{
    const struct partition_launch launch = {query->kernel, query->scalars, query->shape};
    struct partition_times times = {0};
    double start_s = clock_now_s();
    enum dm_status status = partition_check_launch(&launch);
    for (size_t i = 0; i < query->kernel->argument_count && status == DM_OK; i++)
        status = find_argument(gpu, query, i, set, &times);
    double spent_s = clock_now_s() - start_s;
    counters.dep_calc_s += spent_s;
    counters.interval_s += times.interval_s;
    counters.delin_s += times.linear_s;
    return status;
}

/* Fails if a device would write what others write, `seen`. */
static enum dm_status check_apart(const struct partition_argument *argument, const char *split,
                                  struct partition_intervals *seen,
                                  const struct partition_intervals *writes)
{
    struct partition_intervals common = {0};
    enum dm_status status = intervals_intersect(&common, seen, writes);
    if (status == DM_OK && common.count)
        status = dm_fail(DM_UNAVAILABLE,
                         "two devices would write element %lld of %.40s if its grid is cut along "
                         "%s",
                         (long long)common.items[0].begin, argument->name, split);
    partition_intervals_free(&common);
    return status == DM_OK ? intervals_add(seen, writes) : status;
}

static enum dm_status check_writes(const struct access_query *query, const char *split,
                                   const struct access_set *set)
{
    enum dm_status status = DM_OK;
    for (size_t i = 0; i < set->argument_count && status == DM_OK; i++) {
        struct partition_intervals seen = {0};
        const struct partition_intervals *writes = set->arguments[i].writes;
        for (int d = 0; writes && d < set->devices && status == DM_OK; d++)
            status = check_apart(&query->kernel->arguments[i], split, &seen, &writes[d]);
        partition_intervals_free(&seen);
    }
    return status;
}

static enum dm_status find_along(struct virtual_gpu *gpu, const struct access_query *query,
                                 const char *split, struct access_set **found)
{
    struct access_set *set = make_set(query);
    if (!set)
        return error_no_memory(sizeof *set);
    enum dm_status status = cut_grid(gpu, query, split, set);
    if (status == DM_OK)
        status = find_all(gpu, query, set);
    if (status == DM_OK)
        status = check_writes(query, split, set);
    if (status != DM_OK)
        reasons_keep(set->refusal);
    *found = set;
    return DM_OK;
}

/* Works them out and keeps them. */
static enum dm_status find_new(struct virtual_gpu *gpu, struct function *function,
                               const struct access_query *query, const struct access_set **found)
{
    struct access_set *set;
    if (*gpu->settings.split)
        TRY(find_along(gpu, query, query->split, &set));
    else
        TRY(choose_split(gpu, query, find_along, &set));
    if (!gpu->settings.cache || function->accesses.count == SETS_MAX ||
        function->accesses.bytes > BYTES_MAX)
        accesses_free(function);
    enum dm_status status = access_cache_add(&function->accesses, query, set);
    if (status != DM_OK) {
        access_set_free(set);
        return status;
    }
    function->accesses.bytes += bytes_of(set);
    *found = set;
    return DM_OK;
}

enum dm_status accesses_of(struct virtual_gpu *gpu, struct function *function,
                           const struct partition_kernel *kernel,
                           const struct partition_shape *shape, const char *arguments,
                           const struct access_set **set)
{
    const char from_database[2] = {kernel->split, 0};
    int64_t *scalars = read_scalars(function, kernel, arguments);
    if (!scalars)
        return error_no_memory((function->parameters + 1) * sizeof *scalars);
    const struct access_query query = {.kernel = kernel,
                                       .scalars = scalars,
                                       .shape = shape,
                                       .split = *gpu->settings.split ? gpu->settings.split
                                                                     : from_database,
                                       .devices = gpu->devices,
                                       .method = gpu->settings.access};
    enum dm_status status = DM_OK;
    *set = access_cache_find(&function->accesses, &query);
    if (!*set)
        status = find_new(gpu, function, &query, set);
    free(scalars);
    return status;
}
