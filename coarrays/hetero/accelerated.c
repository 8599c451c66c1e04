/* accelerated.c: allocation and synchronisation. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coarrays/caf/agree.h"
#include "coarrays/caf/error.h"
#include "coarrays/caf/memory.h"

#include "accelerated_internal.h"
#include "common/error_cuda.h"

/* CUDA IPC shares memory in units of 2 MiB: a smaller allocation would show others with it. */
enum { SHARED_UNIT_BYTES = 2 << 20 };

static bool has_far_image(const struct accelerated *coarray)
{
    for (int image = 1; image <= caf_num_images(); image++)
        if (!accelerated_is_near(coarray, image))
            return true;
    return false;
}

/* ---- memory ---- */

static enum dm_status read_environment(bool *staged)
{
    const char *value = getenv("CAF_ACCELERATED");
    *staged = value && strcmp(value, "staged") == 0;
    if (!value || *staged || strcmp(value, "direct") == 0)
        return DM_OK;
    return invalid(CAF_BAD_ARGUMENT, "CAF_ACCELERATED is '%.40s', but must be direct or staged",
                   value);
}

static cudaError_t allocate_on_device(struct accelerated *coarray)
{
    size_t units = coarray->bytes / SHARED_UNIT_BYTES + 1, bytes = units * SHARED_UNIT_BYTES;
    cudaError_t error = coarray->kind == ACCELERATED_DEVICE
                            ? cudaMalloc(&coarray->memory, bytes)
                            : cudaMallocManaged(&coarray->memory, bytes, cudaMemAttachGlobal);
    if (!error)
        error = cudaMemset(coarray->memory, 0, bytes);
    return error ? error : cudaDeviceSynchronize();
}

static enum dm_status allocate_buffer(struct accelerated *coarray)
{
    cudaError_t error = cudaMallocHost((void **)&coarray->buffer,
                                       (size_t)ACCELERATED_BUFFERS * ACCELERATED_BUFFER_BYTES);
    if (error) {
        coarray->buffer = NULL;
        cudaGetLastError();
        return dm_fail(DM_NO_MEMORY, "ALLOCATE: image %d has no page-locked memory: %s",
                       caf_this_image(), cudaGetErrorString(error));
    }
    for (int i = 0; i < ACCELERATED_BUFFERS; i++)
        TRY_CUDA(cudaEventCreateWithFlags(&coarray->is_free[i], cudaEventDisableTiming));
    return DM_OK;
}

/* What this image can make alone. */
static enum dm_status allocate_own(struct accelerated *coarray, bool has_far)
{
    int images = caf_num_images();
    coarray->reached = calloc((size_t)images, sizeof *coarray->reached);
    coarray->registered = calloc((size_t)images, sizeof *coarray->registered);
    if (!coarray->reached || !coarray->registered)
        return dm_fail(DM_NO_MEMORY, "ALLOCATE: no memory on image %d", caf_this_image());
    if (coarray->kind != ACCELERATED_MAPPED) {
        cudaError_t error = allocate_on_device(coarray);
        if (error) {
            cudaGetLastError();
            return dm_fail(DM_NO_MEMORY, "ALLOCATE: image %d cannot have %zu bytes: %s",
                           caf_this_image(), coarray->bytes, cudaGetErrorString(error));
        }
    }
    return has_far ? allocate_buffer(coarray) : DM_OK;
}

/* Ordinary coarrays that share pages with others could not be page-locked one by one. */
static size_t whole_pages(size_t bytes)
{
    return bytes > MEMORY_SMALL ? bytes : MEMORY_SMALL + 1;
}

static enum dm_status allocate_on_host(struct accelerated *coarray, bool has_far)
{
    void *ignored;
    bool is_mapped = coarray->kind == ACCELERATED_MAPPED;
    if (coarray->kind == ACCELERATED_DEVICE && !has_far)
        return DM_OK;
    enum dm_status status =
        caf_allocate(&coarray->host, whole_pages(coarray->bytes), CAF_DATA, &ignored);
    if (status == DM_OK && !is_mapped)
        status = caf_allocate(&coarray->puts, sizeof(struct accelerated_puts), CAF_DATA, &ignored);
    return status;
}

/* The first of two failures. */
static enum dm_status first_of(enum dm_status first, enum dm_status second)
{
    return first != DM_OK ? first : second;
}

static enum dm_status free_own(struct accelerated *coarray)
{
    enum dm_status status = DM_OK;
    if (coarray->buffer) {
        for (int i = 0; i < ACCELERATED_BUFFERS; i++)
            if (coarray->is_free[i])
                status = first_of(status, status_of_cuda(cudaEventDestroy(coarray->is_free[i])));
        status = first_of(status, status_of_cuda(cudaFreeHost(coarray->buffer)));
    }
    if (coarray->kind != ACCELERATED_MAPPED && coarray->memory)
        status = first_of(status, status_of_cuda(cudaFree(coarray->memory)));
    free(coarray->reached);
    free(coarray->registered);
    free(coarray);
    return status;
}

/* Collective: an image has coarrays for the host if all have them. */
static enum dm_status release(struct accelerated *coarray)
{
    enum dm_status left = accelerated_leave(coarray);
    /* Memory that another process has mapped must not be freed: all leave before any frees. */
    enum dm_status status = caf_sync_all();
    if (coarray->puts && status == DM_OK)
        status = caf_free(coarray->puts);
    if (coarray->host && status == DM_OK)
        status = caf_free(coarray->host);
    return first_of(first_of(left, status), free_own(coarray));
}

static enum dm_status check_request(size_t bytes, enum accelerated_kind kind, bool *staged)
{
    if ((unsigned)kind >= ACCELERATED_KINDS)
        return invalid(CAF_BAD_ARGUMENT, "ALLOCATE: there is no kind %d of accelerated coarrays",
                       (int)kind);
    if (bytes > SIZE_MAX / 2)
        return dm_fail(DM_NO_MEMORY, "ALLOCATE: a coarray of more than half the address space");
    return read_environment(staged);
}

enum dm_status accelerated_allocate(struct accelerated **coarray, size_t bytes,
                                    enum accelerated_kind kind)
{
    bool staged = false, same;
    TRY(caf_sync_all());
    enum dm_status status = check_request(bytes, kind, &staged);
    status = agree_same(status, (bytes * ACCELERATED_KINDS + (size_t)kind) * 2 + staged, &same);
    if (status == DM_OK && !same)
        status = invalid(CAF_BAD_ARGUMENT, "ALLOCATE: the images request different coarrays, or "
                                           "CAF_ACCELERATED is not the same on all");
    if (status != DM_OK)
        return status;
    struct accelerated *made = calloc(1, sizeof *made);
    status = agree(made ? DM_OK : dm_fail(DM_NO_MEMORY, "ALLOCATE: no memory"));
    if (status != DM_OK) {
        free(made);
        return status;
    }
    *made = (struct accelerated){.kind = kind, .bytes = bytes, .staged = staged};
    bool has_far = has_far_image(made);
    status = agree(allocate_own(made, has_far));
    if (status == DM_OK)
        status = allocate_on_host(made, has_far);
    if (status == DM_OK)
        status = accelerated_reach(made);
    if (status != DM_OK) {
        /* Releasing is collective, too, and must not change what failed. */
        char sentence[512];
        snprintf(sentence, sizeof sentence, "%s", dm_message());
        release(made);
        return dm_fail(status, "%s", sentence);
    }
    *coarray = made;
    return DM_OK;
}

enum dm_status accelerated_free(struct accelerated *coarray)
{
    TRY_CUDA(cudaDeviceSynchronize());
    TRY(caf_sync_all());
    return release(coarray);
}

void *accelerated_memory(const struct accelerated *coarray)
{
    return coarray->memory;
}

/* ---- synchronisation ---- */

/* What others have put goes into the part, then the part goes out: the copy is whole again. */
static enum dm_status publish(struct accelerated *coarray)
{
    char *copy = caf_memory(coarray->host), *memory = coarray->memory;
    struct accelerated_puts *puts = caf_memory(coarray->puts);
    for (int i = 0; i < puts->count && i < ACCELERATED_PUTS; i++) {
        const struct accelerated_range *range = &puts->range[i];
        TRY_CUDA(cudaMemcpyAsync(memory + range->offset, copy + range->offset, range->bytes,
                                 cudaMemcpyDefault, 0));
    }
    puts->count = 0;
    TRY_CUDA(cudaMemcpyAsync(copy, memory, coarray->bytes, cudaMemcpyDefault, 0));
    return DM_OK;
}

enum dm_status accelerated_sync(int count, struct accelerated *const *coarrays)
{
    bool any = false;
    TRY_CUDA(cudaDeviceSynchronize());
    TRY(caf_sync_all());
    for (int i = 0; i < count; i++)
        if (accelerated_is_published(coarrays[i])) {
            TRY(publish(coarrays[i]));
            any = true;
        }
    if (!any)
        return DM_OK;
    TRY_CUDA(cudaDeviceSynchronize());
    return caf_sync_all();
}
