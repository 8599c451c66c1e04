/* sync.c: the host has a copy of the vector, which is made equal before and after an
 * exchange that knows nothing of GPUs. Source: Fanfarillo 2016, 4.2.1. */
#include <stdlib.h>

#include "exchange.h"

struct sync {
    void *x, *packed;
};

static enum dm_status sync_open(struct spmv_exchange *exchange)
{
    struct sync *sync = exchange->state = calloc(1, sizeof *sync);
    const struct spmv_halo *halo = exchange->halo;
    if (!sync)
        return error_no_memory(sizeof *sync);
    TRY(memory_obtain(MEMORY_PAGEABLE, (size_t)(halo->rows + halo->halo) * exchange->value_bytes,
                      &sync->x));
    return memory_obtain(MEMORY_PAGEABLE, spmv_send_bytes(exchange), &sync->packed);
}

static void pack_on_host(struct spmv_exchange *exchange, const struct sync *sync)
{
    const struct spmv_halo *halo = exchange->halo;
    double start_s = clock_now_s();
    if (exchange->precision == SPMV_DOUBLE)
        for (int64_t i = 0; i < halo->send; i++)
            ((double *)sync->packed)[i] = ((const double *)sync->x)[halo->send_index[i]];
    else
        for (int64_t i = 0; i < halo->send; i++)
            ((float *)sync->packed)[i] = ((const float *)sync->x)[halo->send_index[i]];
    spmv_lap(&exchange->report.pack_s, start_s);
}

static enum dm_status sync_run(struct spmv_exchange *exchange, void *x, cudaStream_t stream)
{
    const struct sync *sync = exchange->state;
    size_t own_bytes = (size_t)exchange->halo->rows * exchange->value_bytes;
    size_t bytes = own_bytes + spmv_halo_bytes(exchange);
    TRY(spmv_exchange_copy(exchange, sync->x, x, bytes, cudaMemcpyDeviceToHost, stream));
    TRY(spmv_exchange_receive(exchange, (char *)sync->x + own_bytes));
    pack_on_host(exchange, sync);
    TRY(spmv_exchange_send(exchange, sync->packed));
    TRY(spmv_exchange_wait(exchange));
    return spmv_exchange_copy(exchange, x, sync->x, bytes, cudaMemcpyHostToDevice, stream);
}

static void sync_close(struct spmv_exchange *exchange)
{
    struct sync *sync = exchange->state;
    memory_give_back(MEMORY_PAGEABLE, sync->x);
    memory_give_back(MEMORY_PAGEABLE, sync->packed);
    free(sync);
}

const struct spmv_exchange_operations spmv_exchange_sync = {
    .open = sync_open,
    .run = sync_run,
    .close = sync_close,
};
