/* listings.h: the directives that the thesis prints with a kernel: a stencil and a 2-D convolution.
 */
#ifndef PIPELINE_LISTINGS_H
#define PIPELINE_LISTINGS_H

#include <stdbool.h>

#include <datamotion/pipeline.h>

#include "common/workloads/benchmark.h"

/* What every directive begins with. */
#define DIRECTIVE_HEAD "#pragma omp target teams distribute "

enum { LISTINGS = 2, LISTING_ARRAYS = 2 };

/* A listing, and the benchmark whose kernel is the body of its loop. */
struct listing {
    const char *directive; /* behind DIRECTIVE_HEAD */
    const struct benchmark_kind *kind;
    const char *arrays[LISTING_ARRAYS]; /* names of the input and the output */
    int dimensions;
    const char *constants[PIPELINE_DIMENSIONS]; /* names of the extents */
    void (*extents)(const void *context, long *extents);
    struct pipeline_loop expected; /* chunk size, streams and blocks */
};

/* By form of the directive. */
extern const struct listing listings[LISTINGS];

/* Binds the listing to the arrays and the kernel of a benchmark of its kind. Returns whether the
 * loop is the one that the benchmark describes itself. Ends the program if the directive is not
 * understood. */
bool listing_bind(const struct listing *listing, const struct benchmark *benchmark,
                  struct pipeline_loop *loop);

#endif
