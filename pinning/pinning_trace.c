/* pinning_trace: describes traces, and writes the synthetic ones as files. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "common/harness/program.h"

#include "block_programs.h"
#include "trace_source.h"

static const struct variant variants[] = {
    {"trace", "what a trace asks for; nothing is timed"},
    {0},
};

struct row {
    const char *trace;
    size_t requests, releases, accesses, size_classes, peak_live_blocks, peak_live_bytes;
    const char *origin;
};
static const struct column columns[] = {
    PARAMETER(struct row, trace, "name of the trace"),
    METRIC(struct row, requests, "allocations"),
    METRIC(struct row, releases, "releases"),
    METRIC(struct row, accesses, "reads, updates and writes"),
    METRIC(struct row, size_classes, "different block sizes"),
    METRIC(struct row, peak_live_blocks, "maximum of blocks alive"),
    METRIC(struct row, peak_live_bytes, "maximum of bytes alive"),
    METRIC(struct row, origin, "the program behind the trace"),
    {0},
};

static struct trace_source source =
    TRACE_SOURCE("scf_rhf_coreh,tran_rhf_no4v,rccsd_rhf,rccsdpt_aaa,rccsdpt_aab,random");
static const char *folder;

static const struct program_option options[] = {
    TRACE_NAME_OPTIONS(source),
    {"write", OPTION_TEXT, &folder, "FOLDER", "write each trace to a new file FOLDER/NAME.trace", 0,
     0},
    TRACE_RANDOM_OPTIONS(source),
    {0},
};

static const char *origin_of(const struct trace *trace)
{
    const struct block_program *program = block_program_find(trace->name);
    if (source.file)
        return source.file;
    return program ? program->meaning : "synthetic: sizes with uniform logarithm, random releases";
}

static void write_file(const struct trace *trace)
{
    char path[4096];
    if (snprintf(path, sizeof path, "%s/%s.trace", folder, trace->name) >= (int)sizeof path)
        fail("the name of the folder is too long");
    FILE *file = fopen(path, "wx");
    if (!file)
        fail("%s cannot be created: %s", path, strerror(errno));
    check_status(trace_write(trace, file, origin_of(trace)));
    if (fclose(file) != 0)
        fail("%s cannot be written: %s", path, strerror(errno));
}

static void run_all(struct run *run)
{
    struct trace trace;
    for (size_t i = 0; trace_source_get(&source, i, run->settings.seed, &trace); i++) {
        struct trace_summary s;
        check_status(trace_summarise(&trace, &s));
        struct row row = {trace.name,
                          s.requests,
                          s.releases,
                          s.accesses,
                          s.size_classes,
                          s.peak_live_blocks,
                          s.peak_live_elements * sizeof(double),
                          origin_of(&trace)};
        record_row(run, "trace", 0, &row, NAN, 0);
        if (folder)
            write_file(&trace);
        trace_free(&trace);
    }
}

const struct program program = {
    .name = "pinning_trace",
    .summary = "describes traces of block programs and writes the synthetic ones",
    .variants = variants,
    .options = options,
    .columns = columns,
    .run = run_all,
};
