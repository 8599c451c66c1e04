/* driver_address.c: the addresses of the driver's functions by name, and the linker of PTX, which
 * is not there. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "soft_driver.h"

enum { NAME_BYTES = 128, NEWEST_VERSION = 4 };

/* The library that holds this function, so that functions of the same name elsewhere are not found.
 */
static void *own_library(void)
{
    Dl_info own;

    if (!dladdr((void *)(uintptr_t)driver_started, &own))
        return NULL;
    return dlopen(own.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
}

/* Newest version of the function that a program compiled with `cuda_version` can call. */
static int newest_version(const char *symbol, int cuda_version)
{
    return strcmp(symbol, "cuCtxCreate") == 0 && cuda_version < 13000 ? 2 : NEWEST_VERSION;
}

static void *address_of(const char *symbol, int cuda_version)
{
    char name[NAME_BYTES];
    void *library = own_library(), *address = NULL;

    for (int version = newest_version(symbol, cuda_version); version > 1 && !address; version--)
        if (snprintf(name, sizeof name, "%s_v%d", symbol, version) < (int)sizeof name)
            address = library ? dlsym(library, name) : NULL;
    if (library && !address)
        address = dlsym(library, symbol);
    if (library)
        dlclose(library);
    return address;
}

CUresult cuGetProcAddress(const char *symbol, void **function, int cuda_version, cuuint64_t flags,
                          CUdriverProcAddressQueryResult *status)
{
    if (!symbol || !function || flags > CU_GET_PROC_ADDRESS_LEGACY_STREAM)
        return CUDA_ERROR_INVALID_VALUE;
    *function = strncmp(symbol, "cu", 2) == 0 ? address_of(symbol, cuda_version) : NULL;
    if (status)
        *status = *function ? CU_GET_PROC_ADDRESS_SUCCESS : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
    return *function || status ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

/* ---- linking ---- */

CUresult cuLinkCreate(unsigned option_count, CUjit_option *options, void **option_values,
                      CUlinkState *state)
{
    (void)option_count;
    (void)options;
    (void)option_values;
    return state ? CUDA_ERROR_JIT_COMPILER_NOT_FOUND : CUDA_ERROR_INVALID_VALUE;
}

/* No state was ever created, so none is good. */
CUresult cuLinkAddData(CUlinkState state, CUjitInputType type, void *data, size_t bytes,
                       const char *name, unsigned option_count, CUjit_option *options,
                       void **option_values)
{
    (void)state;
    (void)type;
    (void)data;
    (void)bytes;
    (void)name;
    (void)option_count;
    (void)options;
    (void)option_values;
    return CUDA_ERROR_INVALID_HANDLE;
}

CUresult cuLinkAddFile(CUlinkState state, CUjitInputType type, const char *path,
                       unsigned option_count, CUjit_option *options, void **option_values)
{
    (void)state;
    (void)type;
    (void)path;
    (void)option_count;
    (void)options;
    (void)option_values;
    return CUDA_ERROR_INVALID_HANDLE;
}

CUresult cuLinkComplete(CUlinkState state, void **image, size_t *bytes)
{
    (void)state;
    (void)image;
    (void)bytes;
    return CUDA_ERROR_INVALID_HANDLE;
}

CUresult cuLinkDestroy(CUlinkState state)
{
    (void)state;
    return CUDA_ERROR_INVALID_HANDLE;
}
