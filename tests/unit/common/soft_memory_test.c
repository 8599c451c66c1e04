/* soft_memory_test.c: the software GPU's runtime: memory, copies and what is known of pointers. */
#include <sys/resource.h>

#include "soft_runtime_test.h"

enum { MIB = 1 << 20 };

static char *pattern(size_t bytes)
{
    char *data = malloc(bytes);

    for (size_t i = 0; data && i < bytes; i++)
        data[i] = (char)(i * 31 + i / 251);
    return data;
}

static void device_memory(void)
{
    void *pointer = (void *)1, *other;
    size_t free_bytes, total, later;

    expect_error(cudaErrorInvalidValue, cudaMalloc(NULL, 1));
    expect_success(cudaMalloc(&pointer, 0));
    expect(pointer == NULL);
    expect_success(cudaFree(NULL));
    expect_error(cudaErrorInvalidValue, cudaFree(&pointer));
    expect_error(cudaErrorInvalidValue, cudaMemGetInfo(NULL, &total));
    expect_success(cudaMemGetInfo(&free_bytes, &total));
    expect(total == 64 * MIB && free_bytes <= total);
    expect_success(cudaMalloc(&pointer, 10 * MIB));
    expect((uintptr_t)pointer % 256 == 0);
    expect_success(cudaMemGetInfo(&later, &total));
    expect(free_bytes - later == 10 * MIB);
    expect_error(cudaErrorInvalidValue, cudaFree((char *)pointer + 4096));
    expect_error(cudaErrorMemoryAllocation, cudaMalloc(&other, 55 * MIB));
    expect_error(cudaErrorMemoryAllocation, cudaMalloc(&other, SIZE_MAX));
    expect_success(cudaFree(pointer));
    expect_error(cudaErrorInvalidValue, cudaFree(pointer));
    expect_success(cudaMalloc(&pointer, 64 * MIB));
    expect_success(cudaFree(pointer));
    expect_success(cudaMemGetInfo(&later, &total));
    expect(later == free_bytes);
}

static void pitched_memory(void)
{
    char *host = pattern(100 * 7), back[100 * 7], *pointer;
    size_t pitch = 0;

    expect_error(cudaErrorInvalidValue, cudaMallocPitch(NULL, &pitch, 100, 7));
    expect_error(cudaErrorMemoryAllocation,
                 cudaMallocPitch((void **)&pointer, &pitch, SIZE_MAX / 4, 64));
    expect_success(cudaMallocPitch((void **)&pointer, &pitch, 100, 7));
    expect(pitch == 512);
    expect_success(cudaMemset2D(pointer, pitch, 0x55, pitch, 7));
    expect_success(cudaMemcpy2D(pointer, pitch, host, 100, 100, 7, cudaMemcpyHostToDevice));
    expect_success(cudaMemcpy2D(back, 100, pointer, pitch, 100, 7, cudaMemcpyDeviceToHost));
    expect(memcmp(host, back, sizeof back) == 0);
    expect_success(cudaMemcpy(back, pointer + 100, 1, cudaMemcpyDeviceToHost));
    expect(back[0] == 0x55); /* the gap between rows was left alone */
    expect_error(cudaErrorInvalidPitchValue,
                 cudaMemcpy2D(pointer, 50, host, 100, 100, 7, cudaMemcpyHostToDevice));
    expect_error(cudaErrorInvalidValue,
                 cudaMemcpy2D(pointer, pitch, host, 100, 100, 8, cudaMemcpyHostToDevice));
    expect_error(cudaErrorInvalidPitchValue, cudaMemset2D(pointer, 50, 0, 100, 7));
    expect_success(cudaMemcpy2DAsync(back, 100, pointer, pitch, 50, 7, cudaMemcpyDefault, NULL));
    expect(memcmp(host, back, 50) == 0);
    expect_success(cudaFree(pointer));
    free(host);
}

static void copies_of_every_kind(void)
{
    size_t sizes[] = {1, 1800, 262144, 262145, 3 * MIB + 7};

    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        size_t n = sizes[s];
        char *host = pattern(n), *back = calloc(1, n), *a, *b, *pinned;
        expect_success(cudaMalloc((void **)&a, n));
        expect_success(cudaMalloc((void **)&b, n));
        expect_success(cudaMallocHost((void **)&pinned, n));
        expect_success(cudaMemcpy(a, host, n, cudaMemcpyHostToDevice));
        expect_success(cudaMemcpy(b, a, n, cudaMemcpyDeviceToDevice));
        expect_success(cudaMemcpy(back, b, n, cudaMemcpyDeviceToHost));
        expect(memcmp(host, back, n) == 0);
        expect_success(cudaMemcpy(pinned, back, n, cudaMemcpyHostToHost));
        expect_success(cudaMemset(a, 0, n));
        expect_success(cudaMemcpyAsync(a, pinned, n, cudaMemcpyDefault, NULL));
        memset(back, 0, n);
        expect_success(cudaMemcpyAsync(back, a, n, cudaMemcpyDefault, NULL)); /* waits: pageable */
        expect(memcmp(host, back, n) == 0);
        expect_success(cudaMemset(b, 7, n));
        expect_success(cudaMemcpy(back, b, n, cudaMemcpyDefault));
        expect(back[0] == 7 && back[n - 1] == 7);
        expect_success(cudaFree(a));
        expect_success(cudaFree(b));
        expect_success(cudaFreeHost(pinned));
        free(host);
        free(back);
    }
}

static void wrong_copies(void)
{
    char host[64], *device, *freed;

    expect_success(cudaMalloc((void **)&device, 64));
    expect_success(cudaMalloc((void **)&freed, 64));
    expect_success(cudaFree(freed));
    expect_success(cudaMemcpy(device, host, 0, cudaMemcpyHostToDevice));
    expect_error(cudaErrorInvalidValue, cudaMemcpy(device, host, 65, cudaMemcpyHostToDevice));
    expect_error(cudaErrorInvalidValue, cudaMemcpy(device + 1, host, 64, cudaMemcpyDefault));
    expect_error(cudaErrorInvalidValue, cudaMemcpy(device, host, 64, cudaMemcpyDeviceToHost));
    expect_error(cudaErrorInvalidValue, cudaMemcpy(device, host, 64, cudaMemcpyDeviceToDevice));
    expect_error(cudaErrorInvalidValue, cudaMemcpy(host, device, 64, cudaMemcpyHostToHost));
    expect_error(cudaErrorInvalidValue, cudaMemcpy(freed, host, 64, cudaMemcpyHostToDevice));
    expect_error(cudaErrorInvalidValue, cudaMemcpy(NULL, host, 64, cudaMemcpyDefault));
    expect_error(cudaErrorInvalidMemcpyDirection,
                 cudaMemcpy(device, host, 64, (enum cudaMemcpyKind)9));
    expect_error(cudaErrorInvalidValue, cudaMemcpy(device, host, SIZE_MAX, cudaMemcpyDefault));
    expect_error(cudaErrorInvalidValue, cudaMemset(host, 0, 64));
    expect_error(cudaErrorInvalidValue, cudaMemset(device, 0, 65));
    expect_error(cudaErrorInvalidValue, cudaMemset(freed, 0, 1));
    expect_success(cudaFree(device));
}

static void pinned_memory(void)
{
    char *pinned, host[16];
    void *seen;
    unsigned flags;
    struct cudaPointerAttributes attributes;

    expect_error(cudaErrorInvalidValue, cudaHostAlloc((void **)&pinned, 100, 0x80));
    expect_error(cudaErrorInvalidValue, cudaHostAlloc(NULL, 100, 0));
    expect_success(
        cudaHostAlloc((void **)&pinned, 100, cudaHostAllocMapped | cudaHostAllocWriteCombined));
    memset(pinned, 1, 100);
    expect_success(cudaHostGetFlags(&flags, pinned));
    expect(flags == (cudaHostAllocMapped | cudaHostAllocWriteCombined));
    expect_error(cudaErrorInvalidValue, cudaHostGetFlags(&flags, host));
    expect_success(cudaHostGetDevicePointer(&seen, pinned, 0));
    expect(seen == pinned);
    expect_error(cudaErrorInvalidValue, cudaHostGetDevicePointer(&seen, host, 0));
    expect_error(cudaErrorInvalidValue, cudaHostGetDevicePointer(&seen, pinned, 1));
    expect_success(cudaPointerGetAttributes(&attributes, pinned + 50));
    expect(attributes.type == cudaMemoryTypeHost && attributes.hostPointer == pinned + 50);
    expect_error(cudaErrorInvalidValue, cudaFree(pinned));
    expect_error(cudaErrorInvalidValue, cudaFreeHost(pinned + 1));
    expect_success(cudaFreeHost(pinned));
    expect_error(cudaErrorInvalidValue, cudaFreeHost(pinned));
    expect_error(cudaErrorInvalidValue, cudaFreeHost(host));
    expect_success(cudaFreeHost(NULL));
}

static void registered_memory(void)
{
    char *memory = aligned_alloc(4096, 8 * 4096), *device;
    void *unmapped = (void *)4096; /* the system maps nothing that low */
    struct cudaPointerAttributes attributes;

    expect_success(cudaMalloc((void **)&device, 4096));
    expect_error(cudaErrorInvalidValue, cudaHostRegister(NULL, 100, 0));
    expect_error(cudaErrorInvalidValue, cudaHostRegister(memory, 0, 0));
    expect_error(cudaErrorInvalidValue, cudaHostRegister(memory, 100, 0x40));
    expect_error(cudaErrorInvalidValue, cudaHostRegister(unmapped, 4096, 0));
    expect_error(cudaErrorInvalidValue, cudaHostRegister(device, 100, 0));
    expect_error(cudaErrorNotSupported, cudaHostRegister(memory, 100, cudaHostRegisterIoMemory));
    expect_error(cudaErrorHostMemoryNotRegistered, cudaHostUnregister(memory));
    memset(memory, 42, 8 * 4096);
    expect_success(cudaHostRegister(memory + 10, 4 * 4096, cudaHostRegisterPortable));
    expect(memory[10] == 42 && memory[4 * 4096] == 42);
    expect_error(cudaErrorHostMemoryAlreadyRegistered, cudaHostRegister(memory + 10, 4 * 4096, 0));
    expect_error(cudaErrorHostMemoryAlreadyRegistered, cudaHostRegister(memory, 8 * 4096, 0));
    expect_success(cudaPointerGetAttributes(&attributes, memory + 100));
    expect(attributes.type == cudaMemoryTypeHost);
    expect_success(cudaPointerGetAttributes(&attributes, memory + 5 * 4096));
    expect(attributes.type == cudaMemoryTypeUnregistered && attributes.devicePointer == NULL);
    expect_error(cudaErrorInvalidValue, cudaFreeHost(memory + 10));
    expect_success(cudaHostUnregister(memory + 10));
    expect_error(cudaErrorHostMemoryNotRegistered, cudaHostUnregister(memory + 10));
    expect_success(cudaFree(device));
    free(memory);
}

static void pointers_of_devices(void)
{
    void *pointer = NULL;
    struct cudaPointerAttributes attributes;

    expect_error(cudaErrorInvalidValue, cudaPointerGetAttributes(NULL, &pointer));
    expect_success(cudaSetDevice(1));
    expect_success(cudaMalloc(&pointer, 100));
    expect_success(cudaPointerGetAttributes(&attributes, (char *)pointer + 99));
    expect(attributes.type == cudaMemoryTypeDevice && attributes.device == 1);
    expect(attributes.hostPointer == NULL);
    expect_success(cudaPointerGetAttributes(&attributes, (char *)pointer + 100));
    expect(attributes.type == cudaMemoryTypeUnregistered);
    expect_success(cudaFree(pointer));
    expect_success(cudaSetDevice(0));
}

static void peer_copies(void)
{
    char *a, *b, back[100] = "";
    int can = -1;

    expect_success(cudaDeviceCanAccessPeer(&can, 0, 1));
    expect(can == 1);
    expect_success(cudaDeviceCanAccessPeer(&can, 1, 1));
    expect(can == 0);
    expect_error(cudaErrorInvalidDevice, cudaDeviceCanAccessPeer(&can, 0, 2));
    expect_success(cudaDeviceEnablePeerAccess(1, 0));
    expect_error(cudaErrorPeerAccessAlreadyEnabled, cudaDeviceEnablePeerAccess(1, 0));
    expect_error(cudaErrorInvalidDevice, cudaDeviceEnablePeerAccess(0, 0));
    expect_success(cudaDeviceDisablePeerAccess(1));
    expect_error(cudaErrorPeerAccessNotEnabled, cudaDeviceDisablePeerAccess(1));
    expect_success(cudaMalloc((void **)&a, 100));
    expect_success(cudaSetDevice(1));
    expect_success(cudaMalloc((void **)&b, 100));
    expect_success(cudaSetDevice(0));
    expect_success(cudaMemset(a, 3, 100));
    expect_error(cudaErrorInvalidValue, cudaMemcpyPeer(b, 0, a, 0, 100));
    expect_error(cudaErrorInvalidDevice, cudaMemcpyPeer(b, 5, a, 0, 100));
    expect_error(cudaErrorInvalidValue, cudaMemcpyPeer(b, 1, back, 0, 100));
    expect_error(cudaErrorInvalidValue, cudaMemcpyPeer(b, 1, a, 0, 101));
    expect_success(cudaMemcpyPeer(b, 1, a, 0, 100));
    expect_success(cudaMemcpy(back, b, 100, cudaMemcpyDefault));
    expect(back[0] == 3 && back[99] == 3);
    expect_success(cudaMemset(a, 4, 100));
    expect_success(cudaMemcpyPeerAsync(b, 1, a, 0, 100, NULL));
    expect_success(cudaMemcpy(back, b, 100, cudaMemcpyDefault));
    expect(back[99] == 4);
    expect_success(cudaFree(a));
    expect_success(cudaFree(b));
}

static void memory_in_stream_order(void)
{
    cudaStream_t stream;
    void *first, *second;
    char back[8];
    size_t free_before, free_after, total;

    expect_success(cudaMemGetInfo(&free_before, &total));
    expect_success(cudaStreamCreate(&stream));
    expect_success(cudaMallocAsync(&first, 40 * MIB, stream));
    expect_success(cudaMemsetAsync(first, 9, 8, stream));
    expect_success(cudaMemcpyAsync(back, first, 8, cudaMemcpyDefault, stream));
    expect(back[7] == 9);
    expect_success(cudaFreeAsync(first, stream));
    expect_error(cudaErrorInvalidValue, cudaFreeAsync(first, stream));
    expect_success(cudaMallocAsync(&second, 40 * MIB, stream)); /* room only after the free */
    expect_success(cudaFreeAsync(second, stream));
    expect_success(cudaStreamSynchronize(stream));
    expect_success(cudaStreamDestroy(stream));
    expect_success(cudaMemGetInfo(&free_after, &total));
    expect(free_after == free_before);
}

/* ---- locks refused ---- */

/* As a user who may lock nothing: 10 + what cudaMallocHost says. */
static int without_locks(void)
{
    struct rlimit none = {0, 0};
    char *pinned, *again;
    unsigned flags;

    if (setrlimit(RLIMIT_MEMLOCK, &none) || (geteuid() == 0 && setuid(65534)))
        return 1;
    cudaError_t error = cudaMallocHost((void **)&pinned, 1 << 20);
    if (error == cudaSuccess) {
        memset(pinned, 1, 1 << 20);
        if (cudaMallocHost((void **)&again, 100) || cudaHostGetFlags(&flags, again))
            return 2;
    }
    return 10 + (int)error;
}

/* The sanitizers' own mlock never refuses. */
static void locks_may_be_refused(void)
{
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    char errors[2048];

    expect(run_again("without-locks", "SOFTGPU_MLOCK", "try", errors, sizeof errors) == 10);
    char *advice = strstr(errors, "ulimit -l");
    expect(advice && !strstr(advice + 1, "ulimit -l")); /* said once */
    expect(run_again("without-locks", "SOFTGPU_MLOCK", "require", errors, sizeof errors) ==
           10 + cudaErrorMemoryAllocation);
#else
    (void)without_locks;
#endif
}

/* ---- between processes ---- */

static void memory_of_another_process(void)
{
    cudaIpcMemHandle_t handle;
    char *memory, hex[2 * sizeof handle + 1], back[4];

    expect_success(cudaMalloc((void **)&memory, 5000));
    expect_success(cudaMemset(memory, 17, 5000));
    expect_error(cudaErrorInvalidValue, cudaIpcGetMemHandle(&handle, back));
    expect_error(cudaErrorInvalidValue, cudaIpcGetMemHandle(NULL, memory));
    expect_success(cudaIpcGetMemHandle(&handle, memory));
    for (size_t i = 0; i < sizeof handle; i++)
        sprintf(hex + 2 * i, "%02x", (unsigned char)handle.reserved[i]);
    expect(run_again("other-process", "HANDLE", hex, NULL, 0) == 0);
    expect_success(cudaMemcpy(back, memory + 4996, 4, cudaMemcpyDefault));
    expect(back[3] == 18); /* written by the other process */
    expect_success(cudaFree(memory));
}

static int other_process(void)
{
    const char *hex = getenv("HANDLE");
    cudaIpcMemHandle_t handle, wrong;
    char *memory, back[5000];
    unsigned byte;
    void *none;

    for (size_t i = 0; hex && i < sizeof handle; i++) {
        sscanf(hex + 2 * i, "%2x", &byte);
        handle.reserved[i] = (char)byte;
    }
    memset(&wrong, 0, sizeof wrong);
    if (cudaIpcOpenMemHandle(&none, wrong, cudaIpcMemLazyEnablePeerAccess) == cudaSuccess)
        return 1;
    if (cudaIpcOpenMemHandle((void **)&memory, handle, cudaIpcMemLazyEnablePeerAccess))
        return 2;
    if (cudaMemcpy(back, memory, 5000, cudaMemcpyDefault) || back[0] != 17 || back[4999] != 17)
        return 3;
    if (cudaMemset(memory, 18, 5000) || cudaFree(memory) == cudaSuccess)
        return 4;
    if (cudaIpcCloseMemHandle(memory) || cudaIpcCloseMemHandle(memory) == cudaSuccess)
        return 5;
    return 0;
}

int main(int argc, char **argv)
{
    if (argc > 1)
        return strcmp(argv[1], "other-process") == 0 ? other_process() : without_locks();
    setenv("SOFTGPU_DEVICES", "2", 1);
    setenv("SOFTGPU_MEMORY", "64M", 1);
    run_test(device_memory);
    run_test(pitched_memory);
    run_test(copies_of_every_kind);
    run_test(wrong_copies);
    run_test(pinned_memory);
    run_test(registered_memory);
    run_test(pointers_of_devices);
    run_test(peer_copies);
    run_test(memory_in_stream_order);
    run_test(locks_may_be_refused);
    run_test(memory_of_another_process);
    return end_tests();
}
