/* spmv_exchange.c: one matrix on the GPUs of several ranks: the halo, then the product, repeated.
 *
 * Build: mpicc -std=c11 spmv_exchange.c $(pkg-config --cflags --libs datamotion-spmv) \
 *            -o spmv_exchange
 *
 * Run: mpirun -np 2 --oversubscribe ./spmv_exchange
 *
 * Prints: rank 0 of 2: 500 rows, 1 element from its neighbours, last element 1 */
#include <datamotion/spmv_mpi.h>

#include <stdio.h>

enum { ROWS = 1000, PRODUCTS = 4 };

static void check(enum dm_status status)
{
    if (status == DM_OK)
        return;
    fprintf(stderr, "%s\n", dm_message());
    MPI_Abort(MPI_COMM_WORLD, 1);
}

int main(int argc, char **argv)
{
    int rank, ranks, gpus = 1;
    struct spmv_coo mine, local;
    struct spmv_halo halo;
    struct spmv_matrix matrix;
    struct spmv_exchange *exchange;
    double *x[2], ones[ROWS];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    cudaGetDeviceCount(&gpus);
    cudaSetDevice(rank % gpus);

    /* My rows of a matrix that takes the means of three neighbours. */
    const int64_t first = spmv_block_first(ROWS, rank, ranks);
    const int64_t rows = spmv_block_first(ROWS, rank + 1, ranks) - first;
    check(spmv_coo_open(&mine, rows, ROWS, 3 * rows));
    for (int64_t row = 0; row < rows; row++)
        for (int64_t column = first + row - 1; column <= first + row + 1; column++)
            if (column >= 0 && column < ROWS)
                check(spmv_coo_add(&mine, row, column, 1.0 / 3));
    check(spmv_coo_finish(&mine));

    check(spmv_halo_open(&halo, &local, &mine, first, ROWS, MPI_COMM_WORLD));
    check(spmv_matrix_create(&matrix, SPMV_CSR, &local, NULL));
    check(spmv_matrix_to_device(&matrix));
    check(spmv_exchange_open(&exchange, SPMV_INDEX_STANDARD, &halo, SPMV_DOUBLE, 60));
    for (int i = 0; i < 2; i++)
        cudaMalloc((void **)&x[i], (size_t)local.columns * sizeof(double));
    for (int64_t i = 0; i < rows; i++)
        ones[i] = 1;
    cudaMemcpy(x[0], ones, (size_t)rows * sizeof(double), cudaMemcpyHostToDevice);
    for (int i = 0; i < PRODUCTS; i++) {
        check(spmv_exchange_run(exchange, x[i % 2], NULL));
        check(spmv_multiply_device(&matrix, 1, x[i % 2], 0, x[(i + 1) % 2], NULL));
    }
    cudaMemcpy(ones, x[PRODUCTS % 2], (size_t)rows * sizeof(double), cudaMemcpyDeviceToHost);
    if (rank == 0)
        printf("rank 0 of %d: %lld rows, %lld element from its neighbours, last element %g\n",
               ranks, (long long)rows, (long long)halo.halo, ones[rows - 1]);
    spmv_exchange_close(exchange);
    spmv_matrix_release(&matrix);
    spmv_halo_close(&halo);
    spmv_coo_close(&local);
    spmv_coo_close(&mine);
    MPI_Finalize();
    return 0;
}
