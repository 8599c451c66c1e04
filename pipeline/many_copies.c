#include "many_copies.h"

#include "common/clock.h"
#include "common/harness/allocate.h"
#include "common/harness/exit.h"
#include "common/harness/scope.h"

/* The largest power of two such that a square of floats with so many rows fits. */
static size_t rows_of(size_t total_bytes)
{
    size_t rows = 1;
    while (4 * rows * rows * sizeof(float) <= total_bytes)
        rows *= 2;
    return rows;
}

static bool is_possible(const struct many_copies *copies)
{
    const size_t row = copies->rows * sizeof(float);
    return copies->bytes > 0 && copies->bytes <= copies->total_bytes &&
           (copies->variant == COPY_1D ||
            (copies->bytes % row == 0 && copies->total_bytes % copies->rows == 0));
}

bool many_copies_open(struct run *run, void *task)
{
    (void)run;
    struct many_copies *copies = task;
    copies->rows = rows_of(copies->total_bytes);
    if (!is_possible(copies))
        return false;
    const size_t count = copies->total_bytes / copies->bytes;
    copies->count = count < copies->count_max ? count : copies->count_max;
    copies->pitch = copies->total_bytes / copies->rows;
    copies->host = scope_random(MEMORY_PINNED, copies->total_bytes, copies->seed);
    copies->device = scope_zeros(MEMORY_DEVICE, copies->total_bytes);
    check_cuda(cudaStreamCreateWithFlags(&copies->stream, cudaStreamNonBlocking));
    check_cuda(cudaDeviceSynchronize());
    return true;
}

void many_copies_close(void *task)
{
    check_cuda(cudaStreamDestroy(((struct many_copies *)task)->stream));
}

/* A panel lies contiguously on the device, as in a ring buffer. */
static cudaError_t enqueue(const struct many_copies *copies, size_t i)
{
    size_t width = copies->bytes / copies->rows;
    char *target = copies->device + i * copies->bytes;
    return (copies->variant == COPY_2D)
               ? cudaMemcpy2DAsync(target, width, copies->host + i * width, copies->pitch, width,
                                   copies->rows, cudaMemcpyHostToDevice, copies->stream)
               : cudaMemcpyAsync(target, copies->host + i * copies->bytes, copies->bytes,
                                 cudaMemcpyHostToDevice, copies->stream);
}

double many_copies_sample(void *task)
{
    const struct many_copies *copies = task;
    double start_s = clock_now_s();
    for (size_t i = 0; i < copies->count; i++)
        check_cuda(enqueue(copies, i));
    check_cuda(cudaStreamSynchronize(copies->stream));
    return clock_now_s() - start_s;
}

long many_copies_verify(struct run *run, void *task)
{
    (void)run;
    const struct many_copies *copies = task;
    const bool panels = copies->variant == COPY_2D;
    const size_t copied = copies->count * copies->bytes, rows = panels ? copies->rows : 1;
    const size_t row_bytes = copies->bytes / rows, pitch = panels ? copies->pitch : copies->bytes;
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
