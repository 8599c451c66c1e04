/* loops.h: loops that a compiler with offload makes kernels of, as their users write them: whole
 * arrays on the device, chunks of iterations updated and computed on queues in turn. They are what
 * the pipeline is compared with.
 *
 * openacc.c and openmp.c each become a shared object with these functions, as a program has offload
 * tables of one of the two kinds; pipeline/offload.c loads them. */
#ifndef PIPELINE_OFFLOAD_LOOPS_H
#define PIPELINE_OFFLOAD_LOOPS_H

#include <stddef.h>

#define OFFLOAD_API __attribute__((visibility("default")))

enum offload_benchmark { OFFLOAD_CONV2D, OFFLOAD_CONV3D, OFFLOAD_ATAX, OFFLOAD_BENCHMARKS };

struct offload_loop {
    enum offload_benchmark benchmark;
    long size;
    float *arrays[3]; /* host memory: input, output; of atax A, x, y */
    long chunk;       /* iterations per chunk */
    int queues;
    long updates; /* of the last run: calls that copy, and what they copied */
    size_t bytes_in, bytes_out;
};

/* NULL, or why these loops would not run on a GPU. */
OFFLOAD_API const char *offload_missing(void);

/* Makes the arrays on the device, executes the loop, releases them. After a run the results are on
 * the host. The run-time library ends the process if the device fails. */
OFFLOAD_API void offload_open(const struct offload_loop *loop);
OFFLOAD_API void offload_run(struct offload_loop *loop);
OFFLOAD_API void offload_close(const struct offload_loop *loop);

/* Notes an update of so many elements to or from the device. */
static inline void offload_count(struct offload_loop *loop, size_t in, size_t out)
{
    loop->updates++;
    loop->bytes_in += in * sizeof(float);
    loop->bytes_out += out * sizeof(float);
}

/* Elements of each array. */
static inline size_t offload_elements(const struct offload_loop *loop, int array)
{
    const size_t n = (size_t)loop->size;

    switch (loop->benchmark) {
    case OFFLOAD_CONV2D:
        return array < 2 ? n * n : 0;
    case OFFLOAD_CONV3D:
        return array < 2 ? n * n * n : 0;
    default:
        return array == 0 ? n * n : n;
    }
}

/* The 3x3 convolution at (i, j), and the 3-D one at (i, j, k), for arrays of n columns. */
#define OFFLOAD_CONV2D_AT(in, n, i, j)                                                             \
    (0.2f * (in)[((i)-1) * (n) + (j)-1] + 0.5f * (in)[((i)-1) * (n) + (j)] -                       \
     0.8f * (in)[((i)-1) * (n) + (j) + 1] - 0.3f * (in)[(i) * (n) + (j)-1] +                       \
     0.6f * (in)[(i) * (n) + (j)] - 0.9f * (in)[(i) * (n) + (j) + 1] +                             \
     0.4f * (in)[((i) + 1) * (n) + (j)-1] + 0.7f * (in)[((i) + 1) * (n) + (j)] +                   \
     0.1f * (in)[((i) + 1) * (n) + (j) + 1])
#define OFFLOAD_CUBE(in, n, i, j, k) (in)[((i) * (n) + (j)) * (n) + (k)]
#define OFFLOAD_CONV3D_AT(in, n, i, j, k)                                                          \
    ((-1.0f * OFFLOAD_CUBE(in, n, (i)-1, (j)-1, (k)-1) +                                           \
      2.0f * OFFLOAD_CUBE(in, n, (i)-1, (j)-1, (k) + 1) +                                          \
      5.0f * OFFLOAD_CUBE(in, n, (i)-1, j, (k) + 1) -                                              \
      8.0f * OFFLOAD_CUBE(in, n, (i)-1, (j) + 1, (k) + 1) -                                        \
      3.0f * OFFLOAD_CUBE(in, n, i, (j)-1, k) + 6.0f * OFFLOAD_CUBE(in, n, i, j, k) -              \
      9.0f * OFFLOAD_CUBE(in, n, i, (j) + 1, k) +                                                  \
      21.0f * OFFLOAD_CUBE(in, n, (i) + 1, (j)-1, (k)-1) +                                         \
      4.0f * OFFLOAD_CUBE(in, n, (i) + 1, (j)-1, (k) + 1) +                                        \
      7.0f * OFFLOAD_CUBE(in, n, (i) + 1, j, (k) + 1) +                                            \
      10.0f * OFFLOAD_CUBE(in, n, (i) + 1, (j) + 1, (k) + 1)) /                                    \
     76.0f)

#endif
