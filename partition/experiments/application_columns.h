/* application_columns.h: the columns of partition_applications, and their values. */
#ifndef APPLICATION_COLUMNS_H
#define APPLICATION_COLUMNS_H

#include "common/harness/record.h"

#include "application_jobs.h"

struct application_row {
    const char *app;
    int64_t size;
    int devices;
    int64_t iterations;
    const char *split, *htod, *resolution, *access;
    int block_x, block_y, block_z;
    const char *options;
    double app_htod_s, app_kernel_s, app_dtoh_s;
    double kernel_s, dep_calc_s, sync_comm_s, interval_s, gather_interval_s, delin_s, dr_create_s,
        partition_s;
    int64_t htod_bytes, dtoh_bytes, d2d_bytes, d2d_copies, kl_created, aa_created, dr_created,
        launches, one_device, allocated_bytes, requested_bytes, pair_bytes_min, pair_bytes_max;
    double max_difference;
    int64_t stale_elements;
};
extern const struct column application_columns[];

/* Fills the row of the job's last run. */
void application_columns_fill(const void *job, double time_s, void *row);

#endif
