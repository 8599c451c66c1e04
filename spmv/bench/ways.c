/* The own formats as ways to compute a product. */
#include "ways.h"

#include <stdlib.h>

#include "common/error.h"
#include "common/harness/exit.h"

static void close_own(struct spmv_copy *copy)
{
    spmv_matrix_release(copy->matrix);
    free(copy->matrix);
}

static enum dm_status open_host(struct spmv_copy *copy, int format, const struct spmv_task *task)
{
    struct spmv_matrix built;
    TRY(spmv_matrix_create(&built, (enum spmv_format)format, task->coo, &task->options));
    struct spmv_matrix *matrix = copy->matrix = allocate_or_fail(1, sizeof *matrix);
    *matrix = built;
    copy->stored = matrix->stored;
    copy->value_bytes = matrix->value_bytes;
    copy->index_bytes = matrix->index_bytes;
    return DM_OK;
}

static enum dm_status open_device(struct spmv_copy *copy, int format, const struct spmv_task *task)
{
    TRY(open_host(copy, format, task));
    enum dm_status status = spmv_matrix_to_device(copy->matrix);
    if (status != DM_OK)
        close_own(copy);
    return status;
}

static void multiply_host(const struct spmv_copy *copy, cudaStream_t stream)
{
    (void)stream;
    check_status(spmv_multiply(copy->matrix, 1, copy->x, 0, copy->y));
}

static void multiply_device(const struct spmv_copy *copy, cudaStream_t stream)
{
    check_status(spmv_multiply_device(copy->matrix, 1, copy->x, 0, copy->y, stream));
}

const struct spmv_way spmv_own_ways[] = {
    {"csr-cpu", false, SPMV_CSR, open_host, multiply_host, close_own},
    {"coo-cpu", false, SPMV_COO, open_host, multiply_host, close_own},
    {"csc-cpu", false, SPMV_CSC, open_host, multiply_host, close_own},
    {"ell-cpu", false, SPMV_ELL, open_host, multiply_host, close_own},
    {"elg-cpu", false, SPMV_ELG, open_host, multiply_host, close_own},
    {"hll-cpu", false, SPMV_HLL, open_host, multiply_host, close_own},
    {"hyb-cpu", false, SPMV_HYB, open_host, multiply_host, close_own},
    {"csr-gpu", true, SPMV_CSR, open_device, multiply_device, close_own},
    {"coo-gpu", true, SPMV_COO, open_device, multiply_device, close_own},
    {"csc-gpu", true, SPMV_CSC, open_device, multiply_device, close_own},
    {"ell-gpu", true, SPMV_ELL, open_device, multiply_device, close_own},
    {"elg-gpu", true, SPMV_ELG, open_device, multiply_device, close_own},
    {"hlg-gpu", true, SPMV_HLL, open_device, multiply_device, close_own},
    {"hyb-gpu", true, SPMV_HYB, open_device, multiply_device, close_own},
    {0},
};
