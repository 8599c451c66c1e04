/* intervals_strided.c: intervals as few runs of equal length at equal distance. */
#include <stdlib.h>

#include "common/error.h"

#include "intervals.h"

/* The longest run that begins with item `first`. Any piece of a run is a run,
 * so taking the longest each time gives the fewest. */
static struct partition_runs run_from(const struct partition_intervals *set, size_t first)
{
    const struct partition_range *items = set->items + first;
    int64_t length = items[0].end - items[0].begin;
    struct partition_runs run = {items[0].begin, length, 1, length};
    if (first + 1 < set->count && items[1].end - items[1].begin == length)
        run.stride = items[1].begin - items[0].begin;
    else
        return run;
    size_t left = set->count - first;
    while ((size_t)run.count < left &&
           items[run.count].begin - items[run.count - 1].begin == run.stride &&
           items[run.count].end - items[run.count].begin == length)
        run.count++;
    return run;
}

static size_t find_runs(const struct partition_intervals *set, struct partition_runs *runs)
{
    size_t count = 0;
    for (size_t i = 0; i < set->count; count++) {
        struct partition_runs run = run_from(set, i);
        if (runs)
            runs[count] = run;
        i += (size_t)run.count;
    }
    return count;
}

enum dm_status intervals_strided(const struct partition_intervals *set,
                                 struct partition_runs **runs, size_t *count)
{
    *runs = NULL;
    *count = find_runs(set, NULL);
    if (*count == 0)
        return DM_OK;
    *runs = calloc(*count, sizeof **runs);
    if (!*runs)
        return error_no_memory(*count * sizeof **runs);
    find_runs(set, *runs);
    return DM_OK;
}
