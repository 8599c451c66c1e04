/* scatter_gather.c: kernels gather what is sent and scatter what has come, so that only the
 * boundary crosses the bus. What the kernels need on the device is allocated, filled and freed in
 * each exchange; IndexStandard keeps the index lists there. Source: Fanfarillo 2016, 4.2.1, 4.2.3.
 */
#include <stdlib.h>

#include "spmv/formats/format.h"
#include "spmv/formats/pack.h"

#include "exchange.h"
#include "common/error_cuda.h"

/* What is sent, or what is received. */
struct part {
    int64_t count;
    size_t bytes; /* of the values */
    const int32_t *index;
    int32_t *device_index; /* kept, or of the exchange that is under way */
    void *buffer, *device_buffer;
};

struct sg {
    int32_t *halo_places;
    struct part send, receive;
};

static size_t index_bytes(const struct part *part)
{
    return (size_t)part->count * sizeof *part->index;
}

static enum dm_status part_open(struct part *part, const struct spmv_exchange *exchange,
                                int64_t count, const int32_t *index)
{
    *part = (struct part){
        .count = count, .bytes = (size_t)count * exchange->value_bytes, .index = index};
    TRY(memory_obtain(MEMORY_PAGEABLE, part->bytes, &part->buffer));
    return exchange->keeps_index ? sparse_device_copy(&part->device_index, index, index_bytes(part))
                                 : DM_OK;
}

static void part_close(struct part *part)
{
    memory_give_back(MEMORY_PAGEABLE, part->buffer);
    memory_give_back(MEMORY_DEVICE, part->device_index);
    memory_give_back(MEMORY_DEVICE, part->device_buffer);
}

static enum dm_status sg_open(struct spmv_exchange *exchange)
{
    struct sg *sg = exchange->state = calloc(1, sizeof *sg);
    const struct spmv_halo *halo = exchange->halo;
    if (!sg)
        return error_no_memory(sizeof *sg);
    TRY(sparse_host_memory(&sg->halo_places, halo->halo, sizeof *sg->halo_places));
    spmv_list_halo_places(halo, sg->halo_places);
    TRY(part_open(&sg->send, exchange, halo->send, halo->send_index));
    return part_open(&sg->receive, exchange, halo->halo, sg->halo_places);
}

static enum dm_status allocate(struct spmv_exchange *exchange, struct part *part)
{
    double start_s = clock_now_s();
    if (!exchange->keeps_index)
        TRY(sparse_device_memory(&part->device_index, index_bytes(part)));
    TRY(sparse_device_memory(&part->device_buffer, part->bytes));
    spmv_lap(&exchange->report.malloc_s, start_s);
    return DM_OK;
}

static enum dm_status copy_index(struct spmv_exchange *exchange, struct part *part,
                                 cudaStream_t stream)
{
    if (exchange->keeps_index)
        return DM_OK;
    return spmv_exchange_copy(exchange, part->device_index, part->index, index_bytes(part),
                              cudaMemcpyHostToDevice, stream);
}

static enum dm_status release(struct spmv_exchange *exchange, struct part *part)
{
    double start_s = clock_now_s();
    if (!exchange->keeps_index) {
        TRY_CUDA(cudaFree(part->device_index));
        part->device_index = NULL;
    }
    TRY_CUDA(cudaFree(part->device_buffer));
    part->device_buffer = NULL;
    spmv_lap(&exchange->report.free_s, start_s);
    return DM_OK;
}

static enum dm_status gather(struct spmv_exchange *exchange, struct part *part, const void *x,
                             cudaStream_t stream)
{
    TRY(allocate(exchange, part));
    TRY(copy_index(exchange, part, stream));
    double start_s = clock_now_s();
    TRY(spmv_pack_launch(exchange->precision, part->count, part->device_index, x,
                         part->device_buffer, stream));
    TRY_CUDA(cudaStreamSynchronize(stream));
    spmv_lap(&exchange->report.pack_s, start_s);
    TRY(spmv_exchange_copy(exchange, part->buffer, part->device_buffer, part->bytes,
                           cudaMemcpyDeviceToHost, stream));
    return release(exchange, part);
}

static enum dm_status scatter(struct spmv_exchange *exchange, struct part *part, void *x,
                              cudaStream_t stream)
{
    TRY(allocate(exchange, part));
    TRY(copy_index(exchange, part, stream));
    TRY(spmv_exchange_copy(exchange, part->device_buffer, part->buffer, part->bytes,
                           cudaMemcpyHostToDevice, stream));
    double start_s = clock_now_s();
    TRY(spmv_unpack_launch(exchange->precision, part->count, part->device_index,
                           part->device_buffer, x, stream));
    TRY_CUDA(cudaStreamSynchronize(stream));
    spmv_lap(&exchange->report.pack_s, start_s);
    return release(exchange, part);
}

static enum dm_status sg_run(struct spmv_exchange *exchange, void *x, cudaStream_t stream)
{
    struct sg *sg = exchange->state;
    TRY(spmv_exchange_receive(exchange, sg->receive.buffer));
    if (sg->send.count > 0)
        TRY(gather(exchange, &sg->send, x, stream));
    TRY(spmv_exchange_send(exchange, sg->send.buffer));
    TRY(spmv_exchange_wait(exchange));
    return sg->receive.count > 0 ? scatter(exchange, &sg->receive, x, stream) : DM_OK;
}

static void sg_close(struct spmv_exchange *exchange)
{
    struct sg *sg = exchange->state;
    part_close(&sg->send);
    part_close(&sg->receive);
    free(sg->halo_places);
    free(sg);
}

const struct spmv_exchange_operations spmv_exchange_sg = {
    .open = sg_open,
    .run = sg_run,
    .close = sg_close,
};
