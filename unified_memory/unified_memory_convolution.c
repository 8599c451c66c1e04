/* unified_memory_convolution: a loop over slices by explicit copies and by managed memory. */
#include <string.h>

#include "common/harness/program.h"
#include "common/regions/workload_lists.h"

#include "sweep.h"

static const struct variant variants[] = {
    {"naive", "all copies in, all kernels, all copies out, one after the other"},
    {"pipeline", "whole arrays on the device, chunks copied and computed on streams"},
    {"framework", "the same with ring buffers instead of whole arrays"},
    {"um", "managed memory without hints, in one launch"},
    {"um-gpu-prefetch", "managed memory in chunks, inputs prefetched to the device"},
    {"um-cpu-prefetch", "managed memory in chunks, results prefetched to the host"},
    {"um-prefetch", "managed memory in chunks, both prefetched"},
    {"um-prefetch-all", "um-prefetch, and pages of results are on the device before a kernel "
                        "writes them (CUDA 13: without moving what they held)"},
    {"um-prefetch-map", "inputs prefetched, results stored to host memory by the kernels"},
    {0},
};

/* By variant. */
static const struct version versions[] = {
    {.copies = COPIES_NAIVE},
    {.is_chunked = true, .copies = COPIES_STREAMS},
    {.is_chunked = true, .copies = COPIES_RINGS},
    {.is_managed = true, .hints = UNIFIED_ON_DEMAND},
    {.is_managed = true, .is_chunked = true, .hints = UNIFIED_GPU_PREFETCH},
    {.is_managed = true, .is_chunked = true, .hints = UNIFIED_CPU_PREFETCH},
    {.is_managed = true, .is_chunked = true, .hints = UNIFIED_BOTH},
    {.is_managed = true, .is_chunked = true, .hints = UNIFIED_BOTH | UNIFIED_PLACE_RESULTS},
    {.is_managed = true,
     .is_chunked = true,
     .hints = UNIFIED_BOTH | UNIFIED_PLACE_RESULTS | UNIFIED_MAP_RESULTS},
};

static const char *benchmarks = "conv3d", *datasets;

static const struct program_option options[] = {
    {"benchmarks", OPTION_TEXT, &benchmarks, "LIST",
     "workloads NAME[:DATASET[:ROUNDS]], such as conv3d,conv2d:medium:3", 0, 0},
    {"datasets", OPTION_TEXT, &datasets, "LIST",
     "data sets, by name or size, of workloads without one; none: small", 0, 0},
    SWEEP_OPTIONS,
    {0},
};

/* Sizes for shares of a capacity. */
static struct sizes sizes_of(const struct benchmark_kind *kind)
{
    bool any = strcmp(kind->name, "conv2d") == 0 || strcmp(kind->name, "conv3d") == 0;
    return any ? (struct sizes){3, 1} : (struct sizes){32, 32};
}

static void run_all(struct run *run)
{
    if (datasets && sweep_options.capacity_bytes)
        fail("--datasets and --capacity exclude one another: shares of the capacity say how large "
             "the data are");
    struct workload_list workloads =
        read_workloads("benchmarks", benchmarks, datasets ? datasets : "small", 0);
    for (size_t i = 0; i < workloads.count; i++) {
        const struct listed_workload *workload = &workloads.values[i];
        sweep_versions(run, versions, workload->kind, workload->dataset, workload->rounds,
                       sizes_of(workload->kind));
    }
    note_traffic(run);
    free_workloads(&workloads);
}

const struct program program = {
    .name = "unified_memory_convolution",
    .summary = "executes a loop over slices by explicit copies and by managed memory",
    .details =
        "time_s runs from data on the host to results on the host, all rounds included; of managed\n"
        "memory one element of each page of the results is read within it. Rounds of conv3d and\n"
        "stencil swap input and output. With --updates the host changes one element per page\n"
        "between rounds. Traffic and faults of managed memory are those of one more run, which is\n"
        "not timed. Source: Cui, 3.4.3.",
    .variants = variants,
    .options = options,
    .columns = versions_columns,
    .uses_gpu = true,
    .run = run_all,
};
