/* spmv_exchange_internal.h: what a strategy of exchange is, and what strategies share. */
#ifndef SPMV_SPMV_EXCHANGE_INTERNAL_H
#define SPMV_SPMV_EXCHANGE_INTERNAL_H

#include "common/clock.h"

#include "spmv_exchange.h"

enum { SPMV_EXCHANGE_TAG = 20622 };

/* One strategy. `run` is called when nothing of the stream is left to do, and returns when the halo
 * has its new values; it adds to the report what it does. */
struct spmv_exchange_operations {
    const char *(*complaint)(void); /* NULL: it works wherever there is a GPU */
    void (*open)(struct spmv_exchange *exchange);
    void (*run)(struct spmv_exchange *exchange, void *x, cudaStream_t stream);
    void (*close)(struct spmv_exchange *exchange);
};
extern const struct spmv_exchange_operations spmv_exchange_sync, spmv_exchange_sg,
    spmv_exchange_pinned, spmv_exchange_mpi;

struct spmv_exchange {
    const struct spmv_exchange_operations *operations;
    bool keeps_index; /* IndexStandard, IndexPinned: the lists stay where the kernels read them */
    const struct spmv_halo *halo;
    enum sparse_precision precision;
    size_t value_bytes;
    double wait_limit_s;
    MPI_Datatype value_type;
    MPI_Request *requests; /* at most two for each neighbour */
    int *peers, request_count;
    struct spmv_exchange_report report;
    void *state; /* the strategy's own */
};

/* Adds the time since start_s to *sum; returns now. */
static inline double spmv_lap(double *sum, double start_s)
{
    double now_s = clock_now_s();
    *sum += now_s - start_s;
    return now_s;
}

/* Bytes of the elements that are sent, and of the halo. */
static inline size_t spmv_send_bytes(const struct spmv_exchange *exchange)
{
    return (size_t)exchange->halo->send * exchange->value_bytes;
}
static inline size_t spmv_halo_bytes(const struct spmv_exchange *exchange)
{
    return (size_t)exchange->halo->halo * exchange->value_bytes;
}

/* The places of the halo in x: halo->halo of them. */
void spmv_list_halo_places(const struct spmv_halo *halo, int32_t *places);

/* A copy between host and device that is waited for, with its time and bytes. */
void spmv_exchange_copy(struct spmv_exchange *exchange, void *to, const void *from, size_t bytes,
                        enum cudaMemcpyKind kind, cudaStream_t stream);

/* Starts to receive all neighbours' elements into `halo`, to send them from `packed`, and waits for
 * both. */
void spmv_exchange_receive(struct spmv_exchange *exchange, void *halo);
void spmv_exchange_send(struct spmv_exchange *exchange, const void *packed);
void spmv_exchange_wait(struct spmv_exchange *exchange);

/* A request that spmv_exchange_wait will wait for. */
MPI_Request *spmv_exchange_request(struct spmv_exchange *exchange, int peer);

#endif
