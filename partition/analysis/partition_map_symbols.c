/* partition_map_symbols.c: functions without effects and variables of the
 * module. */
#include <string.h>

#include "partition_map.h"

bool map_contains(const struct map_names *names, const char *name, size_t length)
{
    for (size_t i = 0; i < names->count; i++)
        if (strlen(names->items[i]) == length && memcmp(names->items[i], name, length) == 0)
            return true;
    return false;
}

void map_add_name(struct map_names *names, const char *name, size_t length)
{
    names->items = map_grow(names->items, names->count, sizeof *names->items);
    names->items[names->count++] = map_copy(name, length);
}

/* @coefficients = dso_local addrspace(4) externally_initialized global [8 x
 * float] ... */
static void read_variable(struct map_symbols *symbols, const char *line)
{
    if (line[0] != '@')
        return;
    bool is_constant = strstr(line, " constant ") || strstr(line, " addrspace(4) ");
    bool is_variable = strstr(line, " addrspace(1) ") && !is_constant;
    if (is_constant)
        map_add_name(&symbols->constants, line + 1, map_name_length(line + 1));
    else if (is_variable)
        map_add_name(&symbols->variables, line + 1, map_name_length(line + 1));
}

struct map_symbols map_read_symbols(const struct map_lines *lines)
{
    struct map_symbols symbols = {0};
    for (size_t i = 0; i < lines->count; i++)
        read_variable(&symbols, lines->items[i]);
    return symbols;
}
