#include "triad.h"

#include <math.h>
#include <stdlib.h>

#include "common/harness/exit.h"
#include "common/random.h"

#include "cache.h"

/* STREAM's rule. */
enum { CACHES = 4 };

/* b at 2 i, c at 2 i + 1. */
static double operand(const struct spmv_triad *triad, size_t k)
{
    return 2 * random_uniform(triad->seed, k) - 1;
}

void spmv_triad_open(struct spmv_triad *triad, uint64_t seed)
{
    size_t elements = CACHES * spmv_cache_bytes(false) / sizeof(double);
    *triad = (struct spmv_triad){.elements = elements, .seed = seed, .scalar = 3};
    double *a = triad->a = allocate_or_fail(elements, sizeof *a);
    double *b = triad->b = allocate_or_fail(elements, sizeof *b);
    double *c = triad->c = allocate_or_fail(elements, sizeof *c);
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < elements; i++) {
        a[i] = 0;
        b[i] = operand(triad, 2 * i);
        c[i] = operand(triad, 2 * i + 1);
    }
}

void spmv_triad_close(struct spmv_triad *triad)
{
    free(triad->a);
    free(triad->b);
    free(triad->c);
}

void spmv_triad_operate(void *triad, size_t turn, cudaStream_t stream)
{
    const struct spmv_triad *t = triad;
    double *restrict a = t->a;
    const double *restrict b = t->b, *restrict c = t->c;
    double scalar = t->scalar;
    (void)turn;
    (void)stream;
#pragma omp parallel for simd schedule(static)
    for (size_t i = 0; i < t->elements; i++)
        a[i] = b[i] + scalar * c[i];
}

double spmv_triad_bytes(const struct spmv_triad *triad)
{
    return 3.0 * sizeof(double) * (double)triad->elements;
}

long spmv_triad_verify(struct spmv_triad *triad)
{
    long wrong = 0;
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < triad->elements; i++)
        triad->a[i] = (double)NAN;
    spmv_triad_operate(triad, 0, NULL);
#pragma omp parallel for schedule(static) reduction(+ : wrong)
    for (size_t i = 0; i < triad->elements; i++) {
        double exact = operand(triad, 2 * i) + triad->scalar * operand(triad, 2 * i + 1);
        wrong += !(triad->a[i] == exact);
    }
    return wrong;
}
