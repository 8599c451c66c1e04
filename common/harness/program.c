#include "program.h"
#include "scope.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "limit.h"
#include "placement.h"

bool program_wants(const struct run *run, const char *variant)
{
    const struct variant *variants = run->program->variants;
    for (size_t i = 0; variants[i].name; i++)
        if (strcmp(variants[i].name, variant) == 0)
            return run->settings.variants >> i & 1;
    fail("%s has no variant %s", run->program->name, variant);
}

bool program_wants_variant(const struct run *run, int variant)
{
    return run->settings.variants >> variant & 1;
}

/* In one piece, so that lines of several ranks do not run into one another. */
static void say(const char *format, va_list arguments)
{
    char line[1024];
    vsnprintf(line, sizeof line, format, arguments);
    fprintf(stderr, "%s\n", line);
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

void program_choose_device(struct run *run)
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
    program_bind(device, devices);
}

/* Ranks that share a GPU compute on the CPU as well, and have all of it. */
void program_bind(int device, int devices)
{
    const char *how = getenv("DATAMOTION_BIND");
    if (ranks.count > 1 && ranks.local_count <= devices && (!how || strcmp(how, "none") != 0))
        placement_bind(NULL, device);
}

/* Whether a program that no launcher started is only asked about itself: that needs no MPI, which
 * takes its time, or does not start. */
static bool only_asked(int argc, char **argv)
{
    static const char *const questions[] = {"-h", "--help", "-V", "--version", "-l", "--list"};
    if (argc != 2 || getenv("PMIX_RANK") || getenv("PMI_RANK"))
        return false;
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++)
        if (strcmp(argv[1], questions[i]) == 0)
            return true;
    return false;
}

int program_main(const struct program *program, int argc, char **argv)
{
    struct run run = {.program = program, .argc = argc, .argv = argv};
    if (program->start)
        program->start(argc, argv);
    if (program->start_ranks && !only_asked(argc, argv))
        program->start_ranks(&argc, &argv);
    status_alike = true;
    options_parse(program, &run.settings, argc, argv);
    status_alike = false;
    limit_start(&run);
    if (program->uses_gpu)
        program_choose_device(&run);
    record_open(&run);
    scope_open();
    program->run(&run);
    scope_close();
    enum exit_code code = record_close(&run);
    ranks.stop();
    return code;
}
