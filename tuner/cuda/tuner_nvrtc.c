/* tuner-nvrtc: compiles a CUDA source to an image for one GPU by NVRTC, which needs no host
 * compiler and takes a fraction of nvcc's time.
 *     tuner-nvrtc OPTIONS... SOURCE.cu IMAGE */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Names, types and numbers are those of nvrtc.h. */
typedef struct _nvrtcProgram *nvrtc_program;

static struct {
    int (*create)(nvrtc_program *program, const char *source, const char *name, int headers,
                  const char *const *contents, const char *const *names);
    int (*compile)(nvrtc_program program, int count, const char *const *options);
    int (*log_size)(nvrtc_program program, size_t *size);
    int (*log)(nvrtc_program program, char *log);
    int (*image_size)(nvrtc_program program, size_t *size);
    int (*image)(nvrtc_program program, char *image);
    const char *(*error)(int result);
} nvrtc;

static int fail_with(const char *what, const char *why)
{
    fprintf(stderr, "tuner-nvrtc: error: %s: %s\n", what, why);
    return 1;
}

static void *open_library(void)
{
    static const char *const names[] = {"libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12"};
    const char *home = getenv("CUDA_HOME");
    char path[4096];
    void *library = NULL;

    for (size_t i = 0; !library && i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "%s/lib64/%s", home && *home ? home : "/usr/local/cuda",
                 names[i]);
        library = dlopen(path, RTLD_NOW);
        if (!library)
            library = dlopen(names[i], RTLD_NOW);
    }
    return library;
}

static int load(void)
{
    void *library = open_library();
    const struct {
        void **function;
        const char *name;
    } functions[] = {
        {(void **)&nvrtc.create, "nvrtcCreateProgram"},
        {(void **)&nvrtc.compile, "nvrtcCompileProgram"},
        {(void **)&nvrtc.log_size, "nvrtcGetProgramLogSize"},
        {(void **)&nvrtc.log, "nvrtcGetProgramLog"},
        {(void **)&nvrtc.image_size, "nvrtcGetCUBINSize"},
        {(void **)&nvrtc.image, "nvrtcGetCUBIN"},
        {(void **)&nvrtc.error, "nvrtcGetErrorString"},
    };

    if (!library)
        return fail_with("libnvrtc.so", dlerror());
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (!(*functions[i].function = dlsym(library, functions[i].name)))
            return fail_with("libnvrtc.so", dlerror());
    return 0;
}

static char *read_file(const char *path)
{
    char *text = NULL;
    size_t bytes;
    FILE *in = fopen(path, "re"), *out = open_memstream(&text, &bytes);
    int letter;

    if (!in || !out)
        return NULL;
    while ((letter = fgetc(in)) != EOF)
        fputc(letter, out);
    fclose(in);
    fclose(out);
    return text;
}

static void show_log(nvrtc_program program)
{
    size_t size = 0;

    if (nvrtc.log_size(program, &size) != 0 || size < 2)
        return;
    char *log = malloc(size);
    if (log && nvrtc.log(program, log) == 0)
        fputs(log, stderr);
    free(log);
}

static int write_image(nvrtc_program program, const char *path)
{
    size_t size = 0;

    if (nvrtc.image_size(program, &size) != 0 || size == 0)
        return fail_with(path, "there is no image: -arch must name one GPU (sm_90)");
    char *image = malloc(size);
    FILE *out = fopen(path, "we");
    if (!image || !out || nvrtc.image(program, image) != 0)
        return fail_with(path, "it cannot be written");
    size_t written = fwrite(image, 1, size, out);
    free(image);
    return fclose(out) == 0 && written == size ? 0 : fail_with(path, "it cannot be written");
}

int main(int argc, char **argv)
{
    nvrtc_program program;

    if (argc < 3)
        return fail_with("usage", "tuner-nvrtc OPTIONS... SOURCE.cu IMAGE");
    if (load() != 0)
        return 1;
    char *source = read_file(argv[argc - 2]);
    if (!source)
        return fail_with(argv[argc - 2], "it cannot be read");
    int result = nvrtc.create(&program, source, argv[argc - 2], 0, NULL, NULL);
    if (result == 0) {
        result = nvrtc.compile(program, argc - 3, (const char *const *)argv + 1);
        show_log(program);
    }
    free(source);
    return result == 0 ? write_image(program, argv[argc - 1])
                       : fail_with(argv[argc - 2], nvrtc.error(result));
}
