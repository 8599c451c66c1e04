#include "cusparse.h"

#include <cusparse.h>
#include <stdlib.h>

#include "common/harness/exit.h"

#include "spmv/formats/format.h"
#include "cusparse_arrays.h"

#define check_cusparse(expression)                                                                 \
    do {                                                                                           \
        cusparseStatus_t check_status = (expression);                                              \
        if (check_status != CUSPARSE_STATUS_SUCCESS)                                               \
            fail_expression(#expression, cusparseGetErrorString(check_status), __FILE__,           \
                            __LINE__);                                                             \
    } while (0)

enum kind { CSR_1, CSR_2, COO, SELL, KINDS };

static const cusparseSpMVAlg_t algorithms[KINDS] = {
    [CSR_1] = CUSPARSE_SPMV_CSR_ALG1,
    [CSR_2] = CUSPARSE_SPMV_CSR_ALG2,
    [COO] = CUSPARSE_SPMV_COO_ALG1,
    [SELL] = CUSPARSE_SPMV_SELL_ALG1,
};

/* A matrix with the plan of its product. The library's handle is part of it, as preprocessing may
 * keep what it found there. */
struct plan {
    cusparseHandle_t handle;
    cusparseSpMatDescr_t matrix;
    cusparseDnVecDescr_t x, y;
    cudaDataType type;
    cusparseSpMVAlg_t algorithm;
    void *starts, *row, *column, *value, *buffer; /* on the device */
};

static enum dm_status upload(struct plan *plan, enum kind kind, const struct spmv_arrays *arrays,
                             const struct spmv_task *task)
{
    size_t stored = (size_t)arrays->stored;
    size_t starts = (size_t)(kind == SELL ? arrays->slices : task->coo->rows) + 1;
    if (kind == COO)
        TRY(sparse_device_copy(&plan->row, task->coo->row, stored * sizeof(int32_t)));
    else
        TRY(sparse_device_copy(&plan->starts, arrays->starts, starts * sizeof(int32_t)));
    TRY(sparse_device_copy(&plan->column, arrays->column, stored * sizeof(int32_t)));
    return sparse_device_copy(&plan->value, arrays->value,
                              stored * spmv_value_bytes(task->options.precision));
}

static void describe(struct plan *plan, enum kind kind, const struct spmv_arrays *arrays,
                     const struct spmv_coo *coo)
{
    const cusparseIndexType_t index = CUSPARSE_INDEX_32I;
    const cusparseIndexBase_t base = CUSPARSE_INDEX_BASE_ZERO;
    if (kind == COO)
        check_cusparse(cusparseCreateCoo(&plan->matrix, coo->rows, coo->columns, coo->entries,
                                         plan->row, plan->column, plan->value, index, base,
                                         plan->type));
    else if (kind == SELL)
        check_cusparse(cusparseCreateSlicedEll(
            &plan->matrix, coo->rows, coo->columns, coo->entries, arrays->stored, SPMV_SLICE_ROWS,
            plan->starts, plan->column, plan->value, index, index, base, plan->type));
    else
        check_cusparse(cusparseCreateCsr(&plan->matrix, coo->rows, coo->columns, coo->entries,
                                         plan->starts, plan->column, plan->value, index, index,
                                         base, plan->type));
}

/* 1 and 0 of the type in which the product is computed. */
static const void *one(const struct plan *plan)
{
    static const double one_double = 1;
    static const float one_float = 1;
    return plan->type == CUDA_R_64F ? (const void *)&one_double : &one_float;
}

static const void *zero(const struct plan *plan)
{
    static const double zero_double = 0;
    static const float zero_float = 0;
    return plan->type == CUDA_R_64F ? (const void *)&zero_double : &zero_float;
}

static enum dm_status prepare(struct plan *plan, const struct spmv_copy *copy,
                              const struct spmv_coo *coo)
{
    const cusparseOperation_t as_it_is = CUSPARSE_OPERATION_NON_TRANSPOSE;
    size_t bytes;
    check_cusparse(cusparseCreateDnVec(&plan->x, coo->columns, copy->x, plan->type));
    check_cusparse(cusparseCreateDnVec(&plan->y, coo->rows, copy->y, plan->type));
    check_cusparse(cusparseSpMV_bufferSize(plan->handle, as_it_is, one(plan), plan->matrix, plan->x,
                                           zero(plan), plan->y, plan->type, plan->algorithm,
                                           &bytes));
    TRY(sparse_device_memory(&plan->buffer, bytes));
    check_cusparse(cusparseSpMV_preprocess(plan->handle, as_it_is, one(plan), plan->matrix, plan->x,
                                           zero(plan), plan->y, plan->type, plan->algorithm,
                                           plan->buffer));
    return DM_OK;
}

static void close_plan(struct spmv_copy *copy)
{
    struct plan *plan = copy->matrix;
    void *memory[] = {plan->starts, plan->row, plan->column, plan->value, plan->buffer};
    if (plan->x)
        check_cusparse(cusparseDestroyDnVec(plan->x));
    if (plan->y)
        check_cusparse(cusparseDestroyDnVec(plan->y));
    if (plan->matrix)
        check_cusparse(cusparseDestroySpMat(plan->matrix));
    check_cusparse(cusparseDestroy(plan->handle));
    for (size_t i = 0; i < sizeof memory / sizeof *memory; i++)
        check_cuda(cudaFree(memory[i]));
    free(plan);
}

static void describe_size(struct spmv_copy *copy, enum kind kind, const struct spmv_arrays *arrays,
                          const struct spmv_task *task)
{
    size_t stored = (size_t)arrays->stored, rows = (size_t)task->coo->rows;
    size_t others = kind == COO ? stored : kind == SELL ? (size_t)arrays->slices + 1 : rows + 1;
    copy->stored = arrays->stored;
    copy->value_bytes = stored * spmv_value_bytes(task->options.precision);
    copy->index_bytes = (stored + others) * sizeof(int32_t);
}

static enum dm_status open_plan(struct spmv_copy *copy, enum kind kind,
                                const struct spmv_arrays *arrays, const struct spmv_task *task)
{
    struct plan *plan = copy->matrix = allocate_or_fail(1, sizeof *plan);
    check_cusparse(cusparseCreate(&plan->handle));
    plan->type = task->options.precision == SPMV_DOUBLE ? CUDA_R_64F : CUDA_R_32F;
    plan->algorithm = algorithms[kind];
    enum dm_status status = upload(plan, kind, arrays, task);
    if (status == DM_OK) {
        describe(plan, kind, arrays, task->coo);
        status = prepare(plan, copy, task->coo);
    }
    if (status == DM_OK)
        return DM_OK;
    close_plan(copy);
    return dm_fail(status, "the matrix of %lld values does not fit on the device",
                   (long long)arrays->stored);
}

static enum dm_status open_cusparse(struct spmv_copy *copy, int kind, const struct spmv_task *task)
{
    struct spmv_arrays arrays = {0};
    enum dm_status status = DM_OK;
    if (task->coo->entries > INT32_MAX)
        return dm_fail(DM_INVALID, "cuSPARSE is used with 32-bit indices, and there are more than "
                                   "2^31 - 1 entries");
    if (kind == SELL)
        status = spmv_arrays_slices(&arrays, task->coo, &task->options);
    else
        spmv_arrays_entries(&arrays, task->coo, task->options.precision);
    if (status == DM_OK)
        status = open_plan(copy, (enum kind)kind, &arrays, task);
    if (status == DM_OK)
        describe_size(copy, (enum kind)kind, &arrays, task);
    spmv_arrays_free(&arrays);
    return status;
}

static void multiply(const struct spmv_copy *copy, cudaStream_t stream)
{
    const struct plan *plan = copy->matrix;
    check_cusparse(cusparseSetStream(plan->handle, stream));
    check_cusparse(cusparseSpMV(plan->handle, CUSPARSE_OPERATION_NON_TRANSPOSE, one(plan),
                                plan->matrix, plan->x, zero(plan), plan->y, plan->type,
                                plan->algorithm, plan->buffer));
}

const struct spmv_way spmv_cusparse_ways[] = {
    {"cusparse-csr1", true, CSR_1, open_cusparse, multiply, close_plan},
    {"cusparse-csr2", true, CSR_2, open_cusparse, multiply, close_plan},
    {"cusparse-coo", true, COO, open_cusparse, multiply, close_plan},
    {"cusparse-sell", true, SELL, open_cusparse, multiply, close_plan},
    {0},
};
