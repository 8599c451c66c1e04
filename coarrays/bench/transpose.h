/* transpose.h: a transpose of a distributed array of three dimensions (Fanfarillo 2016, 6.4.7 and
 * 6.4.8).
 *
 * An array of size[0] x size[1] x size[2] doubles lies in slabs of the third dimension: image q of
 * P holds a(size[0], size[1], size[2] / P). The transpose holds all of the third dimension in one
 * image and is cut along the second: b(size[0], size[2], size[1] / P), b(x, z, y) = a(x, y, z).
 * Every image sends a block to every other. The first dimension varies fastest. */
#ifndef COARRAYS_BENCH_TRANSPOSE_H
#define COARRAYS_BENCH_TRANSPOSE_H

/* What every variant can do. Collective, in this order; `size` is of the whole array. */
struct transpose_kernels {
    void (*create)(const int size[3]);
    void (*clear)(void); /* the result becomes -1 everywhere */
    void (*run)(const double *a);
    void (*get)(double *b);
    void (*destroy)(void);
};
extern const struct transpose_kernels transpose_caf, transpose_mpi;

#endif
