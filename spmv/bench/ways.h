/* ways.h: the ways to compute y <- A x that spmv_formats compares: each own format on the CPU
 * and on the device, and those of cuSPARSE. */
#ifndef SPMV_BENCH_WAYS_H
#define SPMV_BENCH_WAYS_H

#include <datamotion/spmv.h>

#include "reference.h"
#include "repeat.h"

/* A matrix whose products are measured, and what they must give. */
struct spmv_task {
    const struct spmv_coo *coo;
    struct spmv_options options;
    void *x;                   /* of options.precision, on the host */
    double *exact, *magnitude; /* of A x, see sparse_reference */
};

/* The matrix in one way, with vectors of its own. */
struct spmv_copy {
    void *matrix; /* the way's own */
    void *x, *y;  /* on the device, if the way is */
    int64_t stored;
    size_t value_bytes, index_bytes;
};

struct spmv_way {
    const char *variant;
    bool on_device;
    int kind; /* of the way's own: enum spmv_format, or how cuSPARSE is asked */
    /* Fills all but x and y, which are there. */
    enum dm_status (*open)(struct spmv_copy *copy, int kind, const struct spmv_task *task);
    void (*multiply)(const struct spmv_copy *copy, cudaStream_t stream);
    void (*close)(struct spmv_copy *copy);
};

/* The own formats on the CPU and on the device, ended by {0}. */
extern const struct spmv_way spmv_own_ways[];

/* A random x and the exact product; options are set before. */
void spmv_task_open(struct spmv_task *task, const struct spmv_coo *coo, uint64_t seed);
void spmv_task_close(struct spmv_task *task);

/* sparse_product_bytes() of the matrix in the task's precision. */
size_t spmv_task_bytes(const struct spmv_task *task);

/* A way with the copies that are used round-robin. */
struct spmv_copies {
    const struct spmv_way *way;
    const struct spmv_task *task;
    size_t count;
    struct spmv_copy copy[SPMV_TURNS_MAX];
    double
        convert_s; /* from COO in host memory until products can be computed: the shorter of two */
    double reformat_s;    /* from CSR on the device, the median; NaN: was not measured */
    long reformat_errors; /* what that gives has wrong products */
};

enum dm_status spmv_copies_open(struct spmv_copies *copies, const struct spmv_way *way,
                                const struct spmv_task *task, size_t count);
void spmv_copies_close(struct spmv_copies *copies);

/* Measures how long the own format of the copies, one of the device other than CSR, takes from CSR
 * that lies there, and verifies the result if `check` says so. Where there is no memory for one
 * more copy nothing is measured. Overwrites y. */
void spmv_copies_reformat(struct spmv_copies *copies, const struct spmv_matrix *csr, bool check);

/* The operation of struct spmv_repeat: the product of one copy. */
void spmv_copies_multiply(void *copies, size_t turn, cudaStream_t stream);

/* Computes the product of each copy anew, over y full of NaN. The largest error ratio of all (see
 * sparse_error_ratio); *wrong counts the copies where it is above 1. */
double spmv_copies_verify(struct spmv_copies *copies, long *wrong);

#endif
