/* spmv_mpi.h: products of one matrix on the GPUs of several MPI ranks. Link with -ldatamotion-spmv
 * (pkg-config datamotion-spmv) and MPI.
 *
 *     rank 0: rows [0, r1)      own x[0, r1)   | halo: the elements of x that its rows also use
 *     rank 1: rows [r1, r2)     own x[r1, r2)  | ...
 *
 * Each rank has a block of rows, and numbers its columns anew: its own rows first, then the halo,
 * ordered by owner and index, so that the elements of a neighbour arrive in one piece. Before each
 * product the halo is brought from the GPUs of the neighbours:
 *
 *     spmv_halo_open(&halo, &local, &mine, ...)      what I need, what I send, my matrix
 *     spmv_matrix_create(&matrix, ..., &local, ...)  in any format (spmv.h), and to the device
 *     spmv_exchange_open(&exchange, ..., &halo, ...)
 *     again and again:
 *         spmv_exchange_run(exchange, x, stream)
 *         spmv_multiply_device(&matrix, 1, x, 0, y, stream)
 *
 * Errors are reported as datamotion/status.h says. Collective functions are called by all ranks of
 * the communicator. Source: Fanfarillo 2016, 2.5 and chapter 4. */
#ifndef DATAMOTION_SPMV_MPI_H
#define DATAMOTION_SPMV_MPI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cuda_runtime.h>
#include <mpi.h>

#include <datamotion/spmv.h>
#include <datamotion/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- blocks of rows, and who needs what ---- */

struct spmv_neighbour {
    int rank;
    int64_t send_first, send_count;       /* range of `send_index` */
    int64_t receive_first, receive_count; /* range of the halo */
};

/* Members may be read. */
struct spmv_halo {
    MPI_Comm ranks;
    int rank, rank_count;
    int64_t first_row, rows; /* mine */
    int64_t global_rows;
    int64_t halo;         /* elements that I receive */
    int64_t send;         /* elements that I send, all neighbours */
    int32_t *send_index;  /* send: which of my own elements, ascending for each neighbour */
    int64_t *halo_column; /* halo: their global columns */
    int neighbour_count;
    struct spmv_neighbour *neighbours;
};

/* The first row of rank i of n, if blocks are to differ by at most one row; for rank n: `rows`. */
DM_API int64_t spmv_block_first(int64_t rows, int rank, int rank_count);

/* From my rows, which count from 0, with global columns, makes `local` (own and halo columns) and
 * the descriptor. Collective, and an error is the same at all ranks, with the sentence of the first
 * rank that has one. DM_INVALID: more ranks than rows, the matrix is not square, or the blocks do
 * not follow one another; DM_NO_MEMORY; DM_TIMEOUT: a rank does not take part within 600 s;
 * DM_FAILED. Both are empty after an error. */
DM_API enum dm_status spmv_halo_open(struct spmv_halo *halo, struct spmv_coo *local,
                                     const struct spmv_coo *mine, int64_t first_row,
                                     int64_t global_rows, MPI_Comm ranks);
DM_API void spmv_halo_close(struct spmv_halo *halo);

/* ---- the exchange of the halo ---- */

enum spmv_strategy {
    SPMV_SYNC, /* the whole vector to the host and back */
    SPMV_SG,   /* pack kernel; indices and buffers allocated, copied and freed each time */
    SPMV_INDEX_STANDARD, /* the same, but the indices stay on the device */
    SPMV_PINNED,         /* indices and buffers in registered host memory that the kernels use */
    SPMV_INDEX_PINNED,   /* the same, registered once for the life of the descriptor */
    SPMV_OPEN_MPI,       /* MPI derived types on device pointers: needs a CUDA-aware MPI */
    SPMV_STRATEGIES
};

/* "sync", "sg", "index-standard", "pinned", "index-pinned", "openmpi", and a few words about each;
 * "unknown" and "" if there is no such strategy. */
DM_API const char *spmv_strategy_name(enum spmv_strategy strategy);
DM_API const char *spmv_strategy_meaning(enum spmv_strategy strategy);

/* DM_OK if the strategy works with this rank's current device and MPI. DM_UNAVAILABLE: it does not,
 * and the sentence says why and what to do; DM_INVALID: no such strategy; DM_FAILED. */
DM_API enum dm_status spmv_exchange_check(enum spmv_strategy strategy);

struct spmv_exchange;

/* Refers to the halo, which must live as long. wait_limit_s: no wait for a neighbour takes longer.
 * Checks as above; besides DM_NO_MEMORY. *exchange is NULL after an error. Not collective: the
 * caller makes sure that all ranks could open theirs before one of them runs. */
DM_API enum dm_status spmv_exchange_open(struct spmv_exchange **exchange,
                                         enum spmv_strategy strategy, const struct spmv_halo *halo,
                                         enum spmv_precision precision, double wait_limit_s);

/* x: device pointer, halo->rows + halo->halo values: own elements, then the halo. Collective; waits
 * until the halo is there. What earlier kernels of `stream` wrote is sent, later ones see the halo.
 * DM_TIMEOUT: a neighbour did not take part within the limit; DM_NO_MEMORY; DM_LOST; DM_FAILED.
 * After an error the exchange fails in all further calls, and is to be closed; x and the halo must
 * stay, as MPI may still use them. */
DM_API enum dm_status spmv_exchange_run(struct spmv_exchange *exchange, void *x,
                                        cudaStream_t stream);

/* Sums since the open or the last reset; times in s. */
struct spmv_exchange_report {
    double total_s, malloc_s, memcpy_s, free_s, pack_s, mpi_s;
    int64_t exchanges;
    size_t to_device_bytes, from_device_bytes, sent_bytes;
};
DM_API struct spmv_exchange_report spmv_exchange_report(struct spmv_exchange *exchange, bool reset);

/* Buffers that MPI may still use after an error are not released. */
DM_API void spmv_exchange_close(struct spmv_exchange *exchange);

#ifdef __cplusplus
}
#endif
#endif
