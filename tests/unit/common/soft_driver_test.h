/* soft_driver_test.h: what the tests of CUDA's driver API on the software GPU share: two devices of
 * 8 MiB with a context each, and the module driver_kernels.cu, which lies beside the programs. */
#ifndef TESTS_UNIT_SOFT_DRIVER_TEST_H
#define TESTS_UNIT_SOFT_DRIVER_TEST_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "softgpu/module.h"
#include "tests/unit/test.h"

enum { MEMORY_MIB = 8 };

static char module_path[4096];
static CUcontext first, second; /* on device 0 and 1 */

#define expect_result(call, wanted) expect((call) == (wanted))
#define good(call)                  expect_result(call, CUDA_SUCCESS)

static inline CUfunction function_of(CUmodule module, const char *name)
{
    CUfunction function = NULL;

    good(cuModuleGetFunction(&function, module, name));
    return function;
}

static inline CUmodule load(void)
{
    CUmodule module = NULL;

    good(cuModuleLoad(&module, module_path));
    return module;
}

static inline CUdeviceptr allocate(size_t bytes)
{
    CUdeviceptr address = 0;

    good(cuMemAlloc(&address, bytes));
    return address;
}

static inline void find_module(void)
{
    ssize_t length = readlink("/proc/self/exe", module_path, sizeof module_path - 32);
    char *slash = length > 0 ? memrchr(module_path, '/', (size_t)length) : NULL;

    strcpy(slash ? slash + 1 : module_path, "driver_kernels.so");
}

/* Before the driver API is called. */
static inline void set_devices(void)
{
    setenv("SOFTGPU_DEVICES", "2", 1);
    setenv("SOFTGPU_MEMORY", "8M", 1);
    find_module();
}

/* Both contexts; that on device 0 is the current one. */
static inline void open_contexts(void)
{
    good(cuInit(0));
    good(cuCtxCreate(&first, NULL, 0, 0));
    good(cuCtxCreate(&second, NULL, 0, 1));
    good(cuCtxSetCurrent(first));
}

static inline void close_contexts(void)
{
    good(cuCtxDestroy(second));
    good(cuCtxDestroy(first));
}

#endif
