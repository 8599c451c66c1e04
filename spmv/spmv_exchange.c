#include "spmv_exchange.h"

#include <stdlib.h>

#include "common/harness/exit.h"
#include "common/harness/ranks.h"

#include "spmv_exchange_internal.h"
#include "spmv_wait.h"

const struct spmv_strategy_info spmv_strategies[SPMV_STRATEGIES] = {
    [SPMV_SYNC] = {"sync", "the whole vector to the host and back, packed by the CPU"},
    [SPMV_SG] = {"sg", "packed by kernels; index lists and buffers on the device are allocated, "
                       "copied and freed each time"},
    [SPMV_INDEX_STANDARD] = {"index-standard", "as sg, but the index lists stay on the device"},
    [SPMV_PINNED] = {"pinned", "kernels use buffers and index lists in registered host memory; "
                               "the lists are registered each time"},
    [SPMV_INDEX_PINNED] = {"index-pinned", "as pinned, but the lists stay registered"},
    [SPMV_OPEN_MPI] = {"openmpi", "MPI gets device pointers and derived types, and does the rest"},
};

static const struct spmv_exchange_operations *const operations[SPMV_STRATEGIES] = {
    [SPMV_SYNC] = &spmv_exchange_sync,           [SPMV_SG] = &spmv_exchange_sg,
    [SPMV_INDEX_STANDARD] = &spmv_exchange_sg,   [SPMV_PINNED] = &spmv_exchange_pinned,
    [SPMV_INDEX_PINNED] = &spmv_exchange_pinned, [SPMV_OPEN_MPI] = &spmv_exchange_mpi,
};

const char *spmv_exchange_complaint(enum spmv_strategy strategy)
{
    return operations[strategy]->complaint ? operations[strategy]->complaint() : NULL;
}

struct spmv_exchange *spmv_exchange_open(enum spmv_strategy strategy, const struct spmv_halo *halo,
                                         enum sparse_precision precision, double wait_limit_s)
{
    struct spmv_exchange *exchange = allocate_or_fail(1, sizeof *exchange);
    unsigned long most_requests = 2 * (unsigned long)halo->neighbour_count + 1;
    *exchange = (struct spmv_exchange){
        .operations = operations[strategy],
        .keeps_index = strategy == SPMV_INDEX_STANDARD || strategy == SPMV_INDEX_PINNED,
        .halo = halo,
        .precision = precision,
        .value_bytes = sparse_value_bytes(precision),
        .wait_limit_s = wait_limit_s,
        .value_type = precision == SPARSE_DOUBLE ? MPI_DOUBLE : MPI_FLOAT,
        .requests = allocate_or_fail(most_requests, sizeof *exchange->requests),
        .peers = allocate_or_fail(most_requests, sizeof *exchange->peers),
    };
    exchange->operations->open(exchange);
    return exchange;
}

void spmv_exchange_run(struct spmv_exchange *exchange, void *x, cudaStream_t stream)
{
    check_cuda(cudaStreamSynchronize(stream));
    double start_s = clock_now_s();
    if (exchange->halo->neighbour_count > 0)
        exchange->operations->run(exchange, x, stream);
    spmv_lap(&exchange->report.total_s, start_s);
    exchange->report.exchanges++;
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

void spmv_exchange_copy(struct spmv_exchange *exchange, void *to, const void *from, size_t bytes,
                        enum cudaMemcpyKind kind, cudaStream_t stream)
{
    struct spmv_exchange_report *report = &exchange->report;
    double start_s = clock_now_s();
    check_cuda(cudaMemcpyAsync(to, from, bytes, kind, stream));
    check_cuda(cudaStreamSynchronize(stream));
    spmv_lap(&report->memcpy_s, start_s);
    if (kind == cudaMemcpyHostToDevice)
        report->to_device_bytes += bytes;
    else
        report->from_device_bytes += bytes;
}

MPI_Request *spmv_exchange_request(struct spmv_exchange *exchange, int peer)
{
    exchange->peers[exchange->request_count] = peer;
    return &exchange->requests[exchange->request_count++];
}

void spmv_exchange_receive(struct spmv_exchange *exchange, void *halo)
{
    double start_s = clock_now_s();
    for (int i = 0; i < exchange->halo->neighbour_count; i++) {
        const struct spmv_neighbour *neighbour = &exchange->halo->neighbours[i];
        if (neighbour->receive_count > 0)
            check_mpi(
                MPI_Irecv((char *)halo + (size_t)neighbour->receive_first * exchange->value_bytes,
                          (int)neighbour->receive_count, exchange->value_type, neighbour->rank,
                          SPMV_EXCHANGE_TAG, exchange->halo->ranks,
                          spmv_exchange_request(exchange, neighbour->rank)));
    }
    spmv_lap(&exchange->report.mpi_s, start_s);
}

void spmv_exchange_send(struct spmv_exchange *exchange, const void *packed)
{
    double start_s = clock_now_s();
    for (int i = 0; i < exchange->halo->neighbour_count; i++) {
        const struct spmv_neighbour *neighbour = &exchange->halo->neighbours[i];
        if (neighbour->send_count > 0)
            check_mpi(MPI_Isend((const char *)packed +
                                    (size_t)neighbour->send_first * exchange->value_bytes,
                                (int)neighbour->send_count, exchange->value_type, neighbour->rank,
                                SPMV_EXCHANGE_TAG, exchange->halo->ranks,
                                spmv_exchange_request(exchange, neighbour->rank)));
    }
    spmv_lap(&exchange->report.mpi_s, start_s);
}

void spmv_exchange_wait(struct spmv_exchange *exchange)
{
    double start_s = clock_now_s();
    spmv_wait(exchange->requests, exchange->peers, exchange->request_count, exchange->wait_limit_s,
              "the halo");
    exchange->request_count = 0;
    spmv_lap(&exchange->report.mpi_s, start_s);
    exchange->report.sent_bytes += spmv_send_bytes(exchange);
}
