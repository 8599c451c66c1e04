#include "benchmark.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/harness/allocate.h"
#include "common/harness/exit.h"
#include "common/harness/options.h"

#include "atax.h"
#include "conv2d.h"
#include "conv3d.h"
#include "fdtd2d.h"
#include "gemm.h"
#include "pooling.h"
#include "qcd.h"
#include "stencil.h"
#include "transpose.h"

const struct benchmark_kind *const benchmark_kinds[] = {
    &conv2d_benchmark,    &conv3d_benchmark, &stencil_benchmark, &pooling_benchmark,
    &transpose_benchmark, &gemm_benchmark,   &matmul_benchmark,  &matmul_naive_benchmark,
    &atax_benchmark,      &fdtd2d_benchmark, &qcd_benchmark,     NULL,
};

const struct benchmark_kind *benchmark_kind_of(const char *name)
{
    for (size_t k = 0; benchmark_kinds[k]; k++)
        if (strcmp(benchmark_kinds[k]->name, name) == 0)
            return benchmark_kinds[k];
    return NULL;
}

static void fail_unknown_size(const struct benchmark_kind *kind, const char *dataset)
    __attribute__((noreturn));

static void fail_unknown_size(const struct benchmark_kind *kind, const char *dataset)
{
    char names[200] = "";
    size_t used = 0;
    for (const struct benchmark_dataset *d = kind->datasets; d->name && used < sizeof names; d++)
        used += (size_t)snprintf(names + used, sizeof names - used, "%s, ", d->name);
    fail("%s has no data set %s: choose one of %sor a number", kind->name, dataset, names);
}

size_t benchmark_size(const struct benchmark_kind *kind, const char *dataset)
{
    for (const struct benchmark_dataset *d = kind->datasets; d->name; d++)
        if (strcmp(d->name, dataset) == 0)
            return d->size;
    size_t size;
    if (!options_read_size(dataset, &size) || size == 0)
        fail_unknown_size(kind, dataset);
    return size;
}

/* Bytes of an array's host memory, from its first to its last. */
static size_t host_bytes(const struct dm_region_array *array)
{
    return (array->rows - 1) * array->pitch_bytes + (size_t)array->slices * array->slice_bytes;
}

struct benchmark *benchmark_create(const struct benchmark_kind *kind, size_t size, long rounds,
                                   enum memory_kind memory, uint64_t seed)
{
    struct benchmark *benchmark = allocate_or_fail(1, sizeof *benchmark);
    *benchmark = (struct benchmark){.kind = kind, .size = size, .seed = seed, .memory = memory};
    struct dm_region *region = &benchmark->region;
    kind->describe(benchmark);
    region->rounds = rounds;
    for (int a = 0; a < region->array_count; a++)
        if (region->arrays[a].direction != DM_REGION_SCRATCH)
            region->arrays[a].host = memory_allocate(memory, host_bytes(&region->arrays[a]));
    if (kind->create)
        kind->create(benchmark);
    if (dm_region_check(region) != DM_OK)
        fail("%s: %s", kind->name, dm_message());
    return benchmark;
}

void benchmark_release(struct benchmark *benchmark)
{
    if (benchmark->kind->release)
        benchmark->kind->release(benchmark);
    for (int a = 0; a < benchmark->region.array_count; a++)
        if (benchmark->region.arrays[a].host)
            memory_release(benchmark->memory, benchmark->region.arrays[a].host);
    free(benchmark);
}

void benchmark_update(float *values, size_t count)
{
    for (size_t i = 0; i < count; i += BENCHMARK_UPDATE_STRIDE)
        values[i] *= 0.5f;
}

static void update_inputs(const struct dm_region *region, long round, void *context)
{
    (void)context;
    for (int a = 0; a < region->array_count; a++)
        if (region->arrays[a].direction & DM_REGION_TO)
            benchmark_update(dm_region_host(region, a, round + 1),
                             host_bytes(&region->arrays[a]) / sizeof(float));
}

void benchmark_update_between_rounds(struct benchmark *benchmark)
{
    benchmark->host_updates = true;
    benchmark->region.between = update_inputs;
}

void benchmark_reset(struct benchmark *benchmark)
{
    benchmark->kind->reset(benchmark);
}

long benchmark_errors(struct benchmark *benchmark)
{
    return benchmark->kind->errors(benchmark);
}
