/* pinned.c: the kernels that gather and scatter use host memory in place: nothing is
 * allocated or copied, and the values cross the bus while they are packed. The buffers stay
 * registered. Pinned registers the index lists for each exchange, as the host makes them;
 * IndexPinned once, as they live as long as the descriptor. Source: Fanfarillo 2016, 4.2.2, 4.2.3.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/error_cuda.h"
#include "common/gpu.h"

#include "spmv/formats/pack.h"

#include "exchange.h"

struct pinned {
    void *send, *receive;               /* as the host sees them */
    void *device_send, *device_receive; /* as the device does */
    int32_t *index; /* of what is sent, then of the halo, in pages of their own */
    int32_t *device_index;
    size_t index_bytes;
    bool is_registered; /* the index list */
};

static enum dm_status check_pinned(void)
{
    int device, registers, maps;
    TRY_CUDA(cudaGetDevice(&device));
    TRY_CUDA(cudaDeviceGetAttribute(&registers, cudaDevAttrHostRegisterSupported, device));
    TRY_CUDA(cudaDeviceGetAttribute(&maps, cudaDevAttrCanMapHostMemory, device));
    if (registers && maps)
        return DM_OK;
    return dm_fail(DM_UNAVAILABLE,
                   "this GPU cannot use registered host memory: choose sg or index-standard");
}

static enum dm_status open_buffer(size_t bytes, void **buffer, void **device_pointer)
{
    TRY(memory_obtain(MEMORY_REGISTERED, bytes, buffer));
    TRY_CUDA(cudaHostGetDevicePointer(device_pointer, *buffer, 0));
    return DM_OK;
}

static enum dm_status register_index(struct pinned *pinned)
{
    TRY_CUDA(cudaHostRegister(pinned->index, pinned->index_bytes, cudaHostRegisterMapped));
    pinned->is_registered = true;
    TRY_CUDA(cudaHostGetDevicePointer((void **)&pinned->device_index, pinned->index, 0));
    return DM_OK;
}

static enum dm_status unregister_index(struct pinned *pinned)
{
    pinned->is_registered = false;
    TRY_CUDA(cudaHostUnregister(pinned->index));
    return DM_OK;
}

/* Pages are registered as a whole, so that nothing else may lie in them. */
static enum dm_status make_index(struct pinned *pinned, const struct spmv_halo *halo)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t bytes = (size_t)(halo->send + halo->halo) * sizeof *pinned->index;
    void *pages;
    pinned->index_bytes = (bytes / page + 1) * page;
    if (posix_memalign(&pages, page, pinned->index_bytes) != 0)
        return dm_fail(DM_NO_MEMORY,
                       "%zu bytes for the index lists of a halo could not be had: choose a smaller "
                       "matrix",
                       pinned->index_bytes);
    pinned->index = pages;
    memcpy(pinned->index, halo->send_index, (size_t)halo->send * sizeof *pinned->index);
    spmv_list_halo_places(halo, pinned->index + halo->send);
    return DM_OK;
}

static enum dm_status pinned_open(struct spmv_exchange *exchange)
{
    struct pinned *pinned = exchange->state = calloc(1, sizeof *pinned);
    if (!pinned)
        return error_no_memory(sizeof *pinned);
    TRY(open_buffer(spmv_send_bytes(exchange), &pinned->send, &pinned->device_send));
    TRY(open_buffer(spmv_halo_bytes(exchange), &pinned->receive, &pinned->device_receive));
    TRY(make_index(pinned, exchange->halo));
    return exchange->keeps_index ? register_index(pinned) : DM_OK;
}

static enum dm_status gather(struct spmv_exchange *exchange, const struct pinned *pinned,
                             const void *x, cudaStream_t stream)
{
    int64_t count = exchange->halo->send;
    double start_s = clock_now_s();
    TRY(spmv_pack_launch(exchange->precision, count, pinned->device_index, x, pinned->device_send,
                         stream));
    TRY_CUDA(cudaStreamSynchronize(stream));
    spmv_lap(&exchange->report.pack_s, start_s);
    exchange->report.to_device_bytes += (size_t)count * sizeof *pinned->index;
    exchange->report.from_device_bytes += spmv_send_bytes(exchange);
    return DM_OK;
}

static enum dm_status scatter(struct spmv_exchange *exchange, const struct pinned *pinned, void *x,
                              cudaStream_t stream)
{
    int64_t count = exchange->halo->halo;
    double start_s = clock_now_s();
    TRY(spmv_unpack_launch(exchange->precision, count, pinned->device_index + exchange->halo->send,
                           pinned->device_receive, x, stream));
    TRY_CUDA(cudaStreamSynchronize(stream));
    spmv_lap(&exchange->report.pack_s, start_s);
    exchange->report.to_device_bytes +=
        (size_t)count * sizeof *pinned->index + spmv_halo_bytes(exchange);
    return DM_OK;
}

static enum dm_status pinned_run(struct spmv_exchange *exchange, void *x, cudaStream_t stream)
{
    struct pinned *pinned = exchange->state;
    TRY(spmv_exchange_receive(exchange, pinned->receive));
    double start_s = clock_now_s();
    if (!exchange->keeps_index)
        TRY(register_index(pinned));
    spmv_lap(&exchange->report.malloc_s, start_s);
    TRY(gather(exchange, pinned, x, stream));
    TRY(spmv_exchange_send(exchange, pinned->send));
    TRY(spmv_exchange_wait(exchange));
    TRY(scatter(exchange, pinned, x, stream));
    start_s = clock_now_s();
    if (!exchange->keeps_index)
        TRY(unregister_index(pinned));
    spmv_lap(&exchange->report.free_s, start_s);
    return DM_OK;
}

static void pinned_close(struct spmv_exchange *exchange)
{
    struct pinned *pinned = exchange->state;
    if (pinned->is_registered)
        cudaHostUnregister(pinned->index);
    free(pinned->index);
    memory_give_back(MEMORY_REGISTERED, pinned->send);
    memory_give_back(MEMORY_REGISTERED, pinned->receive);
    free(pinned);
}

const struct spmv_exchange_operations spmv_exchange_pinned = {
    .check = check_pinned,
    .open = pinned_open,
    .run = pinned_run,
    .close = pinned_close,
};
