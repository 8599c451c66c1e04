#include "summa_check.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <mpi.h>

#include "coarrays/hetero/summa_product.h"
#include "common/harness/allocate.h"
#include "common/harness/exit.h"
#include "common/harness/ranks.h"
#include "common/random.h"

/* ---- the matrices ---- */

static double element(uint64_t seed, int order, int row, int column)
{
    uint64_t index = (uint64_t)row * (uint64_t)order + (uint64_t)column;
    return 2.0 * random_uniform(seed, index) - 1.0;
}

static uint64_t seed_of_a(uint64_t seed)
{
    return 3 * seed;
}
static uint64_t seed_of_b(uint64_t seed)
{
    return 3 * seed + 1;
}

struct summa_blocks summa_random_blocks(const struct summa_layout *layout, uint64_t seed)
{
    int rows = summa_count(layout, SUMMA_ROW), columns = summa_count(layout, SUMMA_COLUMN);
    int row = summa_first(layout, SUMMA_ROW), column = summa_first(layout, SUMMA_COLUMN);
    size_t elements = (size_t)rows * (size_t)columns;
    struct summa_blocks blocks = {.a = allocate_or_fail(elements, sizeof *blocks.a),
                                  .b = allocate_or_fail(elements, sizeof *blocks.b)};
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
            blocks.a[(size_t)j * (size_t)rows + (size_t)i] =
                element(seed_of_a(seed), layout->order, row + i, column + j);
            blocks.b[(size_t)i * (size_t)columns + (size_t)j] =
                element(seed_of_b(seed), layout->order, row + i, column + j);
        }
    return blocks;
}

double *summa_on_one_gpu(int order, uint64_t seed)
{
    struct summa_product *product;
    struct summa_layout whole = summa_layout(order, order, 1, 1);
    struct summa_blocks blocks = summa_random_blocks(&whole, seed);
    size_t bytes = (size_t)order * (size_t)order * sizeof(double);
    double *a = memory_allocate(MEMORY_DEVICE, bytes), *b = memory_allocate(MEMORY_DEVICE, bytes);
    double *c = memory_allocate(MEMORY_DEVICE, bytes), *result = allocate_or_fail(1, bytes);
    check_cuda(cudaMemcpy(a, blocks.a, bytes, cudaMemcpyHostToDevice));
    check_cuda(cudaMemcpy(b, blocks.b, bytes, cudaMemcpyHostToDevice));
    check_cuda(summa_product_open(&product, 0));
    check_cuda(summa_product_start(product, order, order, order, a, b, 0, c));
    check_cuda(cudaMemcpy(result, c, bytes, cudaMemcpyDeviceToHost));
    summa_product_close(product);
    memory_release(MEMORY_DEVICE, a);
    memory_release(MEMORY_DEVICE, b);
    memory_release(MEMORY_DEVICE, c);
    free(blocks.a);
    free(blocks.b);
    return result;
}

/* ---- C of all images ---- */

static void place_block(double *all, const struct summa_layout *layout, const double *block)
{
    int rows = summa_count(layout, SUMMA_ROW), columns = summa_count(layout, SUMMA_COLUMN);
    int row = summa_first(layout, SUMMA_ROW), column = summa_first(layout, SUMMA_COLUMN);
    for (int j = 0; j < columns; j++)
        for (int i = 0; i < rows; i++)
            all[(size_t)(column + j) * (size_t)layout->order + (size_t)(row + i)] =
                block[(size_t)j * (size_t)rows + (size_t)i];
}

static size_t block_elements(const struct summa_layout *layout)
{
    return (size_t)summa_count(layout, SUMMA_ROW) * (size_t)summa_count(layout, SUMMA_COLUMN);
}

double *summa_gather(const struct summa *summa, const struct summa_layout *layout)
{
    enum { TAG = 7 };
    double *mine = allocate_or_fail(block_elements(layout), sizeof *mine);
    size_t order = (size_t)layout->order;
    check_status(summa_result(summa, mine));
    if (ranks.rank > 0) {
        check_mpi(MPI_Send(mine, (int)block_elements(layout), MPI_DOUBLE, 0, TAG, MPI_COMM_WORLD));
        free(mine);
        return NULL;
    }
    double *all = allocate_or_fail(order * order, sizeof *all);
    place_block(all, layout, mine);
    free(mine);
    for (int rank = 1; rank < ranks.count; rank++) {
        struct summa_layout other =
            summa_layout(layout->order, layout->block, ranks.count, rank + 1);
        double *block = allocate_or_fail(block_elements(&other), sizeof *block);
        check_mpi(MPI_Recv(block, (int)block_elements(&other), MPI_DOUBLE, rank, TAG,
                           MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        place_block(all, &other, block);
        free(block);
    }
    return all;
}

/* ---- comparison ---- */

double summa_tolerance(int order)
{
    return 4.0 * DBL_EPSILON * order;
}

struct summa_difference summa_compare(const double *c, const double *expected, int order)
{
    struct summa_difference difference = {0};
    double tolerance = summa_tolerance(order);
    size_t elements = (size_t)order * (size_t)order;
    for (size_t i = 0; i < elements; i++) {
        double ratio = fabs(c[i] - expected[i]) / tolerance;
        difference.wrong += !(ratio <= 1.0);
        if (!(ratio <= difference.ratio))
            difference.ratio = isnan(ratio) ? INFINITY : ratio;
    }
    return difference;
}

static double *signs(int order, uint64_t seed)
{
    double *x = allocate_or_fail((unsigned long)order, sizeof *x);
    for (int i = 0; i < order; i++)
        x[i] = random_bits(3 * seed + 2, (uint64_t)i) & 1 ? 1.0 : -1.0;
    return x;
}

/* The random matrix of the seed times x; free() it. */
static double *times(uint64_t seed, int order, const double *x)
{
    double *y = allocate_or_fail((unsigned long)order, sizeof *y);
    for (int i = 0; i < order; i++) {
        y[i] = 0.0;
        for (int j = 0; j < order; j++)
            y[i] += element(seed, order, i, j) * x[j];
    }
    return y;
}

long summa_freivalds(const double *c, int order, uint64_t seed)
{
    double *x = signs(order, seed), *b_x = times(seed_of_b(seed), order, x);
    double *expected = times(seed_of_a(seed), order, b_x);
    double *c_x = allocate_or_fail((unsigned long)order, sizeof *c_x);
    long wrong = 0;
    for (int i = 0; i < order; i++)
        c_x[i] = 0.0;
    for (int j = 0; j < order; j++)
        for (int i = 0; i < order; i++)
            c_x[i] += c[(size_t)j * (size_t)order + (size_t)i] * x[j];
    /* `order` elements with independent errors. */
    double tolerance = summa_tolerance(order) * sqrt(order);
    for (int i = 0; i < order; i++)
        wrong += !(fabs(c_x[i] - expected[i]) <= tolerance);
    free(x);
    free(b_x);
    free(expected);
    free(c_x);
    return wrong;
}
