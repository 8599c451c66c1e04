/* partition_map_injective.c: whether no two threads write the same element.
 *
 * Two threads are compared that write the same element: they must be the same
 * thread. The index of a thread in the grid says which thread it is; if a
 * kernel uses block offset o, block b and thread t instead, then o = size * b,
 * which is no affine function of a size that is known at launch only. But of
 * two different blocks the later one begins at least one block size later, and
 * that is. */
#include <string.h>

#include "partition_map.h"

/* How two threads of one grid relate in a dimension; the second's names end
 * in 2. "" if any pair is possible. */
static char *pair_rule(const struct map_kernel *kernel, char d)
{
    bool has_offset = map_has_coordinate(kernel, 'o', d);
    if (!has_offset)
        return "";
    bool has_block = map_has_coordinate(kernel, 'b', d);
    char *same = has_block ? map_format(" and b%c = b%c2", d, d) : "";
    char *later = has_block ? map_format(" and b%c > b%c2", d, d) : "";
    char *earlier = has_block ? map_format(" and b%c < b%c2", d, d) : "";
    return map_format(" and ((o%c = o%c2%s) or (o%c >= o%c2 + launch_block_%c%s) or "
                      "(o%c2 >= o%c + launch_block_%c%s))",
                      d, d, same, d, d, d, later, d, d, d, earlier);
}

static char *thread_rule(const struct map_kernel *kernel, char d)
{
    if (!map_has_coordinate(kernel, 't', d))
        return "";
    return map_format(" and 0 <= t%c < launch_block_%c and 0 <= t%c2 < launch_block_%c", d, d, d,
                      d);
}

/* Pairs of threads that one grid can hold. */
static isl_map *possible_pairs(const struct map_kernel *kernel, isl_ctx *isl)
{
    char *first = "", *second = "", *rules = "1 = 1";
    for (size_t i = 0; i < kernel->coordinate_count; i++) {
        const char *comma = i ? ", " : "";
        first = map_format("%s%s%s", first, comma, kernel->coordinates[i]);
        second = map_format("%s%s%s2", second, comma, kernel->coordinates[i]);
    }
    for (const char *d = "xyz"; *d; d++)
        rules = map_format("%s%s%s", rules, pair_rule(kernel, *d), thread_rule(kernel, *d));
    char *text = map_format("[launch_block_x, launch_block_y, launch_block_z] -> "
                            "{ [%s] -> [%s] : %s }",
                            first, second, rules);
    isl_map *pairs = isl_map_read_from_str(isl, text);
    if (!pairs)
        map_fail("kernel %s: pairs of threads: %s", kernel->name, text);
    return pairs;
}

/* With a thread's index in the block, but no block, two blocks cannot be told
 * apart, nor can two threads of a block without the thread's index. */
static bool tells_threads_apart(const struct map_kernel *kernel)
{
    for (const char *d = "xyz"; *d; d++) {
        bool has_block = map_has_coordinate(kernel, 'o', *d) || map_has_coordinate(kernel, 'b', *d);
        if (has_block != map_has_coordinate(kernel, 't', *d))
            return false;
    }
    return true;
}

/* Whether inner index `dimension` stays within 0 .. size - 1, so that rows do
 * not overlap. */
static bool stays_in_row(const struct map_argument *argument, size_t dimension)
{
    isl_ctx *isl = isl_map_get_ctx(argument->write);
    isl_set *index = isl_map_range(isl_map_copy(argument->write));
    unsigned all = (unsigned)isl_set_dim(index, isl_dim_set);
    index = isl_set_project_out(index, isl_dim_set, (unsigned)dimension + 1,
                                all - (unsigned)dimension - 1);
    index = isl_set_project_out(index, isl_dim_set, 0, (unsigned)dimension);
    if (isl_set_has_tuple_id(index))
        index = isl_set_reset_tuple_id(index);
    isl_set *size = isl_map_range(isl_map_read_from_str(isl, argument->sizes[dimension - 1]));
    isl_map *outside =
        isl_map_read_from_str(isl, "{ [index] -> [size] : index < 0 or index >= size }");
    outside = isl_map_intersect_range(isl_map_intersect_domain(outside, index), size);
    bool stays = isl_map_is_empty(outside) == isl_bool_true;
    isl_map_free(outside);
    return stays;
}

bool map_is_injective(const struct map_kernel *kernel, const struct map_argument *argument)
{
    if (!tells_threads_apart(kernel))
        return false;
    for (size_t i = 0; i < argument->size_count; i++)
        if (!stays_in_row(argument, i + 1))
            return false;
    isl_map *write = isl_map_copy(argument->write);
    isl_map *same = isl_map_apply_range(write, isl_map_reverse(isl_map_copy(write)));
    same = isl_map_intersect(same, possible_pairs(kernel, isl_map_get_ctx(same)));
    isl_map *itself = isl_map_identity(isl_map_get_space(same));
    bool is_injective = isl_map_is_subset(same, itself) == isl_bool_true;
    isl_map_free(itself);
    isl_map_free(same);
    return is_injective;
}
