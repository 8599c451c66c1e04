#include "versions.h"

#include <stdlib.h>

#include "common/harness/program.h"
#include "common/regions/managed_limit.h"

enum { VERSIONS_MAX = 16 };

struct field {
    struct run *run;
    const struct versions_case *what;
    /* By version; those that execute the same workload in the same memory share one. */
    struct benchmark *benchmarks[VERSIONS_MAX];
    struct execution *executions;
    struct bench_configuration *configurations;
    size_t count;
    size_t managed_bytes; /* of the benchmarks together */
};

static const struct benchmark_kind *kind_of(const struct field *field,
                                            const struct version *version)
{
    return version->kind ? benchmark_kind_of(version->kind) : field->what->kind;
}

static enum memory_kind memory_of(const struct version *version)
{
    return version->is_managed ? MEMORY_MANAGED : MEMORY_PINNED;
}

size_t footprint_of(const struct benchmark_kind *kind, size_t size)
{
    struct benchmark described = {.kind = kind, .size = size};

    kind->describe(&described);
    return dm_region_footprint(&described.region);
}

static struct benchmark *find_benchmark(const struct field *field, const struct version *version)
{
    for (size_t i = 0; i < VERSIONS_MAX; i++)
        if (field->benchmarks[i] && field->benchmarks[i]->kind == kind_of(field, version) &&
            field->benchmarks[i]->memory == memory_of(version))
            return field->benchmarks[i];
    return NULL;
}

static struct benchmark *make_benchmark(const struct field *field, const struct version *version)
{
    const struct versions_case *what = field->what;
    struct benchmark *benchmark =
        benchmark_create(kind_of(field, version), what->size, what->rounds, memory_of(version),
                         field->run->settings.seed);

    if (what->updates)
        benchmark_update_between_rounds(benchmark);
    benchmark_reset(benchmark);
    return benchmark;
}

static void add_configuration(struct field *field, int variant, struct benchmark *benchmark,
                              int streams)
{
    const struct versions_case *what = field->what;
    const struct version *version = &what->versions[variant];
    const char *name = field->run->program->variants[variant].name;
    long iterations = benchmark->region.end - benchmark->region.begin;
    struct execution *execution = &field->executions[field->count];

    *execution = (struct execution){
        .variant = name,
        .is_managed = version->is_managed,
        .benchmark = benchmark,
        .managed = {.hints = version->hints,
                    .chunk_size = version->is_chunked
                                      ? (iterations + what->chunks - 1) / what->chunks
                                      : iterations,
                    .streams = streams,
                    .oversubscribe = what->oversubscribe,
                    .phases = what->phases && version->is_managed && streams == 1},
        .copies = version->copies,
        .budget_bytes = what->capacity_bytes};
    field->configurations[field->count++] = (struct bench_configuration){
        .variant = name,
        .benchmark = benchmark,
        .method = version->is_managed ? &managed_method : &copies_method,
        .options = execution};
}

/* The benchmark of a version, made if there is none yet; NULL, with a sentence, if it would be more
 * managed memory than may be allocated. */
static struct benchmark *benchmark_of(struct field *field, int variant)
{
    const struct version *version = &field->what->versions[variant];
    struct benchmark *benchmark = find_benchmark(field, version);

    if (benchmark)
        return benchmark;
    if (version->is_managed) {
        size_t bytes =
            field->managed_bytes + footprint_of(kind_of(field, version), field->what->size);
        enum dm_status status = managed_check_limit(bytes, field->what->oversubscribe);
        if (status == DM_NO_MEMORY)
            return NULL;
        check_status(status);
        field->managed_bytes = bytes;
    }
    return field->benchmarks[variant] = make_benchmark(field, version);
}

static void add_version(struct field *field, int variant)
{
    const struct versions_case *what = field->what;
    const bool chunked = what->versions[variant].is_chunked;

    if (!program_wants_variant(field->run, variant))
        return;
    struct benchmark *benchmark = benchmark_of(field, variant);
    if (!benchmark) {
        record_waived(field->run, field->run->program->variants[variant].name, dm_message());
        return;
    }
    for (size_t s = 0; s < (chunked ? what->streams_count : 1); s++)
        add_configuration(field, variant, benchmark, chunked ? (int)what->streams[s] : 1);
}

void measure_versions(struct run *run, const struct versions_case *what)
{
    const size_t configurations_max = VERSIONS_MAX * what->streams_count;
    struct field field = {
        .run = run,
        .what = what,
        .executions = allocate_or_fail(configurations_max, sizeof *field.executions),
        .configurations = allocate_or_fail(configurations_max, sizeof *field.configurations)};
    void *ballast = NULL;

    /* A real card is filled up only with --oversubscribe. */
    if (what->capacity_bytes && what->oversubscribe)
        check_status(managed_take_ballast(what->capacity_bytes, &ballast));
    for (int i = 0; i < VERSIONS_MAX && run->program->variants[i].name; i++)
        add_version(&field, i);
    bench_measure(run, field.configurations, field.count);
    for (size_t i = 0; i < field.count; i++)
        record_version(run, what, &field.configurations[i], ballast != NULL);
    bench_free(field.configurations, field.count);
    for (size_t i = 0; i < VERSIONS_MAX; i++)
        if (field.benchmarks[i])
            benchmark_release(field.benchmarks[i]);
    managed_release_ballast(ballast);
    free(field.configurations);
    free(field.executions);
}
