/* partition_wrap_conditions.c: conditions on a launch, each written once. */
#include <stdio.h>
#include <string.h>

#include "partition_wrap.h"

static bool is_there(char (*lines)[RANGES_LINE], unsigned count, const char *line)
{
    for (unsigned i = 0; i < count; i++)
        if (strcmp(lines[i], line) == 0)
            return true;
    return false;
}

bool ranges_assume(struct ranges *ranges, const char *word, const char *condition)
{
    char line[RANGES_LINE];
    int length = snprintf(line, sizeof line, "%s %s", word, condition);
    if (length >= RANGES_LINE || ranges->new_count == RANGES_NEW_MAX)
        return false;
    if (!is_there(ranges->new_lines, ranges->new_count, line))
        strcpy(ranges->new_lines[ranges->new_count++], line);
    return true;
}

bool ranges_write(struct ranges *ranges)
{
    for (unsigned i = 0; i < ranges->new_count; i++) {
        if (is_there(ranges->lines, ranges->count, ranges->new_lines[i]))
            continue;
        if (ranges->count == RANGES_MAX)
            return false;
        strcpy(ranges->lines[ranges->count++], ranges->new_lines[i]);
        size_t word = strcspn(ranges->new_lines[i], " ");
        fprintf(ranges->out, "%.*s %s%s\n", (int)word, ranges->new_lines[i], ranges->kernel,
                ranges->new_lines[i] + word);
    }
    return true;
}
