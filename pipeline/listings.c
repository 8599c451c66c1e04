#include "listings.h"

#include <stdio.h>

#include "common/harness/exit.h"
#include "common/workloads/conv2d.h"
#include "common/workloads/stencil.h"

static void stencil_extents(const void *context, long *extents)
{
    const struct stencil_shape *shape = context;
    extents[0] = shape->planes, extents[1] = shape->rows, extents[2] = shape->columns;
}

static void conv2d_extents(const void *context, long *extents)
{
    const struct conv2d_shape *shape = context;
    extents[0] = shape->rows, extents[1] = shape->columns;
}

const struct listing listings[LISTINGS] = {
    {.directive = "map(pipeline(k,1,3),to:A0[k-1:3][0:ny-1][0:nx-1]) "
                  "map(pipeline(k,1,3),from:Anext[k:1][0:ny-1][0:nx-1]) iterator(k = 1:nz-1)",
     .kind = &stencil_benchmark,
     .arrays = {"A0", "Anext"},
     .dimensions = 3,
     .constants = {"nz", "ny", "nx"},
     .extents = stencil_extents,
     .expected = {.chunk_size = 1, .streams = 3}},
    {.directive = "map(pipeline(i,to,4):A[i-1:3][0:_PB_NI-1], "
                  "pipeline(i,from,4):B[i:1][0:_PB_NJ-1]) iterator(i = 1:_PB_NI-1)",
     .kind = &conv2d_benchmark,
     .arrays = {"A", "B"},
     .dimensions = 2,
     .constants = {"_PB_NI", "_PB_NJ"},
     .extents = conv2d_extents,
     .expected = {.chunk_size = 1, .streams = PIPELINE_OVERLAP, .num_block = {4, 4}}},
};

static bool same_array(const struct dm_region_array *a, const struct dm_region_array *b)
{
    return a->host == b->host && a->direction == b->direction && a->split == b->split &&
           a->slices == b->slices && a->slice_bytes == b->slice_bytes && a->rows == b->rows &&
           a->offset == b->offset && a->length == b->length;
}

/* Whether the directive says what the benchmark's own description says. */
static bool as_expected(const struct pipeline_loop *loop, const struct dm_region *region,
                        const struct pipeline_loop *expected)
{
    return loop->chunk_size == expected->chunk_size && loop->streams == expected->streams &&
           loop->num_block[0] == expected->num_block[0] &&
           loop->num_block[1] == expected->num_block[1] && loop->region.begin == region->begin &&
           loop->region.end == region->end &&
           same_array(&loop->region.arrays[0], &region->arrays[0]) &&
           same_array(&loop->region.arrays[1], &region->arrays[1]);
}

static void parse(const struct listing *listing, struct pipeline_directive **directive)
{
    char text[1024];
    snprintf(text, sizeof text, DIRECTIVE_HEAD "%s", listing->directive);
    check_status(pipeline_directive_parse(directive, text));
}

bool listing_bind(const struct listing *listing, const struct benchmark *benchmark,
                  struct pipeline_loop *loop)
{
    const struct dm_region *region = &benchmark->region;
    struct pipeline_array arrays[LISTING_ARRAYS];
    struct pipeline_constant constants[PIPELINE_DIMENSIONS];
    const struct pipeline_names names = {constants, listing->dimensions, arrays, LISTING_ARRAYS};
    struct pipeline_directive *directive;
    for (int a = 0; a < LISTING_ARRAYS; a++) {
        arrays[a] = (struct pipeline_array){.name = listing->arrays[a],
                                            .host = region->arrays[a].host,
                                            .element_bytes = sizeof(float),
                                            .dimensions = listing->dimensions};
        listing->extents(region->context, arrays[a].extents);
    }
    for (int d = 0; d < listing->dimensions; d++)
        constants[d] = (struct pipeline_constant){listing->constants[d], arrays[0].extents[d]};
    parse(listing, &directive);
    check_status(pipeline_directive_bind(directive, &names, region->launch, region->context, loop));
    pipeline_directive_free(directive);
    return as_expected(loop, region, &listing->expected);
}
