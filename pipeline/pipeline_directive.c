/* pipeline_directive: is the pipeline directive understood, and does it do what it says? */
#include <math.h>
#include <stdio.h>

#include <datamotion/pipeline.h>

#include "common/harness/program.h"
#include "common/workloads/conv2d.h"
#include "common/workloads/stencil.h"

#include "rows.h"

enum { FORMS = 2, ARRAYS = 2 };

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

#define HEAD  "#pragma omp target teams distribute "
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

/* A listing of the thesis: its directive, and the benchmark whose kernel is the body of its loop.
 */
struct listing {
    const char *directive;
    const struct benchmark_kind *kind;
    const char *arrays[ARRAYS]; /* names of the input and the output */
    int dimensions;
    const char *constants[PIPELINE_DIMENSIONS]; /* names of the extents */
    void (*extents)(const void *context, long *extents);
    struct pipeline_loop expected; /* chunk size, streams and blocks */
};

static void stencil_extents(const void *context, long *extents)
{
    const struct stencil_shape *shape = context;
    extents[0] = shape->planes, extents[1] = shape->rows, extents[2] = shape->columns;
}

static void conv2d_extents(const void *context, long *extents)
{
    const struct conv2d_shape *shape = context;
    extents[0] = shape->rows, extents[1] = shape->columns;
}

static const struct listing listings[FORMS] = {
    {.directive = "map(pipeline(k,1,3),to:A0[k-1:3][0:ny-1][0:nx-1]) "
                  "map(pipeline(k,1,3),from:Anext[k:1][0:ny-1][0:nx-1]) iterator(k = 1:nz-1)",
     .kind = &stencil_benchmark,
     .arrays = {"A0", "Anext"},
     .dimensions = 3,
     .constants = {"nz", "ny", "nx"},
     .extents = stencil_extents,
     .expected = {.chunk_size = 1, .streams = 3}},
    {.directive = "map(pipeline(i,to,4):A[i-1:3][0:_PB_NI-1], "
                  "pipeline(i,from,4):B[i:1][0:_PB_NJ-1]) iterator(i = 1:_PB_NI-1)",
     .kind = &conv2d_benchmark,
     .arrays = {"A", "B"},
     .dimensions = 2,
     .constants = {"_PB_NI", "_PB_NJ"},
     .extents = conv2d_extents,
     .expected = {.chunk_size = 1, .streams = PIPELINE_OVERLAP, .num_block = {4, 4}}},
};

/* ---- the tables ---- */

/* NULL if it is not understood; -v says why. */
static struct pipeline_directive *parse(struct run *run, const char *tail)
{
    char text[4096];
    struct pipeline_directive *directive;
    snprintf(text, sizeof text, HEAD "%s", tail);
    if (pipeline_directive_parse(&directive, text) != DM_OK)
        program_debug(run, "%s\n    %s", text, dm_message());
    return directive;
}

static void check_texts(struct run *run, const char *variant, const char *const *texts, int form,
                        bool expected)
{
    for (; program_wants(run, variant) && *texts; texts++) {
        struct pipeline_directive *directive = parse(run, *texts);
        const bool accepted = directive != NULL;
        const struct row row = {*texts, form, accepted, expected, accepted == expected};
        record_row(run, variant, 0, &row, NAN, accepted != expected);
        pipeline_directive_free(directive);
    }
}

/* ---- the listings ---- */

/* The listing with the arrays and the kernel of the benchmark. Ends the program if it cannot be. */
static void bind(struct run *run, const struct listing *listing, const struct benchmark *benchmark,
                 struct pipeline_loop *loop)
{
    const struct dm_region *region = &benchmark->region;
    struct pipeline_array arrays[ARRAYS];
    struct pipeline_constant constants[PIPELINE_DIMENSIONS];
    const struct pipeline_names names = {constants, listing->dimensions, arrays, ARRAYS};
    for (int a = 0; a < ARRAYS; a++) {
        arrays[a] = (struct pipeline_array){.name = listing->arrays[a],
                                            .host = region->arrays[a].host,
                                            .element_bytes = sizeof(float),
                                            .dimensions = listing->dimensions};
        listing->extents(region->context, arrays[a].extents);
    }
    for (int d = 0; d < listing->dimensions; d++)
        constants[d] = (struct pipeline_constant){listing->constants[d], arrays[0].extents[d]};
    struct pipeline_directive *directive = parse(run, listing->directive);
    if (!directive)
        fail("the listing %s is not understood: %s", listing->directive, dm_message());
    check_status(pipeline_directive_bind(directive, &names, region->launch, region->context, loop));
    pipeline_directive_free(directive);
}

static bool same_array(const struct dm_region_array *a, const struct dm_region_array *b)
{
    return a->host == b->host && a->direction == b->direction && a->split == b->split &&
           a->slices == b->slices && a->slice_bytes == b->slice_bytes && a->rows == b->rows &&
           a->offset == b->offset && a->length == b->length;
}

/* Whether the directive says what the benchmark's own description says. */
static bool as_expected(const struct pipeline_loop *loop, const struct dm_region *region,
                        const struct pipeline_loop *expected)
{
    return loop->chunk_size == expected->chunk_size && loop->streams == expected->streams &&
           loop->num_block[0] == expected->num_block[0] &&
           loop->num_block[1] == expected->num_block[1] && loop->region.begin == region->begin &&
           loop->region.end == region->end &&
           same_array(&loop->region.arrays[0], &region->arrays[0]) &&
           same_array(&loop->region.arrays[1], &region->arrays[1]);
}

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
        bind(run, listing, benchmark, &loop);
        matches[form] = as_expected(&loop, &benchmark->region, &listing->expected);
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
