#include "trace.h"

#include <stdlib.h>
#include <string.h>

#include "common/error.h"

static const char letters[] = {'a', 'f', 'r', 'u', 'w'};

enum dm_status trace_add(struct trace *trace, struct trace_event event)
{
    if (trace->count == trace->capacity) {
        size_t capacity = trace->capacity ? 2 * trace->capacity : 1024;
        struct trace_event *events = realloc(trace->events, capacity * sizeof *events);
        if (!events)
            return error_no_memory(capacity * sizeof *events);
        trace->events = events;
        trace->capacity = capacity;
    }
    trace->events[trace->count++] = event;
    if (event.id >= trace->ids)
        trace->ids = event.id + 1;
    return DM_OK;
}

void trace_free(struct trace *trace)
{
    free(trace->events);
    *trace = (struct trace){0};
}

enum dm_status trace_write(const struct trace *trace, FILE *file, const char *comment)
{
    fprintf(file, "trace 1 %s %llu\n", trace->name, (unsigned long long)trace->seed);
    if (comment)
        fprintf(file, "# %s\n", comment);
    for (size_t i = 0; i < trace->count; i++) {
        const struct trace_event *event = &trace->events[i];
        fprintf(file, "%c %u", letters[event->kind], event->id);
        if (event->kind == TRACE_ALLOCATE)
            fprintf(file, " %llu", (unsigned long long)event->elements);
        else if (event->kind != TRACE_RELEASE)
            fprintf(file, " %u", event->device);
        putc('\n', file);
    }
    if (fflush(file) != 0 || ferror(file))
        return error_errno("the trace %s could not be written", trace->name);
    return DM_OK;
}

static int compare_sizes(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

static size_t count_classes(uint64_t *sizes, size_t count)
{
    qsort(sizes, count, sizeof *sizes, compare_sizes);
    size_t classes = count > 0;
    for (size_t i = 1; i < count; i++)
        classes += sizes[i] != sizes[i - 1];
    return classes;
}

enum dm_status trace_summarise(const struct trace *trace, struct trace_summary *summary)
{
    *summary = (struct trace_summary){0};
    uint64_t *live = calloc(trace->ids + 1u, sizeof *live);
    uint64_t *sizes = calloc(trace->count + 1, sizeof *sizes);
    size_t blocks = 0, elements = 0;
    for (size_t i = 0; live && sizes && i < trace->count; i++) {
        const struct trace_event *event = &trace->events[i];
        if (event->kind == TRACE_ALLOCATE) {
            sizes[summary->requests++] = live[event->id] = event->elements;
            elements += event->elements;
            blocks++;
        } else if (event->kind == TRACE_RELEASE) {
            summary->releases++;
            elements -= live[event->id];
            blocks--;
        } else {
            summary->accesses++;
        }
        if (blocks > summary->peak_live_blocks)
            summary->peak_live_blocks = blocks;
        if (elements > summary->peak_live_elements)
            summary->peak_live_elements = elements;
    }
    if (live && sizes)
        summary->size_classes = count_classes(sizes, summary->requests);
    bool done = live && sizes;
    free(live);
    free(sizes);
    return done ? DM_OK : error_no_memory(trace->count * sizeof *sizes);
}
