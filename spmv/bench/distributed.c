#include "distributed.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <mpi.h>

#include "common/error.h"
#include "common/harness/allocate.h"
#include "common/harness/exit.h"
#include "common/harness/ranks.h"
#include "common/random.h"

#include "spmv/exchange/wait.h"
#include "spmv/formats/format.h"

#include "generate.h"
#include "reference.h"

/* ---- rows of this rank ---- */

/* The edge of pde:EDGE, of which a rank generates its own rows alone; else 0. */
static int64_t edge_of(const char *name)
{
    long long edge;
    char more;
    const int64_t largest = 1290; /* 1290^3 < 2^31 */
    if (sscanf(name, "pde:%lld%c", &edge, &more) != 1 || edge < 1 || edge > largest)
        return 0;
    return edge;
}

/* A rank for which there are no rows has an empty matrix; spmv_halo_open says so on all ranks. */
static enum dm_status take_rows(struct spmv_coo *mine, int64_t *first, int64_t *global_rows,
                                const struct spmv_distributed *distributed, const char *name,
                                int rank, int rank_count)
{
    struct spmv_coo all = {0};
    int64_t edge = distributed->edge;
    enum dm_status status = DM_OK;
    if (edge == 0)
        TRY(sparse_matrix_of(&all, name, distributed->seed));
    *global_rows = edge > 0 ? edge * edge * edge : all.rows;
    *first = spmv_block_first(*global_rows, rank, rank_count);
    int64_t count = spmv_block_first(*global_rows, rank + 1, rank_count) - *first;
    if (count > 0)
        status = edge > 0 ? sparse_generate_pde_rows(mine, edge, *first, count)
                          : spmv_coo_rows(mine, &all, *first, count);
    spmv_coo_close(&all);
    return status;
}

static int64_t sum_over_ranks(int64_t mine, MPI_Comm communicator)
{
    MPI_Request request;
    int64_t sum;
    check_mpi(MPI_Iallreduce(&mine, &sum, 1, MPI_INT64_T, MPI_SUM, communicator, &request));
    check_status(spmv_wait(&request, NULL, 1, SPMV_SETUP_LIMIT_S, "a sum"));
    return sum;
}

/* ---- opening ---- */

static size_t vector_bytes(const struct spmv_distributed *distributed)
{
    return (size_t)distributed->local.columns *
           spmv_value_bytes(distributed->matrix.options.precision);
}

static enum dm_status open_matrix(struct spmv_distributed *distributed, enum spmv_format format,
                                  enum spmv_precision precision)
{
    struct spmv_options options = {.precision = precision};
    TRY(spmv_matrix_create(&distributed->matrix, format, &distributed->local, &options));
    return spmv_matrix_to_device(&distributed->matrix);
}

static enum dm_status open_halo(struct spmv_distributed *distributed, struct spmv_coo *mine,
                                const char *name, MPI_Comm communicator)
{
    int rank, rank_count;
    int64_t first = 0, global_rows = 0;
    check_mpi(MPI_Comm_rank(communicator, &rank));
    check_mpi(MPI_Comm_size(communicator, &rank_count));
    TRY(spmv_all_agree(take_rows(mine, &first, &global_rows, distributed, name, rank, rank_count),
                       communicator));
    TRY(spmv_halo_open(&distributed->halo, &distributed->local, mine, first, global_rows,
                       communicator));
    distributed->global_entries = sum_over_ranks(mine->entries, communicator);
    return DM_OK;
}

enum dm_status spmv_distributed_open(struct spmv_distributed *distributed, const char *name,
                                     enum spmv_format format, enum spmv_precision precision,
                                     uint64_t seed, MPI_Comm communicator)
{
    struct spmv_coo mine = {0};
    *distributed = (struct spmv_distributed){.edge = edge_of(name), .seed = seed};
    enum dm_status status = open_halo(distributed, &mine, name, communicator);
    spmv_coo_close(&mine);
    if (status == DM_OK)
        status = spmv_all_agree(open_matrix(distributed, format, precision), communicator);
    if (status != DM_OK) {
        spmv_distributed_close(distributed);
        return status;
    }
    distributed->x = memory_allocate(MEMORY_DEVICE, vector_bytes(distributed));
    distributed->y = memory_allocate(MEMORY_DEVICE, vector_bytes(distributed));
    check_cuda(cudaStreamCreateWithFlags(&distributed->stream, cudaStreamNonBlocking));
    return DM_OK;
}

void spmv_distributed_close(struct spmv_distributed *distributed)
{
    if (distributed->stream)
        check_cuda(cudaStreamDestroy(distributed->stream));
    check_cuda(cudaFree(distributed->x));
    check_cuda(cudaFree(distributed->y));
    spmv_matrix_release(&distributed->matrix);
    spmv_coo_close(&distributed->local);
    spmv_halo_close(&distributed->halo);
}

/* ---- products ---- */

static double element(const struct spmv_distributed *distributed, int round, int64_t global_row)
{
    double value =
        2 * random_uniform(distributed->seed + (uint64_t)round, (uint64_t)global_row) - 1;
    return distributed->matrix.options.precision == SPMV_DOUBLE ? value : (float)value;
}

/* What the whole vector must be after an exchange; values of the matrix's precision. */
static void *expected_vector(const struct spmv_distributed *distributed, int round)
{
    const struct spmv_halo *halo = &distributed->halo;
    enum spmv_precision precision = distributed->matrix.options.precision;
    void *x = memory_allocate(MEMORY_PAGEABLE, vector_bytes(distributed));
    for (int64_t i = 0; i < halo->rows; i++)
        sparse_value_set(x, precision, i, element(distributed, round, halo->first_row + i));
    for (int64_t i = 0; i < halo->halo; i++)
        sparse_value_set(x, precision, halo->rows + i,
                         element(distributed, round, halo->halo_column[i]));
    return x;
}

void spmv_distributed_set(struct spmv_distributed *distributed, int round)
{
    const struct spmv_halo *halo = &distributed->halo;
    void *x = expected_vector(distributed, round);
    for (int64_t i = 0; i < halo->halo; i++)
        sparse_value_set(x, distributed->matrix.options.precision, halo->rows + i, NAN);
    memory_copy(distributed->x, x, vector_bytes(distributed));
    memory_release(MEMORY_PAGEABLE, x);
}

static void multiply(struct spmv_distributed *distributed)
{
    check_status(spmv_multiply_device(&distributed->matrix, 1, distributed->x, 0, distributed->y,
                                      distributed->stream));
}

void spmv_distributed_run(struct spmv_distributed *distributed, struct spmv_exchange *exchange,
                          int times)
{
    for (int i = 0; i < times; i++) {
        check_status(spmv_exchange_run(exchange, distributed->x, distributed->stream));
        multiply(distributed);
        void *product = distributed->y;
        distributed->y = distributed->x;
        distributed->x = product;
    }
    check_cuda(cudaStreamSynchronize(distributed->stream));
}

/* ---- verification ---- */

static long wrong_elements(const struct spmv_distributed *distributed, int round)
{
    enum spmv_precision precision = distributed->matrix.options.precision;
    void *expected = expected_vector(distributed, round);
    void *x = memory_allocate(MEMORY_PAGEABLE, vector_bytes(distributed));
    long wrong = 0;
    check_cuda(cudaMemcpy(x, distributed->x, vector_bytes(distributed), cudaMemcpyDeviceToHost));
    for (int64_t i = 0; i < distributed->local.columns; i++)
        wrong += sparse_value_at(x, precision, i) != sparse_value_at(expected, precision, i);
    memory_release(MEMORY_PAGEABLE, x);
    memory_release(MEMORY_PAGEABLE, expected);
    return wrong;
}

static bool product_is_wrong(const struct spmv_distributed *distributed, int round)
{
    const struct spmv_coo *local = &distributed->local;
    enum spmv_precision precision = distributed->matrix.options.precision;
    unsigned long rows = (unsigned long)local->rows, columns = (unsigned long)local->columns;
    void *rounded = expected_vector(distributed, round);
    void *y = memory_allocate(MEMORY_PAGEABLE, rows * spmv_value_bytes(precision));
    double *x = allocate_or_fail(columns, sizeof *x);
    double *exact = allocate_or_fail(rows, sizeof *exact);
    double *magnitude = allocate_or_fail(rows, sizeof *magnitude);
    for (int64_t i = 0; i < local->columns; i++)
        x[i] = sparse_value_at(rounded, precision, i);
    sparse_reference(local, 1, x, 0, exact, magnitude);
    check_cuda(
        cudaMemcpy(y, distributed->y, rows * spmv_value_bytes(precision), cudaMemcpyDeviceToHost));
    double ratio = sparse_error_ratio(local, y, precision == SPMV_DOUBLE, exact, magnitude);
    free(magnitude);
    free(exact);
    free(x);
    memory_release(MEMORY_PAGEABLE, y);
    memory_release(MEMORY_PAGEABLE, rounded);
    return !(ratio <= 1);
}

long spmv_distributed_wrong(struct spmv_distributed *distributed, struct spmv_exchange *exchange)
{
    enum { ROUNDS = 2 };
    long wrong = 0;
    for (int round = 1; round <= ROUNDS; round++) {
        spmv_distributed_set(distributed, round);
        check_status(spmv_exchange_run(exchange, distributed->x, distributed->stream));
        wrong += wrong_elements(distributed, round);
    }
    multiply(distributed);
    check_cuda(cudaStreamSynchronize(distributed->stream));
    return wrong + product_is_wrong(distributed, ROUNDS);
}
