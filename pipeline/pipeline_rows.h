/* pipeline_rows.h: the versions of pipeline.h as methods of bench.h, and their rows. */
#ifndef PIPELINE_ROWS_H
#define PIPELINE_ROWS_H

#include "common/harness/record.h"

#include "pipeline.h"
#include "common/regions/bench.h"
#include "common/regions/link.h"

/* Options of pipeline_method. */
struct pipeline_execution {
    enum pipeline_version version;
    struct pipeline_options options;
    bool chosen; /* chunk size and streams by pipeline_choose: no parameters of the row */
};

/* Reports are struct pipeline_report. */
extern const struct bench_method pipeline_method;

/* The columns of pipeline_record, ended by {0}. */
extern const struct column pipeline_columns[];

/* Device memory that may be used: `asked`, or, if that is 0, nearly all that is free now. */
size_t pipeline_budget(size_t asked);

/* Time in s of all kernels of one round, without copies beside them: the least of at most three
 * runs of naive, or of framework on one stream where whole arrays do not fit the budget; NaN where
 * not even that fits. The least, as it goes into a bound. */
double pipeline_kernel_seconds(const struct dm_region *region, size_t budget_bytes);

/* The less of kernel_s and what naive's samples say, if the measured configuration is naive. */
double pipeline_kernel_least(const struct bench_configuration *configuration, double kernel_s);

/* A row per repetition of a measured configuration of pipeline_method, or one that says that it
 * does not fit. kernel_s: of its region, as above. */
void pipeline_record(struct run *run, const struct bench_configuration *configuration,
                     const char *dataset, const struct link_rates *link, double kernel_s);

#endif
