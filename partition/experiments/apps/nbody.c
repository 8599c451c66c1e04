/* Gravity between n particles: in each step all velocities, then all positions. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "application_device.h"
#include "applications.h"

enum { MASSES, POSITIONS, VELOCITIES = POSITIONS + 3, ARRAYS = VELOCITIES + 3 };
static const float time_step = 1e-4f;
static const float epsilon = 1e-3f;

/* The k-th array of the particles' state. */
static void fill_array(float *values, size_t n, uint64_t seed, int k)
{
    if (k == MASSES)
        application_fill(values, n, seed, 0.1f, 1);
    else
        application_fill(values, n, seed + (uint64_t)k, -1, 1);
}

static void launch_steps(struct application_run *run, const struct application_input *input,
                         const char *kernel, CUdeviceptr *arrays)
{
    unsigned block[3];
    int n = (int)input->n;
    float dt = time_step, soft = epsilon;
    size_t threads = (size_t)input->n;
    application_block(run, input, 128, 1, 1, block);
    application_require(run, input->n <= INT_MAX && input->n % block[0] == 0,
                        "n must be a multiple of the block: the kernel has no guard");
    CUfunction velocities = application_function(run, kernel);
    CUfunction positions = application_function(run, "update_positions");
    CUdeviceptr *p = arrays + POSITIONS, *v = arrays + VELOCITIES;
    for (int64_t i = 0; i < input->iterations; i++) {
        application_launch(
            run, velocities, threads, 1, 1, block, NULL,
            (void *[]){&arrays[MASSES], &p[0], &p[1], &p[2], &v[0], &v[1], &v[2], &dt, &soft, &n});
        attempt(run, cuCtxSynchronize());
        application_launch(run, positions, threads, 1, 1, block, NULL,
                           (void *[]){&p[0], &p[1], &p[2], &v[0], &v[1], &v[2], &dt, &n});
        attempt(run, cuCtxSynchronize());
    }
}

/* The result: positions and velocities, one array behind the other. */
static int run_kernel(const char *kernel, const struct application_input *input, void **result,
                      size_t *result_bytes, struct application_times *times)
{
    struct application_run run;
    CUdeviceptr arrays[ARRAYS] = {0};
    size_t n = (size_t)input->n, bytes = n * sizeof(float);
    application_begin(&run, input, "nbody");
    for (int k = 0; k < ARRAYS; k++)
        arrays[k] = application_buffer(&run, bytes);
    float *state = application_host(&run, ARRAYS * bytes);
    for (int k = 0; k < ARRAYS && !run.error; k++)
        fill_array(state + (size_t)k * n, n, input->seed, k);

    application_lap(&run);
    for (int k = 0; k < ARRAYS; k++)
        attempt(&run, cuMemcpyHtoD(arrays[k], state + (size_t)k * n, bytes));
    times->htod_s = application_lap(&run);
    launch_steps(&run, input, kernel, arrays);
    times->kernel_s = application_lap(&run);
    for (int k = POSITIONS; k < ARRAYS; k++)
        attempt(&run, cuMemcpyDtoH(state + (size_t)(k - POSITIONS) * n, arrays[k], bytes));
    times->dtoh_s = application_lap(&run);
    times->total_s = times->htod_s + times->kernel_s + times->dtoh_s;
    return application_end(&run, state, (ARRAYS - POSITIONS) * bytes, result, result_bytes);
}

int application_nbody_run(const struct application_input *input, void **result,
                          size_t *result_bytes, struct application_times *times)
{
    return run_kernel("update_velocities", input, result, result_bytes, times);
}

int application_nbody_soft_run(const struct application_input *input, void **result,
                               size_t *result_bytes, struct application_times *times)
{
    return run_kernel("update_velocities_soft", input, result, result_bytes, times);
}

static float weight_thesis(float dx, float dy, float dz, float mass)
{
    float norm = dx * dx;
    norm += dy * dy;
    norm += dz * dz;
    norm = sqrtf(norm);
    norm = norm * norm * norm;
    norm = norm == 0 ? 0 : 1.0f / norm + epsilon;
    return norm * mass;
}

static float weight_soft(float dx, float dy, float dz, float mass)
{
    float square = dx * dx + dy * dy + dz * dz + epsilon * epsilon;
    return mass / (square * sqrtf(square));
}

typedef float weight_function(float dx, float dy, float dz, float mass);

static void add_forces(float *const arrays[ARRAYS], size_t n, size_t id, weight_function *weight)
{
    float *const *p = arrays + POSITIONS;
    float sum[3] = {0};
    for (size_t j = 0; j < n; j++) {
        float dx = p[0][j] - p[0][id];
        float dy = p[1][j] - p[1][id];
        float dz = p[2][j] - p[2][id];
        float w = weight(dx, dy, dz, arrays[MASSES][j]);
        sum[0] += w * dx;
        sum[1] += w * dy;
        sum[2] += w * dz;
    }
    for (int d = 0; d < 3; d++)
        arrays[VELOCITIES + d][id] += sum[d] * time_step;
}

static int reference(const struct application_input *input, weight_function *weight, void **result,
                     size_t *result_bytes)
{
    size_t n = (size_t)input->n;
    float *state = application_filled(ARRAYS * n, 0, 0, 0);
    float *arrays[ARRAYS];
    for (int k = 0; k < ARRAYS; k++) {
        arrays[k] = state + (size_t)k * n;
        fill_array(arrays[k], n, input->seed, k);
    }
    for (int64_t i = 0; i < input->iterations; i++) {
        for (size_t id = 0; id < n; id++)
            add_forces(arrays, n, id, weight);
        for (size_t k = 0; k < 3 * n; k++)
            arrays[POSITIONS][k] += arrays[VELOCITIES][k] * time_step;
    }
    *result_bytes = (ARRAYS - POSITIONS) * n * sizeof(float);
    memmove(state, arrays[POSITIONS], *result_bytes);
    *result = state;
    return 0;
}

int application_nbody_reference(const struct application_input *input, void **result,
                                size_t *result_bytes)
{
    return reference(input, weight_thesis, result, result_bytes);
}

int application_nbody_soft_reference(const struct application_input *input, void **result,
                                     size_t *result_bytes)
{
    return reference(input, weight_soft, result, result_bytes);
}
