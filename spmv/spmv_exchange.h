/* spmv_exchange.h: brings the halo of x from the neighbours' GPUs, by one of six strategies.
 *
 * x lies on the device: own elements, then the halo. Source: Fanfarillo 2016, 4.2.1 to 4.2.3. */
#ifndef SPMV_SPMV_EXCHANGE_H
#define SPMV_SPMV_EXCHANGE_H

#include "common/gpu.h"

#include "sparse_format.h"
#include "spmv_halo.h"

enum spmv_strategy {
    SPMV_SYNC, /* the whole vector to the host and back */
    SPMV_SG,   /* pack kernel; indices and buffers allocated, copied and freed each time */
    SPMV_INDEX_STANDARD, /* the same, but the indices stay on the device */
    SPMV_PINNED,         /* indices and buffers in registered host memory that the kernels use */
    SPMV_INDEX_PINNED,   /* the same, registered once for the life of the descriptor */
    SPMV_OPEN_MPI,       /* MPI derived types on device pointers: needs a CUDA-aware MPI */
    SPMV_STRATEGIES
};

struct spmv_exchange_report {
    /* Sums since the last reset, s. */
    double total_s, malloc_s, memcpy_s, free_s, pack_s, mpi_s;
    int64_t exchanges;
    size_t to_device_bytes, from_device_bytes, sent_bytes;
};

struct spmv_strategy_info {
    const char *name; /* "sync", "sg", "index-standard", "pinned", "index-pinned", "openmpi" */
    const char *meaning;
};
extern const struct spmv_strategy_info spmv_strategies[SPMV_STRATEGIES];

/* Why it cannot be used here, or NULL: as rdma_complaint of rdma/. */
const char *spmv_exchange_complaint(enum spmv_strategy strategy);

struct spmv_exchange;

/* Refers to the halo, which must live as long. wait_limit_s: no wait for a neighbour takes longer,
 * then the program ends with a sentence, as it does if there is no memory. */
struct spmv_exchange *spmv_exchange_open(enum spmv_strategy strategy, const struct spmv_halo *halo,
                                         enum sparse_precision precision, double wait_limit_s);

/* x: device pointer, halo->rows + halo->halo values. Collective; waits until the halo is there.
 * What earlier kernels of `stream` wrote is sent, later ones see the halo. */
void spmv_exchange_run(struct spmv_exchange *exchange, void *x, cudaStream_t stream);

struct spmv_exchange_report spmv_exchange_report(struct spmv_exchange *exchange, bool reset);
void spmv_exchange_close(struct spmv_exchange *exchange);

#endif
