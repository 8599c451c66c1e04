/* random_slices.c: what the arguments of a random launch reach, and its grid. */
#include "random_slices.h"

static unsigned blocks_for(struct random_launch *launch, unsigned threads, unsigned block)
{
    unsigned blocks = threads ? (threads + block - 1) / block : 1;
    if (launch->program->whole)
        return blocks;
    switch (program_below(launch->program, 8)) {
    case 0:
        return blocks / 2 + 1;
    case 1:
        return blocks + 1 + (unsigned)program_below(launch->program, 4);
    default:
        return blocks;
    }
}

void slices_run(struct random_launch *launch, const unsigned grid[2], const unsigned block[2],
                void **arguments)
{
    struct random_program *program = launch->program;
    CUfunction function;
    CALL(cuModuleGetFunction(&function, program_module(program, launch->file), launch->kernel));
    CALL(cuLaunchKernel(function, grid[0], grid[1], 1, block[0], block[1], 1, 0,
                        program->stream[program->current], arguments, NULL));
    program->last = launch->kernel;
}

void slices_run_line(struct random_launch *launch, int threads, void **arguments)
{
    static const unsigned sizes[] = {8, 32, 33, 100, 256};
    unsigned block[2] = {sizes[program_below(launch->program, 5)], 1};
    slices_run(launch, (unsigned[]){blocks_for(launch, (unsigned)threads, block[0]), 1}, block,
               arguments);
}

void slices_run_plane(struct random_launch *launch, int width, int height, void **arguments)
{
    static const unsigned sizes[][2] = {{8, 8}, {16, 4}, {5, 3}, {32, 1}};
    const unsigned *block = sizes[program_below(launch->program, 4)];
    slices_run(launch,
               (unsigned[]){blocks_for(launch, (unsigned)width, block[0]),
                            blocks_for(launch, (unsigned)height, block[1])},
               block, arguments);
}

void slices_choose(struct random_launch *launch, int count)
{
    struct random_program *program = launch->program;
    bool halves = count > BUFFERS || (!program->whole && !program_below(program, 4));
    int slots = halves ? 2 * BUFFERS : BUFFERS;
    int first = (int)program_below(program, (uint64_t)slots);
    if (program->again)
        first = program->read;
    program->read = program->written = -1;
    for (int i = 0; i < count; i++) {
        int slot = (first + i) % slots, buffer = slot % BUFFERS;
        unsigned elements = (unsigned)program->bytes[buffer] / 4, begin = 0;
        if (halves) {
            elements /= 2;
            begin = slot < BUFFERS ? 0 : elements;
        }
        if (!program->whole && program_below(program, 2)) {
            unsigned skipped = (unsigned)program_below(program, elements / 2 + 1);
            begin += skipped;
            elements -= skipped;
        }
        *(i ? &program->written : &program->read) = buffer;
        launch->slice[i] = (struct slice){program->buffer[buffer] + 4 * begin, elements};
    }
}

void slices_choose_n(struct random_launch *launch, int count, unsigned per)
{
    unsigned n = launch->slice[0].elements / per;
    for (int i = 1; i < count; i++)
        n = launch->slice[i].elements / per < n ? launch->slice[i].elements / per : n;
    if (!launch->program->whole && !program_below(launch->program, 3))
        n = (unsigned)program_below(launch->program, n + 1);
    launch->n = (int)n;
}

void slices_choose_width(struct random_launch *launch, int count)
{
    slices_choose_n(launch, count, 1);
    int width = 0;
    while ((width + 1) * (width + 1) <= launch->n)
        width++;
    launch->n = width;
}
