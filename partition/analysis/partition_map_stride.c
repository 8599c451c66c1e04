/* partition_map_stride.c: loops that step by the size of the grid. Polly
 * refuses them without a word; this finds the word. */
#include <string.h>

#include "partition_map.h"

static bool mentions(const char *text, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = strchr(text, '%'); at; at = strchr(at + 1, '%'))
        if (map_name_length(at + 1) == length && memcmp(at + 1, name, length) == 0)
            return true;
    return false;
}

static bool mentions_any(const char *text, const struct map_names *names)
{
    for (size_t i = 0; i < names->count; i++)
        if (mentions(text, names->items[i]))
            return true;
    return false;
}

/* Whether the value is the grid's size in threads: launch_size, launch_block *
 * launch_grid, or a conversion of these. */
static bool is_grid_size(const char *value, const struct map_names *sizes)
{
    if (map_starts(value, " = sext ") || map_starts(value, " = zext ") ||
        map_starts(value, " = trunc "))
        return mentions_any(value, sizes);
    return map_starts(value, " = mul ") && strstr(value, "%launch_block_") &&
           strstr(value, "%launch_grid_");
}

static struct map_names grid_sizes(const struct map_lines *lines, size_t first, size_t last)
{
    struct map_names sizes = {0};
    for (const char *d = "xyz"; *d; d++) {
        char *name = map_format("launch_size_%c", *d);
        map_add_name(&sizes, name, strlen(name));
    }
    for (size_t i = first; i < last; i++) {
        const char *line = lines->items[i], *value = strstr(line, " = ");
        if (line[0] == '%' && value && is_grid_size(value, &sizes))
            map_add_name(&sizes, line + 1, map_name_length(line + 1));
    }
    return sizes;
}

static bool feeds_phi(const struct map_lines *lines, size_t first, size_t last, const char *name)
{
    for (size_t i = first; i < last; i++) {
        const char *phi = strstr(lines->items[i], " = phi ");
        if (phi && mentions(phi, name))
            return true;
    }
    return false;
}

bool map_has_grid_stride(const struct map_lines *lines, size_t first, size_t last)
{
    struct map_names sizes = grid_sizes(lines, first, last);
    for (size_t i = first; i < last; i++) {
        const char *line = lines->items[i], *sum = strstr(line, " = add ");
        if (line[0] == '%' && sum && mentions_any(sum, &sizes) &&
            feeds_phi(lines, first, last, map_copy(line + 1, map_name_length(line + 1))))
            return true;
    }
    return false;
}
