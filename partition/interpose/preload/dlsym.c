/* dlsym.c: programs that look the driver's functions up get the interposed ones.
 *
 * CUDA's run time opens libcuda.so.1 by itself and looks up one name there, cuGetProcAddress_v2,
 * from which it has all others. dlsym_entry.S is the function dlsym() that programs call: it asks
 * here first, and otherwise jumps to the C library's, which then sees who called (RTLD_NEXT). */
#include <ctype.h>
#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

#include "partition/interpose/front/cu_addresses.h"
#include "partition/interpose/gpu/virtual_gpu.h"

typedef void *lookup(void *handle, const char *name);

/* The C library's dlsym(). */
__attribute__((visibility("hidden"))) lookup *dlsym_real;

__attribute__((visibility("hidden"))) void *dlsym_interposed(void *handle, const char *name);

static const void *own_base;
static void *own_library;

static void find_real(void)
{
    static const char *const versions[] = {"GLIBC_2.34", "GLIBC_2.2.5", "GLIBC_2.17"};
    for (size_t i = 0; i < sizeof versions / sizeof *versions && !dlsym_real; i++)
        dlsym_real = (lookup *)dlvsym(RTLD_NEXT, "dlsym", versions[i]);
}

static void find_own(void)
{
    Dl_info about;
    if (!dladdr((const void *)find_own, &about) || !about.dli_fname)
        return;
    own_base = about.dli_fbase;
    own_library = dlopen(about.dli_fname, RTLD_NOW | RTLD_NOLOAD);
}

static bool is_driver_name(const char *name)
{
    return name[0] == 'c' && name[1] == 'u' && isupper((unsigned char)name[2]);
}

/* The function of that name that this library exports; its own dependencies do not count. */
static void *own_function(const char *name)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    Dl_info about;
    pthread_once(&once, find_own);
    void *function = own_library ? dlsym_real(own_library, name) : NULL;
    return function && dladdr(function, &about) && about.dli_fbase == own_base ? function : NULL;
}

/* NULL: the C library's function is to be called. */
void *dlsym_interposed(void *handle, const char *name)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, find_real);
    if (handle == RTLD_NEXT || handle == RTLD_DEFAULT || !name || !is_driver_name(name) ||
        real_driver_is_looking() || !virtual_gpu_is_on())
        return NULL;
    void *own =
        strcmp(name, "cuGetProcAddress_v2") ? own_function(name) : (void *)runtime_get_address;
    return own && dlsym_real(handle, name) ? own : NULL;
}
