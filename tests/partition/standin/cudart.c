/* cudart.c: a libcudart.so.13 for tests: the part of CUDA's run time that the programs here use, on
 * the driver's functions as CUDA's own gets them: one dlsym(), the others from cuGetProcAddress. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cuda.h>
#include <cuda_runtime_api.h>

/* X(name, version with which the run time asks for it) */
#define DRIVER(X)                                                                                  \
    X(cuInit, 2000)                                                                                \
    X(cuDeviceGetCount, 2000)                                                                      \
    X(cuDeviceGet, 2000)                                                                           \
    X(cuCtxSetCurrent, 4000)                                                                       \
    X(cuCtxSynchronize, 2000)                                                                      \
    X(cuLibraryLoadData, 12000)                                                                    \
    X(cuLibraryUnload, 12000)                                                                      \
    X(cuLibraryGetKernel, 12000)                                                                   \
    X(cuLibraryGetGlobal, 12000)                                                                   \
    X(cuKernelSetAttribute, 12000)                                                                 \
    X(cuMemAllocAsync, 11020)                                                                      \
    X(cuMemAllocManaged, 6000)                                                                     \
    X(cuMemFreeAsync, 11020)                                                                       \
    X(cuMemHostAlloc, 2020)                                                                        \
    X(cuMemFreeHost, 2000)                                                                         \
    X(cuStreamCreate, 2000)                                                                        \
    X(cuStreamSynchronize, 2000)                                                                   \
    X(cuStreamWaitEvent, 3020)                                                                     \
    X(cuEventCreate, 2000)                                                                         \
    X(cuEventRecord, 2000)                                                                         \
    X(cuLaunchKernel, 4000)                                                                        \
    X(cuMemcpyAsync, 4000)

/* Those whose name in cuda.h has a version. */
#define VERSIONED(X)                                                                               \
    X(cuMemAlloc, cuMemAlloc_v2)                                                                   \
    X(cuMemFree, cuMemFree_v2)                                                                     \
    X(cuMemcpyHtoD, cuMemcpyHtoD_v2)                                                               \
    X(cuMemcpyDtoH, cuMemcpyDtoH_v2)                                                               \
    X(cuMemcpyDtoD, cuMemcpyDtoD_v2)                                                               \
    X(cuMemcpyHtoDAsync, cuMemcpyHtoDAsync_v2)                                                     \
    X(cuMemcpyDtoHAsync, cuMemcpyDtoHAsync_v2)                                                     \
    X(cuMemcpyDtoDAsync, cuMemcpyDtoDAsync_v2)                                                     \
    X(cuMemsetD8, cuMemsetD8_v2)

#define MEMBER(name, version)   __typeof__(&name) name##_;
#define MEMBER_OF(name, symbol) __typeof__(&symbol) name##_;
static struct {
    DRIVER(MEMBER)
#undef cuMemAlloc
#undef cuMemFree
#undef cuMemcpyHtoD
#undef cuMemcpyDtoH
#undef cuMemcpyDtoD
#undef cuMemcpyHtoDAsync
#undef cuMemcpyDtoHAsync
#undef cuMemcpyDtoDAsync
#undef cuMemsetD8
    VERSIONED(MEMBER_OF)
} driver;

/* What the program registers before main(). */
struct registered {
    struct registered *next;
    const void *image;
    CUlibrary library;
};

struct symbol {
    struct symbol *next;
    struct registered *from;
    const void *host;
    char name[256];
    CUkernel kernel;
};

static struct registered *images;
static struct symbol *symbols;
static cudaError_t last_error;

static cudaError_t keep(CUresult result)
{
    if (result != CUDA_SUCCESS)
        last_error = (cudaError_t)result;
    return (cudaError_t)result;
}

/* CUDA's own has these from the driver by ways without a name. */
static CUresult (*primary_context)(CUcontext *, CUdevice);
static CUresult (*known_devices)(int *);

typedef CUresult address_function(const char *, void **, int, cuuint64_t,
                                  CUdriverProcAddressQueryResult *);

static void find_driver(void)
{
    void *library = dlopen("libcuda.so.1", RTLD_NOW);
    address_function *find =
        library ? (address_function *)dlsym(library, "cuGetProcAddress_v2") : NULL;
    CUdriverProcAddressQueryResult status;
    primary_context =
        library ? (CUresult(*)(CUcontext *, CUdevice))dlsym(library, "standin_primary_context")
                : NULL;
    known_devices = library ? (CUresult(*)(int *))dlsym(library, "standin_devices") : NULL;
    if (!find || !primary_context || !known_devices)
        exit(3);
#define FIND(name, version)   find(#name, (void **)&driver.name##_, version, 0, &status);
#define FIND_OF(name, symbol) find(#name, (void **)&driver.name##_, 4000, 0, &status);
    DRIVER(FIND)
    VERSIONED(FIND_OF)
}

/* CUDA's run time does not work where it finds other GPUs than those that the driver knows. */
static void check_devices(void)
{
    int found = 0, known = 0;
    keep(driver.cuDeviceGetCount_(&found));
    keep(known_devices(&known));
    if (found != known) {
        fprintf(stderr, "integrity checks failed: %d of %d devices\n", found, known);
        exit(3);
    }
}

/* The first call makes the context and hands over what was registered. */
static void start(void)
{
    static int started;
    static __thread int current;
    static CUcontext context;
    CUdevice device;
    if (!started) {
        started = 1;
        find_driver();
        keep(driver.cuInit_(0));
        check_devices();
        keep(driver.cuDeviceGet_(&device, 0));
        keep(primary_context(&context, device));
    }
    if (!current)
        keep(driver.cuCtxSetCurrent_(context));
    current = 1;
    for (struct registered *image = images; image; image = image->next)
        if (!image->library)
            keep(driver.cuLibraryLoadData_(&image->library, image->image, NULL, NULL, 0, NULL, NULL,
                                           0));
}

void **__cudaRegisterFatBinary(void *image);
void **__cudaRegisterFatBinary(void *image)
{
    struct registered *registered = calloc(1, sizeof *registered);
    registered->image = image;
    registered->next = images;
    images = registered;
    return (void **)registered;
}

void __cudaRegisterFatBinaryEnd(void **handle);
void __cudaRegisterFatBinaryEnd(void **handle)
{
    (void)handle;
}

void __cudaUnregisterFatBinary(void **handle);
void __cudaUnregisterFatBinary(void **handle)
{
    struct registered *registered = (struct registered *)handle;
    if (registered->library)
        driver.cuLibraryUnload_(registered->library);
    registered->library = NULL;
}

static void add_symbol(void **handle, const void *host, const char *name)
{
    struct symbol *symbol = calloc(1, sizeof *symbol);
    symbol->from = (struct registered *)handle;
    symbol->host = host;
    snprintf(symbol->name, sizeof symbol->name, "%s", name);
    symbol->next = symbols;
    symbols = symbol;
}

void __cudaRegisterFunction(void **handle, const char *host, char *device_host, const char *name,
                            int limit, void *a, void *b, void *c, void *d, int *e);
void __cudaRegisterFunction(void **handle, const char *host, char *device_host, const char *name,
                            int limit, void *a, void *b, void *c, void *d, int *e)
{
    (void)device_host, (void)limit, (void)a, (void)b, (void)c, (void)d, (void)e;
    add_symbol(handle, host, name);
}

void __cudaRegisterVar(void **handle, char *host, char *device_host, const char *name,
                       int is_external, size_t bytes, int is_constant, int is_global);
void __cudaRegisterVar(void **handle, char *host, char *device_host, const char *name,
                       int is_external, size_t bytes, int is_constant, int is_global)
{
    (void)device_host, (void)is_external, (void)bytes, (void)is_constant, (void)is_global;
    add_symbol(handle, host, name);
}

static struct symbol *find_symbol(const void *host)
{
    struct symbol *symbol = symbols;
    start();
    while (symbol && symbol->host != host)
        symbol = symbol->next;
    return symbol;
}

static CUkernel kernel_of(const void *host)
{
    struct symbol *symbol = find_symbol(host);
    if (symbol && !symbol->kernel)
        keep(driver.cuLibraryGetKernel_(&symbol->kernel, symbol->from->library, symbol->name));
    return symbol ? symbol->kernel : NULL;
}

static struct {
    dim3 grid, block;
    size_t shared_bytes;
    cudaStream_t stream;
} pushed;

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes,
                                     cudaStream_t stream);
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes,
                                     cudaStream_t stream)
{
    pushed.grid = grid;
    pushed.block = block;
    pushed.shared_bytes = shared_bytes;
    pushed.stream = stream;
    return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared_bytes, void *stream);
cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared_bytes, void *stream)
{
    *grid = pushed.grid;
    *block = pushed.block;
    *shared_bytes = pushed.shared_bytes;
    *(cudaStream_t *)stream = pushed.stream;
    return cudaSuccess;
}

cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *host);
cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *host)
{
    *kernel = (cudaKernel_t)kernel_of(host);
    return *kernel ? cudaSuccess : keep(CUDA_ERROR_NOT_FOUND);
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **parameters,
                               size_t shared_bytes, cudaStream_t stream);
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **parameters,
                               size_t shared_bytes, cudaStream_t stream)
{
    return keep(driver.cuLaunchKernel_((CUfunction)kernel, grid.x, grid.y, grid.z, block.x, block.y,
                                       block.z, (unsigned)shared_bytes, stream, parameters, NULL));
}

/* ---- what programs call ---- */

cudaError_t cudaMalloc(void **memory, size_t bytes)
{
    start();
    return keep(driver.cuMemAlloc_((CUdeviceptr *)memory, bytes));
}

cudaError_t cudaMallocAsync(void **memory, size_t bytes, cudaStream_t stream)
{
    start();
    return keep(driver.cuMemAllocAsync_((CUdeviceptr *)memory, bytes, stream));
}

cudaError_t cudaMallocManaged(void **memory, size_t bytes, unsigned flags)
{
    start();
    return keep(driver.cuMemAllocManaged_((CUdeviceptr *)memory, bytes, flags));
}

cudaError_t cudaFree(void *memory)
{
    start();
    return keep(driver.cuMemFree_((CUdeviceptr)(uintptr_t)memory));
}

cudaError_t cudaFreeAsync(void *memory, cudaStream_t stream)
{
    start();
    return keep(driver.cuMemFreeAsync_((CUdeviceptr)(uintptr_t)memory, stream));
}

cudaError_t cudaHostAlloc(void **memory, size_t bytes, unsigned flags)
{
    start();
    return keep(driver.cuMemHostAlloc_(memory, bytes, flags));
}

cudaError_t cudaFreeHost(void *memory)
{
    start();
    return keep(driver.cuMemFreeHost_(memory));
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
    CUdeviceptr target = (CUdeviceptr)(uintptr_t)to, source = (CUdeviceptr)(uintptr_t)from;
    start();
    return keep(kind == cudaMemcpyHostToDevice   ? driver.cuMemcpyHtoD_(target, from, bytes)
                : kind == cudaMemcpyDeviceToHost ? driver.cuMemcpyDtoH_(to, source, bytes)
                                                 : driver.cuMemcpyDtoD_(target, source, bytes));
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                            cudaStream_t stream)
{
    CUdeviceptr target = (CUdeviceptr)(uintptr_t)to, source = (CUdeviceptr)(uintptr_t)from;
    start();
    return keep(kind == cudaMemcpyHostToDevice
                    ? driver.cuMemcpyHtoDAsync_(target, from, bytes, stream)
                : kind == cudaMemcpyDeviceToHost
                    ? driver.cuMemcpyDtoHAsync_(to, source, bytes, stream)
                    : driver.cuMemcpyDtoDAsync_(target, source, bytes, stream));
}

cudaError_t cudaMemset(void *memory, int value, size_t bytes)
{
    start();
    return keep(driver.cuMemsetD8_((CUdeviceptr)(uintptr_t)memory, (unsigned char)value, bytes));
}

static cudaError_t address_of(const void *host, CUdeviceptr *address)
{
    const struct symbol *symbol = find_symbol(host);
    size_t bytes;
    return keep(
        symbol ? driver.cuLibraryGetGlobal_(address, &bytes, symbol->from->library, symbol->name)
               : CUDA_ERROR_NOT_FOUND);
}

cudaError_t cudaGetSymbolAddress(void **address, const void *host)
{
    CUdeviceptr found;
    cudaError_t error = address_of(host, &found);
    *address = error ? NULL : (void *)(uintptr_t)found;
    return error;
}

cudaError_t cudaMemcpyToSymbol(const void *host, const void *from, size_t bytes, size_t offset,
                               enum cudaMemcpyKind kind)
{
    CUdeviceptr address;
    (void)kind;
    cudaError_t error = address_of(host, &address);
    return error ? error : keep(driver.cuMemcpyHtoD_(address + offset, from, bytes));
}

cudaError_t cudaMemcpyFromSymbol(void *to, const void *host, size_t bytes, size_t offset,
                                 enum cudaMemcpyKind kind)
{
    CUdeviceptr address;
    (void)kind;
    cudaError_t error = address_of(host, &address);
    return error ? error : keep(driver.cuMemcpyDtoH_(to, address + offset, bytes));
}

cudaError_t cudaDeviceSynchronize(void)
{
    start();
    return keep(driver.cuCtxSynchronize_());
}

cudaError_t cudaStreamCreate(cudaStream_t *stream)
{
    start();
    return keep(driver.cuStreamCreate_(stream, 0));
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags)
{
    start();
    return keep(driver.cuStreamCreate_(stream, flags));
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    start();
    return keep(driver.cuStreamSynchronize_(stream));
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags)
{
    start();
    return keep(driver.cuStreamWaitEvent_(stream, event, flags));
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags)
{
    start();
    return keep(driver.cuEventCreate_(event, flags));
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    start();
    return keep(driver.cuEventRecord_(event, stream));
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *host,
                                                                   int threads, size_t bytes,
                                                                   unsigned flags)
{
    (void)threads, (void)bytes, (void)flags;
    *blocks = kernel_of(host) ? 1 : 0;
    return cudaSuccess;
}

cudaError_t cudaGetLastError(void)
{
    cudaError_t error = last_error;
    last_error = cudaSuccess;
    return error;
}

const char *cudaGetErrorString(cudaError_t error)
{
    static char sentence[64];
    snprintf(sentence, sizeof sentence, "error %d", (int)error);
    return sentence;
}
