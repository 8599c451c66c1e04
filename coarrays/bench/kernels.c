#include "kernels.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/harness/exit.h"

enum { SETTINGS = 3 };
static const char *const names[SETTINGS] = {"CAF_PATH", "CAF_TRANSFER", "CAF_CONDUIT"};

/* The variants in Fortran, and the environment in which their instance of the library starts. */
static const struct setting {
    const char *variant;
    const char *value[SETTINGS]; /* of names[] */
} settings[] = {
    {"datamotion", {NULL}},
    {"opencoarrays", {NULL}},
    {"libcaf-mpi", {"rma", "datatype", "mpi"}},
    {"element", {"rma", "element", "mpi"}},
    {"ucx", {"rma", "block", "ucx"}},
    {"mpi", {NULL}},
};

static const struct setting *setting_of(const char *variant)
{
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        if (strcmp(settings[i].variant, variant) == 0)
            return &settings[i];
    return NULL;
}

bool kernels_exist(const char *group, const char *variant)
{
    bool is_mpi = strcmp(variant, "mpi") == 0;
    return setting_of(variant) && !(is_mpi && strcmp(group, KERNELS_UNOPTIMIZED) == 0);
}

/* What the user set holds for the other variants: it is kept in `before`. */
static void set_environment(const char *variant, char **before)
{
    const struct setting *setting = setting_of(variant);
    for (int i = 0; i < SETTINGS; i++) {
        const char *value = getenv(names[i]);
        before[i] = value ? strdup(value) : NULL;
        if (setting->value[i])
            setenv(names[i], setting->value[i], 1);
    }
}

static void restore_environment(char **before)
{
    for (int i = 0; i < SETTINGS; i++) {
        if (before[i])
            setenv(names[i], before[i], 1);
        else
            unsetenv(names[i]);
        free(before[i]);
    }
}

/* Beside the programs: <build>/bin/../lib/coarrays/<group>_<variant>.so. */
static void file_name(char *path, size_t bytes, const char *group, const char *variant)
{
    ssize_t length = readlink("/proc/self/exe", path, bytes - 1);
    check_errno(length > 0);
    path[length] = '\0';
    char *slash = strrchr(path, '/');
    size_t directory = (size_t)(slash - path);
    int added = snprintf(slash, bytes - directory, "/../lib/coarrays/%s_%s.so", group, variant);
    if (added < 0 || (size_t)added >= bytes - directory)
        fail("the path of this program is too long");
}

static const char *why_not_built(const char *variant)
{
    if (strcmp(variant, "ucx") == 0)
        return "gfortran or UCX was not there when this was built (Debian: gfortran, libucx-dev; "
               "./setup)";
    if (strcmp(variant, "opencoarrays") == 0)
        return "OpenCoarrays or gfortran was not there when this was built "
               "(Debian: libcoarrays-openmpi-dev, gfortran; ./setup)";
    return "gfortran was not there when this was built (Debian: gfortran; ./setup)";
}

/* The library would end the program. */
static bool has_ucx(void)
{
    void *library = dlopen("libucp.so.0", RTLD_NOW | RTLD_LOCAL);
    return library && dlclose(library) == 0;
}

static void start_library(void *handle)
{
    int argc = 0;
    char **argv = NULL;
    void (*start)(int *, char ***);
    *(void **)&start = dlsym(handle, "_gfortran_caf_init");
    if (start)
        start(&argc, &argv);
}

struct kernels kernels_load(const char *group, const char *variant)
{
    struct kernels kernels = {.variant = variant};
    char path[4096];
    file_name(path, sizeof path, group, variant);
    if (access(path, R_OK) != 0) {
        kernels.reason = why_not_built(variant);
        return kernels;
    }
    if (strcmp(variant, "ucx") == 0 && !has_ucx()) {
        kernels.reason = "UCX is not on this node (Debian: libucx0; ./setup)";
        return kernels;
    }
    char *before[SETTINGS];
    set_environment(variant, before);
    /* Static coarrays are registered, and so the library is started, while loading. */
    kernels.handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!kernels.handle)
        fail("cannot load %s: %s", path, dlerror());
    start_library(kernels.handle);
    restore_environment(before);
    return kernels;
}

void kernels_find(const struct kernels *kernels, const char *prefix, const char *const *names,
                  void *pointers)
{
    for (size_t i = 0; names[i]; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s%s", prefix, names[i]);
        void *procedure = dlsym(kernels->handle, name);
        if (!procedure)
            fail("the kernels of %s have no %s: build again", kernels->variant, name);
        memcpy((char *)pointers + i * sizeof procedure, &procedure, sizeof procedure);
    }
}

void kernels_unload(struct kernels *kernels)
{
    /* OpenCoarrays would end MPI itself; MPI_Finalize ends what it leaves. */
    if (kernels->handle && strcmp(kernels->variant, "opencoarrays") != 0) {
        void (*end)(void);
        *(void **)&end = dlsym(kernels->handle, "_gfortran_caf_finalize");
        if (end)
            end();
    }
    kernels->handle = NULL;
}
