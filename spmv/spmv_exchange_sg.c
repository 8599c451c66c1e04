/* spmv_exchange_sg.c: kernels gather what is sent and scatter what has come, so that only the
 * boundary crosses the bus. What the kernels need on the device is allocated, filled and freed in
 * each exchange; IndexStandard keeps the index lists there. Source: Fanfarillo 2016, 4.2.1, 4.2.3.
 */
#include <stdlib.h>

#include "common/harness/allocate.h"
#include "common/harness/exit.h"

#include "spmv_exchange.h"
#include "spmv_exchange_internal.h"
#include "spmv_pack.h"

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

static struct part part_open(const struct spmv_exchange *exchange, int64_t count,
                             const int32_t *index)
{
    struct part part = {
        .count = count, .bytes = (size_t)count * exchange->value_bytes, .index = index};
    part.buffer = memory_allocate(MEMORY_PAGEABLE, part.bytes);
    if (!exchange->keeps_index)
        return part;
    part.device_index = memory_allocate(MEMORY_DEVICE, index_bytes(&part));
    memory_copy(part.device_index, index, index_bytes(&part));
    return part;
}

static void part_close(const struct spmv_exchange *exchange, struct part *part)
{
    memory_release(MEMORY_PAGEABLE, part->buffer);
    if (exchange->keeps_index)
        memory_release(MEMORY_DEVICE, part->device_index);
}

static void sg_open(struct spmv_exchange *exchange)
{
    struct sg *sg = allocate_or_fail(1, sizeof *sg);
    const struct spmv_halo *halo = exchange->halo;
    sg->halo_places = allocate_or_fail((unsigned long)halo->halo + 1, sizeof *sg->halo_places);
    spmv_list_halo_places(halo, sg->halo_places);
    sg->send = part_open(exchange, halo->send, halo->send_index);
    sg->receive = part_open(exchange, halo->halo, sg->halo_places);
    exchange->state = sg;
}

static void allocate(struct spmv_exchange *exchange, struct part *part)
{
    double start_s = clock_now_s();
    if (!exchange->keeps_index)
        part->device_index = memory_allocate(MEMORY_DEVICE, index_bytes(part));
    part->device_buffer = memory_allocate(MEMORY_DEVICE, part->bytes);
    spmv_lap(&exchange->report.malloc_s, start_s);
}

static void copy_index(struct spmv_exchange *exchange, struct part *part, cudaStream_t stream)
{
    if (!exchange->keeps_index)
        spmv_exchange_copy(exchange, part->device_index, part->index, index_bytes(part),
                           cudaMemcpyHostToDevice, stream);
}

static void release(struct spmv_exchange *exchange, struct part *part)
{
    double start_s = clock_now_s();
    if (!exchange->keeps_index)
        memory_release(MEMORY_DEVICE, part->device_index);
    memory_release(MEMORY_DEVICE, part->device_buffer);
    spmv_lap(&exchange->report.free_s, start_s);
}

static void gather(struct spmv_exchange *exchange, struct part *part, const void *x,
                   cudaStream_t stream)
{
    allocate(exchange, part);
    copy_index(exchange, part, stream);
    double start_s = clock_now_s();
    spmv_pack_launch(exchange->precision, part->count, part->device_index, x, part->device_buffer,
                     stream);
    check_cuda(cudaStreamSynchronize(stream));
    spmv_lap(&exchange->report.pack_s, start_s);
    spmv_exchange_copy(exchange, part->buffer, part->device_buffer, part->bytes,
                       cudaMemcpyDeviceToHost, stream);
    release(exchange, part);
}

static void scatter(struct spmv_exchange *exchange, struct part *part, void *x, cudaStream_t stream)
{
    allocate(exchange, part);
    copy_index(exchange, part, stream);
    spmv_exchange_copy(exchange, part->device_buffer, part->buffer, part->bytes,
                       cudaMemcpyHostToDevice, stream);
    double start_s = clock_now_s();
    spmv_unpack_launch(exchange->precision, part->count, part->device_index, part->device_buffer, x,
                       stream);
    check_cuda(cudaStreamSynchronize(stream));
    spmv_lap(&exchange->report.pack_s, start_s);
    release(exchange, part);
}

static void sg_run(struct spmv_exchange *exchange, void *x, cudaStream_t stream)
{
    struct sg *sg = exchange->state;
    spmv_exchange_receive(exchange, sg->receive.buffer);
    if (sg->send.count > 0)
        gather(exchange, &sg->send, x, stream);
    spmv_exchange_send(exchange, sg->send.buffer);
    spmv_exchange_wait(exchange);
    if (sg->receive.count > 0)
        scatter(exchange, &sg->receive, x, stream);
}

static void sg_close(struct spmv_exchange *exchange)
{
    struct sg *sg = exchange->state;
    part_close(exchange, &sg->send);
    part_close(exchange, &sg->receive);
    free(sg->halo_places);
    free(sg);
}

const struct spmv_exchange_operations spmv_exchange_sg = {
    .open = sg_open,
    .run = sg_run,
    .close = sg_close,
};
