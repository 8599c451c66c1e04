/* The own formats as ways to compute a product. */
#include "spmv_ways.h"

#include <stdlib.h>

#include "common/harness/exit.h"

/* Takes over a matrix that was built; false: its memory is given back. */
static bool keep(struct spmv_copy *copy, struct sparse_matrix *matrix, bool done)
{
    if (!done) {
        sparse_matrix_release(matrix);
        free(matrix);
        return false;
    }
    copy->matrix = matrix;
    copy->stored = matrix->stored;
    copy->value_bytes = matrix->value_bytes;
    copy->index_bytes = matrix->index_bytes;
    return true;
}

static bool open_host(struct spmv_copy *copy, int format, const struct spmv_task *task,
                      struct sparse_error *error)
{
    struct sparse_matrix *matrix = allocate_or_fail(1, sizeof *matrix);
    bool done = sparse_matrix_create(matrix, format, task->coo, &task->options, error);
    return keep(copy, matrix, done);
}

static bool open_device(struct spmv_copy *copy, int format, const struct spmv_task *task,
                        struct sparse_error *error)
{
    return open_host(copy, format, task, error) &&
           keep(copy, copy->matrix, sparse_matrix_to_device(copy->matrix, error));
}

static void multiply_host(const struct spmv_copy *copy, cudaStream_t stream)
{
    (void)stream;
    sparse_multiply(copy->matrix, 1, copy->x, 0, copy->y);
}

static void multiply_device(const struct spmv_copy *copy, cudaStream_t stream)
{
    sparse_multiply_device(copy->matrix, 1, copy->x, 0, copy->y, stream);
}

static void close_own(struct spmv_copy *copy)
{
    sparse_matrix_release(copy->matrix);
    free(copy->matrix);
}

const struct spmv_way spmv_own_ways[] = {
    {"csr-cpu", false, SPARSE_CSR, open_host, multiply_host, close_own},
    {"coo-cpu", false, SPARSE_COO, open_host, multiply_host, close_own},
    {"csc-cpu", false, SPARSE_CSC, open_host, multiply_host, close_own},
    {"ell-cpu", false, SPARSE_ELL, open_host, multiply_host, close_own},
    {"elg-cpu", false, SPARSE_ELG, open_host, multiply_host, close_own},
    {"hll-cpu", false, SPARSE_HLL, open_host, multiply_host, close_own},
    {"hyb-cpu", false, SPARSE_HYB, open_host, multiply_host, close_own},
    {"csr-gpu", true, SPARSE_CSR, open_device, multiply_device, close_own},
    {"coo-gpu", true, SPARSE_COO, open_device, multiply_device, close_own},
    {"csc-gpu", true, SPARSE_CSC, open_device, multiply_device, close_own},
    {"ell-gpu", true, SPARSE_ELL, open_device, multiply_device, close_own},
    {"elg-gpu", true, SPARSE_ELG, open_device, multiply_device, close_own},
    {"hlg-gpu", true, SPARSE_HLL, open_device, multiply_device, close_own},
    {"hyb-gpu", true, SPARSE_HYB, open_device, multiply_device, close_own},
    {0},
};
