/* soft_driver_promote_test.c: promoted kernels: a part of a grid does what it does in the whole. */
#include "soft_driver_test.h"

struct place {
    unsigned offset[3], grid[3], first_thread[3];
};

enum { GRID_X = 5, GRID_Y = 4, BLOCK_X = 8, BLOCK_Y = 2, WIDTH = GRID_X * BLOCK_X };

static void launch_part(CUfunction function, CUdeviceptr out, struct place place, unsigned blocks_x,
                        unsigned blocks_y)
{
    unsigned width = WIDTH;
    void *parameters[] = {&out, &width, &place};

    good(cuLaunchKernel(function, blocks_x, blocks_y, 1, BLOCK_X, BLOCK_Y, 1, 0, NULL, parameters,
                        NULL));
}

/* The parts of a grid do what the whole does. */
static void test_promoted(void)
{
    CUmodule plain = load(), promoted = load();
    static int whole[WIDTH * GRID_Y * BLOCK_Y], parts[WIDTH * GRID_Y * BLOCK_Y];
    CUdeviceptr out = allocate(sizeof whole);
    unsigned width = WIDTH;
    void *parameters[] = {&out, &width};
    size_t offset, size;

    good(cuLaunchKernel(function_of(plain, "where"), GRID_X, GRID_Y, 1, BLOCK_X, BLOCK_Y, 1, 0,
                        NULL, parameters, NULL));
    good(cuMemcpyDtoH(whole, out, sizeof whole));
    good(cuMemsetD32(out, 0, sizeof whole / 4));

    good(softModulePromote(promoted));
    good(softModulePromote(promoted));
    CUfunction where = function_of(promoted, "where");
    good(cuFuncGetParamInfo(where, 2, &offset, &size));
    expect(offset == 12 && size == 36);
    launch_part(where, out, (struct place){{0, 0, 0}, {GRID_X, GRID_Y, 1}, {0}}, 2, GRID_Y);
    launch_part(where, out, (struct place){{2, 0, 0}, {GRID_X, GRID_Y, 1}, {2 * BLOCK_X}}, 3, 1);
    launch_part(where, out, (struct place){{2, 1, 0}, {GRID_X, GRID_Y, 1}, {2 * BLOCK_X, BLOCK_Y}},
                3, 3);
    good(cuMemcpyDtoH(parts, out, sizeof parts));
    expect(memcmp(whole, parts, sizeof whole) == 0);
    expect(whole[0] == 1000000 * GRID_Y + 10000 * GRID_X);

    struct place place = {.grid = {1, 1, 1}};
    void *all[] = {&out, &width, &place};
    place.first_thread[1] = BLOCK_Y;
    expect_result(cuLaunchKernel(where, 1, 1, 1, BLOCK_X, BLOCK_Y, 1, 0, NULL, all, NULL),
                  CUDA_ERROR_INVALID_VALUE);
    place.first_thread[1] = 0;
    expect_result(cuLaunchCooperativeKernel(where, 1, 1, 1, 8, 2, 1, 0, NULL, all),
                  CUDA_ERROR_NOT_SUPPORTED);
    good(cuMemFree(out));
    good(cuModuleUnload(plain));
    good(cuModuleUnload(promoted));
    expect_result(softModulePromote(promoted), CUDA_ERROR_INVALID_HANDLE);
}

static void test_promoted_with_barriers(void)
{
    enum { BLOCKS = 6, THREADS = 64, COUNT = BLOCKS * THREADS };
    CUmodule module = load();
    CUfunction reverse = function_of(module, "reverse");
    int in[COUNT], out[COUNT];
    CUdeviceptr source = allocate(sizeof in), target = allocate(sizeof out);
    struct place place = {.grid = {BLOCKS, 1, 1}};
    void *parameters[] = {&source, &target, &place};

    for (int i = 0; i < COUNT; i++)
        in[i] = 17 * i;
    good(cuMemcpyHtoD(source, in, sizeof in));
    good(softModulePromote(module));
    for (unsigned part = 0; part < 3; part++) {
        place.offset[0] = part * BLOCKS / 3;
        place.first_thread[0] = place.offset[0] * THREADS;
        good(cuLaunchKernel(reverse, BLOCKS / 3, 1, 1, THREADS, 1, 1, 0, NULL, parameters, NULL));
    }
    good(cuMemcpyDtoH(out, target, sizeof out));
    int wrong = 0;
    for (int i = 0; i < COUNT; i++)
        wrong += out[i] != 17 * (i / THREADS * THREADS + THREADS - 1 - i % THREADS) + BLOCKS;
    expect(wrong == 0);
    good(cuMemFree(source));
    good(cuMemFree(target));
    good(cuModuleUnload(module));
}

int main(void)
{
    set_devices();
    run_test(open_contexts);
    run_test(test_promoted);
    run_test(test_promoted_with_barriers);
    run_test(close_contexts);
    return end_tests();
}
