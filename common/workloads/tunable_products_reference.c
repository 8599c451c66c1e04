#include "tunable_products.h"

static void product(const struct tunable *tunable, const float *a, const float *b, const float *c,
                    float alpha, float beta, float *result)
{
    gemm_reference(a, b, c, (struct gemm_shape){(long)tunable->size, alpha, beta}, result);
}

void gemm_tunable_reference(const struct tunable *tunable, float *const *arrays)
{
    product(tunable, arrays[GEMM_A], arrays[GEMM_B], arrays[GEMM_C], TUNABLE_ALPHA, TUNABLE_BETA,
            arrays[GEMM_C]);
}

void mm2_tunable_reference(const struct tunable *tunable, float *const *arrays)
{
    product(tunable, arrays[MM2_A], arrays[MM2_B], NULL, TUNABLE_ALPHA, 0.0f, arrays[MM2_AB]);
    product(tunable, arrays[MM2_AB], arrays[MM2_C], arrays[MM2_D], 1.0f, TUNABLE_BETA,
            arrays[MM2_D]);
}

void mm3_tunable_reference(const struct tunable *tunable, float *const *arrays)
{
    product(tunable, arrays[MM3_A], arrays[MM3_B], NULL, 1.0f, 0.0f, arrays[MM3_AB]);
    product(tunable, arrays[MM3_C], arrays[MM3_D], NULL, 1.0f, 0.0f, arrays[MM3_CD]);
    product(tunable, arrays[MM3_AB], arrays[MM3_CD], NULL, 1.0f, 0.0f, arrays[MM3_G]);
}

static double dot(const float *a, const float *b, size_t n)
{
    double sum = 0.0;
    for (size_t k = 0; k < n; k++)
        sum += (double)a[k] * (double)b[k];
    return sum;
}

static void update(float *element, double sum)
{
    *element = (float)((double)TUNABLE_ALPHA * sum + (double)TUNABLE_BETA * (double)*element);
}

void syrk_tunable_reference(const struct tunable *tunable, float *const *arrays)
{
    size_t n = tunable->size;
    const float *a = arrays[SYRK_A];
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            update(arrays[SYRK_C] + i * n + j, dot(a + i * n, a + j * n, n));
}

void syr2k_tunable_reference(const struct tunable *tunable, float *const *arrays)
{
    size_t n = tunable->size;
    const float *a = arrays[SYR2K_A], *b = arrays[SYR2K_B];
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            update(arrays[SYR2K_C] + i * n + j,
                   dot(a + i * n, b + j * n, n) + dot(b + i * n, a + j * n, n));
}
