/* accelerated_transfer.c: get and put. */
#include <stddef.h>

#include "coarrays/caf/error.h"

#include "accelerated_internal.h"
#include "common/error_cuda.h"

static enum dm_status check_target(const struct accelerated *coarray, const char *statement,
                                   int image, size_t offset, size_t bytes)
{
    if (image < 1 || image > caf_num_images())
        return invalid(CAF_BAD_IMAGE, "%s: there is no image %d of %d", statement, image,
                       caf_num_images());
    if (offset > coarray->bytes || bytes > coarray->bytes - offset)
        return invalid(CAF_BAD_RANGE,
                       "%s: %zu bytes from offset %zu on are beyond the coarray's %zu", statement,
                       bytes, offset, coarray->bytes);
    return DM_OK;
}

/* The next of the buffers, once the device has done with it. */
static enum dm_status take_buffer(struct accelerated *coarray, char **buffer, cudaEvent_t *is_free)
{
    unsigned i = coarray->turn++ % ACCELERATED_BUFFERS;
    *is_free = coarray->is_free[i];
    TRY_CUDA(cudaEventSynchronize(*is_free));
    *buffer = coarray->buffer + (size_t)i * ACCELERATED_BUFFER_BYTES;
    return DM_OK;
}

static size_t piece(size_t bytes)
{
    return bytes < ACCELERATED_BUFFER_BYTES ? bytes : ACCELERATED_BUFFER_BYTES;
}

/* ---- get ---- */

static enum dm_status get_through_buffer(char *to, struct accelerated *from, int image,
                                         size_t offset, size_t bytes, cudaStream_t stream)
{
    for (size_t done = 0; done < bytes; done += piece(bytes - done)) {
        cudaEvent_t is_free;
        size_t now = piece(bytes - done);
        char *buffer;
        TRY(take_buffer(from, &buffer, &is_free));
        TRY(caf_get(buffer, from->host, image, offset + done, now));
        TRY_CUDA(cudaMemcpyAsync(to + done, buffer, now, cudaMemcpyDefault, stream));
        TRY_CUDA(cudaEventRecord(is_free, stream));
    }
    return DM_OK;
}

enum dm_status accelerated_get(void *to, struct accelerated *from, int image, size_t offset,
                               size_t bytes, cudaStream_t stream)
{
    enum dm_status status = check_target(from, "GET", image, offset, bytes);
    if (status != DM_OK || bytes == 0)
        return status;
    const char *part = from->reached[image - 1];
    if (!part && accelerated_is_near(from, image))
        part = caf_pointer(from->host, image);
    if (!part)
        return get_through_buffer(to, from, image, offset, bytes, stream);
    TRY_CUDA(cudaMemcpyAsync(to, part + offset, bytes, cudaMemcpyDefault, stream));
    return DM_OK;
}

/* ---- put ---- */

struct filled {
    char *buffer;
    size_t bytes;
    cudaEvent_t is_there;
};

static enum dm_status fill_buffer(struct accelerated *to, const char *from, size_t bytes,
                                  cudaStream_t stream, struct filled *filled)
{
    filled->bytes = piece(bytes);
    TRY(take_buffer(to, &filled->buffer, &filled->is_there));
    TRY_CUDA(cudaMemcpyAsync(filled->buffer, from, filled->bytes, cudaMemcpyDefault, stream));
    return status_of_cuda(cudaEventRecord(filled->is_there, stream));
}

/* A piece is on the network while the next one leaves the device. */
static enum dm_status put_through_buffer(struct accelerated *to, int image, size_t offset,
                                         const char *from, size_t bytes, cudaStream_t stream)
{
    struct filled next;
    TRY(fill_buffer(to, from, bytes, stream, &next));
    for (size_t done = 0; done < bytes;) {
        struct filled now = next;
        size_t end = done + now.bytes;
        if (end < bytes)
            TRY(fill_buffer(to, from + end, bytes - end, stream, &next));
        TRY_CUDA(cudaEventSynchronize(now.is_there));
        TRY(caf_put(to->host, image, offset + done, now.buffer, now.bytes));
        done = end;
    }
    return DM_OK;
}

/* Tells the image what its copy will have got when it next synchronises. */
static enum dm_status note_put(struct accelerated *to, int image, size_t offset, size_t bytes)
{
    const struct accelerated_range range = {offset, bytes};
    int32_t place;
    TRY(caf_atomic_operation(to->puts, image, offsetof(struct accelerated_puts, count), CAF_ADD, 1,
                             &place));
    if (place >= ACCELERATED_PUTS)
        return dm_fail(DM_NO_MEMORY, "PUT: image %d has been sent %d puts since it synchronised",
                       image, ACCELERATED_PUTS);
    return caf_put(to->puts, image,
                   offsetof(struct accelerated_puts, range) + (size_t)place * sizeof range, &range,
                   sizeof range);
}

enum dm_status accelerated_put(struct accelerated *to, int image, size_t offset, const void *from,
                               size_t bytes, cudaStream_t stream)
{
    enum dm_status status = check_target(to, "PUT", image, offset, bytes);
    if (status != DM_OK || bytes == 0)
        return status;
    char *part = to->reached[image - 1];
    if (!part && accelerated_is_published(to))
        status = note_put(to, image, offset, bytes);
    if (status != DM_OK)
        return status;
    if (!part && accelerated_is_near(to, image))
        part = caf_pointer(to->host, image);
    if (!part)
        return put_through_buffer(to, image, offset, from, bytes, stream);
    TRY_CUDA(cudaMemcpyAsync(part + offset, from, bytes, cudaMemcpyDefault, stream));
    return DM_OK;
}
