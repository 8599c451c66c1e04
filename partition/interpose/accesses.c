/* accesses.c: what the parts of a launch read and write of each argument. */
#include "accesses.h"

#include "clock.h"
#include "counters.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Programs whose scalar arguments change at every launch do not keep more than that per kernel. */
enum { MOST_SETS = 128 };

static void free_sets(struct intervals *sets, int devices)
{
    for (int d = 0; sets && d < devices; d++)
        intervals_free(&sets[d]);
    free(sets);
}

static void free_access(struct access_set *set)
{
    for (size_t i = 0; set->arguments && i < set->argument_count; i++) {
        free_sets(set->arguments[i].reads, set->devices);
        free_sets(set->arguments[i].writes, set->devices);
    }
    free(set->arguments);
    free(set->parts);
    free(set->scalars);
    free(set);
}

void accesses_free(struct function *function)
{
    while (function->accesses) {
        struct access_set *set = function->accesses;
        function->accesses = set->next;
        free_access(set);
    }
    function->access_count = 0;
}

static struct access_set *make_access(const struct virtual_gpu *gpu,
                                      const struct function *function,
                                      const struct launch_shape *shape)
{
    struct access_set *set = calloc(1, sizeof *set);
    if (!set)
        return NULL;
    set->shape = *shape;
    set->argument_count = function->parameters;
    set->devices = gpu->devices;
    set->scalars = calloc(function->parameters + 1, sizeof *set->scalars);
    set->parts = calloc(gpu->devices, sizeof *set->parts);
    set->arguments = calloc(function->parameters + 1, sizeof *set->arguments);
    if (set->scalars && set->parts && set->arguments)
        return set;
    free_access(set);
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

/* Accesses depend on integers alone. */
static void read_scalars(const struct function *function, const char *arguments, int64_t *scalars)
{
    for (size_t i = 0; i < function->parameters; i++) {
        const struct database_argument *argument = &function->kernel->arguments[i];
        bool counts = !argument->level && argument->fundamental == 'i' && function->size[i];
        scalars[i] = counts ? integer_at(arguments + function->offset[i], function->size[i]) : 0;
    }
}

static bool cut_grid(const struct virtual_gpu *gpu, const struct function *function,
                     struct access_set *set)
{
    char from_database[2] = {function->kernel->split, 0};
    const char *split = *gpu->settings.split ? gpu->settings.split : from_database;
    double start_s = clock_now_s();
    bool cut = false;
    if (gpu->settings.thesis_grid && split[0] && split[1])
        cut = partition_grid(set->shape.grid, gpu->devices, split, true, set->parts, set->refusal);
    if (!cut && !strcmp(split, "-"))
        snprintf(set->refusal, sizeof set->refusal, "nothing of it depends on the grid");
    else if (!cut)
        cut = partition_grid(set->shape.grid, gpu->devices, split, false, set->parts, set->refusal);
    counters.partition_s += clock_now_s() - start_s;
    if (cut)
        *set->refusal = 0;
    return cut;
}

/* One access of one argument by all parts. */
static enum access_outcome find_sets(const struct virtual_gpu *gpu, struct function *function,
                                     size_t argument, bool write, struct access_set *set,
                                     struct intervals **sets, struct access_times *times)
{
    enum access_outcome answer = ACCESS_NONE;
    *sets = calloc(gpu->devices, sizeof **sets);
    if (!*sets) {
        snprintf(set->refusal, sizeof set->refusal, "there is no memory on the host");
        return ACCESS_FAILED;
    }
    counters.aa_created++;
    for (int d = 0; d < gpu->devices; d++) {
        const struct grid_part *part = &set->parts[d];
        if (!part->blocks[0] || !part->blocks[1] || !part->blocks[2])
            continue;
        enum access_outcome outcome = access_intervals(
            function->module->database, function->kernel, argument, write, set->scalars,
            &set->shape, part, gpu->settings.access, &(*sets)[d], times, set->refusal);
        if (outcome == ACCESS_FAILED || outcome == ACCESS_WHOLE)
            return outcome;
        if (outcome == ACCESS_SET)
            answer = outcome;
    }
    return answer;
}

static bool find_argument(const struct virtual_gpu *gpu, struct function *function, size_t argument,
                          struct access_set *set, struct access_times *times)
{
    const struct database_argument *known = &function->kernel->arguments[argument];
    struct argument_access *access = &set->arguments[argument];
    if (!known->level)
        return true;
    if (known->reads && gpu->settings.read_whole)
        access->read = ACCESS_WHOLE;
    else if (known->reads)
        access->read = find_sets(gpu, function, argument, false, set, &access->reads, times);
    if (access->read != ACCESS_FAILED && known->writes)
        access->write = find_sets(gpu, function, argument, true, set, &access->writes, times);
    if (access->write == ACCESS_WHOLE) {
        snprintf(set->refusal, sizeof set->refusal, "what it writes to argument %.40s is not known",
                 known->name);
        return false;
    }
    return access->read != ACCESS_FAILED && access->write != ACCESS_FAILED;
}

static void find_all(const struct virtual_gpu *gpu, struct function *function,
                     struct access_set *set)
{
    struct access_times times = {0};
    double start_s = clock_now_s();
    bool done = access_valid(function->module->database, function->kernel, set->scalars,
                             &set->shape, set->refusal);
    for (size_t i = 0; i < function->parameters && done; i++)
        done = find_argument(gpu, function, i, set, &times);
    double spent_s = clock_now_s() - start_s;
    counters.dep_calc_s += spent_s;
    counters.interval_s += times.interval_s;
    counters.delin_s += times.linear_s;
    if (!done && !*set->refusal)
        snprintf(set->refusal, sizeof set->refusal, "its accesses cannot be worked out");
    if (done)
        *set->refusal = 0;
}

const struct access_set *accesses_of(struct virtual_gpu *gpu, struct function *function,
                                     const struct launch_shape *shape, const char *arguments)
{
    struct access_set *set = make_access(gpu, function, shape);
    if (!set)
        return NULL;
    read_scalars(function, arguments, set->scalars);
    for (struct access_set *known = function->accesses; known; known = known->next)
        if (!memcmp(&known->shape, shape, sizeof *shape) &&
            !memcmp(known->scalars, set->scalars, function->parameters * sizeof *set->scalars)) {
            free_access(set);
            return known;
        }
    if (!gpu->settings.cache || function->access_count == MOST_SETS)
        accesses_free(function);
    if (cut_grid(gpu, function, set))
        find_all(gpu, function, set);
    set->next = function->accesses;
    function->accesses = set;
    function->access_count++;
    return set;
}
