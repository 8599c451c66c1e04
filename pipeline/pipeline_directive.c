/* pipeline_directive: is the pipeline directive understood, and does it do what it says? */
#include <math.h>
#include <stdio.h>

#include "common/harness/program.h"

#include "listings.h"
#include "rows.h"

enum { FORMS = LISTINGS };

static const struct variant variants[] = {
    {"accept", "directives that the syntax tables allow"},
    {"reject", "directives that must be refused; -v shows the words"},
    {"listing", "the stencil and the 2-D convolution: parsed from their text, bound to arrays and "
                "executed with ring buffers"},
    {0},
};

static const char *dataset = "small";

static const struct program_option own_options[] = {
    {"dataset", OPTION_TEXT, &dataset, "NAME|N", "data set or size of the listings", 0, 0},
    {0},
};

struct row {
    const char *directive;
    int form;
    bool accepted, expected, matches;
};
static const struct column columns[] = {
    PARAMETER(struct row, directive, "its text behind `target teams distribute`"),
    PARAMETER(struct row, form,
              "1: chunk_size and overlap; 2: dirc and num_block; the tables have some for both"),
    METRIC(struct row, accepted, "1: the parser took it (listing: and it could be bound)"),
    METRIC(struct row, expected, "1: it should"),
    METRIC(struct row, matches,
           "1: as expected; listing: the region is also that of the benchmark"),
    {0},
};

#define RANGE " iterator(k = 1:n-1)"

/* By form; each list ends with NULL. */
static const char *const accepted[FORMS][20] = {
    {"map(pipeline(k),to:A[k])" RANGE, "map(pipeline(k,1),to:A[k:1])" RANGE,
     "map(pipeline(k,1,3),to:A[k-1:3])" RANGE,
     "map(pipeline(k,1,3),to:A[k-1:3][0:ny-1][0:nx-1])" RANGE,
     "map(pipeline(k,c,2*s),tofrom:A[k:1])" RANGE,
     "map(pipeline(k,1,3),from:A[k:1]) iterator(k = 0:n:4)", "map(pipeline(k,1,3):A[k:1])" RANGE,
     "map(to,pipeline(k,1,3):A[k-1:3])" RANGE, "map(to:pipeline(k,1,3):A[k-1:3])" RANGE,
     "map(pipeline(k),to:A[k],B[0:m][k:1])" RANGE, "map(pipeline(k),to:A[k][k])" RANGE,
     "map(pipeline(k),to:A[2*k:2]) map(to:x[0:n])" RANGE,
     "parallel for device(1) private(i, j) map(pipeline(k),to:A[k])" RANGE,
     "iterator(k = 1:n-1), map(pipeline(k),to:A[k])"},
    {"map(pipeline(k):A[k])" RANGE, "map(pipeline(k,to):A[k])" RANGE,
     "map(pipeline(k,to,4):A[k-1:3][0:n-1])" RANGE, "map(pipeline(k,from,4):A[k:1][0:n-1])" RANGE,
     "map(pipeline(k,tofrom,4):A[k:1])" RANGE, "map(pipeline(k,to:4):A[k-1:3])" RANGE,
     "map(pipeline(k,to,4):A[k-1:3], pipeline(k,from,4):B[k:1])" RANGE,
     "map(pipeline(k,to,4):A[k]) iterator(k = 0:n:2)"},
};
static const char *const rejected[FORMS][20] = {
    {"map(pipeline(j),to:A[j])" RANGE, "map(pipeline(k),to:A[k])",
     "map(pipeline(k,),to:A[k])" RANGE, "map(pipeline(k,1,3,5),to:A[k])" RANGE,
     "map(pipeline(k,0),to:A[k])" RANGE, "map(pipeline(k,1,0),to:A[k])" RANGE,
     "map(pipeline(k),to:A[k:0])" RANGE, "map(pipeline(k),to:A[k][k][k])" RANGE,
     "map(pipeline(k),to:A[0:n])" RANGE, "map(pipeline(k),to:A[k][7])" RANGE,
     "map(pipeline(k),to:A[k*k])" RANGE,
     "map(pipeline(k,1),to:A[k]) map(pipeline(k,2),from:B[k])" RANGE,
     "map(to,pipeline(k),from:A[k])" RANGE,
     "map(pipeline(k),to:A[k]) map(pipeline(k),from:A[k])" RANGE,
     "map(pipeline(k),to:A[k]) iterator(k = 1:9:0)", "map(pipeline(k),to:A[k]) iterator(k = 9:1)",
     "map(pipeline(k) to:A[k])" RANGE},
    {"map(pipeline(j,to):A[j])" RANGE, "map(pipeline(k,in,4):A[k]) map(pipeline(k,to):B[k])" RANGE,
     "map(pipeline(k,to,0):A[k])" RANGE, "map(pipeline(k,to,4,2):A[k])" RANGE,
     "map(pipeline(k,4,to):A[k])" RANGE, "map(pipeline(k,to,4),from:A[k])" RANGE,
     "map(pipeline(k,to,4):A[k]) map(pipeline(k,1,3),from:B[k])" RANGE},
};

/* ---- the tables ---- */

/* -v shows why a directive is refused. */
static bool is_accepted(struct run *run, const char *tail)
{
    char text[1024];
    struct pipeline_directive *directive;
    snprintf(text, sizeof text, DIRECTIVE_HEAD "%s", tail);
    if (pipeline_directive_parse(&directive, text) != DM_OK) {
        program_debug(run, "%s\n    %s", text, dm_message());
        return false;
    }
    pipeline_directive_free(directive);
    return true;
}

static void check_texts(struct run *run, const char *variant, const char *const *texts, int form,
                        bool expected)
{
    for (; program_wants(run, variant) && *texts; texts++) {
        const bool accepted = is_accepted(run, *texts);
        const struct row row = {*texts, form, accepted, expected, accepted == expected};
        record_row(run, variant, 0, &row, NAN, accepted != expected);
    }
}

/* ---- the listings ---- */

static void record_listing(struct run *run, const struct bench_configuration *configuration,
                           int form, bool matches)
{
    const struct row row = {listings[form].directive, form + 1, true, true, matches};
    if (configuration->reason)
        fail("%s", configuration->reason);
    for (size_t r = 0; r < configuration->subject.count; r++)
        record_row(run, configuration->variant, (int)r, &row, configuration->subject.times_s[r],
                   configuration->errors + !matches);
}

static void run_listings(struct run *run)
{
    struct benchmark *benchmarks[FORMS];
    struct execution executions[FORMS];
    struct bench_configuration configurations[FORMS];
    bool matches[FORMS];
    for (int form = 0; form < FORMS; form++) {
        struct pipeline_loop loop;
        const struct listing *listing = &listings[form];
        struct benchmark *benchmark =
            benchmark_create(listing->kind, benchmark_size(listing->kind, dataset), 1,
                             MEMORY_PINNED, run->settings.seed);
        benchmarks[form] = benchmark;
        matches[form] = listing_bind(listing, benchmark, &loop);
        benchmark->region = loop.region;
        executions[form] =
            (struct execution){.version = COPIES_RINGS,
                               .options = {.chunk_size = loop.chunk_size, .streams = loop.streams}};
        configurations[form] = (struct bench_configuration){.variant = "listing",
                                                            .benchmark = benchmark,
                                                            .method = &rows_method,
                                                            .options = &executions[form]};
    }
    bench_measure(run, configurations, FORMS);
    for (int form = 0; form < FORMS; form++)
        record_listing(run, &configurations[form], form, matches[form]);
    bench_free(configurations, FORMS);
    for (int form = 0; form < FORMS; form++)
        benchmark_release(benchmarks[form]);
}

static void run_directive(struct run *run)
{
    for (int form = 0; form < FORMS; form++) {
        check_texts(run, "accept", accepted[form], form + 1, true);
        check_texts(run, "reject", rejected[form], form + 1, false);
    }
    if (program_wants(run, "listing"))
        run_listings(run);
}

const struct program program = {
    .name = "pipeline_directive",
    .summary = "checks that the pipeline directive is understood, and that two listings give right "
               "results",
    .details =
        "accept, reject: the parser alone, one row per directive, no time. listing: time_s is a run of the loop with\n"
        "ring buffers, chunk size and streams from the directive; errors are wrong elements. "
        "Source: Cui, fig. 3.1, 3.2, 4.1, 4.2.",
    .variants = variants,
    .options = own_options,
    .columns = columns,
    .uses_gpu = true,
    .run = run_directive,
};
