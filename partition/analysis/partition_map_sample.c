/* partition_map_sample.c: the elements that halves of a small sample grid
 * access. */
#include "partition_map_sample.h"

#include <isl/point.h>
#include <isl/val.h>
#include <stdlib.h>
#include <string.h>

enum { ELEMENTS_MAX = 200000 };

struct sample sample_of(const struct map_kernel *kernel, enum sample_scalars scalars)
{
    int dimensions = 0;
    for (const char *d = "xyz"; *d; d++)
        dimensions += map_has_coordinate(kernel, 'g', *d) || map_has_coordinate(kernel, 'b', *d) ||
                      map_has_coordinate(kernel, 'o', *d) || map_has_coordinate(kernel, 't', *d);
    int64_t size = dimensions == 3 ? 16 : 32;
    return (struct sample){.kernel = kernel, .scalars = scalars, .size = size, .block = size / 2};
}

static int64_t scalar_value(const struct sample *sample, const char *name)
{
    const struct map_kernel *kernel = sample->kernel;
    int64_t scalars = 0, place = 0;
    for (size_t i = 0; i < kernel->argument_count; i++) {
        if (!kernel->arguments[i].integer)
            continue;
        if (strcmp(kernel->arguments[i].name, name) == 0)
            place = scalars;
        scalars++;
    }
    if (sample->scalars == SAMPLE_EQUAL || !scalars)
        return sample->size;
    return (sample->scalars == SAMPLE_RISING ? place + 1 : scalars - place) * sample->size /
           scalars;
}

static int64_t value_of(void *context, const char *name)
{
    const struct sample *sample = context;
    const struct map_kernel *kernel = sample->kernel;
    if (map_starts(name, "launch_size_"))
        return sample->size;
    if (map_starts(name, "launch_block_"))
        return sample->block;
    if (map_starts(name, "launch_grid_"))
        return sample->size / sample->block;
    for (size_t i = 0; i < kernel->parameter_count; i++)
        if (kernel->parameters[i].meaning == MAP_DEFINED &&
            strcmp(kernel->parameters[i].name, name) == 0)
            return map_evaluate(kernel->parameters[i].expression, value_of, context);
    return scalar_value(sample, name);
}

static isl_map *fix_parameters(const struct sample *sample, isl_map *map)
{
    unsigned count = (unsigned)isl_map_dim(map, isl_dim_param);
    for (unsigned i = 0; i < count; i++) {
        const char *name = isl_map_get_dim_name(map, isl_dim_param, i);
        int64_t value = value_of((void *)(uintptr_t)sample, name);
        map = isl_map_fix_val(map, isl_dim_param, i,
                              isl_val_int_from_si(isl_map_get_ctx(map), value));
    }
    return isl_map_project_out(map, isl_dim_param, 0, count);
}

/* The half's bounds of one coordinate, and what o has to do with b. */
static char *half_rule(const struct sample *sample, const char *coordinate, char dimension,
                       int half)
{
    char *rule = "";
    int64_t unit = coordinate[0] == 'b' ? sample->block : 1;
    int64_t first = half * sample->size / 2 / unit, last = (half + 1) * sample->size / 2 / unit;
    if (coordinate[1] == dimension && coordinate[0] != 't')
        rule = map_format(" and %lld <= %s < %lld", (long long)first, coordinate, (long long)last);
    if (coordinate[0] == 'o' && map_has_coordinate(sample->kernel, 'b', coordinate[1]))
        rule = map_format("%s and %s = %lld b%c", rule, coordinate, (long long)sample->block,
                          coordinate[1]);
    else if (coordinate[0] == 'o')
        rule = map_format("%s and %s mod %lld = 0", rule, coordinate, (long long)sample->block);
    return rule;
}

static isl_map *restrict_to_half(const struct sample *sample, isl_map *map, char dimension,
                                 int half)
{
    const struct map_kernel *kernel = sample->kernel;
    char *names = "", *rules = "1 = 1";
    for (size_t i = 0; i < kernel->coordinate_count; i++) {
        const char *coordinate = kernel->coordinates[i];
        names = map_format("%s%s%s", names, i ? ", " : "", coordinate);
        rules = map_format("%s%s", rules, half_rule(sample, coordinate, dimension, half));
    }
    char *text = map_format("{ [%s] : %s }", names, rules);
    isl_set *threads = isl_set_read_from_str(isl_map_get_ctx(map), text);
    if (!threads)
        map_fail("kernel %s: threads of a half: %s", kernel->name, text);
    return isl_map_intersect_domain(map, threads);
}

/* Array elements to places in memory, with rows as long as in the sample. */
static isl_map *linearise(const struct sample *sample, const struct map_argument *argument,
                          isl_map *map)
{
    char *names = "o0", *place = "o0";
    isl_ctx *isl = isl_map_get_ctx(map);
    for (size_t i = 0; i < argument->size_count; i++) {
        isl_map *size = isl_map_read_from_str(isl, argument->sizes[i]);
        isl_set *value = isl_map_range(fix_parameters(sample, size));
        isl_val *number = isl_set_plain_get_val_if_fixed(value, isl_dim_set, 0);
        long length = number && isl_val_is_int(number) ? isl_val_get_num_si(number) : sample->size;
        isl_val_free(number);
        isl_set_free(value);
        names = map_format("%s, o%zu", names, i + 1);
        place = map_format("(%s) * %ld + o%zu", place, length, i + 1);
    }
    isl_map *line = isl_map_read_from_str(isl, map_format("{ [%s] -> [%s] }", names, place));
    return isl_map_apply_range(isl_map_reset_tuple_id(map, isl_dim_out), line);
}

static isl_stat add_element(isl_point *point, void *context)
{
    struct sample_elements *elements = context;
    isl_val *value = isl_point_get_coordinate_val(point, isl_dim_set, 0);
    elements->items = map_grow(elements->items, elements->count, sizeof *elements->items);
    elements->items[elements->count++] = isl_val_get_num_si(value);
    isl_val_free(value);
    isl_point_free(point);
    elements->is_complete = elements->count < ELEMENTS_MAX;
    return elements->is_complete ? isl_stat_ok : isl_stat_error;
}

static int by_value(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

struct sample_elements sample_list(const struct sample *sample, const struct map_argument *argument,
                                   isl_map *map, char dimension, int half)
{
    struct sample_elements elements = {.is_complete = true};
    map = fix_parameters(sample, isl_map_copy(map));
    map = linearise(sample, argument, restrict_to_half(sample, map, dimension, half));
    isl_set *range = isl_map_range(map);
    isl_set_foreach_point(range, add_element, &elements);
    isl_set_free(range);
    if (elements.count)
        qsort(elements.items, elements.count, sizeof *elements.items, by_value);
    size_t kept = 0;
    for (size_t i = 0; i < elements.count; i++)
        if (!kept || elements.items[kept - 1] != elements.items[i])
            elements.items[kept++] = elements.items[i];
    elements.count = kept;
    return elements;
}
