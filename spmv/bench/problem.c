#include "problem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/harness/allocate.h"
#include "common/harness/exit.h"
#include "common/random.h"

#include "spmv/formats/format.h"

#include "reference.h"

static size_t x_bytes(const struct spmv_problem *problem)
{
    return (size_t)problem->coo.columns * spmv_value_bytes(problem->precision);
}

static size_t y_bytes(const struct spmv_problem *problem)
{
    return (size_t)problem->coo.rows * spmv_value_bytes(problem->precision);
}

static void round_to_float(struct spmv_problem *problem)
{
    const struct spmv_coo *coo = &problem->coo;
    check_status(spmv_coo_fits_float(coo));
    for (int64_t k = 0; k < coo->entries; k++)
        coo->value[k] = (float)coo->value[k];
    problem->alpha = (float)problem->alpha;
    problem->beta = (float)problem->beta;
}

static void *random_vector(enum spmv_precision precision, int64_t count, uint64_t seed)
{
    void *values = allocate_or_fail((size_t)count, spmv_value_bytes(precision));
    if (precision == SPMV_DOUBLE)
        random_fill_double(values, (size_t)count, seed);
    else
        random_fill_float(values, (size_t)count, seed);
    return values;
}

/* A copy in double precision; release with free(). */
static double *in_double(const void *values, int64_t count, enum spmv_precision precision)
{
    double *copy = allocate_or_fail((size_t)count, sizeof *copy);
    for (int64_t i = 0; i < count; i++)
        copy[i] = sparse_value_at(values, precision, i);
    return copy;
}

void spmv_problem_open(struct spmv_problem *problem, struct spmv_coo *coo,
                       enum spmv_precision precision, double alpha, double beta, uint64_t seed)
{
    *problem =
        (struct spmv_problem){.coo = *coo, .precision = precision, .alpha = alpha, .beta = beta};
    *coo = (struct spmv_coo){0};
    coo = &problem->coo;
    if (precision == SPMV_FLOAT)
        round_to_float(problem);
    problem->x = random_vector(precision, coo->columns, seed);
    problem->start = random_vector(precision, coo->rows, seed + 1);
    problem->y = allocate_or_fail(y_bytes(problem), 1);
    problem->exact = in_double(problem->start, coo->rows, precision);
    problem->magnitude = allocate_or_fail((size_t)coo->rows, sizeof(double));
    double *x = in_double(problem->x, coo->columns, precision);
    sparse_reference(coo, problem->alpha, x, problem->beta, problem->exact, problem->magnitude);
    free(x);
}

void spmv_problem_open_device(struct spmv_problem *problem)
{
    problem->x_device = memory_allocate(MEMORY_DEVICE, x_bytes(problem));
    problem->y_device = memory_allocate(MEMORY_DEVICE, y_bytes(problem));
    memory_copy(problem->x_device, problem->x, x_bytes(problem));
    check_cuda(cudaEventCreate(&problem->begin));
    check_cuda(cudaEventCreate(&problem->end));
}

void spmv_problem_close(struct spmv_problem *problem)
{
    if (problem->x_device) {
        memory_release(MEMORY_DEVICE, problem->x_device);
        memory_release(MEMORY_DEVICE, problem->y_device);
        check_cuda(cudaEventDestroy(problem->begin));
        check_cuda(cudaEventDestroy(problem->end));
    }
    free(problem->x);
    free(problem->start);
    free(problem->y);
    free(problem->exact);
    free(problem->magnitude);
    spmv_coo_close(&problem->coo);
}

void spmv_problem_reset(struct spmv_problem *problem, bool on_device)
{
    if (on_device)
        memory_copy(problem->y_device, problem->start, y_bytes(problem));
    else
        memcpy(problem->y, problem->start, y_bytes(problem));
}

static double time_host(struct spmv_problem *problem, const struct spmv_matrix *matrix, int count)
{
    double start_s = clock_now_s();
    for (int i = 0; i < count; i++)
        check_status(spmv_multiply(matrix, problem->alpha, problem->x, problem->beta, problem->y));
    return (clock_now_s() - start_s) / count;
}

static double time_device(struct spmv_problem *problem, const struct spmv_matrix *matrix, int count)
{
    float time_ms;
    check_cuda(cudaEventRecord(problem->begin, 0));
    for (int i = 0; i < count; i++)
        check_status(spmv_multiply_device(matrix, problem->alpha, problem->x_device, problem->beta,
                                          problem->y_device, 0));
    check_cuda(cudaEventRecord(problem->end, 0));
    check_cuda(cudaEventSynchronize(problem->end));
    check_cuda(cudaEventElapsedTime(&time_ms, problem->begin, problem->end));
    return 1e-3 * (double)time_ms / count;
}

double spmv_problem_time(struct spmv_problem *problem, const struct spmv_matrix *matrix,
                         bool on_device, int count)
{
    return on_device ? time_device(problem, matrix, count) : time_host(problem, matrix, count);
}

int spmv_problem_count(struct spmv_problem *problem, const struct spmv_matrix *matrix,
                       bool on_device, double sample_s, int maximum)
{
    double time_s = INFINITY; /* threads that slept are slow to begin */
    for (int i = 0; i < 3; i++)
        time_s = fmin(time_s, spmv_problem_time(problem, matrix, on_device, 1));
    double products = ceil(sample_s / time_s);
    return products < maximum ? (int)products : maximum;
}

double spmv_problem_error_ratio(struct spmv_problem *problem, const struct spmv_matrix *matrix,
                                bool on_device)
{
    spmv_problem_reset(problem, on_device);
    spmv_problem_time(problem, matrix, on_device, 1);
    if (on_device)
        check_cuda(
            cudaMemcpy(problem->y, problem->y_device, y_bytes(problem), cudaMemcpyDeviceToHost));
    return sparse_error_ratio(&problem->coo, problem->y, problem->precision == SPMV_DOUBLE,
                              problem->exact, problem->magnitude);
}
