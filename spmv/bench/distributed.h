/* distributed.h: one matrix on the GPUs of several ranks, with the vectors of products that
 * are repeated: y <- A x, then x <- y. */
#ifndef SPMV_BENCH_DISTRIBUTED_H
#define SPMV_BENCH_DISTRIBUTED_H

#include <datamotion/spmv.h>
#include <datamotion/spmv_mpi.h>

struct spmv_distributed {
    struct spmv_halo halo;
    struct spmv_coo local; /* own rows; own columns, then the halo */
    struct spmv_matrix matrix;
    int64_t global_entries;
    int64_t edge; /* of a pde matrix, else 0 */
    uint64_t seed;
    cudaStream_t stream;
    void *x, *y; /* on the device, own elements and halo */
};

/* The rows of this rank of the matrix of that name (generate.h), on the current device in blocks of
 * equal size. Collective, and an error is the same at all ranks: no such matrix, more ranks than
 * rows, not square, no memory. */
enum dm_status spmv_distributed_open(struct spmv_distributed *distributed, const char *name,
                                     enum spmv_format format, enum spmv_precision precision,
                                     uint64_t seed, MPI_Comm ranks);

/* x: random numbers in [-1, 1) that depend on the seed, the round and the global row; the halo:
 * NaN. */
void spmv_distributed_set(struct spmv_distributed *distributed, int round);

/* So many products, an exchange before each; waits for the end. Collective. */
void spmv_distributed_run(struct spmv_distributed *distributed, struct spmv_exchange *exchange,
                          int times);

/* Two exchanges of different vectors, and the product of the second one: the number of elements of
 * the halo that are not what their owner has, plus 1 if a row of the product is not as near to the
 * reference as its precision allows. Collective, of this rank alone. */
long spmv_distributed_wrong(struct spmv_distributed *distributed, struct spmv_exchange *exchange);

void spmv_distributed_close(struct spmv_distributed *distributed);

#endif
