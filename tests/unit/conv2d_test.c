#include "memory.h"
#include "random.h"
#include "test.h"
#include "workloads/conv2d.h"
#include "workloads/workload.h"

#include <stdlib.h>
#include <string.h>

/* Runs the kernel in two pieces and compares with the reference, the border included. */
static size_t wrong_elements(size_t rows, size_t columns, size_t pitch, dim3 block)
{
    size_t count = rows * pitch, bytes = count * sizeof(float);
    float *input = memory_allocate(MEMORY_PAGEABLE, bytes);
    float *expected = memory_allocate(MEMORY_PAGEABLE, bytes);
    float *result = memory_allocate(MEMORY_PAGEABLE, bytes);
    float *device_input = memory_allocate(MEMORY_DEVICE, bytes);
    float *device_output = memory_allocate(MEMORY_DEVICE, bytes);
    random_fill_float(input, count, 11);
    random_fill_float(expected, count, 12);
    check_cuda(cudaMemcpy(device_input, input, bytes, cudaMemcpyHostToDevice));
    check_cuda(cudaMemcpy(device_output, expected, bytes, cudaMemcpyHostToDevice));
    conv2d_reference(input, expected, rows, columns, pitch);
    size_t middle = rows < 3 ? 1 : 1 + (rows - 2) / 3, end = rows < 3 ? 1 : rows - 1;
    check_cuda(
        conv2d_launch(device_input, device_output, rows, columns, pitch, 1, middle, block, 0));
    check_cuda(
        conv2d_launch(device_input, device_output, rows, columns, pitch, middle, end, block, 0));
    check_cuda(cudaMemcpy(result, device_output, bytes, cudaMemcpyDeviceToHost));
    size_t wrong = workload_count_wrong(result, expected, count, 1e-5);
    memory_release(MEMORY_PAGEABLE, input);
    memory_release(MEMORY_PAGEABLE, expected);
    memory_release(MEMORY_PAGEABLE, result);
    memory_release(MEMORY_DEVICE, device_input);
    memory_release(MEMORY_DEVICE, device_output);
    return wrong;
}

static void kernel_equals_reference(void)
{
    expect(wrong_elements(64, 64, 64, (dim3){32, 8, 1}) == 0);
    expect(wrong_elements(101, 67, 80, (dim3){32, 8, 1}) == 0);
    expect(wrong_elements(3, 3, 3, (dim3){16, 16, 1}) == 0);
    expect(wrong_elements(2, 9, 9, (dim3){16, 16, 1}) == 0);
    expect(wrong_elements(40, 1, 1, (dim3){16, 16, 1}) == 0);
}

static void bad_rows_are_refused(void)
{
    float value = 0;
    dim3 block = {16, 16, 1};
    expect(conv2d_launch(&value, &value, 10, 10, 10, 0, 5, block, 0) == cudaErrorInvalidValue);
    expect(conv2d_launch(&value, &value, 10, 10, 10, 1, 10, block, 0) == cudaErrorInvalidValue);
    expect(conv2d_launch(&value, &value, 10, 10, 10, 5, 4, block, 0) == cudaErrorInvalidValue);
    expect(conv2d_launch(&value, &value, 10, 10, 9, 1, 5, block, 0) == cudaErrorInvalidValue);
}

static void formulas(void)
{
    expect(conv2d_flops(3, 3) == 17.0 && conv2d_flops(2, 8) == 0.0);
    expect(conv2d_bytes(3, 3) == 40.0);
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
    run_test(bad_rows_are_refused);
    run_test(formulas);
    run_test(wrong_results_are_counted);
    return end_tests();
}
