/* spmv_exchange_pinned.c: the kernels that gather and scatter use host memory in place: nothing is
 * allocated or copied, and the values cross the bus while they are packed. The buffers stay
 * registered. Pinned registers the index lists for each exchange, as the host makes them;
 * IndexPinned once, as they live as long as the descriptor. Source: Fanfarillo 2016, 4.2.2, 4.2.3.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/gpu.h"
#include "common/harness/allocate.h"
#include "common/harness/exit.h"

#include "spmv_exchange.h"
#include "spmv_exchange_internal.h"
#include "spmv_pack.h"

struct pinned {
    void *send, *receive;               /* as the host sees them */
    void *device_send, *device_receive; /* as the device does */
    int32_t *index; /* of what is sent, then of the halo, in pages of their own */
    int32_t *device_index;
    size_t index_bytes;
};

static const char *pinned_complaint(void)
{
    int device;
    check_cuda(cudaGetDevice(&device));
    if (!gpu_attribute(cudaDevAttrHostRegisterSupported, device) ||
        !gpu_attribute(cudaDevAttrCanMapHostMemory, device))
        return "this GPU cannot use registered host memory: choose sg or index-standard";
    return NULL;
}

static void *registered_buffer(size_t bytes, void **device_pointer)
{
    void *buffer = memory_allocate(MEMORY_REGISTERED, bytes);
    check_cuda(cudaHostGetDevicePointer(device_pointer, buffer, 0));
    return buffer;
}

static void register_index(struct pinned *pinned)
{
    check_cuda(cudaHostRegister(pinned->index, pinned->index_bytes, cudaHostRegisterMapped));
    check_cuda(cudaHostGetDevicePointer((void **)&pinned->device_index, pinned->index, 0));
}

/* Pages are registered as a whole, so that nothing else may lie in them. */
static void make_index(struct pinned *pinned, const struct spmv_halo *halo)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t bytes = (size_t)(halo->send + halo->halo) * sizeof *pinned->index;
    pinned->index_bytes = (bytes / page + 1) * page;
    if (posix_memalign((void **)&pinned->index, page, pinned->index_bytes) != 0)
        fail("%zu bytes for the index lists of a halo could not be had: choose a smaller matrix",
             pinned->index_bytes);
    memcpy(pinned->index, halo->send_index, (size_t)halo->send * sizeof *pinned->index);
    spmv_list_halo_places(halo, pinned->index + halo->send);
}

static void pinned_open(struct spmv_exchange *exchange)
{
    struct pinned *pinned = allocate_or_fail(1, sizeof *pinned);
    pinned->send = registered_buffer(spmv_send_bytes(exchange), &pinned->device_send);
    pinned->receive = registered_buffer(spmv_halo_bytes(exchange), &pinned->device_receive);
    make_index(pinned, exchange->halo);
    if (exchange->keeps_index)
        register_index(pinned);
    exchange->state = pinned;
}

static void gather(struct spmv_exchange *exchange, const struct pinned *pinned, const void *x,
                   cudaStream_t stream)
{
    int64_t count = exchange->halo->send;
    double start_s = clock_now_s();
    spmv_pack_launch(exchange->precision, count, pinned->device_index, x, pinned->device_send,
                     stream);
    check_cuda(cudaStreamSynchronize(stream));
    spmv_lap(&exchange->report.pack_s, start_s);
    exchange->report.to_device_bytes += (size_t)count * sizeof *pinned->index;
    exchange->report.from_device_bytes += spmv_send_bytes(exchange);
}

static void scatter(struct spmv_exchange *exchange, const struct pinned *pinned, void *x,
                    cudaStream_t stream)
{
    int64_t count = exchange->halo->halo;
    double start_s = clock_now_s();
    spmv_unpack_launch(exchange->precision, count, pinned->device_index + exchange->halo->send,
                       pinned->device_receive, x, stream);
    check_cuda(cudaStreamSynchronize(stream));
    spmv_lap(&exchange->report.pack_s, start_s);
    exchange->report.to_device_bytes +=
        (size_t)count * sizeof *pinned->index + spmv_halo_bytes(exchange);
}

static void pinned_run(struct spmv_exchange *exchange, void *x, cudaStream_t stream)
{
    struct pinned *pinned = exchange->state;
    spmv_exchange_receive(exchange, pinned->receive);
    double start_s = clock_now_s();
    if (!exchange->keeps_index)
        register_index(pinned);
    spmv_lap(&exchange->report.malloc_s, start_s);
    gather(exchange, pinned, x, stream);
    spmv_exchange_send(exchange, pinned->send);
    spmv_exchange_wait(exchange);
    scatter(exchange, pinned, x, stream);
    start_s = clock_now_s();
    if (!exchange->keeps_index)
        check_cuda(cudaHostUnregister(pinned->index));
    spmv_lap(&exchange->report.free_s, start_s);
}

static void pinned_close(struct spmv_exchange *exchange)
{
    struct pinned *pinned = exchange->state;
    if (exchange->keeps_index)
        check_cuda(cudaHostUnregister(pinned->index));
    free(pinned->index);
    memory_release(MEMORY_REGISTERED, pinned->send);
    memory_release(MEMORY_REGISTERED, pinned->receive);
    free(pinned);
}

const struct spmv_exchange_operations spmv_exchange_pinned = {
    .complaint = pinned_complaint,
    .open = pinned_open,
    .run = pinned_run,
    .close = pinned_close,
};
