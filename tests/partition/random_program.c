/* random_program.c: a program for one GPU that is made from a seed. */
#include "random_program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint64_t program_below(struct random_program *program, uint64_t bound)
{
    return random_below(program->seed, program->drawn++, bound);
}

void program_check(struct random_program *program, CUresult result, const char *call)
{
    const char *name = "an unknown error";
    program->last = call;
    if (result == CUDA_SUCCESS)
        return;
    cuGetErrorName(result, &name);
    fprintf(stderr, "seed %llu: %s: %s\n", (unsigned long long)program->seed, call, name);
    exit(1);
}

CUmodule program_module(struct random_program *program, const char *file)
{
    char path[4096];
    for (int i = 0; i < program->loaded_count; i++)
        if (!strcmp(program->loaded[i].file, file))
            return program->loaded[i].module;
    struct loaded *loaded = &program->loaded[program->loaded_count++];
    loaded->file = file;
    snprintf(path, sizeof path, "%s/%s.so", program->modules, file);
    CALL(cuModuleLoad(&loaded->module, path));
    return loaded->module;
}

static void begin(struct random_program *program)
{
    static const unsigned launches[] = {2, 5, 9};
    int places[PLACES];
    size_t bytes = 0;
    program->launches = launches[program_below(program, 3)];
    program->one_device = program_below(program, 3);
    CALL(cuMemAllocHost((void **)&program->arena, ARENA_BYTES));
    random_fill_bytes(program->arena, ARENA_BYTES, program->seed);
    /* Numbers that are not too large, whatever bytes they are made of. */
    for (int i = 0; i < ARENA_BYTES; i++)
        program->arena[i] &= 0x3f;
    for (int i = 0; i < BUFFERS; i++) {
        size_t elements =
            8 + program_below(program, program_below(program, 4) ? BYTES_MAX / 4 - 8 : 50);
        bytes = program->whole && i ? bytes : 4 * elements;
        program->bytes[i] = program->whole ? bytes : bytes + program_below(program, 4);
        CALL(cuMemAlloc(&program->buffer[i], program->bytes[i]));
        CALL(cuMemcpyHtoD(program->buffer[i], program->arena, program->bytes[i]));
    }
    for (int i = 0; i < PLACES; i++)
        places[i] = (i * 571 + 3) % PLACES;
    CALL(cuMemAlloc(&program->places, sizeof places));
    CALL(cuMemcpyHtoD(program->places, places, sizeof places));
    CALL(cuModuleGetGlobal(&program->coefficients, &bytes, program_module(program, "conv2d"),
                           "conv2d_coefficients"));
    CALL(cuMemcpyHtoD(program->coefficients, program->arena, bytes));
    for (int i = 0; i < STREAMS; i++)
        CALL(cuStreamCreate(&program->stream[i], CU_STREAM_DEFAULT));
    CALL(cuEventCreate(&program->event, CU_EVENT_DEFAULT));
}

static void end(struct random_program *program, unsigned char *result)
{
    CALL(cuCtxSynchronize());
    memcpy(result, program->arena, ARENA_BYTES);
    result += ARENA_BYTES;
    for (int i = 0; i < BUFFERS; i++) {
        CALL(cuMemcpyDtoH(result, program->buffer[i], program->bytes[i]));
        CALL(cuMemFree(program->buffer[i]));
        result += program->bytes[i];
    }
    for (int i = 0; i < STREAMS; i++)
        CALL(cuStreamDestroy(program->stream[i]));
    CALL(cuEventDestroy(program->event));
    CALL(cuMemFreeHost(program->arena));
}

void program_run(struct random_program *program, int calls, unsigned char *result)
{
    begin(program);
    for (int i = 0; i < calls; i++) {
        if (program_below(program, 10) < program->launches)
            program_launch(program);
        else
            program_memory_call(program);
        if (!program_below(program, 6))
            program_overwrite(program);
    }
    const char *last = program->last;
    end(program, result);
    program->last = last;
}
