/* access_restrict.c: a map for the blocks of a part. */
#include <isl/aff.h>
#include <isl/local_space.h>
#include <isl/space.h>
#include <isl/val.h>

#include "common/error.h"

#include "access_internal.h"

static isl_map *bound_coordinate(isl_map *map, unsigned at, int64_t lower, int64_t upper)
{
    isl_ctx *ctx = isl_map_get_ctx(map);
    map = isl_map_lower_bound_val(map, isl_dim_in, at, isl_val_int_from_si(ctx, lower));
    return isl_map_upper_bound_val(map, isl_dim_in, at, isl_val_int_from_si(ctx, upper));
}

static int find_block(const struct kernel_space *space, int dimension)
{
    for (size_t i = 0; i < space->coordinate_count; i++)
        if (space->coordinates[i].kind == 'b' && space->coordinates[i].dimension == dimension)
            return (int)i;
    return -1;
}

/* A block's first thread is block * size; where the block itself is no coordinate, a multiple of
 * the size. */
static isl_map *relate_first_thread(isl_map *map, int first_thread, int block, int64_t size)
{
    isl_ctx *ctx = isl_map_get_ctx(map);
    isl_space *domain = isl_space_domain(isl_map_get_space(map));
    isl_local_space *space = isl_local_space_from_space(domain);
    isl_aff *aff =
        isl_aff_var_on_domain(isl_local_space_copy(space), isl_dim_set, (unsigned)first_thread);
    if (block >= 0) {
        isl_aff *of_block = isl_aff_var_on_domain(space, isl_dim_set, (unsigned)block);
        aff = isl_aff_sub(aff, isl_aff_scale_val(of_block, isl_val_int_from_si(ctx, size)));
    } else {
        isl_local_space_free(space);
        aff = isl_aff_mod_val(aff, isl_val_int_from_si(ctx, size));
    }
    return isl_map_intersect_domain(map, isl_set_from_basic_set(isl_aff_zero_basic_set(aff)));
}

static isl_map *restrict_coordinate(isl_map *map, const struct partition_launch *launch,
                                    const struct partition_part *part, size_t at)
{
    const struct kernel_space *space = launch->kernel->space;
    struct coordinate coordinate = space->coordinates[at];
    int d = coordinate.dimension;
    int64_t size = launch->shape->block[d];
    int64_t begin = part->offset[d], end = begin + part->blocks[d];
    if (coordinate.kind == 't')
        return bound_coordinate(map, (unsigned)at, 0, size - 1);
    if (coordinate.kind == 'b')
        return bound_coordinate(map, (unsigned)at, begin, end - 1);
    map = bound_coordinate(map, (unsigned)at, begin * size, end * size - 1);
    if (coordinate.kind == 'o')
        map = relate_first_thread(map, (int)at, find_block(space, d), size);
    return map;
}

enum dm_status access_restrict(const struct partition_launch *launch,
                               const struct partition_part *part, isl_map *map,
                               isl_map **restricted)
{
    TRY(access_fix_map(launch, isl_map_copy(map), restricted));
    for (size_t i = 0; i < launch->kernel->space->coordinate_count; i++)
        *restricted = restrict_coordinate(*restricted, launch, part, i);
    return DM_OK;
}
