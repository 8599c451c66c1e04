/* accelerated.c: allocation and synchronisation. */
#include <stdlib.h>
#include <string.h>

#include "coarrays/caf/agree.h"
#include "coarrays/caf/error.h"
#include "coarrays/caf/memory.h"
#include "common/harness/exit.h"

#include "accelerated_internal.h"

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

static int read_environment(bool *staged)
{
    const char *value = getenv("CAF_ACCELERATED");
    *staged = value && strcmp(value, "staged") == 0;
    if (!value || *staged || strcmp(value, "direct") == 0)
        return CAF_OK;
    return caf_error(CAF_BAD_ARGUMENT, "CAF_ACCELERATED is '%.40s', but must be direct or staged",
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

static int allocate_buffer(struct accelerated *coarray)
{
    cudaError_t error = cudaMallocHost((void **)&coarray->buffer,
                                       (size_t)ACCELERATED_BUFFERS * ACCELERATED_BUFFER_BYTES);
    if (error) {
        coarray->buffer = NULL;
        cudaGetLastError();
        return caf_error(CAF_NO_MEMORY, "ALLOCATE: image %d has no page-locked memory: %s",
                         caf_this_image(), cudaGetErrorString(error));
    }
    for (int i = 0; i < ACCELERATED_BUFFERS; i++)
        check_cuda(cudaEventCreateWithFlags(&coarray->is_free[i], cudaEventDisableTiming));
    return CAF_OK;
}

/* What this image can make alone. */
static int allocate_own(struct accelerated *coarray, bool has_far)
{
    int images = caf_num_images();
    coarray->reached = calloc((size_t)images, sizeof *coarray->reached);
    coarray->registered = calloc((size_t)images, sizeof *coarray->registered);
    if (!coarray->reached || !coarray->registered)
        return caf_error(CAF_NO_MEMORY, "ALLOCATE: no memory on image %d", caf_this_image());
    if (coarray->kind != ACCELERATED_MAPPED) {
        cudaError_t error = allocate_on_device(coarray);
        if (error) {
            cudaGetLastError();
            return caf_error(CAF_NO_MEMORY, "ALLOCATE: image %d cannot have %zu bytes: %s",
                             caf_this_image(), coarray->bytes, cudaGetErrorString(error));
        }
    }
    return has_far ? allocate_buffer(coarray) : CAF_OK;
}

/* Coarrays of caf.h that share pages with others could not be page-locked one by one. */
static size_t whole_pages(size_t bytes)
{
    return bytes > MEMORY_SMALL ? bytes : MEMORY_SMALL + 1;
}

static int allocate_on_host(struct accelerated *coarray, bool has_far)
{
    void *ignored;
    bool is_mapped = coarray->kind == ACCELERATED_MAPPED;
    if (coarray->kind == ACCELERATED_DEVICE && !has_far)
        return CAF_OK;
    int code = caf_allocate(&coarray->host, whole_pages(coarray->bytes), CAF_DATA, &ignored);
    if (!code && !is_mapped)
        code = caf_allocate(&coarray->puts, sizeof(struct accelerated_puts), CAF_DATA, &ignored);
    return code;
}

/* Collective: an image has a coarray of caf.h if all have it. */
static int release(struct accelerated *coarray)
{
    accelerated_leave(coarray);
    /* Memory that another process has mapped must not be freed: all leave before any frees. */
    int code = caf_sync_all();
    if (coarray->puts && !code)
        code = caf_free(coarray->puts);
    if (coarray->host && !code)
        code = caf_free(coarray->host);
    if (coarray->buffer) {
        for (int i = 0; i < ACCELERATED_BUFFERS; i++)
            check_cuda(cudaEventDestroy(coarray->is_free[i]));
        check_cuda(cudaFreeHost(coarray->buffer));
    }
    if (coarray->kind != ACCELERATED_MAPPED && coarray->memory)
        check_cuda(cudaFree(coarray->memory));
    free(coarray->reached);
    free(coarray->registered);
    free(coarray);
    return code;
}

static int check_request(size_t bytes, enum accelerated_kind kind, bool *staged)
{
    if ((unsigned)kind >= ACCELERATED_KINDS)
        return caf_error(CAF_BAD_ARGUMENT, "ALLOCATE: there is no kind %d of accelerated coarrays",
                         (int)kind);
    if (bytes > SIZE_MAX / 2)
        return caf_error(CAF_NO_MEMORY, "ALLOCATE: a coarray of more than half the address space");
    return read_environment(staged);
}

int accelerated_allocate(struct accelerated **coarray, size_t bytes, enum accelerated_kind kind)
{
    bool staged = false, same;
    int code = caf_sync_all();
    if (code)
        return code;
    code = check_request(bytes, kind, &staged);
    code = agree_same(code, (bytes * ACCELERATED_KINDS + (size_t)kind) * 2 + staged, &same);
    if (!code && !same)
        code = caf_error(CAF_BAD_ARGUMENT, "ALLOCATE: the images ask for different coarrays, or "
                                           "CAF_ACCELERATED is not the same on all");
    if (code)
        return code;
    struct accelerated *made = calloc(1, sizeof *made);
    code = agree(made ? CAF_OK : caf_error(CAF_NO_MEMORY, "ALLOCATE: no memory"));
    if (code) {
        free(made);
        return code;
    }
    *made = (struct accelerated){.kind = kind, .bytes = bytes, .staged = staged};
    bool has_far = has_far_image(made);
    code = agree(allocate_own(made, has_far));
    if (!code)
        code = allocate_on_host(made, has_far);
    if (!code)
        code = accelerated_reach(made);
    if (code) {
        /* Releasing is collective, too, and must not change what failed. */
        char sentence[256];
        strncpy(sentence, caf_error_text(), sizeof sentence - 1);
        sentence[sizeof sentence - 1] = '\0';
        release(made);
        return caf_error(code, "%s", sentence);
    }
    *coarray = made;
    return CAF_OK;
}

int accelerated_free(struct accelerated *coarray)
{
    check_cuda(cudaDeviceSynchronize());
    int code = caf_sync_all();
    return code ? code : release(coarray);
}

void *accelerated_memory(const struct accelerated *coarray)
{
    return coarray->memory;
}

/* ---- synchronisation ---- */

/* What others have put goes into the part, then the part goes out: the copy is whole again. */
static void publish(struct accelerated *coarray)
{
    char *copy = caf_memory(coarray->host), *memory = coarray->memory;
    struct accelerated_puts *puts = caf_memory(coarray->puts);
    for (int i = 0; i < puts->count && i < ACCELERATED_PUTS; i++) {
        const struct accelerated_range *range = &puts->range[i];
        check_cuda(cudaMemcpyAsync(memory + range->offset, copy + range->offset, range->bytes,
                                   cudaMemcpyDefault, 0));
    }
    puts->count = 0;
    check_cuda(cudaMemcpyAsync(copy, memory, coarray->bytes, cudaMemcpyDefault, 0));
}

int accelerated_sync(int count, struct accelerated *const *coarrays)
{
    bool any = false;
    check_cuda(cudaDeviceSynchronize());
    int code = caf_sync_all();
    for (int i = 0; i < count && !code; i++)
        if (accelerated_is_published(coarrays[i])) {
            publish(coarrays[i]);
            any = true;
        }
    if (code || !any)
        return code;
    check_cuda(cudaDeviceSynchronize());
    return caf_sync_all();
}
