#include "many_copies.h"

#include "common/clock.h"
#include "common/harness/allocate.h"
#include "common/harness/exit.h"
#include "common/random.h"

/* The largest power of two such that a square of floats with so many rows fits. */
static size_t rows_of(size_t total_bytes)
{
    size_t rows = 1;
    while (4 * rows * rows * sizeof(float) <= total_bytes)
        rows *= 2;
    return rows;
}

bool many_copies_possible(bool panels, size_t bytes, size_t total_bytes)
{
    size_t rows = panels ? rows_of(total_bytes) : 1;
    return bytes > 0 && bytes <= total_bytes &&
           (!panels || (bytes % (rows * sizeof(float)) == 0 && total_bytes % rows == 0));
}

void many_copies_open(struct many_copies *copies, bool panels, size_t bytes, size_t total_bytes,
                      size_t most, uint64_t seed)
{
    size_t rows = rows_of(total_bytes), count = total_bytes / bytes;
    *copies = (struct many_copies){.panels = panels,
                                   .bytes = bytes,
                                   .count = count < most ? count : most,
                                   .total_bytes = total_bytes,
                                   .rows = rows,
                                   .pitch = total_bytes / rows,
                                   .seed = seed,
                                   .host = memory_allocate(MEMORY_PINNED, total_bytes),
                                   .device = memory_allocate(MEMORY_DEVICE, total_bytes)};
    random_fill_bytes(copies->host, total_bytes, seed);
    check_cuda(cudaMemset(copies->device, 0, total_bytes));
    check_cuda(cudaStreamCreateWithFlags(&copies->stream, cudaStreamNonBlocking));
    check_cuda(cudaDeviceSynchronize());
}

void many_copies_close(struct many_copies *copies)
{
    check_cuda(cudaStreamDestroy(copies->stream));
    memory_release(MEMORY_PINNED, copies->host);
    memory_release(MEMORY_DEVICE, copies->device);
}

/* A panel lies contiguously on the device, as in a ring buffer. */
static cudaError_t enqueue(const struct many_copies *copies, size_t i)
{
    size_t width = copies->bytes / copies->rows;
    char *target = copies->device + i * copies->bytes;
    return copies->panels
               ? cudaMemcpy2DAsync(target, width, copies->host + i * width, copies->pitch, width,
                                   copies->rows, cudaMemcpyHostToDevice, copies->stream)
               : cudaMemcpyAsync(target, copies->host + i * copies->bytes, copies->bytes,
                                 cudaMemcpyHostToDevice, copies->stream);
}

double many_copies_sample(void *context)
{
    const struct many_copies *copies = context;
    double start_s = clock_now_s();
    for (size_t i = 0; i < copies->count; i++)
        check_cuda(enqueue(copies, i));
    check_cuda(cudaStreamSynchronize(copies->stream));
    return clock_now_s() - start_s;
}

long many_copies_errors(const struct many_copies *copies)
{
    size_t copied = copies->count * copies->bytes, width = copies->bytes / copies->rows;
    size_t row_bytes = copies->panels ? width : copies->bytes;
    size_t rows = copies->panels ? copies->rows : 1;
    size_t pitch = copies->panels ? copies->pitch : copies->bytes;
    char *back = memory_allocate(MEMORY_PAGEABLE, copied);
    check_cuda(cudaMemcpy(back, copies->device, copied, cudaMemcpyDeviceToHost));
    long wrong = 0;
    for (size_t i = 0; i < copies->count; i++)
        for (size_t row = 0; row < rows; row++) {
            const char *arrived = back + i * copies->bytes + row * row_bytes;
            const char *sent = copies->host + i * row_bytes + row * pitch;
            for (size_t b = 0; b < row_bytes; b++)
                wrong += arrived[b] != sent[b];
        }
    memory_release(MEMORY_PAGEABLE, back);
    return wrong;
}
