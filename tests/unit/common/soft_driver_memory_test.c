/* soft_driver_memory_test.c: memory, fills, and copies between devices. */
#include "soft_driver_test.h"

/* ---- memory ---- */

static void test_out_of_memory(void)
{
    CUdeviceptr address = 0;
    size_t free_bytes = 0, total;

    good(cuMemGetInfo(&free_bytes, &total));
    expect_result(cuMemAlloc(&address, (size_t)(MEMORY_MIB + 1) << 20), CUDA_ERROR_OUT_OF_MEMORY);
    expect_result(cuMemAlloc(&address, 0), CUDA_ERROR_INVALID_VALUE);
    expect_result(cuMemAlloc(NULL, 16), CUDA_ERROR_INVALID_VALUE);
    address = allocate(free_bytes);
    CUdeviceptr more;
    expect_result(cuMemAlloc(&more, 4096), CUDA_ERROR_OUT_OF_MEMORY);
    good(cuCtxSetCurrent(second)); /* the other device has memory of its own */
    more = allocate(4096);
    good(cuMemFree(more));
    good(cuCtxSetCurrent(first));
    good(cuMemFree(address));
    expect_result(cuMemFree(address), CUDA_ERROR_INVALID_VALUE);
}

static void test_pointer_attributes(void)
{
    CUdeviceptr address = allocate(1000), base = 0;
    CUcontext context = NULL;
    unsigned type = 0;
    int ordinal = -1, local;
    size_t bytes = 0;
    void *locked = NULL;

    good(cuPointerGetAttribute(&context, CU_POINTER_ATTRIBUTE_CONTEXT, address + 10));
    expect(context == first);
    good(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address));
    expect(type == CU_MEMORYTYPE_DEVICE);
    good(cuPointerGetAttribute(&ordinal, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, address));
    expect(ordinal == 0);
    good(cuMemGetAddressRange(&base, &bytes, address + 999));
    expect(base == address && bytes == 1000);
    expect_result(cuMemGetAddressRange(&base, &bytes, address + 1000), CUDA_ERROR_NOT_FOUND);
    expect_result(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                                        (CUdeviceptr)(uintptr_t)&local),
                  CUDA_ERROR_INVALID_VALUE);
    good(cuMemAllocHost(&locked, 64));
    good(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                               (CUdeviceptr)(uintptr_t)locked));
    expect(type == CU_MEMORYTYPE_HOST);
    good(cuMemFreeHost(locked));
    good(cuMemFree(address));
}

static void test_fills(void)
{
    unsigned char bytes[64];
    unsigned words[5000];
    unsigned short halves[32];
    CUdeviceptr address = allocate(sizeof words);

    good(cuMemsetD8(address, 0xab, sizeof words));
    good(cuMemsetD32(address + 4, 0x12345678, 4998));
    good(cuMemcpyDtoH(words, address, sizeof words));
    expect(words[0] == 0xabababab && words[4999] == 0xabababab);
    int wrong = 0;
    for (int i = 1; i < 4999; i++)
        wrong += words[i] != 0x12345678;
    expect(wrong == 0);
    good(cuMemsetD16Async(address, 0xbeef, 3, NULL));
    good(cuMemcpyDtoH(halves, address, sizeof halves));
    expect(halves[0] == 0xbeef && halves[2] == 0xbeef && halves[3] == 0x1234);
    good(cuMemsetD8(address, 0, 64));
    good(cuMemsetD2D8(address, 16, 7, 3, 4));
    good(cuMemcpyDtoH(bytes, address, sizeof bytes));
    for (int i = 0; i < 64; i++)
        expect(bytes[i] == (i % 16 < 3 ? 7 : 0));
    expect_result(cuMemsetD32(address + 2, 0, 1), CUDA_ERROR_INVALID_VALUE);
    expect_result(cuMemsetD32(address, 0, 5001), CUDA_ERROR_INVALID_VALUE);
    expect_result(cuMemsetD32(address, 0, SIZE_MAX / 2), CUDA_ERROR_INVALID_VALUE);
    good(cuMemFree(address));
}

/* ---- copies between devices ---- */

enum { ROW = 32, ROWS = 16, PICTURE = ROW * ROWS };

static void fill_random(unsigned char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        bytes[i] = (unsigned char)rand();
}

static void test_peer_copies(void)
{
    unsigned char in[PICTURE], out[PICTURE];
    CUdeviceptr here = allocate(PICTURE), there;

    good(cuCtxSetCurrent(second));
    there = allocate(PICTURE);
    good(cuCtxSetCurrent(first));
    fill_random(in, PICTURE);
    good(cuMemcpyHtoD(here, in, PICTURE));
    good(cuMemcpyPeer(there, second, here, first, PICTURE));
    good(cuMemcpyDtoH(out, there, PICTURE));
    expect(memcmp(in, out, PICTURE) == 0);
    fill_random(in, PICTURE);
    good(cuMemcpyHtoD(there, in, PICTURE));
    good(cuMemcpyPeerAsync(here, first, there, second, PICTURE, NULL));
    good(cuMemcpyDtoH(out, here, PICTURE));
    expect(memcmp(in, out, PICTURE) == 0);
    expect_result(cuMemcpyPeer(here, second, there, second, PICTURE), CUDA_ERROR_INVALID_VALUE);
    expect_result(cuMemcpyPeer(here, first, there, NULL, 1), CUDA_ERROR_INVALID_CONTEXT);
    expect_result(cuMemcpyDtoD(there, here, PICTURE + 1), CUDA_ERROR_INVALID_VALUE);
    expect_result(cuMemcpyHtoD(here, NULL, 1), CUDA_ERROR_INVALID_VALUE);
    expect_result(cuMemcpyDtoH(out, (CUdeviceptr)(uintptr_t)in, 1), CUDA_ERROR_INVALID_VALUE);
    good(cuMemFree(here));
    good(cuMemFree(there));
}

/* What a copy of the columns [5, 12) of the rows [2, 8) to columns [3, 10), rows [4, 10) does. */
static void expect_pasted(const unsigned char *from, const unsigned char *to)
{
    int wrong = 0;

    for (int y = 0; y < ROWS; y++)
        for (int x = 0; x < ROW; x++) {
            bool inside = x >= 3 && x < 10 && y >= 4 && y < 10;
            wrong += to[y * ROW + x] != (inside ? from[(y - 2) * ROW + x + 2] : 0);
        }
    expect(wrong == 0);
}

static void test_rectangles(void)
{
    unsigned char in[PICTURE], out[PICTURE];
    CUdeviceptr here = allocate(PICTURE), there;

    good(cuCtxSetCurrent(second));
    there = allocate(PICTURE);
    good(cuCtxSetCurrent(first));
    fill_random(in, PICTURE);
    good(cuMemcpyHtoD(here, in, PICTURE));
    for (int way = 0; way < 3; way++) {
        CUDA_MEMCPY2D flat = {5, 2, CU_MEMORYTYPE_UNIFIED, NULL, here,  NULL, ROW,
                              3, 4, CU_MEMORYTYPE_UNIFIED, NULL, there, NULL, ROW,
                              7, 6};
        CUDA_MEMCPY3D_PEER peer = {.srcXInBytes = 5,
                                   .srcY = 2,
                                   .srcMemoryType = CU_MEMORYTYPE_DEVICE,
                                   .srcDevice = here,
                                   .srcContext = first,
                                   .srcPitch = ROW,
                                   .dstXInBytes = 3,
                                   .dstY = 4,
                                   .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                                   .dstDevice = there,
                                   .dstContext = second,
                                   .dstPitch = ROW,
                                   .WidthInBytes = 7,
                                   .Height = 6,
                                   .Depth = 1};
        good(cuMemsetD8(there, 0, PICTURE));
        if (way == 0)
            good(cuMemcpy2D(&flat));
        else if (way == 1)
            good(cuMemcpy2DAsync(&flat, NULL));
        else
            good(cuMemcpy3DPeerAsync(&peer, NULL));
        good(cuCtxSynchronize());
        good(cuMemcpyDtoH(out, there, PICTURE));
        expect_pasted(in, out);
        flat.Height = ROWS;
        expect_result(cuMemcpy2D(&flat), CUDA_ERROR_INVALID_VALUE);
        flat.dstMemoryType = CU_MEMORYTYPE_ARRAY;
        expect_result(cuMemcpy2DAsync(&flat, NULL), CUDA_ERROR_INVALID_VALUE);
    }
    good(cuMemFree(here));
    good(cuMemFree(there));
}

int main(void)
{
    set_devices();
    run_test(open_contexts);
    run_test(test_out_of_memory);
    run_test(test_pointer_attributes);
    run_test(test_fills);
    run_test(test_peer_copies);
    run_test(test_rectangles);
    run_test(close_contexts);
    return end_tests();
}
