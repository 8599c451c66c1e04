/* application_columns.h: the columns of partition_applications, and their values. */
#ifndef APPLICATION_COLUMNS_H
#define APPLICATION_COLUMNS_H

#include "common/harness/record.h"

#include "application_jobs.h"

extern const struct column application_columns[];

/* One row for each of the last `count` samples of a job; times_s are those of measure(). */
void application_columns_record(struct run *run, const struct application_job *job,
                                const char *variant, const double *times_s, size_t count);

#endif
