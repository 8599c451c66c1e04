#include "kernel_kinds.h"

#include <math.h>
#include <string.h>

/* So large that a launch changes every body, which is how written elements are counted. */
#define TIME_STEP 1e-2f
#define EPSILON   1e-3f

/* ---- C = A B: arrays C, A, B ---- */

static bool writes_all(const struct kernel_input *input, size_t element)
{
    size_t n = (size_t)input->n;
    return element < n * n;
}

static struct kernel_output expect_product(const struct kernel_input *input, size_t element)
{
    size_t n = (size_t)input->n, row = element / n, column = element % n;
    struct kernel_output output = {0};
    for (size_t m = 0; m < n; m++) {
        double product = (double)input->arrays[1][row * n + m] * input->arrays[2][m * n + column];
        output.value[0] += product;
        output.scale[0] += fabs(product);
    }
    return output;
}

/* ---- five-point stencil: arrays in, out ---- */

static bool writes_inner(const struct kernel_input *input, size_t element)
{
    size_t n = (size_t)input->n, y = element / n, x = element % n;
    return x > 0 && y > 0 && x + 1 < n && y + 1 < n;
}

static struct kernel_output expect_stencil(const struct kernel_input *input, size_t element)
{
    size_t n = (size_t)input->n;
    const float *at = input->arrays[0] + element;
    double around = (double)*(at - n) + at[n] + at[-1] + at[1];
    double value = 0.24 * (around - 4.0 * at[0]) + at[0];
    return (struct kernel_output){.value = {fmin(fmax(value, 0), 127)}, .scale = {127}};
}

/* ---- n bodies: arrays masses, positions x y z, velocities x y z ---- */

static bool writes_threads(const struct kernel_input *input, size_t element)
{
    return element < input->threads;
}

static struct kernel_output expect_velocity(const struct kernel_input *input, size_t element)
{
    float *const *position = input->arrays + 1, *const *velocity = input->arrays + 4;
    struct kernel_output output = {0};
    for (int d = 0; d < 3; d++) {
        output.value[d] = velocity[d][element];
        output.scale[d] = fabs(output.value[d]);
    }
    for (int j = 0; j < input->n; j++) {
        double distance[3], square = 0;
        for (int d = 0; d < 3; d++) {
            distance[d] = (double)position[d][j] - position[d][element];
            square += distance[d] * distance[d];
        }
        double cube = square * sqrt(square);
        double weight = cube == 0 ? 0 : (1 / cube + EPSILON) * input->arrays[0][j];
        for (int d = 0; d < 3; d++) {
            output.value[d] += weight * distance[d] * TIME_STEP;
            output.scale[d] += fabs(weight * distance[d] * TIME_STEP);
        }
    }
    return output;
}

/* ---- moved by their velocities: arrays positions x y z, velocities x y z ---- */

static bool writes_bodies(const struct kernel_input *input, size_t element)
{
    return element < (size_t)input->n;
}

static struct kernel_output expect_position(const struct kernel_input *input, size_t element)
{
    struct kernel_output output;
    for (int d = 0; d < 3; d++) {
        double moved = (double)input->arrays[3 + d][element] * TIME_STEP;
        output.value[d] = input->arrays[d][element] + moved;
        output.scale[d] = fabs(input->arrays[d][element]) + fabs(moved);
    }
    return output;
}

/* ---- table ---- */

const struct kernel_kind kernel_kinds[] = {
    {
        .kernel = "mat_mul",
        .application = "matmul",
        .module = "matmul",
        .dimensions = 2,
        .block = {16, 16, 1},
        .whole_blocks = true,
        .arrays = 3,
        .outputs = 1,
        .low = {1e9f, -1, -1},
        .high = {2e9f, 1, 1},
        .writes = writes_all,
        .expect = expect_product,
    },
    {
        .kernel = "stencil5p",
        .application = "stencil",
        .module = "stencil",
        .dimensions = 2,
        .block = {32, 32, 1},
        .arrays = 2,
        .first_output = 1,
        .outputs = 1,
        .low = {0, 200},
        .high = {127, 300},
        .writes = writes_inner,
        .expect = expect_stencil,
    },
    {
        .kernel = "update_velocities",
        .application = "nbody",
        .module = "nbody",
        .dimensions = 1,
        .block = {128, 1, 1},
        .whole_blocks = true,
        .arrays = 7,
        .scalars = 2,
        .first_output = 4,
        .outputs = 3,
        .low = {0.1f, -1, -1, -1, -1, -1, -1},
        .high = {1, 1, 1, 1, 1, 1, 1},
        .scalar = {TIME_STEP, EPSILON},
        .writes = writes_threads,
        .expect = expect_velocity,
    },
    {
        .kernel = "update_positions",
        .application = "nbody",
        .module = "nbody",
        .dimensions = 1,
        .block = {128, 1, 1},
        .arrays = 6,
        .scalars = 1,
        .outputs = 3,
        .low = {-1, -1, -1, -1, -1, -1},
        .high = {1, 1, 1, 1, 1, 1},
        .scalar = {TIME_STEP},
        .writes = writes_bodies,
        .expect = expect_position,
    },
    {0},
};

const struct kernel_kind *kernel_kind_find(const char *kernel)
{
    const struct kernel_kind *kind = kernel_kinds;
    while (kind->kernel && strcmp(kind->kernel, kernel) != 0)
        kind++;
    return kind->kernel ? kind : NULL;
}
