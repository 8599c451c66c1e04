#if HAVE_UCX
#include "ucx_calls.h"

#include <dlfcn.h>
#include <stddef.h>

#include "error.h"

struct ucx_calls ucx;

enum dm_status ucx_load(void)
{
    static void *library;
#define UCX_NAME(name) {#name, offsetof(struct ucx_calls, name)},
    static const struct {
        const char *name;
        size_t offset;
    } functions[] = {UCX_FUNCTIONS(UCX_NAME)};
    if (library)
        return DM_OK;
    void *opened = dlopen("libucp.so.0", RTLD_NOW | RTLD_LOCAL);
    if (!opened)
        return dm_fail(DM_UNAVAILABLE, "CAF_CONDUIT=ucx: %s (Debian: libucx0)", dlerror());
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        void *function = dlsym(opened, functions[i].name);
        if (!function)
            return dm_fail(DM_UNAVAILABLE, "CAF_CONDUIT=ucx: this UCX lacks %s", functions[i].name);
        *(void **)((char *)&ucx + functions[i].offset) = function;
    }
    library = opened;
    return DM_OK;
}
#else
/* Compiled without UCX's headers (Debian: libucx-dev): conduit_ucx.c says so. */
typedef int ucx_is_missing;
#endif
