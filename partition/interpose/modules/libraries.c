/* libraries.c: kernels that nvcc put into the program. */
#include "libraries.h"

#ifdef SOFTGPU

void libraries_forget_modules(void)
{
}

#else

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "common/error.h"
#include "partition/fatbin/fatbin.h"

struct library {
    struct library *next;
    CUlibrary handle;
    const void *image; /* stays where it is; NULL: `text`, or `why_not` */
    char *text;        /* PTX */
    bool tried;        /* to make it a module of the virtual GPU */
    struct module *module;
    char why_not[REASON_BYTES]; /* there is none */
};

struct kernel {
    struct kernel *next; /* of its slot */
    CUkernel handle;
    struct library *library;
    struct function *function; /* NULL: not looked for yet */
    char name[];
};

enum { SLOTS = 4096 };

/* Libraries hold for all contexts, so that calls about them come without any. Behind the lock of
 * the virtual GPU, where both are taken. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct library *libraries;
static struct kernel *slots[SLOTS];

static struct kernel **slot_of(const void *handle)
{
    uintptr_t bits = (uintptr_t)handle;
    return &slots[(bits >> 4 ^ bits >> 16) % SLOTS];
}

static struct library *find_library(CUlibrary handle)
{
    struct library *library = libraries;
    while (library && library->handle != handle)
        library = library->next;
    return library;
}

static struct kernel *find_kernel(const void *handle)
{
    struct kernel *kernel = *slot_of(handle);
    while (kernel && (const void *)kernel->handle != handle)
        kernel = kernel->next;
    return kernel;
}

static bool is_wrapper(const void *image)
{
    static const unsigned char magic[4] = {0xb1, 0x43, 0x62, 0x46};
    return memcmp(image, magic, sizeof magic) == 0;
}

/* What nvcc put into a program stays there, and is looked at when it is used; other images may go
 * when the call returns. */
static enum dm_status keep_image(struct library *library, const void *image, unsigned capability)
{
    if (!image)
        return dm_fail(DM_UNAVAILABLE, "its library was loaded from a file");
    if (is_wrapper(image)) {
        library->image = image;
        return DM_OK;
    }
    if (fatbin_is_image(image)) {
        const void *binary;
        size_t bytes;
        unsigned architecture;
        TRY(fatbin_of_image(image, &binary, &bytes));
        return fatbin_ptx(binary, bytes, capability, &library->text, &architecture);
    }
    if (memcmp(image, "\177ELF", 4) == 0)
        return dm_fail(DM_UNAVAILABLE, "its library is machine code without PTX");
    library->text = strdup(image);
    return library->text ? DM_OK : dm_fail(DM_NO_MEMORY, "no host memory for the library's PTX");
}

static unsigned capability_of_first(void)
{
    CUdevice device;
    int major = 0, minor = 0;
    if (real.cuDeviceGet(&device, 0) != CUDA_SUCCESS ||
        real.cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device) !=
            CUDA_SUCCESS ||
        real.cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device) !=
            CUDA_SUCCESS)
        return 0;
    return 10 * (unsigned)major + (unsigned)minor;
}

void libraries_loaded(CUlibrary handle, const void *image, const char *path)
{
    struct library *library = calloc(1, sizeof *library);
    if (!library)
        return;
    library->handle = handle;
    if (keep_image(library, path ? NULL : image, capability_of_first()) != DM_OK) {
        reasons_keep(library->why_not);
        library->tried = true;
    }
    pthread_mutex_lock(&lock);
    library->next = libraries;
    libraries = library;
    pthread_mutex_unlock(&lock);
}

static void free_kernels(const struct library *library)
{
    for (size_t i = 0; i < SLOTS; i++)
        for (struct kernel **link = &slots[i]; *link;) {
            struct kernel *kernel = *link;
            if (kernel->library != library) {
                link = &kernel->next;
                continue;
            }
            *link = kernel->next;
            free(kernel);
        }
}

void libraries_unloaded(struct virtual_gpu *gpu, CUlibrary handle)
{
    pthread_mutex_lock(&lock);
    struct library **link = &libraries;
    while (*link && (*link)->handle != handle)
        link = &(*link)->next;
    struct library *library = *link;
    if (library) {
        *link = library->next;
        free_kernels(library);
        if (gpu && library->module)
            modules_unload(gpu, library->module);
        free(library->text);
        free(library);
    }
    pthread_mutex_unlock(&lock);
}

void libraries_kernel(CUlibrary handle, CUkernel handle_of_kernel, const char *name)
{
    pthread_mutex_lock(&lock);
    struct library *library = find_library(handle);
    if (library && !find_kernel(handle_of_kernel)) {
        struct kernel *kernel = calloc(1, sizeof *kernel + strlen(name) + 1);
        if (kernel) {
            struct kernel **slot = slot_of(handle_of_kernel);
            kernel->next = *slot;
            kernel->handle = handle_of_kernel;
            kernel->library = library;
            strcpy(kernel->name, name);
            *slot = kernel;
        }
    }
    pthread_mutex_unlock(&lock);
}

static enum dm_status unpack(struct library *library)
{
    const void *binary;
    size_t bytes;
    unsigned architecture;
    if (library->text)
        return DM_OK;
    TRY(fatbin_of_image(library->image, &binary, &bytes));
    return fatbin_ptx(binary, bytes, capability_of_first(), &library->text, &architecture);
}

static enum dm_status make_module(struct virtual_gpu *gpu, struct library *library)
{
    TRY(unpack(library));
    return modules_load_library(gpu, library->text, &library->module);
}

static struct module *module_of(struct virtual_gpu *gpu, struct library *library)
{
    if (!library->tried) {
        library->tried = true;
        if (make_module(gpu, library) != DM_OK)
            reasons_keep(library->why_not);
        if (library->image) {
            free(library->text);
            library->text = NULL;
        }
    }
    return library->module;
}

struct module *libraries_module(struct virtual_gpu *gpu, CUlibrary handle)
{
    pthread_mutex_lock(&lock);
    struct library *library = find_library(handle);
    struct module *module = library ? module_of(gpu, library) : NULL;
    pthread_mutex_unlock(&lock);
    return module;
}

static enum dm_status find_function(struct virtual_gpu *gpu, struct kernel *kernel)
{
    struct module *module = module_of(gpu, kernel->library);
    CUfunction first;
    if (kernel->function)
        return DM_OK;
    if (!module)
        return dm_fail(DM_UNAVAILABLE, "%s", kernel->library->why_not);
    if (functions_get(gpu, module, kernel->name, &first) == CUDA_SUCCESS)
        kernel->function = functions_find(gpu, first);
    return kernel->function ? DM_OK
                            : dm_fail(DM_UNAVAILABLE, "it is not in the PTX of its library");
}

enum dm_status libraries_function(struct virtual_gpu *gpu, CUfunction handle,
                                  struct function **function, bool *is_known)
{
    pthread_mutex_lock(&lock);
    struct kernel *kernel = find_kernel(handle);
    enum dm_status status = DM_UNAVAILABLE;
    *is_known = kernel;
    if (kernel)
        status = find_function(gpu, kernel);
    *function = status == DM_OK ? kernel->function : NULL;
    pthread_mutex_unlock(&lock);
    return status;
}

const char *libraries_kernel_name(CUfunction handle)
{
    pthread_mutex_lock(&lock);
    const struct kernel *kernel = find_kernel(handle);
    pthread_mutex_unlock(&lock);
    return kernel ? kernel->name : NULL;
}

void libraries_forget_modules(void)
{
    pthread_mutex_lock(&lock);
    for (struct library *library = libraries; library; library = library->next) {
        library->module = NULL;
        library->tried = !library->image && !library->text;
    }
    for (size_t i = 0; i < SLOTS; i++)
        for (struct kernel *kernel = slots[i]; kernel; kernel = kernel->next)
            kernel->function = NULL;
    pthread_mutex_unlock(&lock);
}

#endif
