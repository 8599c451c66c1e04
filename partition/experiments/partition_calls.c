/* partition_calls: which functions of CUDA's driver API a program gets from libpartition.so. */
#include <dlfcn.h>
#include <string.h>

#include "common/clock.h"
#include "common/harness/program.h"

#include "module_path.h"

static const struct variant variants[] = {
    {"replaced", "libpartition.so has a function of this name in front of CUDA's"},
    {"passed", "calls reach CUDA as they are, with the objects of the first device"},
    {0},
};

/* Those that the thesis replaces; then those that it lacks and programs of today use. */
static struct option_words calls = {
    .list =
        "cuInit,cuDeviceGetCount,cuDeviceGet,cuDeviceComputeCapability,cuCtxCreate_v2,cuModuleLoad,"
        "cuModuleGetFunction,cuMemAlloc_v2,cuMemcpyHtoD_v2,cuLaunchKernel,cuCtxSynchronize,"
        "cuMemcpyDtoH_v2,cuMemFree_v2,cuCtxDestroy_v2,"
        "cuCtxCreate_v4,cuDevicePrimaryCtxRetain,cuGetProcAddress_v2,cuModuleLoadData,"
        "cuModuleGetGlobal_v2,cuModuleUnload,cuLaunchKernelEx,cuMemcpyHtoDAsync_v2,"
        "cuMemcpyDtoHAsync_v2,cuMemcpyDtoD_v2,cuMemcpy2DAsync_v2,cuMemsetD8_v2,cuMemsetD32Async,"
        "cuMemAllocAsync,cuMemGetInfo_v2,cuStreamSynchronize,cuStreamWaitEvent,cuEventRecord"};
static const char *modules;
static const struct program_option options[] = {
    {"calls", OPTION_WORDS, &calls, "LIST", "names of functions as libcuda.so has them", 0, 0},
    {"modules", OPTION_TEXT, &modules, "DIR",
     "folder of libpartition.so; none: ../partition beside the program", 0, 0},
    {0},
};

struct row {
    const char *call;
    bool replaced;
};
static const struct column columns[] = {
    PARAMETER(struct row, call, "function of the driver API"),
    METRIC(struct row, replaced, "1: the program gets libpartition.so's"),
    {0},
};

/* A name as a program started with the library in LD_PRELOAD finds it. */
struct look_up {
    void *library;
    const char *path, *name;
    bool is_replaced;
};

static double sample(void *context)
{
    struct look_up *look_up = context;
    double start_s = clock_now_s();
    void *function = dlsym(look_up->library, look_up->name);
    double time_s = clock_now_s() - start_s;
    Dl_info place;
    /* dlsym() also looks into the libraries that libpartition.so needs: CUDA's among them. */
    look_up->is_replaced =
        function && dladdr(function, &place) != 0 && strcmp(place.dli_fname, look_up->path) == 0;
    return time_s;
}

static void measure_call(struct run *run, struct look_up *look_up)
{
    struct subject subject = {.variant = "replaced", .sample = sample, .context = look_up};
    measure(run, &subject, 1);
    const char *variant = look_up->is_replaced ? "replaced" : "passed";
    const struct row row = {look_up->name, look_up->is_replaced};
    for (size_t i = 0; program_wants(run, variant) && i < subject.count; i++)
        record_row(run, variant, (int)i, &row, subject.times_s[i], 0);
    measure_free(&subject, 1);
}

static void run_all(struct run *run)
{
    char path[MODULE_PATH];
    module_path(path, modules, "libpartition.so");
    void *library = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
    if (!library)
        fail("%s", dlerror());
    for (size_t i = 0; i < calls.count; i++) {
        struct look_up look_up = {.library = library, .path = path, .name = calls.values[i]};
        measure_call(run, &look_up);
    }
    dlclose(library);
}

const struct program program = {
    .name = "partition_calls",
    .summary = "lists which calls of a program libpartition.so takes over",
    .details = "time_s is that of finding the function by its name. Source: Klein 2016, 3.3.",
    .variants = variants,
    .options = options,
    .columns = columns,
    .run = run_all,
};
