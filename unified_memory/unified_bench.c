#include "unified_bench.h"

#include <stdlib.h>

#include "common/harness/program.h"

#include "unified_capacity.h"
#include "unified_rows.h"

enum { VERSIONS_MOST = 16, CONFIGURATIONS_MOST = VERSIONS_MOST * COPIES_STREAMS_MAX };

struct bench {
    struct run *run;
    const struct unified_case *what;
    /* By version; those that execute the same workload in the same memory share one. */
    struct benchmark *benchmarks[VERSIONS_MOST];
    struct unified_execution *executions;
    struct bench_configuration *configurations;
    size_t count;
    size_t managed_bytes; /* of the benchmarks together */
    bool limited;         /* the device has no more than the capacity */
};

static const struct benchmark_kind *kind_of(const struct bench *bench,
                                            const struct unified_version *version)
{
    return version->kind ? benchmark_kind_of(version->kind) : bench->what->kind;
}

size_t unified_bench_footprint(const struct benchmark_kind *kind, size_t size)
{
    struct benchmark described = {.kind = kind, .size = size};

    kind->describe(&described);
    return dm_region_footprint(&described.region);
}

static struct benchmark *find_benchmark(const struct bench *bench,
                                        const struct unified_version *version)
{
    enum memory_kind memory = version->managed ? MEMORY_MANAGED : MEMORY_PINNED;

    for (size_t i = 0; i < VERSIONS_MOST; i++)
        if (bench->benchmarks[i] && bench->benchmarks[i]->kind == kind_of(bench, version) &&
            bench->benchmarks[i]->memory == memory)
            return bench->benchmarks[i];
    return NULL;
}

static struct benchmark *make_benchmark(const struct bench *bench,
                                        const struct unified_version *version)
{
    const struct unified_case *what = bench->what;
    struct benchmark *benchmark = benchmark_create(
        kind_of(bench, version), what->size, what->rounds,
        version->managed ? MEMORY_MANAGED : MEMORY_PINNED, bench->run->settings.seed);

    if (what->updates)
        benchmark_update_between_rounds(benchmark);
    benchmark_reset(benchmark);
    return benchmark;
}

static void add_configuration(struct bench *bench, const struct unified_version *version,
                              struct benchmark *benchmark, int streams)
{
    const struct unified_case *what = bench->what;
    long iterations = benchmark->region.end - benchmark->region.begin;
    struct unified_execution *execution = &bench->executions[bench->count];

    *execution = (struct unified_execution){
        .version = version,
        .benchmark = benchmark,
        .options = {.chunk_size = version->chunked ? (iterations + what->chunks - 1) / what->chunks
                                                   : iterations,
                    .streams = streams,
                    .budget_bytes = what->capacity_bytes},
        .oversubscribe = what->oversubscribe};
    bench->configurations[bench->count++] = (struct bench_configuration){
        .variant = version->variant,
        .benchmark = benchmark,
        .method = version->managed ? &unified_managed_method : &unified_explicit_method,
        .options = execution};
}

/* The benchmark of a version, made if there is none yet; NULL with a complaint if it would be more
 * managed memory than may be asked for. */
static struct benchmark *benchmark_of(struct bench *bench, size_t index, const char **complaint)
{
    const struct unified_version *version = &bench->what->versions[index];
    struct benchmark *benchmark = find_benchmark(bench, version);
    size_t bytes = unified_bench_footprint(kind_of(bench, version), bench->what->size);

    if (benchmark)
        return benchmark;
    if (version->managed) {
        *complaint =
            unified_capacity_complaint(bench->managed_bytes + bytes, bench->what->oversubscribe);
        if (*complaint)
            return NULL;
        bench->managed_bytes += bytes;
    }
    return bench->benchmarks[index] = make_benchmark(bench, version);
}

static void add_version(struct bench *bench, size_t index)
{
    const struct unified_case *what = bench->what;
    const struct unified_version *version = &what->versions[index];
    const char *complaint;

    if (!program_wants(bench->run, version->variant))
        return;
    struct benchmark *benchmark = benchmark_of(bench, index, &complaint);
    if (!benchmark) {
        record_waived(bench->run, version->variant, complaint);
        return;
    }
    for (size_t s = 0; s < (version->chunked ? what->streams_count : 1); s++)
        add_configuration(bench, version, benchmark, version->chunked ? (int)what->streams[s] : 1);
}

/* A real card is filled up only when that was asked for. */
static void *limit_device(struct bench *bench)
{
    const struct unified_case *what = bench->what;

    if (!what->capacity_bytes || !what->oversubscribe)
        return NULL;
    void *ballast = unified_ballast_take(what->capacity_bytes);
    bench->limited = ballast != NULL;
    return ballast;
}

void unified_bench(struct run *run, const struct unified_case *what)
{
    struct bench bench = {
        .run = run,
        .what = what,
        .executions = allocate_or_fail(CONFIGURATIONS_MOST, sizeof *bench.executions),
        .configurations = allocate_or_fail(CONFIGURATIONS_MOST, sizeof *bench.configurations)};
    void *ballast = limit_device(&bench);

    for (size_t i = 0; i < VERSIONS_MOST && what->versions[i].variant; i++)
        add_version(&bench, i);
    bench_measure(run, bench.configurations, bench.count);
    for (size_t i = 0; i < bench.count; i++)
        unified_record(run, what, &bench.configurations[i], bench.limited);
    bench_free(bench.configurations, bench.count);
    for (size_t i = 0; i < VERSIONS_MOST; i++)
        if (bench.benchmarks[i])
            benchmark_release(bench.benchmarks[i]);
    if (ballast)
        unified_ballast_release(ballast);
    free(bench.configurations);
    free(bench.executions);
}
