/* partition_map_ir.c: the kernels in the IR that Polly saw. */
#include <string.h>

#include "partition_map.h"

static struct map_kernel *defined_kernel(struct map_module *module, const char *line)
{
    if (!map_starts(line, "define "))
        return NULL;
    const char *name = strchr(line, '@');
    if (!name)
        return NULL;
    name++;
    return map_find_kernel(module, name, map_name_length(name));
}

/* Reads the body that begins at line `first`; returns the line after it. */
static size_t read_body(struct map_kernel *kernel, const struct map_symbols *symbols,
                        const struct map_lines *lines, size_t first)
{
    size_t last = first;
    while (last < lines->count && strcmp(lines->items[last], "}") != 0)
        map_judge_line(kernel, symbols, lines->items[last++]);
    kernel->grid_stride = map_has_grid_stride(lines, first, last);
    return last;
}

void map_read_ir(struct map_module *module, const char *path)
{
    struct map_lines lines = map_read_lines(path);
    struct map_symbols symbols = map_read_symbols(&lines);
    for (size_t i = 0; i < lines.count; i++) {
        struct map_kernel *kernel = defined_kernel(module, lines.items[i]);
        if (!kernel)
            continue;
        map_read_arguments(kernel, lines.items[i]);
        i = read_body(kernel, &symbols, &lines, i + 1);
        kernel->is_defined = true;
    }
    size_t found = 0, wanted = 0;
    for (size_t i = 0; i < module->kernel_count; i++) {
        found += module->kernels[i].is_defined;
        wanted += module->kernels[i].is_defined || !module->kernels[i].refusal;
    }
    if (found != wanted)
        map_fail("%s defines %zu of the %zu kernels that have coordinates", path, found, wanted);
}
