#include "program.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool program_wants(const struct run *run, const char *variant)
{
    const struct variant *variants = run->program->variants;
    for (size_t i = 0; variants[i].name; i++)
        if (strcmp(variants[i].name, variant) == 0)
            return run->settings.variants >> i & 1;
    fail("%s has no variant %s", run->program->name, variant);
}

static void say(const char *format, va_list arguments)
{
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
}

void program_note(const struct run *run, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (run->settings.verbosity >= 0 && ranks.rank == 0)
        say(format, arguments);
    va_end(arguments);
}

void program_debug(const struct run *run, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (run->settings.verbosity > 0)
        say(format, arguments);
    va_end(arguments);
}

static void choose_device(struct run *run)
{
    int devices = 0;
    cudaError_t result = cudaGetDeviceCount(&devices);
    if (result != cudaSuccess || devices == 0)
        waive("no GPU was found (%s): build with GPU=soft to use the software GPU",
              result == cudaSuccess ? "none is visible" : cudaGetErrorString(result));
    int device = run->settings.device >= 0 ? run->settings.device : ranks.local_rank % devices;
    if (device >= devices)
        fail("-d %d: there are %d GPUs, numbered from 0", device, devices);
    run->settings.device = device;
    run->gpus = 1;
    check_cuda(cudaSetDevice(device));
}

int program_main(const struct program *program, int argc, char **argv)
{
    struct run run = {.program = program, .argc = argc, .argv = argv};
    if (program->start_ranks)
        program->start_ranks(&argc, &argv);
    options_parse(program, &run.settings, argc, argv);
    status_start_limit(run.settings.time_limit_s);
    if (program->uses_gpu)
        choose_device(&run);
    record_open(&run);
    program->run(&run);
    enum exit_code code = record_close(&run);
    ranks.stop();
    return code;
}
