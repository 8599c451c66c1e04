/* rows.h: the versions of common/regions/copies.h, and the library on several GPUs, as a method of
 * bench.h, and the rows of programs that compare them. */
#ifndef PIPELINE_ROWS_H
#define PIPELINE_ROWS_H

#include "common/harness/record.h"
#include "common/regions/bench.h"
#include "common/regions/copies.h"
#include "common/regions/kernel_time.h"
#include "common/regions/link.h"

/* Options of rows_method. */
struct execution {
    enum copies_version version;
    struct copies_options options;
    const struct benchmark *benchmark; /* of loops with offload (offload.h), else NULL */
    bool chosen; /* chunk size and streams by choice_make: no parameters of the row */
    int gpus;    /* that share the loop; 0: one, without the library */
    const struct link_rates *links; /* of several GPUs, all busy; NULL: one, or not there */
};

/* Reports are struct copies_report. */
extern const struct bench_method rows_method;

/* The columns of rows_record, ended by {0}. */
extern const struct column rows_columns[];

/* What the links of `gpus` GPUs carry together in both directions, of as many links that are alone.
 */
double rows_links_ratio(const struct link_rates *links, int gpus, const struct link_rates *alone);

/* A program's `start`: what rows_record says of device memory in use needs a second process. */
void rows_start(int argc, char **argv);

/* The minimum of kernel_s and what the samples say, if the measured version is naive. */
double rows_kernel_minimum(const struct bench_configuration *configuration, double kernel_s);

/* A row per repetition of a measured configuration of rows_method, or one that says that it does
 * not fit. link: of one GPU alone; kernel_s: kernel_seconds of its region. */
void rows_record(struct run *run, const struct bench_configuration *configuration,
                 const char *dataset, const struct link_rates *link, double kernel_s);

#endif
