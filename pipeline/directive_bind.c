/* From a directive to a region: names get values, sections become windows of slices. */
#include <string.h>

#include "directive_internal.h"

/* What the binding of one array works with. */
struct binding {
    const struct pipeline_directive *directive;
    const struct pipeline_names *names;
    const struct directive_range *range;
    const struct directive_item *item;
    const struct pipeline_array *host;
};

static const struct directive_item *find_item(const struct pipeline_directive *directive,
                                              const char *name)
{
    for (int i = 0; i < directive->item_count; i++)
        if (strcmp(directive->items[i].name, name) == 0)
            return &directive->items[i];
    return NULL;
}

static bool has_array(const struct pipeline_names *names, const char *name)
{
    for (int a = 0; a < names->array_count; a++)
        if (strcmp(names->arrays[a].name, name) == 0)
            return true;
    return false;
}

static enum dm_status check_array_names(const struct pipeline_directive *directive,
                                        const struct pipeline_names *names)
{
    for (int i = 0; i < directive->item_count; i++)
        if (!has_array(names, directive->items[i].name))
            return directive_fail(directive->items[i].place, "unknown array `%s`",
                                  directive->items[i].name);
    for (int a = 0; a < names->array_count; a++)
        if (!find_item(directive, names->arrays[a].name))
            return directive_fail(directive->items[0].place,
                                  "the kernel needs the array `%s`, which no map clause names",
                                  names->arrays[a].name);
    return DM_OK;
}

static size_t product(const long *extents, int count)
{
    size_t elements = 1;
    for (int d = 0; d < count; d++)
        elements *= (size_t)extents[d];
    return elements;
}

/* A bracket that does not move must lie within the array. */
static enum dm_status check_whole_section(const struct binding *binding, int dimension)
{
    const struct directive_bracket *bracket = &binding->item->brackets[dimension];
    struct directive_section section;
    TRY(directive_check_section(binding->directive, binding->names, bracket, &section));
    long end = section.begin.constant + section.length;
    if (end <= binding->host->extents[dimension])
        return DM_OK;
    return directive_fail(bracket->place,
                          "the section ends at %ld, but `%s` has %ld elements in this dimension",
                          end, binding->item->name, binding->host->extents[dimension]);
}

/* The dimension that moves, -1 if none does. */
static enum dm_status find_split(const struct binding *binding, int *split)
{
    const struct directive_item *item = binding->item;
    *split = -1;
    for (int d = 0; d < item->dimensions; d++) {
        if (!item->brackets[d].split) {
            TRY(check_whole_section(binding, d));
        } else if (*split >= 0) {
            return directive_fail(item->brackets[d].place,
                                  "`%s` is split in two dimensions; a region has slices of one",
                                  item->name);
        } else {
            *split = d;
        }
    }
    return DM_OK;
}

/* Iteration i of the region needs the elements [unit * i + begin, + length). */
static enum dm_status measure_window(const struct binding *binding,
                                     const struct directive_bracket *bracket, long extent,
                                     long *unit, struct dm_region_array *array)
{
    struct directive_section section;
    struct directive_place place = bracket->place;
    const char *name = binding->item->name;
    TRY(directive_check_section(binding->directive, binding->names, bracket, &section));
    if (__builtin_mul_overflow(section.begin.factor, binding->range->step, unit))
        return directive_fail(place, "the section moves by more than 2^63 elements");
    if (section.begin.constant % *unit || section.length % *unit || extent % *unit)
        return directive_fail(
            place,
            "`%s` moves by %ld elements per iteration: offset %ld, length %ld and "
            "extent %ld must be multiples of that",
            name, *unit, section.begin.constant, section.length, extent);
    array->slices = extent / *unit;
    array->offset = section.begin.constant / *unit;
    array->length = section.length / *unit;
    return DM_OK;
}

static enum dm_status check_window(const struct binding *binding,
                                   const struct directive_bracket *bracket,
                                   const struct dm_region *region,
                                   const struct dm_region_array *array)
{
    long first = region->begin + array->offset;
    long last = region->end - 1 + array->offset + array->length - 1;
    bool copied_back = array->direction == DM_REGION_FROM || array->direction == DM_REGION_TOFROM;
    if (first < 0 || last >= array->slices)
        return directive_fail(bracket->place,
                              "the loop needs the slices %ld to %ld of `%s`, which has 0 to %ld",
                              first, last, binding->item->name, array->slices - 1);
    if (copied_back && array->length != 1)
        return directive_fail(bracket->place,
                              "an iteration would copy back %ld slices of `%s`, some of which "
                              "belong to others: what is mapped %s must have one",
                              array->length, binding->item->name,
                              binding->item->direction_given
                                  ? "`from` or `tofrom`"
                                  : "without a direction, that is `tofrom`,");
    return DM_OK;
}

static enum dm_status bind_split(const struct binding *binding, int split,
                                 const struct dm_region *region, struct dm_region_array *array)
{
    const struct pipeline_array *host = binding->host;
    const struct directive_bracket *bracket = &binding->item->brackets[split];
    long unit;
    TRY(measure_window(binding, bracket, host->extents[split], &unit, array));
    TRY(check_window(binding, bracket, region, array));
    size_t inner =
        host->element_bytes * product(host->extents + split + 1, host->dimensions - split - 1);
    size_t outer = product(host->extents, split);
    array->split = outer == 1 ? DM_REGION_ROWS : DM_REGION_COLUMNS;
    array->rows = outer;
    array->slice_bytes = (size_t)unit * inner;
    array->pitch_bytes = outer == 1 ? 0 : (size_t)host->extents[split] * inner;
    return DM_OK;
}

static enum dm_status bind_array(const struct binding *binding, struct dm_region *region)
{
    const struct directive_item *item = binding->item;
    const struct pipeline_array *host = binding->host;
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
        return directive_fail(item->place, "`%s` has %d dimensions, but %d brackets", item->name,
                              host->dimensions, item->dimensions);
    TRY(find_split(binding, &split));
    if (split >= 0) {
        TRY(bind_split(binding, split, region, &array));
    } else {
        array.slice_bytes = host->element_bytes * product(host->extents, host->dimensions);
    }
    if (array.direction != DM_REGION_SCRATCH && !array.host)
        return directive_fail(item->place, "`%s` has no memory on the host: map it with `alloc`",
                              item->name);
    dm_region_add(region, array);
    return DM_OK;
}

/* Iterations of the region: those of the loop, divided by the step. */
static enum dm_status bind_range(const struct pipeline_directive *directive,
                                 const struct directive_range *range, struct dm_region *region)
{
    if (range->begin % range->step)
        return directive_fail(
            directive->nodes[directive->begin].place,
            "the range begins at %ld and must begin at a multiple of the step %ld", range->begin,
            range->step);
    region->begin = range->begin / range->step;
    region->end = region->begin + (range->end - range->begin - 1) / range->step + 1;
    return DM_OK;
}

static enum dm_status bind_arrays(struct binding *binding, struct pipeline_loop *loop)
{
    const struct pipeline_names *names = binding->names;
    for (int a = 0; a < names->array_count; a++) {
        binding->host = &names->arrays[a];
        binding->item = find_item(binding->directive, names->arrays[a].name);
        TRY(bind_array(binding, &loop->region));
        TRY(directive_check_count(binding->directive, names, binding->item->num_block, "num_block",
                                  INT_MAX, &loop->num_block[a]));
    }
    return DM_OK;
}

static cudaError_t launch_nothing(const struct dm_region *region, const struct dm_slices *views,
                                  long begin, long end, cudaStream_t stream)
{
    (void)region, (void)views, (void)begin, (void)end, (void)stream;
    return cudaSuccess;
}

/* A region that is not executed by a launch function is checked as if it had one. */
static enum dm_status check_region(const struct dm_region *region)
{
    struct dm_region launched = *region;
    if (!launched.launch)
        launched.launch = launch_nothing;
    return dm_region_check(&launched);
}

enum dm_status pipeline_directive_bind(const struct pipeline_directive *directive,
                                       const struct pipeline_names *names, dm_region_launch *launch,
                                       const void *context, struct pipeline_loop *loop)
{
    struct directive_range range;
    long overlap = PIPELINE_OVERLAP;
    struct binding binding = {directive, names, &range, NULL, NULL};
    *loop = (struct pipeline_loop){.chunk_size = 1};
    loop->region = dm_region_make("directive", 0, 1, launch, context);
    TRY(check_array_names(directive, names));
    TRY(directive_check_range(directive, names, &range));
    TRY(bind_range(directive, &range, &loop->region));
    TRY(bind_arrays(&binding, loop));
    TRY(directive_check_counts(directive, names, &loop->chunk_size, &overlap));
    loop->streams = (int)overlap;
    if (check_region(&loop->region) != DM_OK)
        return directive_fail(directive->items[0].place, "%s", dm_message());
    return DM_OK;
}
