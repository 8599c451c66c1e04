#include "trace_source.h"

#include <errno.h>
#include <string.h>

#include "common/harness/exit.h"

#include "block_programs.h"

const char *const trace_names[] = {"scf_rhf_coreh", "tran_rhf_no4v", "rccsd_rhf", "rccsdpt_aaa",
                                   "rccsdpt_aab",   "random",        NULL};

static void read_file(const char *name, struct trace *trace)
{
    FILE *file = fopen(name, "r");
    if (!file)
        fail("%s cannot be read: %s", name, strerror(errno));
    check_status(trace_read(trace, file, name));
    fclose(file);
}

bool trace_source_get(const struct trace_source *source, size_t i, uint64_t seed,
                      struct trace *trace)
{
    if (i >= (source->file ? 1 : source->names.count))
        return false;
    if (source->file) {
        read_file(source->file, trace);
        return true;
    }
    const struct block_program *program = block_program_find(trace_names[source->names.values[i]]);
    check_status(program ? block_program_trace(program, seed, trace)
                         : random_trace((size_t)source->random_requests,
                                        (size_t)source->random_live, seed, trace));
    return true;
}
