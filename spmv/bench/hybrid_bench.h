/* hybrid_bench.h: iterated products of one cut, as something to be measured and verified. */
#ifndef SPMV_BENCH_HYBRID_BENCH_H
#define SPMV_BENCH_HYBRID_BENCH_H

#include <datamotion/spmv.h>

#include "common/harness/option_lists.h"

/* Replaces 0 in a list of numbers of threads by the number of cores. */
void hybrid_use_all_cores(struct option_numbers *threads);

/* A matrix of doubles with a random x and A x: what several cuts are measured with. */
struct hybrid_problem {
    struct spmv_coo coo;
    double *x, *exact, *magnitude;
};
/* pde of that edge; ends the program if there is no memory. */
void hybrid_problem_open(struct hybrid_problem *problem, int64_t edge, uint64_t seed);
void hybrid_problem_close(struct hybrid_problem *problem);

struct hybrid_bench {
    const struct hybrid_problem *problem;
    struct spmv_hybrid *hybrid;
    int threads;
    int products; /* of a sample: as many as take some milliseconds */
};
/* CPU in CSR, GPU in HLG. Ends the program if there is no memory. */
void hybrid_bench_open(struct hybrid_bench *bench, const struct hybrid_problem *problem,
                       int64_t cpu_rows, int threads);
void hybrid_bench_close(struct hybrid_bench *bench);

/* Sets x again, before each sample. */
void hybrid_bench_prepare(struct hybrid_bench *bench);

/* Seconds of a product on the host's clock, exchange and the end of the last product included. */
double hybrid_bench_sample(struct hybrid_bench *bench);

/* 1 if the error of one product is larger than rounding explains, else 0. */
long hybrid_bench_errors(struct hybrid_bench *bench);

#endif
