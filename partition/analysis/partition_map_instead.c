/* partition_map_instead.c: a data base in which kernels that were refused have been analysed anew.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "partition_map.h"

/* The kernel of a line of the earlier data base that begins with the word; NULL: none of ours. */
static struct map_kernel *kernel_of(const struct map_module *module, const char *line,
                                    const char *word)
{
    struct map_module all = *module;
    const char *name = line + strlen(word);
    return map_starts(line, word) ? map_find_kernel(&all, name, map_name_length(name)) : NULL;
}

void map_write_instead(const struct map_module *module, const char *earlier)
{
    char *line = NULL;
    size_t room = 0;
    FILE *file = fopen(earlier, "r");
    if (!file)
        map_fail("%s: %s", earlier, strerror(errno));
    while (getline(&line, &room, file) > 0) {
        struct map_kernel *kernel = kernel_of(module, line, "refused ");
        struct map_kernel *numbered = kernel_of(module, line, "numbers ");
        if (kernel && !kernel->refusal)
            map_write_kernel(module, kernel);
        else if (!numbered || numbered->refusal)
            fputs(line, stdout);
    }
    free(line);
    fclose(file);
}
