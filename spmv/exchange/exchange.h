/* exchange.h: what a strategy of exchange is, and what strategies share. */
#ifndef SPMV_EXCHANGE_EXCHANGE_H
#define SPMV_EXCHANGE_EXCHANGE_H

#include <datamotion/spmv_mpi.h>

#include "common/clock.h"
#include "common/error.h"
#include "common/memory.h"

enum { SPMV_EXCHANGE_TAG = 20622 };

/* One strategy. */
struct spmv_exchange_operations {
    /* DM_UNAVAILABLE where it does not work; NULL: it does wherever there is a GPU. */
    enum dm_status (*check)(void);
    /* Sets exchange->state; what there is after an error is closed by the caller. */
    enum dm_status (*open)(struct spmv_exchange *exchange);
    /* Called when nothing of the stream is left to do; returns when the halo has its new values.
     * Adds to the report what it does. */
    enum dm_status (*run)(struct spmv_exchange *exchange, void *x, cudaStream_t stream);
    void (*close)(struct spmv_exchange *exchange);
};
extern const struct spmv_exchange_operations spmv_exchange_sync, spmv_exchange_sg,
    spmv_exchange_pinned, spmv_exchange_mpi;

struct spmv_exchange {
    const struct spmv_exchange_operations *operations;
    bool keeps_index; /* IndexStandard, IndexPinned: the lists stay where the kernels read them */
    const struct spmv_halo *halo;
    enum spmv_precision precision;
    size_t value_bytes;
    double wait_limit_s;
    MPI_Datatype value_type;
    MPI_Request *requests; /* at most two for each neighbour */
    int *peers, request_count;
    enum dm_status failure; /* of the run after which it is not to be used any more */
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
enum dm_status spmv_exchange_copy(struct spmv_exchange *exchange, void *to, const void *from,
                                  size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream);

/* Starts to receive all neighbours' elements into `halo`, to send them from `packed`, and waits for
 * both. */
enum dm_status spmv_exchange_receive(struct spmv_exchange *exchange, void *halo);
enum dm_status spmv_exchange_send(struct spmv_exchange *exchange, const void *packed);
enum dm_status spmv_exchange_wait(struct spmv_exchange *exchange);

/* A request that spmv_exchange_wait will wait for. */
MPI_Request *spmv_exchange_request(struct spmv_exchange *exchange, int peer);

#endif
