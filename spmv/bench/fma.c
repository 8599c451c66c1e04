#include "fma.h"

#include "spmv/formats/csr.h"
#include "spmv/formats/parts.h"

/* The compiler must neither leave out nor add a fused multiply-add, whatever it is told else. */
#if defined(__x86_64__)
#define FUSED __attribute__((target("fma")))
#else
#define FUSED
#endif
#if defined(__clang__)
#define UNFUSED
#else
#define UNFUSED __attribute__((optimize("fp-contract=off")))
#endif

bool sparse_fma_available(void)
{
#if defined(__x86_64__)
    return __builtin_cpu_supports("fma");
#elif defined(__aarch64__)
    return true;
#else
    return false;
#endif
}

FUSED static void rows_fused(const struct sparse_csr *csr, struct sparse_part part,
                             const double *restrict x, double *restrict y)
{
    const double *restrict value = csr->value;
    for (int64_t row = part.first; row < part.last; row++) {
        double sum = 0;
        int64_t end = sparse_start(&csr->starts, row + 1);
        for (int64_t k = sparse_start(&csr->starts, row); k < end; k++)
            sum = __builtin_fma(value[k], x[csr->column[k]], sum);
        y[row] = sum;
    }
}

UNFUSED static void rows_unfused(const struct sparse_csr *csr, struct sparse_part part,
                                 const double *restrict x, double *restrict y)
{
    const double *restrict value = csr->value;
    for (int64_t row = part.first; row < part.last; row++) {
        double sum = 0;
        int64_t end = sparse_start(&csr->starts, row + 1);
        for (int64_t k = sparse_start(&csr->starts, row); k < end; k++)
            sum += value[k] * x[csr->column[k]];
        y[row] = sum;
    }
}

void sparse_fma_multiply(const struct spmv_matrix *matrix, bool is_fused, const double *x,
                         double *y)
{
    const struct sparse_csr *csr = matrix->host;
#pragma omp parallel
    {
        struct sparse_part part = sparse_row_part(&csr->starts);
        if (is_fused)
            rows_fused(csr, part, x, y);
        else
            rows_unfused(csr, part, x, y);
    }
}
