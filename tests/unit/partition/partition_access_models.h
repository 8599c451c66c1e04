/* partition_access_models.h: the kernels of tests/partition/access.db as plain loops. */
#ifndef PARTITION_ACCESS_MODELS_H
#define PARTITION_ACCESS_MODELS_H

#include <datamotion/partition.h>

#include "tests/unit/test.h"

enum { ARGUMENTS = 10, ELEMENTS = 1 << 14 };

struct thread {
    int64_t index[3]; /* in the whole grid */
    int64_t block[3], inside[3];
    const struct partition_shape *shape;
    const int64_t *scalars;
};

static unsigned char touched[2][ARGUMENTS][ELEMENTS]; /* read, write */

static void touch(bool write, int argument, int64_t element)
{
    expect(element >= 0 && element < ELEMENTS);
    if (element >= 0 && element < ELEMENTS)
        touched[write][argument][element] = 1;
}

static void touch_stencil(const struct thread *thread)
{
    int64_t x = thread->index[0], y = thread->index[1], n = thread->scalars[2], id = x + y * n;
    if (x <= 0 || y <= 0 || x >= n - 1 || y >= n - 1)
        return;
    const int64_t reads[] = {id - n, id + n, id - 1, id + 1, id};
    for (int i = 0; i < 5; i++)
        touch(false, 0, reads[i]);
    touch(true, 1, id);
}

static void touch_mat_mul(const struct thread *thread)
{
    int64_t row = thread->index[0], column = thread->index[1], n = thread->scalars[3];
    for (int64_t m = 0; m < n; m++) {
        touch(false, 1, row * n + m);
        touch(false, 2, m * n + column);
    }
    touch(true, 0, row * n + column);
}

static void touch_velocities(const struct thread *thread)
{
    int64_t n = thread->scalars[9], id = thread->index[0];
    for (int64_t j = 0; j < n; j++) {
        touch(false, 0, j);
        for (int position = 1; position <= 3; position++) {
            touch(false, position, j);
            touch(false, position, id);
        }
    }
    for (int velocity = 4; velocity <= 6; velocity++) {
        touch(false, velocity, id);
        touch(true, velocity, id);
    }
}

static void touch_stencil3d(const struct thread *thread)
{
    const int64_t *at = thread->index, *size = &thread->scalars[2];
    int64_t id = at[0] + size[0] * (at[1] + size[1] * at[2]);
    for (int d = 0; d < 3; d++)
        if (at[d] <= 0 || at[d] >= size[d] - 1)
            return;
    touch(false, 0, id);
    for (int sign = -1; sign <= 1; sign += 2) {
        touch(false, 0, id + sign);
        touch(false, 0, id + sign * size[0]);
        touch(false, 0, id + sign * size[0] * size[1]);
    }
    touch(true, 1, id);
}

static void touch_reduce(const struct thread *thread)
{
    if (thread->index[0] < thread->scalars[2])
        touch(false, 0, thread->index[0]);
    if (thread->inside[0] == 0)
        touch(true, 1, thread->block[0]);
}

static void touch_tiled(const struct thread *thread)
{
    int64_t n = thread->scalars[3], tx = thread->inside[0], ty = thread->inside[1];
    int64_t row = 16 * thread->block[1] + ty, column = 16 * thread->block[0] + tx;
    for (int64_t tile = 0; tile < n; tile += 16) {
        touch(false, 1, row * n + tile + tx);
        touch(false, 2, (tile + ty) * n + column);
    }
    touch(true, 0, row * n + column);
}

static void touch_strided(const struct thread *thread)
{
    if (thread->index[0] >= thread->scalars[2])
        return;
    touch(false, 0, 3 * thread->index[0]);
    touch(true, 1, 1 + 2 * thread->index[0]);
}

static void touch_second(const struct thread *thread)
{
    int64_t x = thread->index[0];
    if (x % 2 != 0 || x >= thread->scalars[2])
        return;
    touch(false, 0, x);
    touch(true, 1, x);
}

static void touch_triangle(const struct thread *thread)
{
    int64_t x = thread->index[0], y = thread->index[1], n = thread->scalars[2];
    if (x > y || y >= n)
        return;
    touch(false, 0, x * n + y);
    touch(true, 1, y * n + x);
}

static void touch_checkerboard(const struct thread *thread)
{
    int64_t x = thread->index[0], y = thread->index[1], n = thread->scalars[2];
    if ((x + y) % 2 != 0 || x >= n || y >= n)
        return;
    touch(false, 0, y * n + x);
    touch(true, 1, y * n + x);
}

static void touch_first(const struct thread *thread)
{
    int64_t n = thread->scalars[2];
    if (thread->index[0] < n)
        touch(false, 0, thread->index[0]);
    if (thread->inside[0] == 0 && thread->index[0] < n)
        touch(true, 1, thread->index[0]);
}

static void touch_window(const struct thread *thread)
{
    int64_t x = thread->index[0], y = thread->index[1];
    int64_t first = thread->scalars[1], n = thread->scalars[2];
    int64_t width = n * (thread->shape->grid[0] + 1) - 2 * n;
    if (y < n && x < width)
        touch(true, 0, (first + y) * width + x);
}

/* All numbers of a float4. */
static void touch_quads(const struct thread *thread)
{
    for (int i = 0; i < 4 && thread->index[0] < thread->scalars[1]; i++)
        touch(true, 0, 4 * thread->index[0] + i);
}

/* Two rows of each thread, of blocks that are 7 rows apart. */
static void touch_tiles(const struct thread *thread)
{
    int64_t x = thread->index[0], n = thread->scalars[1];
    for (int i = 0; i <= 3; i += 3) {
        int64_t row = 7 * thread->block[1] + thread->inside[1] + i;
        if (x < n && row < n)
            touch(true, 0, row * n + x);
    }
}

/* Blocks with gaps to all sides. */
static void touch_islands(const struct thread *thread)
{
    int64_t n = thread->scalars[1];
    int64_t x = 7 * thread->block[0] + thread->inside[0];
    int64_t y = 7 * thread->block[1] + thread->inside[1];
    if (x < n && y < n)
        touch(true, 0, y * n + x);
}

static const struct model {
    const char *kernel;
    int dims, arguments;
    void (*touch)(const struct thread *thread);
    bool reads_exact; /* no row has gaps */
} models[] = {
    {"stencil5p", 2, 3, touch_stencil, true},
    {"stencil_ex", 2, 3, touch_stencil, true},
    {"mat_mul", 2, 4, touch_mat_mul, true},
    {"update_velocities", 1, 10, touch_velocities, true},
    {"stencil3d", 3, 5, touch_stencil3d, true},
    {"reduce_block", 1, 3, touch_reduce, true},
    {"mat_mul_tiled", 2, 4, touch_tiled, false},
    {"strided", 1, 3, touch_strided, false},
    {"every_second", 1, 3, touch_second, false},
    {"triangle", 2, 3, touch_triangle, true},
    {"checkerboard", 2, 3, touch_checkerboard, false},
    {"first_threads", 1, 3, touch_first, true},
    {"window", 2, 3, touch_window, true},
    {"quads", 1, 2, touch_quads, true},
    {"tiles", 2, 2, touch_tiles, true},
    {"islands", 2, 2, touch_islands, true},
};
enum { MODELS = sizeof models / sizeof *models };

#endif
