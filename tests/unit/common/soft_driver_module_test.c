/* soft_driver_module_test.c: modules: launches, files that are no modules, variables. */
#include <stdio.h>

#include "soft_driver_test.h"

static void test_launch_arguments(void)
{
    struct {
        char first;
        double second;
    } pair = {5, 6.5};
    char a = 2;
    double b = 3.25, out[5];
    short c = -4;
    CUmodule module = load();
    CUfunction mix = function_of(module, "mix");
    CUdeviceptr result = allocate(sizeof out);
    void *parameters[] = {&a, &b, &c, &pair, &result};
    size_t offset, size;

    good(cuLaunchKernel(mix, 1, 1, 1, 1, 1, 1, 0, NULL, parameters, NULL));
    good(cuMemcpyDtoH(out, result, sizeof out));
    expect(out[0] == 2 && out[1] == 3.25 && out[2] == -4 && out[3] == 5 && out[4] == 6.5);
    good(cuFuncGetParamInfo(mix, 3, &offset, &size));
    expect(offset == 24 && size == 16);
    expect_result(cuFuncGetParamInfo(mix, 5, &offset, &size), CUDA_ERROR_INVALID_VALUE);

    char buffer[48] = {0};
    size_t bytes = sizeof buffer;
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, buffer, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes,
                     CU_LAUNCH_PARAM_END};
    buffer[0] = 9;
    memcpy(buffer + 40, &result, sizeof result);
    good(cuLaunchKernel(mix, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, extra));
    good(cuMemcpyDtoH(out, result, sizeof out));
    expect(out[0] == 9 && out[1] == 0);
    bytes = 40;
    expect_result(cuLaunchKernel(mix, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, extra),
                  CUDA_ERROR_INVALID_VALUE);
    expect_result(cuLaunchKernel(mix, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL),
                  CUDA_ERROR_INVALID_VALUE);
    good(cuMemFree(result));
    good(cuModuleUnload(module));
}

static void test_bad_launches(void)
{
    CUmodule module = load(), other;
    CUfunction count = function_of(module, "count"), missing = NULL;
    int no_handle;

    expect_result(cuModuleGetFunction(&missing, module, "no_kernel"), CUDA_ERROR_NOT_FOUND);
    expect_result(cuModuleGetFunction(&missing, module, "disabled"), CUDA_ERROR_NOT_FOUND);
    expect_result(cuModuleGetFunction(&missing, (CUmodule)&no_handle, "count"),
                  CUDA_ERROR_INVALID_HANDLE);
    expect_result(cuLaunchKernel((CUfunction)&no_handle, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL),
                  CUDA_ERROR_INVALID_HANDLE);
    expect_result(cuLaunchKernel(NULL, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL),
                  CUDA_ERROR_INVALID_HANDLE);
    expect_result(cuLaunchKernel(count, 0, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL),
                  CUDA_ERROR_INVALID_VALUE);
    expect_result(cuLaunchKernel(count, 1, 1, 1, 2048, 1, 1, 0, NULL, NULL, NULL),
                  CUDA_ERROR_INVALID_VALUE);
    good(cuCtxSetCurrent(second));
    expect_result(cuLaunchKernel(count, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL),
                  CUDA_ERROR_INVALID_HANDLE);
    good(cuCtxSetCurrent(first));

    CUlaunchAttribute cluster = {.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION};
    CUlaunchConfig shape = {1, 1, 1, 1, 1, 1, 0, NULL, &cluster, 1};
    cluster.value.clusterDim.x = 2;
    expect_result(cuLaunchKernelEx(&shape, count, NULL, NULL), CUDA_ERROR_NOT_SUPPORTED);
    cluster.value.clusterDim.x = cluster.value.clusterDim.y = cluster.value.clusterDim.z = 1;
    good(cuLaunchKernelEx(&shape, count, NULL, NULL));
    good(cuModuleUnload(module));
    expect_result(cuModuleUnload(module), CUDA_ERROR_INVALID_HANDLE);
    expect_result(cuModuleLoad(&other, NULL), CUDA_ERROR_INVALID_VALUE);
}

static void read_file(const char *path, char **bytes, size_t *count)
{
    FILE *file = fopen(path, "rb");
    long size;

    *bytes = NULL;
    *count = 0;
    if (!file)
        return;
    fseek(file, 0, SEEK_END);
    size = ftell(file);
    rewind(file);
    *bytes = malloc((size_t)size + 1);
    *count = *bytes ? fread(*bytes, 1, (size_t)size, file) : 0;
    fclose(file);
}

static CUresult load_bytes(const char *bytes, size_t count)
{
    char path[] = "/tmp/soft_driver_module_test.XXXXXX";
    int file = mkstemp(path);
    CUmodule module;

    expect(file >= 0 && write(file, bytes, count) == (ssize_t)count);
    close(file);
    CUresult result = cuModuleLoad(&module, path);
    unlink(path);
    return result;
}

static void test_wrong_files(void)
{
    static const char ptx[] = "//\n.version 8.0\n.target sm_80\n";
    CUmodule module;
    char *bytes;
    size_t count;

    expect_result(cuModuleLoad(&module, "/nonexistent.so"), CUDA_ERROR_FILE_NOT_FOUND);
    expect_result(cuModuleLoad(&module, "/"), CUDA_ERROR_FILE_NOT_FOUND);
    expect_result(load_bytes("", 0), CUDA_ERROR_INVALID_IMAGE);
    expect_result(load_bytes("no module", 9), CUDA_ERROR_INVALID_IMAGE);
    expect_result(load_bytes(ptx, sizeof ptx), CUDA_ERROR_JIT_COMPILER_NOT_FOUND);
    expect_result(cuModuleLoadData(&module, ptx), CUDA_ERROR_JIT_COMPILER_NOT_FOUND);
    expect_result(cuModuleLoadData(&module, "no module"), CUDA_ERROR_INVALID_IMAGE);
    read_file(module_path, &bytes, &count);
    expect(count > 1000);
    if (count <= 1000)
        return;
    for (size_t part = 1; part < 8; part++) /* cut short */
        expect_result(load_bytes(bytes, count * part / 8), CUDA_ERROR_INVALID_IMAGE);
    good(cuModuleLoadDataEx(&module, bytes, 0, NULL, NULL));
    good(cuModuleUnload(module));
    free(bytes);
    expect_result(cuLinkCreate(0, NULL, NULL, (CUlinkState *)&module),
                  CUDA_ERROR_JIT_COMPILER_NOT_FOUND);
}

/* Each module has its own variables, also when the same file is loaded twice. */
static void test_variables(void)
{
    CUmodule one = load(), two = load();
    CUdeviceptr counter_one = 0, counter_two = 0, factors = 0;
    float values[3] = {2, 3, 4}, data[3] = {1, 10, 100};
    size_t bytes = 0;
    int count = 0;

    good(cuModuleGetGlobal(&counter_one, &bytes, one, "counter"));
    expect(bytes == sizeof(int));
    good(cuModuleGetGlobal(&counter_two, NULL, two, "counter"));
    expect(counter_one != counter_two);
    good(cuLaunchKernel(function_of(one, "count"), 3, 1, 1, 4, 1, 1, 0, NULL, NULL, NULL));
    good(cuMemcpyDtoH(&count, counter_one, sizeof count));
    expect(count == 7 + 12);
    good(cuMemcpyDtoH(&count, counter_two, sizeof count));
    expect(count == 7);

    good(cuModuleGetGlobal(&factors, &bytes, two, "factors"));
    expect(bytes == sizeof values);
    good(cuMemcpyHtoD(factors, values, sizeof values));
    CUdeviceptr buffer = allocate(sizeof data);
    void *parameters[] = {&buffer};
    good(cuMemcpyHtoD(buffer, data, sizeof data));
    good(cuLaunchKernel(function_of(two, "scale"), 1, 1, 1, 3, 1, 1, 0, NULL, parameters, NULL));
    good(cuMemcpyDtoH(data, buffer, sizeof data));
    expect(data[0] == 2 && data[1] == 30 && data[2] == 400);
    expect_result(cuMemcpyHtoD(factors, values, sizeof values + 1), CUDA_ERROR_INVALID_VALUE);
    expect_result(cuMemFree(factors), CUDA_ERROR_INVALID_VALUE);
    expect_result(cuModuleGetGlobal(&factors, &bytes, two, "malloc"), CUDA_ERROR_NOT_FOUND);
    expect_result(cuModuleGetGlobal(&factors, &bytes, two, "count"), CUDA_ERROR_NOT_FOUND);
    good(cuMemFree(buffer));
    good(cuModuleUnload(one));
    good(cuModuleUnload(two));
    expect_result(cuMemcpyDtoH(&count, counter_two, sizeof count), CUDA_ERROR_INVALID_VALUE);
}

int main(void)
{
    set_devices();
    run_test(open_contexts);
    run_test(test_launch_arguments);
    run_test(test_bad_launches);
    run_test(test_wrong_files);
    run_test(test_variables);
    run_test(close_contexts);
    return end_tests();
}
