/* spmv_exchange.c: one matrix on the GPUs of several ranks: the halo, then the product, repeated.
 *
 * Build: mpicc -std=c11 spmv_exchange.c $(pkg-config --cflags --libs datamotion-spmv) -o spmv_exchange
 * Run: mpirun -np 2 --oversubscribe ./spmv_exchange
 * Prints: rank 0 of 2 gets 1 element for each product; sum of x after 3 products: 998.519 */
#include <datamotion/spmv_mpi.h>

#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 1000, PRODUCTS = 3 };

static void check(enum dm_status status)
{
    if (status == DM_OK)
        return;
    fprintf(stderr, "%s\n", dm_message());
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/* My rows of the means of neighbours: x[i] <- (x[i - 1] + x[i] + x[i + 1]) / 3, zeros beyond. */
static void add_rows(struct spmv_coo *mine, int64_t first, int64_t count)
{
    check(spmv_coo_open(mine, count, ROWS, 3 * count));
    for (int64_t row = 0; row < count; row++)
        for (int64_t column = first + row - 1; column <= first + row + 1; column++)
            if (column >= 0 && column < ROWS)
                check(spmv_coo_add(mine, row, column, 1.0 / 3));
    check(spmv_coo_finish(mine));
}

int main(int argc, char **argv)
{
    int rank, count, gpus = 1;
    struct spmv_coo mine, local;
    struct spmv_halo halo;
    struct spmv_matrix matrix;
    struct spmv_exchange *exchange;
    double *x, *y, sum = 0, total;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &count);
    if (cudaGetDeviceCount(&gpus) != cudaSuccess || cudaSetDevice(rank % gpus) != cudaSuccess)
        return 1;
    const int64_t first = spmv_block_first(ROWS, rank, count);
    add_rows(&mine, first, spmv_block_first(ROWS, rank + 1, count) - first);
    check(spmv_halo_open(&halo, &local, &mine, first, ROWS, MPI_COMM_WORLD));
    check(spmv_matrix_create(&matrix, SPMV_CSR, &local, NULL));
    check(spmv_matrix_to_device(&matrix));
    check(spmv_exchange_open(&exchange, SPMV_INDEX_STANDARD, &halo, SPMV_DOUBLE, 60));

    const size_t bytes = (size_t)(halo.rows + halo.halo) * sizeof(double);
    double *values = malloc(bytes);
    for (int64_t i = 0; i < halo.rows; i++)
        values[i] = 1;
    cudaMalloc((void **)&x, bytes);
    cudaMalloc((void **)&y, bytes);
    cudaMemcpy(x, values, (size_t)halo.rows * sizeof(double), cudaMemcpyHostToDevice);
    for (int i = 0; i < PRODUCTS; i++) {
        check(spmv_exchange_run(exchange, x, NULL));
        check(spmv_multiply_device(&matrix, 1, x, 0, y, NULL));
        double *product = y;
        y = x;
        x = product;
    }
    cudaMemcpy(values, x, (size_t)halo.rows * sizeof(double), cudaMemcpyDeviceToHost);
    for (int64_t i = 0; i < halo.rows; i++)
        sum += values[i];
    MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("rank 0 of %d gets %lld element for each product; sum of x after %d products: %.3f\n",
               count, (long long)halo.halo, PRODUCTS, total);
    free(values);
    cudaFree(x);
    cudaFree(y);
    spmv_exchange_close(exchange);
    spmv_matrix_release(&matrix);
    spmv_halo_close(&halo);
    spmv_coo_close(&local);
    spmv_coo_close(&mine);
    MPI_Finalize();
    return 0;
}
