#include "trace_source.h"
#include "block_programs.h"
#include "status.h"

#include <errno.h>
#include <string.h>

static void read_file(const char *name, struct trace *trace)
{
    char error[256];
    FILE *file = fopen(name, "r");
    if (!file)
        fail("%s cannot be read: %s", name, strerror(errno));
    if (!trace_read(trace, file, name, error, sizeof error))
        fail("%s", error);
    fclose(file);
}

static void make_trace(const struct trace_source *source, const char *name, size_t length,
                       uint64_t seed, struct trace *trace)
{
    char copy[TRACE_NAME_BYTES];
    snprintf(copy, sizeof copy, "%.*s", (int)length, name);
    const struct block_program *program = block_program_find(copy);
    bool is_random = strcmp(copy, "random") == 0;
    if (!program && !is_random)
        fail("there is no trace %.*s: -h names them", (int)length, name);
    bool made = is_random ? random_trace((size_t)source->random_requests,
                                         (size_t)source->random_live, seed, trace)
                          : block_program_trace(program, seed, trace);
    if (!made)
        fail("no host memory for the trace %s", copy);
}

bool trace_source_next(const struct trace_source *source, const char **at, uint64_t seed,
                       struct trace *trace)
{
    if (!**at)
        return false;
    if (source->file) {
        read_file(source->file, trace);
        *at = "";
        return true;
    }
    size_t length = strcspn(*at, ",");
    make_trace(source, *at, length, seed, trace);
    *at += length + ((*at)[length] == ',');
    return true;
}
