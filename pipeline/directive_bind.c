/* From a directive to a region: names get values, sections become windows of slices. */
#include <string.h>

#include "directive_internal.h"

/* What the binding of one array works with. */
struct binding {
    const struct directive *directive;
    const struct directive_names *names;
    const struct directive_range *range;
    struct directive_error *error;
    const struct directive_item *item;
    const struct directive_array *host;
};

static const struct directive_item *find_item(const struct directive *directive, const char *name)
{
    for (int i = 0; i < directive->item_count; i++)
        if (strcmp(directive->items[i].name, name) == 0)
            return &directive->items[i];
    return NULL;
}

static bool has_array(const struct directive_names *names, const char *name)
{
    for (int a = 0; a < names->array_count; a++)
        if (strcmp(names->arrays[a].name, name) == 0)
            return true;
    return false;
}

static bool check_array_names(const struct directive *directive,
                              const struct directive_names *names, struct directive_error *error)
{
    for (int i = 0; i < directive->item_count; i++)
        if (!has_array(names, directive->items[i].name))
            return directive_fail(error, directive->items[i].place, "there is no array `%s`",
                                  directive->items[i].name);
    for (int a = 0; a < names->array_count; a++)
        if (!find_item(directive, names->arrays[a].name))
            return directive_fail(error, directive->items[0].place,
                                  "the kernel needs the array `%s`, which no map clause names",
                                  names->arrays[a].name);
    return true;
}

static size_t product(const long *extents, int count)
{
    size_t elements = 1;
    for (int d = 0; d < count; d++)
        elements *= (size_t)extents[d];
    return elements;
}

/* A bracket that does not move must lie within the array. */
static bool check_whole_section(const struct binding *binding, int dimension)
{
    const struct directive_bracket *bracket = &binding->item->brackets[dimension];
    struct directive_section section;
    if (!directive_check_section(binding->directive, binding->names, bracket, &section,
                                 binding->error))
        return false;
    long end = section.begin.constant + section.length;
    return end <= binding->host->extents[dimension] ||
           directive_fail(binding->error, bracket->place,
                          "the section ends at %ld, but `%s` has %ld elements in this dimension",
                          end, binding->item->name, binding->host->extents[dimension]);
}

/* The dimension that moves, -1 if none does; false with an error. */
static bool find_split(const struct binding *binding, int *split)
{
    const struct directive_item *item = binding->item;
    *split = -1;
    for (int d = 0; d < item->dimensions; d++) {
        if (!item->brackets[d].split) {
            if (!check_whole_section(binding, d))
                return false;
        } else if (*split >= 0) {
            return directive_fail(binding->error, item->brackets[d].place,
                                  "`%s` is split in two dimensions; a region has slices of one",
                                  item->name);
        } else {
            *split = d;
        }
    }
    return true;
}

/* Iteration i of the region needs the elements [unit * i + begin, + length). */
static bool measure_window(const struct binding *binding, const struct directive_bracket *bracket,
                           long extent, long *unit, struct dm_region_array *array)
{
    struct directive_section section;
    struct directive_place place = bracket->place;
    const char *name = binding->item->name;
    if (!directive_check_section(binding->directive, binding->names, bracket, &section,
                                 binding->error))
        return false;
    if (__builtin_mul_overflow(section.begin.factor, binding->range->step, unit))
        return directive_fail(binding->error, place,
                              "the section moves by more than 2^63 elements");
    if (section.begin.constant % *unit || section.length % *unit || extent % *unit)
        return directive_fail(
            binding->error, place,
            "`%s` moves by %ld elements per iteration: offset %ld, length %ld and "
            "extent %ld must be multiples of that",
            name, *unit, section.begin.constant, section.length, extent);
    array->slices = extent / *unit;
    array->offset = section.begin.constant / *unit;
    array->length = section.length / *unit;
    return true;
}

static bool check_window(const struct binding *binding, const struct directive_bracket *bracket,
                         const struct dm_region *region, const struct dm_region_array *array)
{
    long first = region->begin + array->offset;
    long last = region->end - 1 + array->offset + array->length - 1;
    bool copied_back = array->direction == DM_REGION_FROM || array->direction == DM_REGION_TOFROM;
    if (first < 0 || last >= array->slices)
        return directive_fail(binding->error, bracket->place,
                              "the loop needs the slices %ld to %ld of `%s`, which has 0 to %ld",
                              first, last, binding->item->name, array->slices - 1);
    if (copied_back && array->length != 1)
        return directive_fail(binding->error, bracket->place,
                              "an iteration would copy %ld slices of `%s` back, also those of "
                              "others: what is mapped %s must have one",
                              array->length, binding->item->name,
                              binding->item->direction_given
                                  ? "`from` or `tofrom`"
                                  : "without a direction, that is `tofrom`,");
    return true;
}

static bool bind_split(const struct binding *binding, int split, const struct dm_region *region,
                       struct dm_region_array *array)
{
    const struct directive_array *host = binding->host;
    const struct directive_bracket *bracket = &binding->item->brackets[split];
    long unit;
    if (!measure_window(binding, bracket, host->extents[split], &unit, array) ||
        !check_window(binding, bracket, region, array))
        return false;
    size_t inner =
        host->element_bytes * product(host->extents + split + 1, host->dimensions - split - 1);
    size_t outer = product(host->extents, split);
    array->split = outer == 1 ? DM_REGION_ROWS : DM_REGION_COLUMNS;
    array->rows = outer;
    array->slice_bytes = (size_t)unit * inner;
    array->pitch_bytes = outer == 1 ? 0 : (size_t)host->extents[split] * inner;
    return true;
}

static bool bind_array(const struct binding *binding, struct dm_region *region)
{
    const struct directive_item *item = binding->item;
    const struct directive_array *host = binding->host;
    struct dm_region_array array = {.name = host->name,
                                    .host =
                                        item->direction == DM_REGION_SCRATCH ? NULL : host->host,
                                    .direction = item->direction,
                                    .split = DM_REGION_WHOLE,
                                    .slices = 1,
                                    .rows = 1,
                                    .length = 1};
    int split;
    if (item->dimensions && item->dimensions != host->dimensions)
        return directive_fail(binding->error, item->place,
                              "`%s` has %d dimensions, but %d brackets", item->name,
                              host->dimensions, item->dimensions);
    if (!find_split(binding, &split))
        return false;
    if (split >= 0) {
        if (!bind_split(binding, split, region, &array))
            return false;
    } else {
        array.slice_bytes = host->element_bytes * product(host->extents, host->dimensions);
    }
    if (array.direction != DM_REGION_SCRATCH && !array.host)
        return directive_fail(binding->error, item->place,
                              "`%s` has no memory on the host: map it with `alloc`", item->name);
    dm_region_add(region, array);
    return true;
}

/* Iterations of the region: those of the loop, divided by the step. */
static bool bind_range(const struct directive *directive, const struct directive_range *range,
                       struct dm_region *region, struct directive_error *error)
{
    if (range->begin % range->step)
        return directive_fail(
            error, directive->nodes[directive->begin].place,
            "the range begins at %ld and must begin at a multiple of the step %ld", range->begin,
            range->step);
    region->begin = range->begin / range->step;
    region->end = region->begin + (range->end - range->begin - 1) / range->step + 1;
    return true;
}

static bool bind_arrays(struct binding *binding, struct directive_loop *loop)
{
    const struct directive_names *names = binding->names;
    for (int a = 0; a < names->array_count; a++) {
        binding->host = &names->arrays[a];
        binding->item = find_item(binding->directive, names->arrays[a].name);
        if (!bind_array(binding, &loop->region) ||
            !directive_check_count(binding->directive, names, binding->item->num_block, "num_block",
                                   INT_MAX, &loop->num_block[a], binding->error))
            return false;
    }
    return true;
}

bool directive_bind(const struct directive *directive, const struct directive_names *names,
                    dm_region_launch *launch, const void *context, struct directive_loop *loop,
                    struct directive_error *error)
{
    struct directive_range range;
    long overlap = DIRECTIVE_OVERLAP;
    struct binding binding = {directive, names, &range, error, NULL, NULL};
    *loop = (struct directive_loop){.chunk_size = 1};
    loop->region = dm_region_make("directive", 0, 1, launch, context);
    if (!check_array_names(directive, names, error) ||
        !directive_check_range(directive, names, &range, error) ||
        !bind_range(directive, &range, &loop->region, error) || !bind_arrays(&binding, loop) ||
        !directive_check_counts(directive, names, &loop->chunk_size, &overlap, error))
        return false;
    loop->streams = (int)overlap;
    const char *complaint = dm_region_check(&loop->region) != DM_OK ? dm_message() : NULL;
    return !complaint || directive_fail(error, directive->items[0].place, "%s", complaint);
}
