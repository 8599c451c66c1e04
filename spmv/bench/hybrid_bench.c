#include "hybrid_bench.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/clock.h"
#include "common/error.h"
#include "common/harness/exit.h"
#include "common/random.h"

#include "generate.h"
#include "reference.h"

static const double sample_s = 10e-3;
/* With more, values of a small matrix come near the smallest numbers, which are slow. */
enum { PRODUCTS_MAX = 1000 };

void hybrid_use_all_cores(struct option_numbers *threads)
{
    for (size_t i = 0; i < threads->count; i++)
        if (threads->values[i] == 0)
            threads->values[i] = omp_get_max_threads();
}

void hybrid_problem_open(struct hybrid_problem *problem, int64_t edge, uint64_t seed)
{
    char name[32];
    snprintf(name, sizeof name, "pde:%lld", (long long)edge);
    check_status(error_within(sparse_matrix_of(&problem->coo, name, seed), "matrix %s", name));
    size_t rows = (size_t)problem->coo.rows;
    problem->x = allocate_or_fail(rows, sizeof(double));
    problem->exact = allocate_or_fail(rows, sizeof(double));
    problem->magnitude = allocate_or_fail(rows, sizeof(double));
    random_fill_double(problem->x, rows, seed);
    sparse_reference(&problem->coo, 1, problem->x, 0, problem->exact, problem->magnitude);
}

void hybrid_problem_close(struct hybrid_problem *problem)
{
    spmv_coo_close(&problem->coo);
    free(problem->x);
    free(problem->exact);
    free(problem->magnitude);
}

void hybrid_bench_prepare(struct hybrid_bench *bench)
{
    check_status(spmv_hybrid_set(bench->hybrid, bench->problem->x));
}

double hybrid_bench_sample(struct hybrid_bench *bench)
{
    double start_s = clock_now_s();
    check_status(spmv_hybrid_run(bench->hybrid, bench->products, bench->threads));
    return (clock_now_s() - start_s) / bench->products;
}

void hybrid_bench_open(struct hybrid_bench *bench, const struct hybrid_problem *problem,
                       int64_t cpu_rows, int threads)
{
    *bench = (struct hybrid_bench){.problem = problem, .threads = threads, .products = 3};
    check_status(error_within(
        spmv_hybrid_open(&bench->hybrid, &problem->coo, cpu_rows, SPMV_HLL, NULL),
        "%lld rows of %lld on the CPU", (long long)cpu_rows, (long long)problem->coo.rows));
    hybrid_bench_prepare(bench);
    hybrid_bench_sample(bench);
    double products = sample_s / hybrid_bench_sample(bench);
    bench->products = products < 1 ? 1 : products < PRODUCTS_MAX ? (int)products : PRODUCTS_MAX;
}

long hybrid_bench_errors(struct hybrid_bench *bench)
{
    const struct hybrid_problem *problem = bench->problem;
    double *result = allocate_or_fail((size_t)problem->coo.rows, sizeof *result);
    hybrid_bench_prepare(bench);
    check_status(spmv_hybrid_run(bench->hybrid, 1, bench->threads));
    check_status(spmv_hybrid_result(bench->hybrid, result));
    double ratio =
        sparse_error_ratio(&problem->coo, result, true, problem->exact, problem->magnitude);
    free(result);
    return !(ratio <= 1);
}

void hybrid_bench_close(struct hybrid_bench *bench)
{
    spmv_hybrid_close(bench->hybrid);
}
