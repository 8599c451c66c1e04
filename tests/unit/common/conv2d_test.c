#include <stdlib.h>

#include "common/harness/allocate.h"
#include "common/harness/exit.h"
#include "common/random.h"
#include "common/workloads/conv2d.h"
#include "common/workloads/workload.h"
#include "tests/unit/test.h"

/* A convolution of one shape, on the device as a whole, and its reference. */
struct convolution {
    struct conv2d_shape shape;
    struct dm_region region;
    struct dm_slices views[2];
    float *input, *expected, *result;
    size_t count;
};

static struct convolution make_convolution(long rows, long columns)
{
    struct convolution made = {.shape = {rows, columns}, .count = (size_t)(rows * columns)};
    size_t bytes = made.count * sizeof(float);
    made.input = memory_allocate(MEMORY_PAGEABLE, bytes);
    made.expected = memory_allocate(MEMORY_PAGEABLE, bytes);
    made.result = memory_allocate(MEMORY_PAGEABLE, bytes);
    random_fill_float(made.input, made.count, 11);
    random_fill_float(made.expected, made.count, 12);
    made.region = dm_region_make("conv2d", 1, rows - 1, conv2d_launch, NULL);
    struct dm_region_array array = {.name = "array",
                                    .split = DM_REGION_ROWS,
                                    .slices = rows,
                                    .slice_bytes = (size_t)columns * sizeof(float),
                                    .rows = 1};
    float *contents[2] = {made.input, made.expected};
    for (int a = 0; a < 2; a++) {
        float *device = memory_allocate(MEMORY_DEVICE, bytes);
        check_cuda(cudaMemcpy(device, contents[a], bytes, cudaMemcpyHostToDevice));
        made.views[a] = dm_region_whole_view(&array, device, 0);
    }
    conv2d_reference(&made.shape, made.input, made.expected);
    return made;
}

static void release_convolution(struct convolution *made)
{
    memory_release(MEMORY_PAGEABLE, made->input);
    memory_release(MEMORY_PAGEABLE, made->expected);
    memory_release(MEMORY_PAGEABLE, made->result);
    memory_release(MEMORY_DEVICE, made->views[0].base);
    memory_release(MEMORY_DEVICE, made->views[1].base);
}

/* Runs the kernel in two pieces and compares with the reference, rows that are not written too. */
static size_t wrong_elements(long rows, long columns, dim3 block)
{
    struct convolution made = make_convolution(rows, columns);
    made.region.context = &made.shape;
    made.region.block = block;
    long end = rows < 3 ? 1 : rows - 1, middle = 1 + (end - 1) / 3;
    check_cuda(conv2d_launch(&made.region, made.views, 1, middle, 0));
    check_cuda(conv2d_launch(&made.region, made.views, middle, end, 0));
    check_cuda(cudaMemcpy(made.result, made.views[1].base, made.count * sizeof(float),
                          cudaMemcpyDeviceToHost));
    size_t wrong = workload_count_wrong(made.result, made.expected, made.count, 1e-5);
    release_convolution(&made);
    return wrong;
}

static void kernel_equals_reference(void)
{
    expect(wrong_elements(64, 64, (dim3){32, 8, 1}) == 0);
    expect(wrong_elements(101, 67, (dim3){32, 8, 1}) == 0);
    expect(wrong_elements(67, 101, (dim3){0, 0, 0}) == 0);
    expect(wrong_elements(3, 3, (dim3){16, 16, 1}) == 0);
    expect(wrong_elements(2, 9, (dim3){16, 16, 1}) == 0);
    expect(wrong_elements(40, 1, (dim3){16, 16, 1}) == 0);
    expect(wrong_elements(40, 2, (dim3){1, 64, 1}) == 0);
}

static void values_by_hand(void)
{
    const float input[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    float output[9] = {7, 7, 7, 7, 7, 7, 7, 7, 7};
    struct conv2d_shape shape = {3, 3};
    conv2d_reference(&shape, input, output);
    expect(fabsf(output[4] - 4.5f) < 1e-5f);
    expect(output[3] == 0.0f && output[5] == 0.0f);
    expect(output[0] == 7.0f && output[8] == 7.0f);
}

static cudaError_t launched(long begin, long end, dim3 block)
{
    struct convolution made = make_convolution(10, 10);
    made.region.context = &made.shape;
    made.region.block = block;
    cudaError_t error = conv2d_launch(&made.region, made.views, begin, end, 0);
    check_cuda(cudaDeviceSynchronize());
    release_convolution(&made);
    return error;
}

static void bad_rows_are_refused(void)
{
    dim3 block = {16, 16, 1};
    expect(launched(0, 5, block) == cudaErrorInvalidValue);
    expect(launched(1, 10, block) == cudaErrorInvalidValue);
    expect(launched(5, 4, block) == cudaErrorInvalidValue);
    expect(launched(5, 5, block) == cudaSuccess);
    expect(launched(1, 9, block) == cudaSuccess);
}

static void bad_blocks_are_refused(void)
{
    expect(launched(1, 9, (dim3){64, 32, 1}) == cudaErrorInvalidConfiguration);
    expect(launched(1, 9, (dim3){32, 0, 1}) == cudaErrorInvalidConfiguration);
    expect(launched(1, 9, (dim3){8, 8, 2}) == cudaErrorInvalidConfiguration);
    expect(launched(1, 9, (dim3){1, 1024, 1}) == cudaSuccess);
}

static void formulas(void)
{
    expect(conv2d_flops((struct conv2d_shape){3, 3}) == 17.0);
    expect(conv2d_flops((struct conv2d_shape){2, 8}) == 0.0);
    expect(conv2d_bytes((struct conv2d_shape){3, 3}) == 48.0);
}

static void wrong_results_are_counted(void)
{
    float reference[] = {1.0f, 100.0f, 0.0f}, result[] = {1.1f, 100.0001f, 0.0f};
    expect(workload_count_wrong(result, reference, 3, 1e-5) == 1);
    result[2] = NAN;
    expect(workload_count_wrong(result, reference, 3, 1e-5) == 2);
}

int main(void)
{
    run_test(kernel_equals_reference);
    run_test(values_by_hand);
    run_test(bad_rows_are_refused);
    run_test(bad_blocks_are_refused);
    run_test(formulas);
    run_test(wrong_results_are_counted);
    return end_tests();
}
