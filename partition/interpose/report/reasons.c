/* reasons.c: why something does not run on all devices. */
#include "reasons.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tell.h"

static char last[REASON_BYTES];

struct told {
    struct told *next;
    char line[];
};

/* Programs of libraries have hundreds of kernels. */
enum { LINES_MAX = 20 };

static struct told *all;
static int told_count;

/* Whether the line is new; without memory it is not kept and may come again. */
static bool is_new(const char *line)
{
    for (struct told *told = all; told; told = told->next)
        if (!strcmp(told->line, line))
            return false;
    struct told *told = malloc(sizeof *told + strlen(line) + 1);
    if (told) {
        strcpy(told->line, line);
        told->next = all;
        all = told;
    }
    told_count++;
    return true;
}

void reasons_keep(char kept[REASON_BYTES])
{
    snprintf(kept, REASON_BYTES, "%s", dm_message());
}

void reasons_tell(const char *kernel, const char *reason, bool quiet)
{
    char line[2 * REASON_BYTES];
    if (reason != last)
        snprintf(last, sizeof last, "%s", reason);
    snprintf(line, sizeof line, "kernel %s runs on one device: %s", kernel, reason);
    if (quiet || told_count > LINES_MAX || !is_new(line))
        return;
    if (told_count <= LINES_MAX)
        tell("%s", line);
    else
        tell("more kernels run on one device; PARTITION_STATISTICS=- counts the launches");
}

const char *partition_last_reason(void)
{
    return last;
}
