/* spmv_halo.h: a matrix over several processes, by blocks of rows, and what they must tell one
 * another before a product.
 *
 *     rank 0: rows [0, r1)      own x[0, r1)   | halo: the elements of x that its rows also use
 *     rank 1: rows [r1, r2)     own x[r1, r2)  | ...
 *
 * Local columns: the own rows first, then the halo, ordered by owner and index, so that every
 * neighbour's elements arrive in one piece. Source: Fanfarillo 2016, 2.5 and 4.2. */
#ifndef SPMV_SPMV_HALO_H
#define SPMV_SPMV_HALO_H

#include <mpi.h>

#include "sparse.h"

struct spmv_neighbour {
    int rank;
    int64_t send_first, send_count;       /* range of `send_index` */
    int64_t receive_first, receive_count; /* range of the halo */
};

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

/* Rows of rank i of n: blocks that differ by one row at most. */
int64_t spmv_block_first(int64_t rows, int rank, int rank_count);

/* From my rows with global columns makes `local` (own and halo columns) and the descriptor.
 * Collective. False at all ranks: more ranks than rows, not square, no memory. */
bool spmv_halo_open(struct spmv_halo *halo, struct sparse_coo *local, const struct sparse_coo *mine,
                    int64_t first_row, int64_t global_rows, MPI_Comm ranks,
                    struct sparse_error *error);
void spmv_halo_close(struct spmv_halo *halo);

#endif
