/* One configuration: loaded, launched, checked, timed. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/error.h"
#include "common/statistics.h"

#include "energy.h"
#include "server.h"

enum dm_status server_status(CUresult result, const char *call)
{
    const char *name = "an unknown error";

    if (result == CUDA_SUCCESS)
        return DM_OK;
    cuGetErrorName(result, &name);
    return dm_fail(DM_FAILED, "%.*s: %s", (int)strcspn(call, "("), call, name);
}

static void reply(const char *word, const char *sentence)
{
    printf("%s %s\n", word, sentence);
}

/* ---- the kernel in the image: by its name, or by its C++ name in which that is ---- */

#if !defined(SOFTGPU) && CUDA_VERSION >= 12040
enum { FUNCTIONS_MAX = 256 };

static CUresult find_mangled(CUfunction *function, CUmodule module, const char *name)
{
    CUfunction functions[FUNCTIONS_MAX];
    unsigned count = 0;
    char part[256];

    snprintf(part, sizeof part, "%zu%s", strlen(name), name);
    CUresult result = cuModuleGetFunctionCount(&count, module);
    if (result == CUDA_SUCCESS && count <= FUNCTIONS_MAX)
        result = cuModuleEnumerateFunctions(functions, count, module);
    for (unsigned i = 0; result == CUDA_SUCCESS && count <= FUNCTIONS_MAX && i < count; i++) {
        const char *mangled = "";
        result = cuFuncGetName(&mangled, functions[i]);
        if (result == CUDA_SUCCESS && strstr(mangled, part)) {
            *function = functions[i];
            return CUDA_SUCCESS;
        }
    }
    return result == CUDA_SUCCESS ? CUDA_ERROR_NOT_FOUND : result;
}
#else
static CUresult find_mangled(CUfunction *function, CUmodule module, const char *name)
{
    (void)name; /* the software GPU's modules, and what older drivers can find */
    return cuModuleGetFunction(function, module, "datamotion_entry");
}
#endif

static CUresult find_function(CUfunction *function, CUmodule module, const char *name)
{
    if (cuModuleGetFunction(function, module, name) == CUDA_SUCCESS)
        return CUDA_SUCCESS;
    return find_mangled(function, module, name);
}

/* ---- launches ---- */

static CUresult launch_once(const struct server *server, struct launch *launch)
{
    return cuLaunchKernel(launch->function, launch->grid[0], launch->grid[1], launch->grid[2],
                          launch->block[0], launch->block[1], launch->block[2], launch->shared,
                          server->stream, launch->parameters, NULL);
}

/* More than is allowed without it. */
static CUresult allow_shared(struct launch *launch)
{
    enum { USUAL = 48 << 10 };

    if (launch->shared <= USUAL)
        return CUDA_SUCCESS;
    return cuFuncSetAttribute(launch->function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                              (int)launch->shared);
}

/* All runs are enqueued before the only wait, so that the device has no gaps between them. */
static enum dm_status time_runs(struct server *server, struct launch *launch)
{
    for (int i = 0; i < server->runs; i++) {
        if (server->flush)
            TRY_DRIVER(cuMemsetD8Async(server->flushed, (unsigned char)i, server->flushed_bytes,
                                       server->stream));
        TRY_DRIVER(cuEventRecord(server->events[2 * i], server->stream));
        TRY_DRIVER(launch_once(server, launch));
        TRY_DRIVER(cuEventRecord(server->events[2 * i + 1], server->stream));
    }
    TRY_DRIVER(cuStreamSynchronize(server->stream));
    for (int i = 0; i < server->runs; i++) {
        float milliseconds;
        TRY_DRIVER(
            cuEventElapsedTime(&milliseconds, server->events[2 * i], server->events[2 * i + 1]));
        server->times[i] = 1e-3 * (double)milliseconds;
    }
    statistics_sort(server->times, (size_t)server->runs);
    return DM_OK;
}

/* Of one launch: many, because the counter goes on seldom. */
static enum dm_status measure_energy(struct server *server, struct launch *launch, double time_s,
                                     double *joules)
{
    const double least_s = 0.4;
    int launches = (int)fmin(fmax(ceil(least_s / fmax(time_s, 1e-6)), 1.0), 1e5);

    *joules = 0.0;
    if (!server->energy)
        return DM_OK;
    double before = energy_joules();
    for (int i = 0; i < launches; i++)
        TRY_DRIVER(launch_once(server, launch));
    TRY_DRIVER(cuStreamSynchronize(server->stream));
    *joules = (energy_joules() - before) / launches;
    return DM_OK;
}

static enum dm_status measure(struct server *server, struct launch *launch)
{
    double joules;

    TRY(time_runs(server, launch));
    struct interval time = statistics_median(server->times, (size_t)server->runs);
    TRY(measure_energy(server, launch, time.median, &joules));
    printf("ok %.17g %.17g %.17g\n", time.median, 0.5 * (time.high - time.low), joules);
    return DM_OK;
}

/* The first launch is verified, and the others are timed. */
static enum dm_status launch_and_measure(struct server *server, struct launch *launch)
{
    char why[400];

    TRY(server_restore(server));
    CUresult result = allow_shared(launch);
    if (result == CUDA_SUCCESS)
        result = launch_once(server, launch);
    if (result != CUDA_SUCCESS) {
        server_status(result, "cuLaunchKernel");
        reply("invalid", dm_message());
        return server_status(cuStreamSynchronize(server->stream), "cuStreamSynchronize");
    }
    TRY_DRIVER(cuStreamSynchronize(server->stream));
    TRY(server_check(server, why, sizeof why));
    if (!*why)
        return measure(server, launch);
    reply("wrong", why);
    return DM_OK;
}

enum dm_status server_run(struct server *server, const char *image, const char *name,
                          struct launch *launch)
{
    CUmodule module;
    CUresult result = cuModuleLoad(&module, image);

    if (result != CUDA_SUCCESS) {
        server_status(result, "cuModuleLoad");
        reply("failed", dm_message());
        return DM_OK;
    }
    enum dm_status status = DM_OK;
    if (find_function(&launch->function, module, name) != CUDA_SUCCESS)
        reply("failed", "no kernel of that name is in what was compiled");
    else
        status = launch_and_measure(server, launch);
    if (status == DM_OK)
        status = server_status(cuModuleUnload(module), "cuModuleUnload");
    return status;
}
