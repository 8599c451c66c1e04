#include "offload.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/error.h"

#include "offload/loops.h"

static const char *const names[OFFLOAD_MODELS] = {"openacc", "openmp"};

/* The functions of a shared object. */
struct loops {
    void *object; /* of dlopen; stays open, as its run-time library does */
    const char *(*missing)(void);
    void (*open)(const struct offload_loop *loop);
    void (*run)(struct offload_loop *loop);
    void (*close)(const struct offload_loop *loop);
};

/* ---- loading ---- */

static void path_of(enum offload_model model, char *path, size_t bytes)
{
    const char *folder = getenv("DATAMOTION_OFFLOAD");
    char program[1024];
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);

    if (folder && *folder) {
        snprintf(path, bytes, "%s/offload-%s.so", folder, names[model]);
        return;
    }
    program[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(program, '/');
    if (slash)
        *slash = '\0';
    snprintf(path, bytes, "%s/../pipeline/offload-%s.so", program, names[model]);
}

static enum dm_status find(void *object, const char *name, void *function, size_t bytes)
{
    void *found = dlsym(object, name);

    if (!found)
        return dm_fail(DM_UNAVAILABLE, "loops with offload: %s", dlerror());
    memcpy(function, &found, bytes);
    return DM_OK;
}

static enum dm_status load(enum offload_model model, struct loops *loops)
{
    char path[2048];

    path_of(model, path, sizeof path);
    void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!object)
        return dm_fail(DM_UNAVAILABLE,
                       "%s (a compiler with offload to NVIDIA GPUs makes it, see `make doctor`)",
                       dlerror());
    TRY(find(object, "offload_missing", &loops->missing, sizeof loops->missing));
    TRY(find(object, "offload_open", &loops->open, sizeof loops->open));
    TRY(find(object, "offload_run", &loops->run, sizeof loops->run));
    TRY(find(object, "offload_close", &loops->close, sizeof loops->close));
    loops->object = object;
    return DM_OK;
}

static enum dm_status loops_of(enum offload_model model, const struct loops **loops)
{
    static struct loops all[OFFLOAD_MODELS];

    if (!all[model].object)
        TRY(load(model, &all[model]));
    *loops = &all[model];
    return DM_OK;
}

static enum dm_status benchmark_of(const char *name, enum offload_benchmark *benchmark)
{
    static const char *const known[OFFLOAD_BENCHMARKS] = {"conv2d", "conv3d", "atax"};

    for (int i = 0; i < OFFLOAD_BENCHMARKS; i++)
        if (strcmp(known[i], name) == 0) {
            *benchmark = (enum offload_benchmark)i;
            return DM_OK;
        }
    return dm_fail(DM_UNAVAILABLE, "%s has no loop for a compiler with offload", name);
}

enum dm_status offload_check(enum offload_model model, const struct benchmark *benchmark)
{
    enum offload_benchmark known;
    const struct loops *loops;

    TRY(benchmark_of(benchmark->kind->name, &known));
    if (benchmark->region.rounds > 1)
        return dm_fail(DM_UNAVAILABLE, "loops with offload have one round");
    TRY(loops_of(model, &loops));
    const char *missing = loops->missing();
    return missing ? dm_fail(DM_UNAVAILABLE, "%s", missing) : DM_OK;
}

/* ---- the method ---- */

struct plan {
    const struct loops *loops;
    struct offload_loop loop;
    long iterations;
    size_t device_bytes;
};

static enum dm_status fill_plan(struct plan *plan, enum offload_model model,
                                const struct dm_region *region, const struct execution *execution)
{
    int count = 0;

    TRY(loops_of(model, &plan->loops));
    TRY(benchmark_of(region->name, &plan->loop.benchmark));
    plan->loop.size = (long)execution->benchmark->size;
    plan->loop.chunk = execution->options.chunk_size;
    plan->loop.queues = execution->options.streams;
    plan->iterations = region->end - region->begin;
    for (int a = 0; a < region->array_count; a++)
        if (region->arrays[a].direction != DM_REGION_SCRATCH)
            plan->loop.arrays[count++] = region->arrays[a].host;
    plan->device_bytes = dm_region_footprint(region);
    return DM_OK;
}

static enum dm_status open_loop(enum offload_model model, const struct dm_region *region,
                                const struct execution *execution, void **opened)
{
    struct plan *plan = calloc(1, sizeof *plan);

    if (!plan)
        return error_no_memory(sizeof *plan);
    const enum dm_status status = fill_plan(plan, model, region, execution);
    if (status != DM_OK) {
        free(plan);
        return status;
    }
    plan->loops->open(&plan->loop);
    *opened = plan;
    return DM_OK;
}

static enum dm_status open_openacc(const struct dm_region *region, const void *options, void **plan)
{
    return open_loop(OFFLOAD_OPENACC, region, options, plan);
}

static enum dm_status open_openmp(const struct dm_region *region, const void *options, void **plan)
{
    return open_loop(OFFLOAD_OPENMP, region, options, plan);
}

static double cpu_now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static enum dm_status run_loop(void *opened, void *result, double *time_s)
{
    struct plan *plan = opened;
    const double start_s = clock_now_s(), cpu_start_s = cpu_now_s();

    plan->loops->run(&plan->loop);
    *time_s = clock_now_s() - start_s;
    *(struct copies_report *)result = (struct copies_report){
        .chunk_size = plan->loop.chunk,
        .streams = plan->loop.queues,
        .chunks = (plan->iterations + plan->loop.chunk - 1) / plan->loop.chunk,
        .device_bytes = plan->device_bytes,
        .bytes_to_device = plan->loop.bytes_in,
        .bytes_from_device = plan->loop.bytes_out,
        .copies = plan->loop.updates,
        .time_s = *time_s,
        .host_cpu_s = cpu_now_s() - cpu_start_s,
        .to_device_s = NAN,
        .kernel_s = NAN,
        .from_device_s = NAN};
    return DM_OK;
}

static void close_loop(void *opened)
{
    struct plan *plan = opened;

    plan->loops->close(&plan->loop);
    free(plan);
}

const struct bench_method offload_methods[OFFLOAD_MODELS] = {
    [OFFLOAD_OPENACC] = {open_openacc, run_loop, close_loop, sizeof(struct copies_report)},
    [OFFLOAD_OPENMP] = {open_openmp, run_loop, close_loop, sizeof(struct copies_report)}};
