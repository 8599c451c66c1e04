#include "common/regions/workload_lists.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/harness/exit.h"

enum { BLOCK_EXTENT_MAX = 1024, ROUNDS_MAX = 1000000, KINDS_MAX = 63 };

static const struct benchmark_kind *find_kind(const char *name)
{
    const char *names[KINDS_MAX + 1] = {NULL};
    for (int i = 0; i < KINDS_MAX && benchmark_kinds[i]; i++)
        names[i] = benchmark_kinds[i]->name;
    return benchmark_kinds[option_find_name("benchmark", names, name, (int)strlen(name))];
}

static void add_workload(struct workload_list *workloads, const struct benchmark_kind *kind,
                         const char *dataset, long rounds)
{
    size_t bytes = (workloads->count + 1) * sizeof *workloads->values;
    workloads->values = realloc(workloads->values, bytes);
    check_errno(workloads->values != NULL);
    struct listed_workload *workload = &workloads->values[workloads->count++];
    *workload = (struct listed_workload){.kind = kind,
                                         .dataset = strdup(dataset),
                                         .size = benchmark_size(kind, dataset),
                                         .rounds = rounds};
    check_errno(workload->dataset != NULL);
}

/* Cuts `text` at its first colon; what follows that, or NULL. */
static char *cut(char *text)
{
    char *colon = text ? strchr(text, ':') : NULL;
    if (colon)
        *colon++ = '\0';
    return colon;
}

static void read_workload(const char *option, char *entry, const struct option_words *datasets,
                          long rounds, struct workload_list *workloads)
{
    char *dataset = cut(entry), *times = cut(dataset);
    const struct benchmark_kind *kind = find_kind(entry);
    if (times) {
        struct option_numbers numbers = option_read_numbers(option, times, 1, ROUNDS_MAX);
        if (numbers.count != 1)
            fail("--%s: %s is not one number of rounds", option, times);
        rounds = numbers.values[0];
        free(numbers.values);
    }
    if (dataset)
        add_workload(workloads, kind, dataset, rounds);
    for (size_t i = 0; !dataset && i < datasets->count; i++)
        add_workload(workloads, kind, datasets->values[i], rounds);
}

struct workload_list read_workloads(const char *option, const char *list, const char *datasets,
                                    long rounds)
{
    struct workload_list workloads = {0};
    struct option_words entries = option_read_words(option, list);
    struct option_words sets = option_read_words("datasets", datasets);
    for (size_t i = 0; i < entries.count; i++)
        read_workload(option, entries.values[i], &sets, rounds, &workloads);
    option_free_words(&entries);
    option_free_words(&sets);
    return workloads;
}

void free_workloads(struct workload_list *workloads)
{
    for (size_t i = 0; i < workloads->count; i++)
        free(workloads->values[i].dataset);
    free(workloads->values);
}

dim3 read_thread_block(const char *option, const char *text)
{
    unsigned x = 0, y = 0;
    int length = 0;
    if (!text)
        return (dim3){0, 0, 0};
    bool read = sscanf(text, "%4ux%4u%n", &x, &y, &length) == 2 && !text[length];
    if (!read || x < 1 || y < 1 || x > BLOCK_EXTENT_MAX || y > BLOCK_EXTENT_MAX)
        fail("--%s %s is not a thread block such as 32x8, at most %d by %d", option, text,
             BLOCK_EXTENT_MAX, BLOCK_EXTENT_MAX);
    return (dim3){x, y, 1};
}
