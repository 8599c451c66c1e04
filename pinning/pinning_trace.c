/* pinning_trace: describes traces, and writes the synthetic ones as files. */
#include "block_programs.h"
#include "program.h"
#include "trace_source.h"

#include <errno.h>
#include <math.h>
#include <string.h>

static const struct variant variants[] = {
    {"trace", "what a trace asks for; nothing is timed"},
    {0},
};

static const struct column columns[] = {
    {"trace", COLUMN_PARAMETER, "name of the trace"},
    {"requests", COLUMN_METRIC, "allocations"},
    {"releases", COLUMN_METRIC, "releases"},
    {"accesses", COLUMN_METRIC, "reads, updates and writes"},
    {"size_classes", COLUMN_METRIC, "different block sizes"},
    {"peak_live_blocks", COLUMN_METRIC, "most blocks alive"},
    {"peak_live_bytes", COLUMN_METRIC, "most bytes alive"},
    {"origin", COLUMN_METRIC, "the program behind the trace"},
    {0},
};

static struct trace_source source = {
    .names = "scf_rhf_coreh,tran_rhf_no4v,rccsd_rhf,rccsdpt_aaa,rccsdpt_aab,random",
    .random_requests = 20000,
    .random_live = 64};
static const char *folder;

static const struct option options[] = {
    {"traces", OPTION_TEXT, &source.names, "LIST",
     "traces, separated by commas: the five programs (synthetic), random", 0, 0},
    {"trace-file", OPTION_TEXT, &source.file, "FILE", "describe this file instead (see trace.h)", 0,
     0},
    {"write", OPTION_TEXT, &folder, "FOLDER", "write each trace to a new file FOLDER/NAME.trace", 0,
     0},
    {"random-requests", OPTION_INTEGER, &source.random_requests, "N",
     "requests of the trace random", 1, 1e8},
    {"random-live", OPTION_INTEGER, &source.random_live, "N", "live blocks of the trace random", 1,
     1e6},
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
    if (!trace_write(trace, file, origin_of(trace)) || fclose(file) != 0)
        fail("%s cannot be written: %s", path, strerror(errno));
}

static void run_all(struct run *run)
{
    struct trace trace;
    for (const char *at = source.names;
         trace_source_next(&source, &at, run->settings.seed, &trace);) {
        struct trace_summary summary;
        if (!trace_summarise(&trace, &summary))
            fail("no host memory for a summary of the trace %s", trace.name);
        struct value values[] = {
            text(trace.name),
            integer((int64_t)summary.requests),
            integer((int64_t)summary.releases),
            integer((int64_t)summary.accesses),
            integer((int64_t)summary.size_classes),
            integer((int64_t)summary.peak_live_blocks),
            integer((int64_t)(summary.peak_live_elements * sizeof(double))),
            text(origin_of(&trace)),
        };
        record_row(run, "trace", 0, values, NAN, 0);
        if (folder)
            write_file(&trace);
        trace_free(&trace);
    }
}

static const struct program program = {
    .name = "pinning_trace",
    .summary = "describes traces of block programs and writes the synthetic ones",
    .variants = variants,
    .options = options,
    .columns = columns,
    .run = run_all,
};

int main(int argc, char **argv)
{
    return program_main(&program, argc, argv);
}
