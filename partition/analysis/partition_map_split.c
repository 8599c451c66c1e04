/* partition_map_split.c: the dimension along which a split communicates least.
 *
 * On a small sample grid, for each dimension: what both halves read has to be
 * on both devices, so the bytes that they read in common stand for the
 * communication; among equals, fewer runs of elements mean fewer and longer
 * copies. A dimension whose halves write the same element cannot be split. */
#include "partition_map_sample.h"

struct cost {
    bool is_possible, writes;
    size_t common_bytes, runs;
};

static size_t common(const struct sample_elements *a, const struct sample_elements *b)
{
    size_t count = 0, i = 0, j = 0;
    while (i < a->count && j < b->count) {
        count += a->items[i] == b->items[j];
        if (a->items[i] <= b->items[j])
            i++;
        else
            j++;
    }
    return count;
}

static size_t runs(const struct sample_elements *elements)
{
    size_t count = 0;
    for (size_t i = 0; i < elements->count; i++)
        count += i == 0 || elements->items[i] != elements->items[i - 1] + 1;
    return count;
}

static void add_map(struct cost *cost, const struct sample *sample,
                    const struct map_argument *argument, isl_map *map, char dimension)
{
    struct sample_elements low = sample_list(sample, argument, map, dimension, 0);
    struct sample_elements high = sample_list(sample, argument, map, dimension, 1);
    size_t shared = common(&low, &high);
    bool is_write = map == argument->write;
    cost->runs += runs(&low) + runs(&high);
    if (!is_write)
        cost->common_bytes += shared * argument->element_bits / 8;
    else if (shared)
        cost->is_possible = false;
    cost->writes |= is_write && low.count + high.count > 0;
    cost->is_possible &= low.is_complete && high.is_complete;
}

static struct cost cost_of(const struct sample *sample, char dimension)
{
    struct cost cost = {.is_possible = true};
    for (size_t i = 0; i < sample->kernel->argument_count; i++) {
        const struct map_argument *argument = &sample->kernel->arguments[i];
        if (argument->read && !argument->whole)
            add_map(&cost, sample, argument, argument->read, dimension);
        if (argument->write)
            add_map(&cost, sample, argument, argument->write, dimension);
    }
    return cost;
}

static bool is_better(const struct cost *a, const struct cost *b)
{
    if (a->common_bytes != b->common_bytes)
        return a->common_bytes < b->common_bytes;
    return a->runs < b->runs;
}

static bool has_blocks(const struct map_kernel *kernel, char dimension)
{
    return map_has_coordinate(kernel, 'g', dimension) ||
           map_has_coordinate(kernel, 'o', dimension) || map_has_coordinate(kernel, 'b', dimension);
}

/* `writes`: whether the sample writes anything at all, that is, says anything.
 */
static char choose(const struct sample *sample, bool *writes)
{
    char best = '-';
    struct cost lowest = {0};
    *writes = false;
    for (const char *d = "zyx"; *d; d++) {
        if (!has_blocks(sample->kernel, *d))
            continue;
        struct cost cost = cost_of(sample, *d);
        *writes |= cost.writes;
        if (!cost.is_possible || (best != '-' && !is_better(&cost, &lowest)))
            continue;
        best = *d;
        lowest = cost;
    }
    return best;
}

char map_choose_split(const struct map_kernel *kernel)
{
    char split = '-';
    bool writes = false;
    for (int choice = SAMPLE_EQUAL; choice < SAMPLE_CHOICES && !writes; choice++) {
        struct sample sample = sample_of(kernel, choice);
        split = choose(&sample, &writes);
    }
    return split;
}
