#include "benchmark.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/harness/exit.h"
#include "common/harness/ranks.h"

#include "sip_options.h"

/* ---- the network ---- */

/* A blank and a variable of the environment, if it is set. */
static void append_variable(char *text, size_t bytes, const char *name)
{
    const char *value = getenv(name);
    size_t length = strlen(text);
    if (value && *value)
        snprintf(text + length, bytes - length, " %s", value);
}

const char *benchmark_network(void)
{
    static char text[96];
    const char *cluster = getenv("DATAMOTION_CLUSTER");
    if (ranks.local_count == ranks.count)
        return "shared memory";
    if (!cluster || !*cluster)
        return "network";
    snprintf(text, sizeof text, "cluster");
    append_variable(text, sizeof text, "DATAMOTION_CLUSTER_RATE");
    append_variable(text, sizeof text, "DATAMOTION_CLUSTER_DELAY");
    return text;
}

/* ---- options ---- */

void benchmark_refuse(const char *format, ...)
{
    char sentence[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    if (ranks.rank != 0)
        ranks.barrier();
    fail("%s", sentence);
}

/* Reads `NUMBER` or `NUMBER..NUMBER` at `text`; NULL if there is none, else what follows it. */
static const char *read_range(const char *text, int64_t *first, int64_t *last)
{
    char *end;
    *first = *last = strtoll(text, &end, 10);
    if (end == text)
        return NULL;
    if (strncmp(end, "..", 2) != 0)
        return end;
    text = end + 2;
    *last = strtoll(text, &end, 10);
    return end == text ? NULL : end;
}

static void append_range(struct benchmark_numbers *numbers, int64_t first, int64_t last)
{
    size_t more = (size_t)(last - first + 1);
    numbers->values = realloc(numbers->values, (numbers->count + more) * sizeof(int64_t));
    check_errno(numbers->values != NULL);
    while (first <= last)
        numbers->values[numbers->count++] = first++;
}

struct benchmark_numbers benchmark_read_numbers(const char *option, const char *list, int64_t least,
                                                int64_t most)
{
    struct benchmark_numbers numbers = {0};
    const char *at = list;
    do {
        int64_t first, last;
        const char *end = read_range(at, &first, &last);
        if (!end || (*end && *end != ',') || first > last)
            benchmark_refuse("--%s %s is not a list of numbers such as 1..4,8,16", option, list);
        if (first < least || last > most)
            benchmark_refuse("--%s %s: the numbers must be within %lld..%lld", option, list,
                             (long long)least, (long long)most);
        append_range(&numbers, first, last);
        at = end + 1;
        if (!*end)
            return numbers;
    } while (true);
}

/* ---- programs ---- */

bool benchmark_next_program(const char **at, struct benchmark_program *program)
{
    size_t length = strcspn(*at, ",");
    if (length == 0)
        return false;
    char *text = strndup(*at, length);
    check_errno(text != NULL);
    char *set = strchr(text, ':');
    if (set)
        *set++ = '\0';
    for (char *colon = set; colon && (colon = strchr(colon, ':'));)
        *colon = ',';
    program->name = text;
    program->code = sip_compile(text, set);
    *at += length + ((*at)[length] == ',');
    return true;
}

void benchmark_free_program(struct benchmark_program *program)
{
    free(program->name);
    sial_free(program->code);
}

/* ---- samples ---- */

void *benchmark_add_sample(struct benchmark_samples *samples)
{
    if (samples->count == samples->capacity) {
        samples->capacity = samples->capacity ? 2 * samples->capacity : 16;
        samples->items = realloc(samples->items, samples->capacity * samples->item_bytes);
        check_errno(samples->items != NULL);
    }
    void *item = (char *)samples->items + samples->count++ * samples->item_bytes;
    return memset(item, 0, samples->item_bytes);
}

const void *benchmark_sample(const struct benchmark_samples *samples, const struct subject *subject,
                             size_t repetition)
{
    size_t warmup = samples->count - subject->count;
    return (const char *)samples->items + (warmup + repetition) * samples->item_bytes;
}
