/* names.h: names of formats and precisions, as options choose among them. */
#ifndef SPMV_BENCH_NAMES_H
#define SPMV_BENCH_NAMES_H

/* In the order of enum spmv_format, and hlg, which is hll; ended by NULL. */
extern const char *const spmv_format_names[];

/* In the order of enum spmv_precision; ended by NULL. */
extern const char *const spmv_precision_names[];

#endif
