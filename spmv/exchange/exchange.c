#include "exchange.h"

#include <stdlib.h>

#include "wait.h"
#include "common/error_cuda.h"

static const struct strategy {
    const char *name, *meaning;
    const struct spmv_exchange_operations *operations;
} strategies[SPMV_STRATEGIES] = {
    [SPMV_SYNC] = {"sync", "the whole vector to the host and back, packed by the CPU",
                   &spmv_exchange_sync},
    [SPMV_SG] =
        {"sg",
         "packed by kernels; index lists and buffers on the device are allocated, copied and "
         "freed each time",
         &spmv_exchange_sg},
    [SPMV_INDEX_STANDARD] = {"index-standard", "as sg, but the index lists stay on the device",
                             &spmv_exchange_sg},
    [SPMV_PINNED] = {"pinned",
                     "kernels use buffers and index lists in registered host memory; the lists are "
                     "registered each time",
                     &spmv_exchange_pinned},
    [SPMV_INDEX_PINNED] = {"index-pinned", "as pinned, but the lists stay registered",
                           &spmv_exchange_pinned},
    [SPMV_OPEN_MPI] = {"openmpi", "MPI gets device pointers and derived types, and does the rest",
                       &spmv_exchange_mpi},
};

static bool is_strategy(enum spmv_strategy strategy)
{
    return (unsigned)strategy < SPMV_STRATEGIES;
}

const char *spmv_strategy_name(enum spmv_strategy strategy)
{
    return is_strategy(strategy) ? strategies[strategy].name : "unknown";
}

const char *spmv_strategy_meaning(enum spmv_strategy strategy)
{
    return is_strategy(strategy) ? strategies[strategy].meaning : "";
}

static enum dm_status check_name(enum spmv_strategy strategy)
{
    return is_strategy(strategy) ? DM_OK
                                 : dm_fail(DM_INVALID, "strategy %d: there are strategies 0 to %d",
                                           (int)strategy, SPMV_STRATEGIES - 1);
}

enum dm_status spmv_exchange_check(enum spmv_strategy strategy)
{
    TRY(check_name(strategy));
    return strategies[strategy].operations->check ? strategies[strategy].operations->check()
                                                  : DM_OK;
}

static enum dm_status open_exchange(struct spmv_exchange *exchange)
{
    size_t requests = 2 * (size_t)exchange->halo->neighbour_count + 1;
    exchange->requests = malloc(requests * sizeof *exchange->requests);
    exchange->peers = malloc(requests * sizeof *exchange->peers);
    if (!exchange->requests || !exchange->peers)
        return error_no_memory(requests * sizeof *exchange->requests);
    return exchange->operations->open(exchange);
}

enum dm_status spmv_exchange_open(struct spmv_exchange **exchange, enum spmv_strategy strategy,
                                  const struct spmv_halo *halo, enum spmv_precision precision,
                                  double wait_limit_s)
{
    *exchange = NULL;
    TRY(check_name(strategy));
    struct spmv_exchange *opened = malloc(sizeof *opened);
    if (!opened)
        return error_no_memory(sizeof *opened);
    *opened = (struct spmv_exchange){
        .operations = strategies[strategy].operations,
        .keeps_index = strategy == SPMV_INDEX_STANDARD || strategy == SPMV_INDEX_PINNED,
        .halo = halo,
        .precision = precision,
        .value_bytes = spmv_value_bytes(precision),
        .wait_limit_s = wait_limit_s,
        .value_type = precision == SPMV_DOUBLE ? MPI_DOUBLE : MPI_FLOAT,
    };
    enum dm_status status = open_exchange(opened);
    if (status == DM_OK)
        *exchange = opened;
    else
        spmv_exchange_close(opened);
    return status;
}

static enum dm_status run(struct spmv_exchange *exchange, void *x, cudaStream_t stream)
{
    TRY_CUDA(cudaStreamSynchronize(stream));
    double start_s = clock_now_s();
    if (exchange->halo->neighbour_count > 0)
        TRY(exchange->operations->run(exchange, x, stream));
    spmv_lap(&exchange->report.total_s, start_s);
    exchange->report.exchanges++;
    return DM_OK;
}

enum dm_status spmv_exchange_run(struct spmv_exchange *exchange, void *x, cudaStream_t stream)
{
    if (exchange->failure != DM_OK)
        return dm_fail(exchange->failure, "an exchange failed before: close it");
    exchange->failure = run(exchange, x, stream);
    return exchange->failure;
}

struct spmv_exchange_report spmv_exchange_report(struct spmv_exchange *exchange, bool reset)
{
    struct spmv_exchange_report report = exchange->report;
    if (reset)
        exchange->report = (struct spmv_exchange_report){0};
    return report;
}

void spmv_exchange_close(struct spmv_exchange *exchange)
{
    if (!exchange)
        return;
    if (exchange->failure != DM_OK && exchange->request_count > 0)
        return; /* MPI may still use the memory */
    if (exchange->state)
        exchange->operations->close(exchange);
    free(exchange->peers);
    free(exchange->requests);
    free(exchange);
}

/* ---- what the strategies share ---- */

void spmv_list_halo_places(const struct spmv_halo *halo, int32_t *places)
{
    for (int64_t i = 0; i < halo->halo; i++)
        places[i] = (int32_t)(halo->rows + i);
}

enum dm_status spmv_exchange_copy(struct spmv_exchange *exchange, void *to, const void *from,
                                  size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    struct spmv_exchange_report *report = &exchange->report;
    double start_s = clock_now_s();
    TRY_CUDA(cudaMemcpyAsync(to, from, bytes, kind, stream));
    TRY_CUDA(cudaStreamSynchronize(stream));
    spmv_lap(&report->memcpy_s, start_s);
    if (kind == cudaMemcpyHostToDevice)
        report->to_device_bytes += bytes;
    else
        report->from_device_bytes += bytes;
    return DM_OK;
}

MPI_Request *spmv_exchange_request(struct spmv_exchange *exchange, int peer)
{
    exchange->peers[exchange->request_count] = peer;
    return &exchange->requests[exchange->request_count++];
}

enum dm_status spmv_exchange_receive(struct spmv_exchange *exchange, void *halo)
{
    double start_s = clock_now_s();
    for (int i = 0; i < exchange->halo->neighbour_count; i++) {
        const struct spmv_neighbour *neighbour = &exchange->halo->neighbours[i];
        if (neighbour->receive_count > 0)
            TRY_MPI(
                MPI_Irecv((char *)halo + (size_t)neighbour->receive_first * exchange->value_bytes,
                          (int)neighbour->receive_count, exchange->value_type, neighbour->rank,
                          SPMV_EXCHANGE_TAG, exchange->halo->ranks,
                          spmv_exchange_request(exchange, neighbour->rank)));
    }
    spmv_lap(&exchange->report.mpi_s, start_s);
    return DM_OK;
}

enum dm_status spmv_exchange_send(struct spmv_exchange *exchange, const void *packed)
{
    double start_s = clock_now_s();
    for (int i = 0; i < exchange->halo->neighbour_count; i++) {
        const struct spmv_neighbour *neighbour = &exchange->halo->neighbours[i];
        if (neighbour->send_count > 0)
            TRY_MPI(MPI_Isend((const char *)packed +
                                  (size_t)neighbour->send_first * exchange->value_bytes,
                              (int)neighbour->send_count, exchange->value_type, neighbour->rank,
                              SPMV_EXCHANGE_TAG, exchange->halo->ranks,
                              spmv_exchange_request(exchange, neighbour->rank)));
    }
    spmv_lap(&exchange->report.mpi_s, start_s);
    return DM_OK;
}

enum dm_status spmv_exchange_wait(struct spmv_exchange *exchange)
{
    double start_s = clock_now_s();
    TRY(spmv_wait(exchange->requests, exchange->peers, exchange->request_count,
                  exchange->wait_limit_s, "the halo"));
    exchange->request_count = 0;
    spmv_lap(&exchange->report.mpi_s, start_s);
    exchange->report.sent_bytes += spmv_send_bytes(exchange);
    return DM_OK;
}
