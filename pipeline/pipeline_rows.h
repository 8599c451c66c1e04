/* pipeline_rows.h: the versions of pipeline.h as methods of bench.h, and their rows. */
#ifndef PIPELINE_ROWS_H
#define PIPELINE_ROWS_H

#include "common/harness/record.h"

#include "common/regions/copies.h"
#include "common/regions/bench.h"
#include "common/regions/kernel_time.h"
#include "common/regions/link.h"

/* Options of pipeline_method. */
struct pipeline_execution {
    enum copies_version version;
    struct copies_options options;
    bool chosen; /* chunk size and streams by pipeline_choose: no parameters of the row */
};

/* Reports are struct copies_report. */
extern const struct bench_method pipeline_method;

/* The columns of pipeline_record, ended by {0}. */
extern const struct column pipeline_columns[];

/* The less of kernel_s and what naive's samples say, if the measured configuration is naive. */
double pipeline_kernel_least(const struct bench_configuration *configuration, double kernel_s);

/* A row per repetition of a measured configuration of pipeline_method, or one that says that it
 * does not fit. kernel_s: of its region, as above. */
void pipeline_record(struct run *run, const struct bench_configuration *configuration,
                     const char *dataset, const struct link_rates *link, double kernel_s);

#endif
