/* accelerated_transfer.c: get and put. */
#include <stddef.h>

#include "coarrays/caf/error.h"
#include "common/harness/exit.h"

#include "accelerated_internal.h"

static int check_target(const struct accelerated *coarray, const char *statement, int image,
                        size_t offset, size_t bytes)
{
    if (image < 1 || image > caf_num_images())
        return caf_error(CAF_BAD_IMAGE, "%s: there is no image %d of %d", statement, image,
                         caf_num_images());
    if (offset > coarray->bytes || bytes > coarray->bytes - offset)
        return caf_error(CAF_BAD_RANGE,
                         "%s: %zu bytes from offset %zu on are beyond the coarray's %zu", statement,
                         bytes, offset, coarray->bytes);
    return CAF_OK;
}

/* The next of the two buffers, once the device has done with it. */
static char *take_buffer(struct accelerated *coarray, cudaEvent_t *is_free)
{
    unsigned i = coarray->turn++ % ACCELERATED_BUFFERS;
    *is_free = coarray->is_free[i];
    check_cuda(cudaEventSynchronize(*is_free));
    return coarray->buffer + (size_t)i * ACCELERATED_BUFFER_BYTES;
}

static size_t piece(size_t bytes)
{
    return bytes < ACCELERATED_BUFFER_BYTES ? bytes : ACCELERATED_BUFFER_BYTES;
}

/* ---- get ---- */

static int get_through_buffer(char *to, struct accelerated *from, int image, size_t offset,
                              size_t bytes, cudaStream_t stream)
{
    for (size_t done = 0; done < bytes; done += piece(bytes - done)) {
        cudaEvent_t is_free;
        size_t now = piece(bytes - done);
        char *buffer = take_buffer(from, &is_free);
        int code = caf_get(buffer, from->host, image, offset + done, now);
        if (code)
            return code;
        check_cuda(cudaMemcpyAsync(to + done, buffer, now, cudaMemcpyDefault, stream));
        check_cuda(cudaEventRecord(is_free, stream));
    }
    return CAF_OK;
}

int accelerated_get(void *to, struct accelerated *from, int image, size_t offset, size_t bytes,
                    cudaStream_t stream)
{
    int code = check_target(from, "GET", image, offset, bytes);
    if (code || bytes == 0)
        return code;
    const char *part = from->reached[image - 1];
    if (!part && accelerated_is_near(from, image))
        part = caf_pointer(from->host, image);
    if (!part)
        return get_through_buffer(to, from, image, offset, bytes, stream);
    check_cuda(cudaMemcpyAsync(to, part + offset, bytes, cudaMemcpyDefault, stream));
    return CAF_OK;
}

/* ---- put ---- */

static int put_through_buffer(struct accelerated *to, int image, size_t offset, const char *from,
                              size_t bytes, cudaStream_t stream)
{
    for (size_t done = 0; done < bytes; done += piece(bytes - done)) {
        cudaEvent_t is_free;
        size_t now = piece(bytes - done);
        char *buffer = take_buffer(to, &is_free);
        check_cuda(cudaMemcpyAsync(buffer, from + done, now, cudaMemcpyDefault, stream));
        check_cuda(cudaStreamSynchronize(stream));
        int code = caf_put(to->host, image, offset + done, buffer, now);
        if (code)
            return code;
    }
    return CAF_OK;
}

/* Tells the image what its copy will have got when it next synchronises. */
static int note_put(struct accelerated *to, int image, size_t offset, size_t bytes)
{
    const struct accelerated_range range = {offset, bytes};
    int32_t place;
    int code = caf_atomic_operation(to->puts, image, offsetof(struct accelerated_puts, count),
                                    CAF_ADD, 1, &place);
    if (code)
        return code;
    if (place >= ACCELERATED_PUTS)
        return caf_error(CAF_NO_MEMORY, "PUT: image %d has been sent %d puts since it synchronised",
                         image, ACCELERATED_PUTS);
    return caf_put(to->puts, image,
                   offsetof(struct accelerated_puts, range) + (size_t)place * sizeof range, &range,
                   sizeof range);
}

int accelerated_put(struct accelerated *to, int image, size_t offset, const void *from,
                    size_t bytes, cudaStream_t stream)
{
    int code = check_target(to, "PUT", image, offset, bytes);
    if (code || bytes == 0)
        return code;
    char *part = to->reached[image - 1];
    if (!part && accelerated_is_published(to))
        code = note_put(to, image, offset, bytes);
    if (code)
        return code;
    if (!part && accelerated_is_near(to, image))
        part = caf_pointer(to->host, image);
    if (!part)
        return put_through_buffer(to, image, offset, from, bytes, stream);
    check_cuda(cudaMemcpyAsync(part + offset, from, bytes, cudaMemcpyDefault, stream));
    return CAF_OK;
}
