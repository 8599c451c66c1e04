/* real_driver.c: finds CUDA's own functions. */
#include "real_driver.h"

#include <dlfcn.h>
#include <pthread.h>

struct real_driver real;
static __thread bool is_looking;

bool real_driver_is_looking(void)
{
    return is_looking;
}

static CUresult missing(void)
{
    return CUDA_ERROR_NOT_FOUND;
}

/* The next definition after the interposed one; a program that opens the driver
 * by itself, or does not name it to the linker, has none. */
static void *find(const char *name)
{
    static void *library;
    void *function = dlsym(RTLD_NEXT, name);
    if (function)
        return function;
    if (!library)
        library = dlopen("libcuda.so.1", RTLD_NOW);
    function = library ? dlsym(library, name) : NULL;
    return function ? function : (void *)missing;
}

static void load(void)
{
#define LOAD(name) real.name = (__typeof__(real.name))find(#name);
    is_looking = true;
    REAL_DRIVER(LOAD)
    is_looking = false;
#undef LOAD
}

void real_driver_load(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
}
