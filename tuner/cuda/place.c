#include "place.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common/error.h"
#include "common/gpu.h"

static const char *or_else(const char *value, const char *otherwise)
{
    return value && *value ? value : otherwise;
}

/* ---- tools beside the program, in a build or installed ---- */

static enum dm_status find_tools(struct place *place)
{
    static const char *const below[] = {"../tuner", "../lib/datamotion/tuner"};
    char program[PATH_MAX - 64];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);

    if (length < 0)
        return error_errno("where this program is");
    program[length] = 0;
    char *slash = strrchr(program, '/');
    *slash = 0;
    for (size_t i = 0; i < sizeof below / sizeof *below; i++) {
        snprintf(place->tools, sizeof place->tools, "%s/%s", program, below[i]);
        snprintf(place->server, sizeof place->server, "%s/tuner-kernel", place->tools);
        if (access(place->server, X_OK) == 0)
            return DM_OK;
    }
    return dm_fail(DM_UNAVAILABLE,
                   "tuner-kernel, which measures kernels, is neither in %s/%s nor "
                   "in %s/%s",
                   program, below[0], program, below[1]);
}

/* ---- the folder ---- */

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *walk)
{
    (void)status;
    (void)type;
    (void)walk;
    return remove(path);
}

/* A compiler that is being killed may still write. */
static void remove_folder(const char *folder)
{
    enum { DESCRIPTORS = 8, ATTEMPTS = 50 };
    const struct timespec nap = {.tv_nsec = 20000000};

    for (int i = 0; i < ATTEMPTS && nftw(folder, remove_one, DESCRIPTORS, FTW_DEPTH | FTW_PHYS);
         i++)
        nanosleep(&nap, NULL);
}

/* In the child: waits until nobody has the other end of the pipe. */
static void become_janitor(const struct place *place, int gone)
{
    char none;

    setsid(); /* the terminal's signals are not for it */
    signal(SIGTERM, SIG_IGN);
    dup2(gone, STDIN_FILENO);
    close_range(STDERR_FILENO + 1, ~0u, 0);
    close(STDOUT_FILENO);
    close(STDERR_FILENO);
    while (read(STDIN_FILENO, &none, 1) < 0)
        ;
    remove_folder(place->folder);
    _exit(0);
}

static enum dm_status make_folder(struct place *place)
{
    int ends[2];

    snprintf(place->folder, sizeof place->folder, "%.2000s/datamotion-tuner-XXXXXX",
             or_else(getenv("TMPDIR"), "/tmp"));
    if (!mkdtemp(place->folder))
        return error_errno("a folder %s", place->folder);
    if (pipe2(ends, O_CLOEXEC) == 0) {
        place->alive = ends[1];
        place->janitor = fork();
        if (place->janitor == 0)
            become_janitor(place, ends[0]);
        close(ends[0]);
        if (place->janitor > 0)
            return DM_OK;
        close(ends[1]);
        place->janitor = 0;
    }
    enum dm_status status = error_errno("a process that removes %s", place->folder);
    rmdir(place->folder);
    return status;
}

enum dm_status place_open(struct place *place, const char *source)
{
    *place = (struct place){0};
    if (!realpath(source, place->source))
        return error_within(error_errno("%s", source), "--cuda");
    if (access(place->source, R_OK) != 0 || strpbrk(place->source, "\"\\\n"))
        return dm_fail(DM_INVALID, "--cuda %s: it cannot be read, or its path has a quote", source);
    TRY(find_tools(place));
    return make_folder(place);
}

void place_close(struct place *place)
{
    if (place->janitor) {
        close(place->alive);
        while (waitpid(place->janitor, NULL, 0) < 0 && errno == EINTR)
            ;
    }
    free(place->command);
}

void place_write_path(FILE *out, const char *path)
{
    char here[PATH_MAX] = "";

    if (*path != '/' && getcwd(here, sizeof here))
        fprintf(out, " %s/%s", here, path);
    else
        fprintf(out, " %s", path);
}

/* ---- the compiler ---- */

static enum dm_status set_command(struct place *place, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static enum dm_status set_command(struct place *place, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    int length = vasprintf(&place->command, format, arguments);
    va_end(arguments);
    if (length >= 0)
        return DM_OK;
    place->command = NULL;
    return error_no_memory(1);
}

/* The software GPU's headers, in the tree or installed. */
static void find_headers(const struct place *place, char *headers, size_t size)
{
    static const char *const below[] = {"../../../common/soft/include",
                                        "../../../include/datamotion/softgpu"};
    char probe[PATH_MAX + 128];

    for (size_t i = 0; i < sizeof below / sizeof *below; i++) {
        snprintf(headers, size, "%s/%s", place->tools, below[i]);
        snprintf(probe, sizeof probe, "%s/softgpu/module_kernel.h", headers);
        if (access(probe, R_OK) == 0)
            return;
    }
}

static enum dm_status set_default(struct place *place, const char *flags, int architecture)
{
    char headers[PATH_MAX + 64];

    if (strcmp(GPU_KIND, "soft") == 0) {
        find_headers(place, headers, sizeof headers);
        return set_command(place,
                           "%s -x c++ -std=c++17 -O2 -pthread -fPIC -DSOFTGPU -isystem '%s' "
                           "-fno-gnu-unique -shared -Wl,-Bsymbolic %s {build}.cu -o {build}.image",
                           or_else(getenv("CXX"), "g++"), headers, flags);
    }
    return set_command(
        place, "'%s/tuner-nvrtc' -arch=sm_%d -I'%s/include' %s {build}.cu {build}.image",
        place->tools, architecture, or_else(getenv("CUDA_HOME"), "/usr/local/cuda"), flags);
}

enum dm_status place_compiler(struct place *place, const char *compiler, const char *flags,
                              int architecture)
{
    flags = or_else(flags, "");
    if (!compiler || strcmp(compiler, "nvrtc") == 0)
        return set_default(place, flags, architecture);
    if (strcmp(compiler, "nvcc") == 0)
        return set_command(place,
                           "nvcc -cubin -std=c++17 -O3 -arch=sm_%d %s {build}.cu -o {build}.image",
                           architecture, flags);
    return set_command(place, "%s %s", compiler, flags);
}
