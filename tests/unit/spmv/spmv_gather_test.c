/* What spmv_gather and spmv_fma rest on: index lists hold different places in the order that they
 * are named for; products with and without fused multiply-add are those of fma() and of separate
 * roundings. */
#include <math.h>
#include <omp.h>
#include <stdlib.h>

#include "common/harness/exit.h"
#include "common/random.h"
#include "spmv/bench/fma.h"
#include "spmv/bench/generate.h"
#include "spmv/bench/gather_kernels.h"
#include "spmv/bench/index_list.h"
#include "tests/unit/test_status.h"

enum { SEED = 3 };
static const int64_t counts[] = {1, 2, 7, 8, 9, 26, 27, 500, 4096};
enum { COUNTS = sizeof counts / sizeof *counts };

static bool is_different_places(const struct spmv_index_list *list)
{
    bool *is_taken = calloc((size_t)list->range, sizeof *is_taken);
    bool right = is_taken != NULL;
    for (int64_t i = 0; i < list->count && right; i++) {
        int32_t at = list->index[i];
        right = at >= 0 && at < list->range && !is_taken[at];
        if (right)
            is_taken[at] = true;
    }
    free(is_taken);
    return right;
}

static bool is_ascending(const struct spmv_index_list *list)
{
    for (int64_t i = 1; i < list->count; i++)
        if (list->index[i] <= list->index[i - 1])
            return false;
    return true;
}

static void lists_hold_different_places_in_order(void)
{
    for (int c = 0; c < COUNTS; c++)
        for (int order = 0; order < SPMV_ORDERS; order++) {
            struct spmv_index_list list = spmv_index_list_open(order, counts[c], 3, SEED);
            expect(list.count == counts[c]);
            expect(list.range == spmv_index_range(order, counts[c], 3));
            expect(is_different_places(&list));
            expect(order == SPMV_RANDOM || is_ascending(&list));
            if (order == SPMV_RANDOM && counts[c] >= 500)
                expect(!is_ascending(&list));
            free(list.index);
        }
}

static void sorted_and_random_lists_are_the_same_places(void)
{
    struct spmv_index_list sorted = spmv_index_list_open(SPMV_SORTED, 500, 4, SEED);
    struct spmv_index_list shuffled = spmv_index_list_open(SPMV_RANDOM, 500, 4, SEED);
    int moved = 0;
    expect(sorted.range == 2000);
    for (int64_t i = 0; i < 500; i++)
        expect(sorted.index[i] / 4 == i);
    for (int64_t i = 0; i < 500; i++) {
        moved += shuffled.index[i] != sorted.index[i];
        expect(sorted.index[shuffled.index[i] / 4] == shuffled.index[i]);
    }
    expect(moved > 450);
    free(sorted.index);
    free(shuffled.index);
}

/* A cube of 5^3 nodes has 98 on its surface; one of 4^3 has 56. */
static void halo_is_the_surface_of_a_cube(void)
{
    expect(spmv_index_range(SPMV_HALO, 98, 2) == 125);
    expect(spmv_index_range(SPMV_HALO, 99, 2) == 216);
    expect(spmv_index_range(SPMV_HALO, 57, 2) == 125);
    struct spmv_index_list list = spmv_index_list_open(SPMV_HALO, 98, 2, SEED);
    for (int64_t i = 0; i < 98; i++) {
        int x = list.index[i] % 5, y = list.index[i] / 5 % 5, z = list.index[i] / 25;
        expect(x % 4 == 0 || y % 4 == 0 || z % 4 == 0);
    }
    free(list.index);
}

static void a_copy_copies_all_and_no_more(void)
{
    enum { MOST = 5000 };
    double *from = NULL, *to = NULL;
    static double values[MOST], copied[MOST];
    random_fill_double(values, MOST, SEED);
    check_cuda(cudaMalloc((void **)&from, sizeof values));
    check_cuda(cudaMalloc((void **)&to, sizeof values));
    check_cuda(cudaMemcpy(from, values, sizeof values, cudaMemcpyHostToDevice));
    for (int c = 0; c < COUNTS; c++) {
        check_cuda(cudaMemset(to, 0, sizeof values));
        spmv_copy_launch(counts[c], from, to, NULL);
        check_cuda(cudaMemcpy(copied, to, sizeof values, cudaMemcpyDeviceToHost));
        int64_t wrong = 0;
        for (int64_t i = 0; i < MOST; i++)
            wrong += copied[i] != (i < counts[c] ? values[i] : 0);
        expect(wrong == 0);
    }
    check_cuda(cudaFree(from));
    check_cuda(cudaFree(to));
}

/* ---- fused multiply-add ---- */

/* The same row as both products compute it, each rounding spelled out. */
static double row_of(const struct spmv_coo *coo, int64_t row, const double *x, bool is_fused)
{
    double sum = 0;
    for (int64_t k = 0; k < coo->entries; k++)
        if (coo->row[k] == row && is_fused) {
            sum = fma(coo->value[k], x[coo->column[k]], sum);
        } else if (coo->row[k] == row) {
            volatile double product = coo->value[k] * x[coo->column[k]];
            sum += product;
        }
    return sum;
}

static void products_are_rounded_once_or_twice(void)
{
    static const char *const names[] = {"random:300:20", "empty_rows:100:5", "rectangular:60:6"};
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        struct spmv_coo coo;
        struct spmv_matrix matrix;
        if (sparse_matrix_of(&coo, names[n], SEED) != DM_OK ||
            spmv_matrix_create(&matrix, SPMV_CSR, &coo, NULL) != DM_OK)
            fail("%s", dm_message());
        double *x = allocate_or_fail((unsigned long)coo.columns, sizeof *x);
        double *plain = allocate_or_fail((unsigned long)coo.rows, sizeof *plain);
        double *fused = allocate_or_fail((unsigned long)coo.rows, sizeof *fused);
        random_fill_double(x, (size_t)coo.columns, SEED);
        sparse_fma_multiply(&matrix, false, x, plain);
        for (int64_t i = 0; i < coo.rows; i++)
            expect(plain[i] == row_of(&coo, i, x, false));
        if (sparse_fma_available()) {
            int different = 0;
            sparse_fma_multiply(&matrix, true, x, fused);
            for (int64_t i = 0; i < coo.rows; i++) {
                expect(fused[i] == row_of(&coo, i, x, true));
                different += fused[i] != plain[i];
            }
            expect(different > 0);
        }
        free(x);
        free(plain);
        free(fused);
        spmv_matrix_release(&matrix);
        spmv_coo_close(&coo);
    }
}

int main(void)
{
#if defined(__SANITIZE_THREAD__)
    omp_set_num_threads(1); /* OpenMP's run time is not instrumented */
#else
    omp_set_num_threads(3);
#endif
    run_test(lists_hold_different_places_in_order);
    run_test(sorted_and_random_lists_are_the_same_places);
    run_test(halo_is_the_surface_of_a_cube);
    run_test(a_copy_copies_all_and_no_more);
    run_test(products_are_rounded_once_or_twice);
    return end_tests();
}
