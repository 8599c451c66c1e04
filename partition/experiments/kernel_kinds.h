/* kernel_kinds.h: the kernels of the thesis's three programs, described so that each can be
 * launched by itself and checked against the CPU. */
#ifndef KERNEL_KINDS_H
#define KERNEL_KINDS_H

#include <stdbool.h>
#include <stddef.h>

enum { KERNEL_ARRAYS = 7, KERNEL_SCALARS = 2, KERNEL_OUTPUTS = 3 };

/* What a launch starts from: the arrays' contents and the kernel's argument n. */
struct kernel_input {
    float *arrays[KERNEL_ARRAYS];
    int n;
    size_t threads; /* along each dimension of the grid */
};

/* One output element, in double precision, and the sum of the absolute values of what was added. */
struct kernel_output {
    double value[KERNEL_OUTPUTS], scale[KERNEL_OUTPUTS];
};

/* The arguments of each kernel: arrays of float, scalars of float, the int n. */
struct kernel_kind {
    const char *kernel, *application, *module;
    int dimensions;    /* of the grid and of the arrays */
    unsigned block[3]; /* threads, as the application launches it */
    bool whole_blocks; /* the kernel has no guard: threads are a multiple of the block */
    int arrays, scalars;
    int first_output, outputs; /* arrays that are written: three for the components of a vector */
    /* Range of the random contents. Where an output is not read, it is one that no result is in. */
    float low[KERNEL_ARRAYS], high[KERNEL_ARRAYS];
    float scalar[KERNEL_SCALARS];
    /* Whether the launch writes that element. */
    bool (*writes)(const struct kernel_input *input, size_t element);
    /* What it writes there. */
    struct kernel_output (*expect)(const struct kernel_input *input, size_t element);
};

/* mat_mul, stencil5p, update_velocities, update_positions; ended by {0}. */
extern const struct kernel_kind kernel_kinds[];

/* NULL if there is none of that name. */
const struct kernel_kind *kernel_kind_find(const char *kernel);

#endif
