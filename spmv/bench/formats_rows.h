/* formats_rows.h: the rows that spmv_formats writes, one per sample, and their columns. */
#ifndef SPMV_BENCH_FORMATS_ROWS_H
#define SPMV_BENCH_FORMATS_ROWS_H

#include "reference.h"
#include "side.h"

/* Ended by {0}. */
extern const struct column spmv_formats_columns[];

/* One matrix in one precision. */
struct spmv_formats_matrix {
    const char *name;
    const struct spmv_coo *coo;
    struct sparse_profile profile;
    struct spmv_task task;
};

/* Verifies a part, if the settings say so, and records the samples of its subject. */
void spmv_formats_record_part(struct run *run, const struct spmv_formats_matrix *matrix,
                              struct spmv_part *part, const struct subject *subject);

/* The same of the dense product. */
void spmv_formats_record_dense(struct run *run, struct spmv_dense *dense,
                               const struct subject *subject);

#endif
