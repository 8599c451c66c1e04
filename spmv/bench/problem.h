/* problem.h: y <- alpha A x + beta y with random x and y on both sides, timed and verified in
 * any format. */
#ifndef SPMV_BENCH_PROBLEM_H
#define SPMV_BENCH_PROBLEM_H

#include <datamotion/spmv.h>

struct spmv_problem {
    struct spmv_coo coo; /* the caller's; its values are those of the precision */
    enum spmv_precision precision;
    double alpha, beta;
    void *x, *start, *y;       /* of the precision; start: y before the product */
    double *exact, *magnitude; /* what y becomes, see sparse_reference() */
    void *x_device, *y_device; /* NULL: no GPU is used */
    cudaEvent_t begin, end;
};

/* Takes the matrix over and makes the vectors. In float precision all numbers are rounded to it, so
 * that the product which is verified is that of the numbers which are multiplied; ends the program
 * if one is too large for it. */
void spmv_problem_open(struct spmv_problem *problem, struct spmv_coo *coo,
                       enum spmv_precision precision, double alpha, double beta, uint64_t seed);

/* Also on the current device. */
void spmv_problem_open_device(struct spmv_problem *problem);

void spmv_problem_close(struct spmv_problem *problem);

/* y as it was before the first product. */
void spmv_problem_reset(struct spmv_problem *problem, bool on_device);

/* Time in s of one of `count` products, each on the y that the one before left: wall clock on the
 * host, events on the device. */
double spmv_problem_time(struct spmv_problem *problem, const struct spmv_matrix *matrix,
                         bool on_device, int count);

/* Products that together take at least `sample_s`, at most `maximum`. */
int spmv_problem_count(struct spmv_problem *problem, const struct spmv_matrix *matrix,
                       bool on_device, double sample_s, int maximum);

/* sparse_error_ratio() of one product: at most 1 if it is right. */
double spmv_problem_error_ratio(struct spmv_problem *problem, const struct spmv_matrix *matrix,
                                bool on_device);

#endif
