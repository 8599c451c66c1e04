#include "traces.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/harness/exit.h"

#include "gather.h"

enum dm_status traces_add_block_event(void *trace, const struct prefetch_block_event *event)
{
    static const enum trace_kind kinds[] = {[PREFETCH_BLOCK_ALLOCATE] = TRACE_ALLOCATE,
                                            [PREFETCH_BLOCK_RELEASE] = TRACE_RELEASE,
                                            [PREFETCH_BLOCK_READ] = TRACE_READ,
                                            [PREFETCH_BLOCK_UPDATE] = TRACE_UPDATE,
                                            [PREFETCH_BLOCK_WRITE] = TRACE_WRITE};
    return trace_add(trace, (struct trace_event){.kind = (uint8_t)kinds[event->kind],
                                                 .device = (uint8_t)event->slot,
                                                 .id = event->id,
                                                 .elements = event->elements});
}

static FILE *new_file(const char *option, const char *name)
{
    FILE *file = fopen(name, "wx");
    if (!file)
        fail("--%s %s could not be created: %s", option, name, strerror(errno));
    return file;
}

static void close_file(FILE *file, const char *name)
{
    int failed = ferror(file);
    if (fclose(file) != 0 || failed)
        fail("%s could not be written: %s", name, strerror(errno ? errno : EIO));
}

void traces_write_events(const char *file_name, const struct prefetch_program *program,
                         const struct prefetch_result *result)
{
    static const char *const kinds[] = {"request", "arrive", "wait", "compute", "put", "barrier"};
    size_t count;
    struct prefetch_event *events = sip_gather_events(result, &count);
    if (!events)
        return;
    FILE *file = new_file("trace", file_name);
    fprintf(file, "# worker begin_s end_s event line array block\n");
    for (size_t i = 0; i < count; i++) {
        const struct prefetch_event *event = &events[i];
        const char *array = prefetch_array_name(program, event->array);
        fprintf(file, "%d %.9f %.9f %s %d ", event->worker, event->begin_s, event->end_s,
                kinds[event->kind], event->line);
        if (array)
            fprintf(file, "%s %lld\n", array, (long long)event->block);
        else
            fprintf(file, "- -\n");
    }
    close_file(file, file_name);
    free(events);
}

void traces_write_blocks(const char *file_name, const struct trace *trace)
{
    FILE *file = new_file("block-trace", file_name);
    check_status(trace_write(trace, file, "blocks of worker 0"));
    close_file(file, file_name);
}
