#include "bench_grid.h"

#include <stdlib.h>

#include "common/harness/exit.h"

static struct version_execution *add(struct version_grid *grid, const struct version_sweep *sweep,
                                     struct benchmark *benchmark, enum version version)
{
    struct version_execution *execution = &grid->executions[grid->count];
    *execution =
        (struct version_execution){.version = version, .beside_a_loop = sweep->beside_a_loop};
    grid->configurations[grid->count++] =
        (struct bench_configuration){.variant = sweep->names[version],
                                     .benchmark = benchmark,
                                     .method = &version_method,
                                     .options = execution};
    return execution;
}

static size_t share_of_footprint(const struct benchmark *benchmark, double share)
{
    return (size_t)(share * (double)dm_region_footprint(&benchmark->region));
}

static long iterations_of(const struct benchmark *benchmark)
{
    return benchmark->region.end - benchmark->region.begin;
}

static long chunk_size_of(const struct benchmark *benchmark, long chunks)
{
    const long iterations = iterations_of(benchmark);
    return chunks < iterations ? (iterations + chunks - 1) / chunks : 1;
}

static struct copies_options whole(const struct benchmark *benchmark)
{
    return (struct copies_options){.chunk_size = iterations_of(benchmark), .streams = 1};
}

/* ---- async ---- */

/* Rows of the block are 32 threads, as loads of a warp should be; 0: the workload's choice. */
static struct benchmark *with_threads(struct version_grid *grid, size_t number,
                                      const struct benchmark *benchmark, long threads)
{
    struct benchmark *copy = &grid->blocks[number];
    *copy = *benchmark;
    if (threads)
        copy->region.block = (dim3){32, (unsigned)threads / 32, 1};
    return copy;
}

static bool is_repeated(const struct benchmark *benchmark, const struct option_numbers *chunks,
                        size_t number)
{
    const long size = chunk_size_of(benchmark, chunks->values[number]);
    for (size_t i = 0; i < number; i++)
        if (chunk_size_of(benchmark, chunks->values[i]) == size)
            return true;
    return false;
}

static void add_async(struct version_grid *grid, const struct version_sweep *sweep,
                      struct benchmark *benchmark, enum version version)
{
    for (size_t s = 0; s < sweep->streams.count; s++)
        for (size_t c = 0; c < sweep->chunks.count; c++) {
            if (is_repeated(benchmark, &sweep->chunks, c))
                continue;
            struct version_execution *execution = add(grid, sweep, benchmark, version);
            execution->chunks.graph = version == VERSION_GRAPH;
            execution->chunks.streams = (int)sweep->streams.values[s];
            execution->chunks.chunk_size = chunk_size_of(benchmark, sweep->chunks.values[c]);
            execution->chunks.budget_bytes = share_of_footprint(benchmark, sweep->capacity_share);
        }
}

/* ---- managed memory ---- */

static void add_managed(struct version_grid *grid, const struct version_sweep *sweep,
                        struct benchmark *benchmark, enum version version)
{
    struct version_execution *execution = add(grid, sweep, benchmark, version);
    execution->chunks = whole(benchmark);
    if (version == VERSION_UM_PREFETCH) {
        execution->chunks.streams = (int)sweep->um_streams;
        execution->chunks.chunk_size = chunk_size_of(benchmark, (long)sweep->um_chunks);
    }
    if (can_oversubscribe())
        execution->capacity_bytes = share_of_footprint(benchmark, sweep->capacity_share);
}

/* ---- persistent kernels ---- */

static bool may_use_engines(enum version version)
{
    return version >= VERSION_BLP_HYBRID;
}

static void set_movers(const struct version_sweep *sweep, struct version_execution *execution)
{
    struct blp_options *blp = &execution->blp;
    const enum version version = execution->version;
    blp->in = version == VERSION_BLP_HYBRID                                        ? BLP_CHOSEN
              : version == VERSION_BLP_ENGINE_IN || version == VERSION_BLP_ENGINES ? BLP_ENGINE
                                                                                   : BLP_BLOCKS;
    blp->out = version == VERSION_BLP_HYBRID                                         ? BLP_CHOSEN
               : version == VERSION_BLP_ENGINE_OUT || version == VERSION_BLP_ENGINES ? BLP_ENGINE
                                                                                     : BLP_BLOCKS;
    if (may_use_engines(version)) {
        blp->rates = sweep->rates;
        blp->compute = sweep->compute;
    }
    if (blp->in == BLP_ENGINE) /* --copy-blocks is for blocks that copy */
        blp->copy_in_blocks = 0;
    if (blp->out == BLP_ENGINE)
        blp->copy_out_blocks = 0;
}

static void add_persistent(struct version_grid *grid, const struct version_sweep *sweep,
                           struct benchmark *benchmark, struct version_execution chosen)
{
    struct version_execution *execution = add(grid, sweep, benchmark, chosen.version);
    *execution = chosen;
    execution->beside_a_loop = sweep->beside_a_loop;
    execution->blp.vector_bits = sweep->vector_bits;
    execution->blp.layout = sweep->layout;
    execution->blp.measured = sweep->measured;
    execution->blp.dynamic = chosen.version == VERSION_BLP_DYNAMIC;
    set_movers(sweep, execution);
    execution->blp.blocks = chosen.blocks_per_sm * sweep->multiprocessors;
}

/* Of the sizes of tasks, or of their numbers. */
static const struct option_numbers *tasks_of(const struct version_sweep *sweep)
{
    return sweep->tasks.list ? &sweep->tasks : &sweep->task_sizes;
}

static long task_size_of(const struct version_sweep *sweep, const struct benchmark *benchmark,
                         long requested)
{
    return requested && sweep->tasks.list ? chunk_size_of(benchmark, requested) : requested;
}

static void add_persistent_sweep(struct version_grid *grid, const struct version_sweep *sweep,
                                 struct benchmark *benchmark, struct version_execution chosen)
{
    for (size_t b = 0; b < sweep->blocks_per_sm.count; b++)
        for (size_t c = 0; c < sweep->copy_blocks.count; c++)
            for (size_t t = 0; t < sweep->threads.count; t++)
                for (size_t s = 0; s < tasks_of(sweep)->count; s++) {
                    chosen.blocks_per_sm = (int)sweep->blocks_per_sm.values[b];
                    chosen.blp.copy_in_blocks = sweep->copy_blocks.values[c].in;
                    chosen.blp.copy_out_blocks = sweep->copy_blocks.values[c].out;
                    chosen.blp.threads = (int)sweep->threads.values[t];
                    chosen.blp.task_size =
                        task_size_of(sweep, benchmark, tasks_of(sweep)->values[s]);
                    add_persistent(grid, sweep, benchmark, chosen);
                }
}

/* Sizes of engines' copies, of versions that have them. */
static void add_engine_sizes(struct version_grid *grid, const struct version_sweep *sweep,
                             struct benchmark *benchmark, struct version_execution chosen)
{
    for (size_t i = 0; i < sweep->engine_kib.count; i++) {
        chosen.blp.engine_bytes = (size_t)sweep->engine_kib.values[i] << 10;
        add_persistent_sweep(grid, sweep, benchmark, chosen);
    }
}

static void add_budgets(struct version_grid *grid, const struct version_sweep *sweep,
                        struct benchmark *benchmark, enum version version)
{
    struct version_execution chosen = {.version = version};
    if (may_use_engines(version)) {
        add_engine_sizes(grid, sweep, benchmark, chosen);
        return;
    }
    if (version != VERSION_BLP_BUFFER) {
        add_persistent_sweep(grid, sweep, benchmark, chosen);
        return;
    }
    for (size_t i = 0; i < sweep->budgets.count; i++) {
        chosen.blp.budget_bytes = share_of_footprint(benchmark, sweep->budgets.values[i]);
        add_persistent_sweep(grid, sweep, benchmark, chosen);
    }
}

/* ---- all ---- */

static size_t configurations_max(const struct version_sweep *sweep)
{
    const size_t persistent = sweep->blocks_per_sm.count * sweep->copy_blocks.count *
                              sweep->threads.count * tasks_of(sweep)->count;
    const size_t async = sweep->streams.count * sweep->chunks.count * sweep->async_threads.count;
    const size_t engines = (VERSIONS - VERSION_BLP_HYBRID) * sweep->engine_kib.count;
    return 3 + 2 * async + (2 + sweep->budgets.count + engines) * persistent;
}

void version_grid_fill(struct version_grid *grid, const struct version_sweep *sweep,
                       struct benchmark *pinned, struct benchmark *managed)
{
    const size_t maximum = configurations_max(sweep);
    grid->configurations = allocate_or_fail(maximum, sizeof *grid->configurations);
    grid->executions = allocate_or_fail(maximum, sizeof *grid->executions);
    grid->blocks = allocate_or_fail(sweep->async_threads.count, sizeof *grid->blocks);
    grid->count = 0;
    if (sweep->wanted[VERSION_SYNC]) {
        struct version_execution *execution = add(grid, sweep, pinned, VERSION_SYNC);
        execution->chunks = whole(pinned);
        execution->chunks.budget_bytes = share_of_footprint(pinned, sweep->capacity_share);
    }
    for (size_t i = 0; i < sweep->async_threads.count; i++)
        for (int version = VERSION_ASYNC; version <= VERSION_GRAPH; version++)
            if (sweep->wanted[version])
                add_async(grid, sweep,
                          with_threads(grid, i, pinned, sweep->async_threads.values[i]),
                          (enum version)version);
    for (int version = VERSION_UM; version <= VERSION_UM_PREFETCH; version++)
        if (sweep->wanted[version])
            add_managed(grid, sweep, managed, (enum version)version);
    for (int version = VERSION_BLP; version < VERSIONS; version++)
        if (sweep->wanted[version])
            add_budgets(grid, sweep, pinned, (enum version)version);
}

void version_grid_free(struct version_grid *grid)
{
    bench_free(grid->configurations, grid->count);
    free(grid->configurations);
    free(grid->executions);
    free(grid->blocks);
}
