/* The host's primitives: OpenBLAS on one thread, and a permutation by tiles. */
#include <cblas.h>
#include <stdlib.h>

#include "tensor_device.h"

enum {
    TILE = 32, /* rows and columns whose cache lines stay in the first-level cache */
    LANES = 8  /* independent sums, so that the compiler may use vector instructions */
};

static cudaError_t allocate(double **memory, size_t elements)
{
    *memory = malloc(elements * sizeof **memory);
    return *memory ? cudaSuccess : cudaErrorMemoryAllocation;
}

static void release(double *memory)
{
    free(memory);
}

static cudaError_t fill(struct tensor_device *device, double *target, size_t elements, double keep,
                        double value)
{
    (void)device;
    if (keep == 0.0)
        for (size_t i = 0; i < elements; i++)
            target[i] = value;
    else
        for (size_t i = 0; i < elements; i++)
            target[i] = keep * target[i] + value;
    return cudaSuccess;
}

/* target = keep target + alpha source; target may be the source */
static void add_line(size_t elements, double *target, double keep, double alpha,
                     const double *source)
{
    if (keep == 0.0)
        for (size_t i = 0; i < elements; i++)
            target[i] = alpha * source[i];
    else
        for (size_t i = 0; i < elements; i++)
            target[i] = keep * target[i] + alpha * source[i];
}

/* One tile: written along the target's stride 1; the source's lines are in the cache after the
 * first row. */
static void add_tile(const struct tensor_permutation *plan, size_t rows, size_t columns,
                     double *restrict target, double keep, double alpha,
                     const double *restrict source)
{
    for (size_t r = 0; r < rows; r++) {
        double *to = target + r * plan->row.target_stride;
        const double *from = source + r;
        if (keep == 0.0)
            for (size_t c = 0; c < columns; c++)
                to[c] = alpha * from[c * plan->column.source_stride];
        else
            for (size_t c = 0; c < columns; c++)
                to[c] = keep * to[c] + alpha * from[c * plan->column.source_stride];
    }
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static void add_transposed(const struct tensor_permutation *plan, double *target, double keep,
                           double alpha, const double *source)
{
    for (size_t c = 0; c < plan->column.extent; c += TILE)
        for (size_t r = 0; r < plan->row.extent; r += TILE)
            add_tile(plan, least(TILE, plan->row.extent - r), least(TILE, plan->column.extent - c),
                     target + r * plan->row.target_stride + c, keep, alpha,
                     source + c * plan->column.source_stride + r);
}

static void add_rows(const struct tensor_permutation *plan, double *target, double keep,
                     double alpha, const double *source)
{
    for (size_t r = 0; r < plan->row.extent; r++)
        add_line(plan->column.extent, target + r * plan->row.target_stride, keep, alpha,
                 source + r * plan->row.source_stride);
}

static cudaError_t permute(struct tensor_device *device, const struct tensor_permutation *plan,
                           double *target, double keep, double alpha, const double *source)
{
    (void)device;
    size_t index[TENSOR_RANK_MAX] = {0};
    for (size_t i = 0; i < plan->batch; i++) {
        if (plan->transposed)
            add_transposed(plan, target, keep, alpha, source);
        else
            add_rows(plan, target, keep, alpha, source);
        for (int d = plan->outers - 1; d >= 0; d--) { /* on to the next matrix, like an odometer */
            const struct tensor_axis *axis = &plan->outer[d];
            target += axis->target_stride;
            source += axis->source_stride;
            if (++index[d] < axis->extent)
                break;
            index[d] = 0;
            target -= axis->extent * axis->target_stride;
            source -= axis->extent * axis->source_stride;
        }
    }
    return cudaSuccess;
}

/* A product with a vector reads the matrix three times as fast if BLAS knows that it is one. The
 * plan puts a vector second. */
static cudaError_t multiply(struct tensor_device *device, const struct tensor_product *plan,
                            double *target, double keep, double alpha, const double *first,
                            const double *second)
{
    (void)device;
    const struct tensor_matrix *a = &plan->first, *b = &plan->second;
    CBLAS_TRANSPOSE a_transposed = a->transposed ? CblasTrans : CblasNoTrans;
    CBLAS_TRANSPOSE b_transposed = b->transposed ? CblasTrans : CblasNoTrans;
    if (plan->n == 1)
        cblas_dgemv(CblasRowMajor, a_transposed, a->transposed ? plan->k : plan->m,
                    a->transposed ? plan->m : plan->k, alpha, first, a->leading, second, 1, keep,
                    target, 1);
    else
        cblas_dgemm(CblasRowMajor, a_transposed, b_transposed, plan->m, plan->n, plan->k, alpha,
                    first, a->leading, second, b->leading, keep, target, plan->target.leading);
    return cudaSuccess;
}

static cudaError_t dot(struct tensor_device *device, size_t elements, double *target, double keep,
                       double alpha, const double *a, const double *b)
{
    (void)device;
    double lanes[LANES] = {0}, sum = 0.0;
    size_t whole = elements - elements % LANES;
    for (size_t i = 0; i < whole; i += LANES)
        for (size_t lane = 0; lane < LANES; lane++)
            lanes[lane] += a[i + lane] * b[i + lane];
    for (size_t i = whole; i < elements; i++)
        sum += a[i] * b[i];
    for (size_t lane = 0; lane < LANES; lane++)
        sum += lanes[lane];
    *target = alpha * sum + (keep == 0.0 ? 0.0 : keep * *target);
    return cudaSuccess;
}

static cudaError_t wait_for(struct tensor_device *device)
{
    (void)device;
    return cudaSuccess;
}

static void close_host(struct tensor_device *device)
{
    free(device->word);
    free(device);
}

static const struct tensor_functions functions = {.allocate = allocate,
                                                  .release = release,
                                                  .fill = fill,
                                                  .permute = permute,
                                                  .multiply = multiply,
                                                  .dot = dot,
                                                  .wait = wait_for,
                                                  .close = close_host};

cudaError_t tensor_open_host(struct tensor_device **device)
{
    *device = calloc(1, sizeof **device);
    double *word = malloc(sizeof *word);
    if (!*device || !word) {
        free(*device);
        free(word);
        *device = NULL;
        return cudaErrorMemoryAllocation;
    }
    openblas_set_num_threads(1);
    **device = (struct tensor_device){.functions = &functions, .word = word};
    return cudaSuccess;
}
