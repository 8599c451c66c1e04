/* choose_split.c: along which dimension of its grid a launch is cut. */
#include "choose_split.h"

#include "common/error.h"
#include "partition/intervals.h"

struct cost {
    int64_t common_bytes; /* read by more than one device */
    size_t pieces;        /* of all that is read and written */
};

/* What the sets have in common: what they hold together, less what their union holds. */
static enum dm_status add_common(const struct partition_intervals *sets, int devices,
                                 int64_t element_bytes, struct cost *cost)
{
    struct partition_intervals all = {0};
    enum dm_status status = DM_OK;
    int64_t total = 0;
    for (int d = 0; sets && d < devices && status == DM_OK; d++) {
        total += intervals_total(&sets[d]);
        cost->pieces += sets[d].count;
        status = intervals_add(&all, &sets[d]);
    }
    cost->common_bytes += (total - intervals_total(&all)) * element_bytes;
    partition_intervals_free(&all);
    return status;
}

static enum dm_status find_cost(const struct access_set *set, const struct partition_kernel *kernel,
                                struct cost *cost)
{
    *cost = (struct cost){0};
    for (size_t i = 0; i < set->argument_count; i++) {
        const struct argument_access *access = &set->arguments[i];
        int64_t bytes = kernel->arguments[i].element_bits / 8;
        TRY(add_common(access->reads, set->devices, bytes, cost));
        TRY(add_common(access->writes, set->devices, bytes, cost));
    }
    return DM_OK;
}

static bool is_better(const struct cost *a, const struct cost *b)
{
    if (a->common_bytes != b->common_bytes)
        return a->common_bytes < b->common_bytes;
    return a->pieces < b->pieces;
}

/* Of two sets, the one to keep; the other is freed. */
struct best {
    struct access_set *set;
    struct cost cost;
};

static enum dm_status keep_better(struct best *best, struct access_set *set,
                                  const struct partition_kernel *kernel)
{
    struct cost cost = {0};
    bool is_possible = !*set->refusal;
    enum dm_status status = is_possible ? find_cost(set, kernel, &cost) : DM_OK;
    bool was_possible = best->set && !*best->set->refusal;
    bool wins = !best->set || (is_possible && (!was_possible || is_better(&cost, &best->cost)));
    access_set_free(wins ? best->set : set);
    if (wins)
        *best = (struct best){set, cost};
    return status;
}

static bool has_enough(const struct access_query *query, char dimension)
{
    return query->shape->grid[dimension - 'x'] >= (unsigned)query->devices;
}

/* All dimensions with more than one block but that which has been tried; all but one block are
 * enough for a device, so x will do if there is but one. */
static enum dm_status try_others(struct virtual_gpu *gpu, const struct access_query *query,
                                 try_split *attempt, char tried, struct best *best)
{
    for (const char *d = "zyx"; *d; d++) {
        const char split[2] = {*d, 0};
        bool is_needed = *d == 'x' && !best->set;
        struct access_set *set;
        if (*d == tried || (query->shape->grid[*d - 'x'] < 2 && !is_needed))
            continue;
        TRY(attempt(gpu, query, split, &set));
        TRY(keep_better(best, set, query->kernel));
    }
    return DM_OK;
}

enum dm_status choose_split(struct virtual_gpu *gpu, const struct access_query *query,
                            try_split *attempt, struct access_set **set)
{
    struct best best = {0};
    char named = query->kernel->split;
    bool is_named = named != '-' && query->shape->grid[named - 'x'] > 1;
    enum dm_status status = DM_OK;
    if (is_named) {
        const char split[2] = {named, 0};
        status = attempt(gpu, query, split, set);
        if (status == DM_OK)
            status = keep_better(&best, *set, query->kernel);
    }
    bool is_settled = best.set && !*best.set->refusal && has_enough(query, named);
    if (status == DM_OK && !is_settled)
        status = try_others(gpu, query, attempt, is_named ? named : 0, &best);
    *set = best.set;
    if (status == DM_OK)
        return DM_OK;
    access_set_free(best.set);
    return status;
}
