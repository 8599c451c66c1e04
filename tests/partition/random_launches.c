/* random_launches.c: random launches, of kernels that can be split and of others. */
#include <string.h>

#include "random_slices.h"

static void in_to_out(struct random_launch *launch, const char *file, const char *kernel)
{
    slices_choose(launch, 2);
    slices_choose_n(launch, 2, 1);
    launch->file = file;
    launch->kernel = kernel;
    slices_run_line(launch, launch->n,
                    (void *[]){&launch->slice[0].address, &launch->slice[1].address, &launch->n});
}

static void smooth(struct random_launch *launch)
{
    in_to_out(launch, "chain", "chain_smooth");
}

static void cross_read(struct random_launch *launch)
{
    in_to_out(launch, "cross", "cross_read");
}

static void conditional(struct random_launch *launch)
{
    in_to_out(launch, "irregular", "conditional");
}

static void scale(struct random_launch *launch)
{
    float factor = (float)program_below(launch->program, 5) / 4 + 0.25f;
    bool in_place = !program_below(launch->program, 8);
    slices_choose(launch, 2);
    slices_choose_n(launch, 2, 1);
    launch->file = "chain";
    launch->kernel = "chain_scale";
    slices_run_line(launch, launch->n,
                    (void *[]){&launch->slice[in_place].address, &launch->slice[1].address, &factor,
                               &launch->n});
}

static void cross_write(struct random_launch *launch)
{
    slices_choose(launch, 1);
    slices_choose_n(launch, 1, 1);
    launch->file = "cross";
    launch->kernel = "cross_write";
    slices_run_line(launch, launch->n, (void *[]){&launch->slice[0].address, &launch->n});
}

static void refine(struct random_launch *launch)
{
    slices_choose(launch, 2);
    slices_choose_n(launch, 2, 1);
    if (launch->n < 3)
        return;
    int begin = 1 + (int)program_below(launch->program, (uint64_t)launch->n - 2);
    int end = begin + (int)program_below(launch->program, (uint64_t)(launch->n - begin));
    launch->file = "refine";
    launch->kernel = "refine";
    slices_run_line(launch, end,
                    (void *[]){&launch->slice[0].address, &launch->slice[1].address, &begin, &end});
}

static void reduce(struct random_launch *launch)
{
    slices_choose(launch, 2);
    slices_choose_n(launch, 2, 2);
    launch->file = "reduction";
    launch->kernel = "reduce_step";
    slices_run_line(launch, launch->n,
                    (void *[]){&launch->slice[1].address, &launch->slice[0].address, &launch->n});
}

static void reduce_blocks(struct random_launch *launch)
{
    slices_choose(launch, 2);
    slices_choose_n(launch, 2, 1);
    unsigned block = 8u << program_below(launch->program, 5), blocks = (unsigned)launch->n / block;
    launch->file = "reduction";
    launch->kernel = "reduce_block";
    slices_run(launch, (unsigned[]){blocks + 1, 1}, (unsigned[]){block, 1},
               (void *[]){&launch->slice[1].address, &launch->slice[0].address, &launch->n});
}

static void stencil(struct random_launch *launch)
{
    static const char *const kernels[][2] = {
        {"stencil", "stencil5p"}, {"stencil", "stencil9p"}, {"example", "stencil_ex"}};
    const char *const *kernel = kernels[program_below(launch->program, 3)];
    slices_choose(launch, 2);
    slices_choose_width(launch, 2);
    launch->file = kernel[0];
    launch->kernel = kernel[1];
    slices_run_plane(launch, launch->n, launch->n,
                     (void *[]){&launch->slice[0].address, &launch->slice[1].address, &launch->n});
}

static void triangle(struct random_launch *launch)
{
    slices_choose(launch, 1);
    slices_choose_width(launch, 1);
    launch->file = "bounds";
    launch->kernel = program_below(launch->program, 2) ? "bound_affine" : "row_width";
    slices_run_plane(launch, launch->n, launch->n,
                     (void *[]){&launch->slice[0].address, &launch->n});
}

static void convolution(struct random_launch *launch)
{
    bool constant = program_below(launch->program, 2);
    slices_choose(launch, 3);
    slices_choose_width(launch, 3);
    int width = launch->n, height = launch->n;
    void *image = &launch->slice[0].address, *out = &launch->slice[1].address;
    launch->file = "conv2d";
    launch->kernel = constant ? "conv2d_constant" : "conv2d";
    if (launch->slice[2].elements < 25)
        return;
    if (constant)
        slices_run_plane(launch, width, height, (void *[]){image, out, &width, &height});
    else
        slices_run_plane(launch, width, height,
                         (void *[]){image, &launch->slice[2].address, out, &width, &height});
}

static void product(struct random_launch *launch)
{
    slices_choose(launch, 3);
    slices_choose_width(launch, 3);
    launch->n = launch->n < 24 ? launch->n : 24;
    launch->file = "matmul";
    launch->kernel = "mat_mul_rows";
    slices_run_plane(launch, launch->n, launch->n,
                     (void *[]){&launch->slice[0].address, &launch->slice[1].address,
                                &launch->slice[2].address, &launch->n});
}

static void move_particles(struct random_launch *launch)
{
    float dt = 0.125f, epsilon = 0.5f;
    bool velocities = program_below(launch->program, 2);
    struct slice *s = launch->slice;
    slices_choose(launch, 7);
    slices_choose_n(launch, 7, 1);
    launch->n = launch->n < 100 ? launch->n : 100;
    launch->file = "nbody";
    launch->kernel = velocities ? "update_velocities_soft" : "update_positions";
    if (velocities)
        slices_run_line(launch, launch->n,
                        (void *[]){&s[6].address, &s[0].address, &s[1].address, &s[2].address,
                                   &s[3].address, &s[4].address, &s[5].address, &dt, &epsilon,
                                   &launch->n});
    else
        slices_run_line(launch, launch->n,
                        (void *[]){&s[0].address, &s[1].address, &s[2].address, &s[3].address,
                                   &s[4].address, &s[5].address, &dt, &launch->n});
}

/* Through a permutation. gather can be split, and writes a part of the buffer. */
static void places(struct random_launch *launch)
{
    static const char *const kernels[] = {"scatter", "histogram", "gather"};
    const char *kernel = kernels[program_below(launch->program, launch->program->whole ? 2 : 3)];
    slices_choose(launch, 2);
    void *in = &launch->slice[0].address, *out = &launch->slice[1].address;
    void *index = &launch->program->places;
    if (launch->slice[0].elements < PLACES || launch->slice[1].elements < PLACES)
        return;
    launch->n = PLACES - (int)program_below(launch->program, 100);
    launch->file = "irregular";
    launch->kernel = kernel;
    if (!strcmp(kernel, "histogram"))
        slices_run_line(launch, launch->n, (void *[]){index, out, &launch->n});
    else
        slices_run_line(launch, launch->n, (void *[]){index, in, out, &launch->n});
}

/* y += a x, and a scaling in place: each thread reads what it writes, or the buffer is one. */
static void grid_stride(struct random_launch *launch)
{
    float a = 0.25f;
    slices_choose(launch, 2);
    slices_choose_n(launch, 2, 1);
    launch->file = "irregular";
    launch->kernel = "grid_stride";
    slices_run_line(
        launch, launch->n / 2,
        (void *[]){&a, &launch->slice[0].address, &launch->slice[1].address, &launch->n});
}

void program_scale_in_place(struct random_program *program, int buffer)
{
    struct random_launch launch = {.program = program, .file = "chain", .kernel = "chain_scale"};
    float factor = 0.5f;
    launch.n = (int)program->bytes[buffer] / 4;
    slices_run_line(
        &launch, launch.n,
        (void *[]){&program->buffer[buffer], &program->buffer[buffer], &factor, &launch.n});
}

void program_launch(struct random_program *program)
{
    typedef void (*maker)(struct random_launch *);
    static const maker whole[] = {scale, cross_write, cross_read};
    static const maker one_device[] = {places, conditional, grid_stride};
    static const maker all[] = {scale,   cross_write,   cross_read, smooth,        refine,
                                reduce,  reduce_blocks, stencil,    stencil,       triangle,
                                product, convolution,   smooth,     move_particles};
    struct random_launch launch = {.program = program};
    if (program_below(program, 6) < program->one_device)
        one_device[program_below(program, program->whole ? 1 : 3)](&launch);
    else if (program->whole)
        whole[program_below(program, 3)](&launch);
    else
        all[program_below(program, sizeof all / sizeof *all)](&launch);
}
