/* tunable_cavity_test.c: repeated, the step of ldc is a solver, whose flow is the published one. */
#include <math.h>

#include "common/gpu.h"
#include "common/harness/allocate.h"
#include "common/harness/exit.h"
#include "common/workloads/tunable_cavity.h"
#include "tests/unit/test.h"

enum { SIZE = 51, STEPS = 6000 }; /* Reynolds number 100; steady to three digits */

static float *field(void)
{
    float *values = memory_allocate(MEMORY_DEVICE, sizeof(float) * SIZE * SIZE);
    check_cuda(cudaMemset(values, 0, sizeof(float) * SIZE * SIZE));
    return values;
}

static double value_at(const float *values, int row, int column)
{
    float value;
    check_cuda(cudaMemcpy(&value, values + row * SIZE + column, sizeof value, cudaMemcpyDefault));
    return (double)value;
}

/* Ghia, Ghia and Shin, "High-Re solutions for incompressible flow using the Navier-Stokes equations
 * and a multigrid method", J. Comput. Phys. 48 (1982), tables I and II, on a grid of 129 x 129. */
static void flow_is_the_published_one(void)
{
    const struct tunable tunable = {.kind = &ldc_tunable, .size = SIZE};
    const double tolerance = 0.005;
    const int middle = SIZE / 2, right = 40; /* x = 0.5, 0.8 */
    float *arrays[CAVITY_ARRAYS];

    for (int a = 0; a < CAVITY_ARRAYS; a++)
        arrays[a] = field();
    for (int step = 0; step < STEPS; step++) {
        check_cuda(ldc_tunable.launch(&tunable, arrays, (dim3){64, 4, 1}, NULL));
        for (int a = 0; a < CAVITY_U_NEW; a++) {
            float *before = arrays[a];
            arrays[a] = arrays[a + CAVITY_U_NEW];
            arrays[a + CAVITY_U_NEW] = before;
        }
    }
    check_cuda(cudaDeviceSynchronize());
    expect(fabs(value_at(arrays[CAVITY_U], middle, middle) + 0.20581) < tolerance);
    expect(fabs(value_at(arrays[CAVITY_V], middle, middle) - 0.05454) < tolerance);
    expect(fabs(value_at(arrays[CAVITY_V], middle, right) + 0.24533) < tolerance);
    expect(value_at(arrays[CAVITY_U], SIZE - 1, middle) == 1.0);
    expect(value_at(arrays[CAVITY_U], 0, middle) == 0.0);
    for (int a = 0; a < CAVITY_ARRAYS; a++)
        memory_release(MEMORY_DEVICE, arrays[a]);
}

int main(void)
{
    run_test(flow_is_the_published_one);
    return end_tests();
}
