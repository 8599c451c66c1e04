/* Arrays of the kernel: on the device, as they were, and as they should be. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/error.h"

#include "server.h"

static size_t bytes_of(const struct server_argument *argument)
{
    return argument->count * argument->element->bytes;
}

/* ---- references: of a file, or what the first configuration wrote ---- */

static void name_reference(char *path, size_t size, size_t argument)
{
    snprintf(path, size, "reference-%zu", argument);
}

static enum dm_status set_reference(struct server_argument *argument, const char *path)
{
    void *reference = malloc(bytes_of(argument));

    if (!reference)
        return error_no_memory(bytes_of(argument));
    enum dm_status status = contents_read(reference, bytes_of(argument), path);
    if (status != DM_OK) {
        free(reference);
        return status;
    }
    argument->reference = reference;
    argument->scale = contents_scale(reference, argument->element, argument->count);
    return DM_OK;
}

static enum dm_status find_reference(struct server *server, size_t i)
{
    struct server_argument *argument = &server->arguments[i];
    char path[64];

    name_reference(path, sizeof path, i);
    if (argument->against)
        return set_reference(argument, argument->against);
    return access(path, R_OK) == 0 ? set_reference(argument, path) : DM_OK;
}

static enum dm_status keep_reference(struct server *server, size_t i)
{
    struct server_argument *argument = &server->arguments[i];
    char path[64];

    name_reference(path, sizeof path, i);
    TRY(contents_write(server->results, bytes_of(argument), path));
    return set_reference(argument, path);
}

enum dm_status server_check(struct server *server, char *why, size_t size)
{
    *why = 0;
    for (size_t i = 0; i < server->argument_count && !*why; i++) {
        struct server_argument *argument = &server->arguments[i];
        struct contents_margin margin = {server->tolerance, argument->scale};
        size_t first = 0;
        if (argument->scalar || !argument->checked)
            continue;
        TRY_DRIVER(cuMemcpyDtoH(server->results, argument->device, bytes_of(argument)));
        if (!argument->reference) {
            TRY(keep_reference(server, i));
            continue;
        }
        size_t wrong = contents_differ(server->results, argument->reference, argument->element,
                                       argument->count, margin, &first);
        if (wrong)
            snprintf(why, size,
                     "%zu of %zu elements of argument %zu differ from the %s; the first, number "
                     "%zu, is %.9g, not %.9g",
                     wrong, argument->count, i + 1,
                     argument->against ? "reference" : "first configuration's", first,
                     element_get(argument->element, server->results, first),
                     element_get(argument->element, argument->reference, first));
    }
    return DM_OK;
}

/* ---- arrays ---- */

static enum dm_status make_array(struct server *server, size_t i)
{
    struct server_argument *argument = &server->arguments[i];
    size_t bytes = bytes_of(argument);

    TRY_DRIVER(cuMemAlloc(&argument->device, bytes));
    TRY_DRIVER(cuMemAlloc(&argument->original, bytes));
    TRY(contents_fill(server->results, argument->element, argument->count, argument->contents,
                      argument->path, server->seed + i));
    TRY_DRIVER(cuMemcpyHtoD(argument->original, server->results, bytes));
    return argument->checked ? find_reference(server, i) : DM_OK;
}

enum dm_status server_restore(struct server *server)
{
    for (size_t i = 0; i < server->argument_count; i++) {
        const struct server_argument *argument = &server->arguments[i];
        if (!argument->scalar)
            TRY_DRIVER(cuMemcpyDtoDAsync(argument->device, argument->original, bytes_of(argument),
                                         server->stream));
    }
    return DM_OK;
}

static enum dm_status make_arrays(struct server *server)
{
    size_t largest = 1;

    for (size_t i = 0; i < server->argument_count; i++)
        if (!server->arguments[i].scalar && bytes_of(&server->arguments[i]) > largest)
            largest = bytes_of(&server->arguments[i]);
    TRY_DRIVER(cuMemAllocHost(&server->results, largest));
    for (size_t i = 0; i < server->argument_count; i++)
        if (!server->arguments[i].scalar)
            TRY(error_within(make_array(server, i), "argument %zu", i + 1));
    return DM_OK;
}

/* ---- the device ---- */

static enum dm_status open_device(struct server *server)
{
    CUcontext context;

    TRY_DRIVER(cuInit(0));
    TRY_DRIVER(cuDeviceGet(&server->device, 0));
    TRY_DRIVER(cuDevicePrimaryCtxRetain(&context, server->device));
    TRY_DRIVER(cuCtxSetCurrent(context));
    TRY_DRIVER(cuStreamCreate(&server->stream, CU_STREAM_NON_BLOCKING));
    server->events = calloc(2 * (size_t)server->runs, sizeof *server->events);
    server->times = calloc((size_t)server->runs, sizeof *server->times);
    if (!server->events || !server->times)
        return error_no_memory(2 * (size_t)server->runs * sizeof *server->events);
    for (int i = 0; i < 2 * server->runs; i++)
        TRY_DRIVER(cuEventCreate(&server->events[i], CU_EVENT_DEFAULT));
    return DM_OK;
}

static enum dm_status make_flushed(struct server *server)
{
    int cache = 0;

    if (!server->flush)
        return DM_OK;
    TRY_DRIVER(cuDeviceGetAttribute(&cache, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, server->device));
    server->flushed_bytes = cache > 0 ? 2 * (size_t)cache : (size_t)1 << 24;
    TRY_DRIVER(cuMemAlloc(&server->flushed, server->flushed_bytes));
    return DM_OK;
}

enum dm_status server_begin(struct server *server)
{
    if (server->runs < 1)
        return dm_fail(DM_INVALID, "the settings are missing");
    TRY(open_device(server));
    TRY(make_flushed(server));
    return make_arrays(server);
}
