#include "application_columns.h"

#include <math.h>
#include <string.h>

const struct column application_columns[] = {
    PARAMETER(struct application_row, app, "application"),
    PARAMETER(struct application_row, size, "n of the application: width, particles, elements"),
    PARAMETER(struct application_row, devices, "devices that the program was given"),
    PARAMETER(struct application_row, iterations, "iterations of the application's loop"),
    PARAMETER(struct application_row, split,
              "dimensions along which grids were cut; default: the data base's"),
    PARAMETER(struct application_row, htod,
              "what copies from the host did: scatter, broadcast, lazy"),
    PARAMETER(struct application_row, resolution,
              "copies between launches: exact, last-writer, none"),
    PARAMETER(struct application_row, access,
              "how accessed elements were found: boxes, rows, points"),
    PARAMETER(struct application_row, block_x,
              "threads of a block in x; 0: the application's default"),
    PARAMETER(struct application_row, block_y,
              "threads of a block in y; 0: the application's default"),
    PARAMETER(struct application_row, block_z,
              "threads of a block in z; 0: the application's default"),
    PARAMETER(struct application_row, options, "see --options"),
    METRIC(struct application_row, app_htod_s, "the application's copies to the device (s)"),
    METRIC(struct application_row, app_kernel_s,
           "the application's launches and waiting for them (s)"),
    METRIC(struct application_row, app_dtoh_s, "the application's copies to the host (s)"),
    METRIC(struct application_row, kernel_s,
           "kernels, slowest device of each launch (s); with option spans"),
    METRIC(struct application_row, dep_calc_s,
           "finding out what has to be copied between launches (s)"),
    METRIC(struct application_row, sync_comm_s, "copies between devices (s); with option spans"),
    METRIC(struct application_row, interval_s,
           "accessed intervals, part of dep_calc_s or app_dtoh_s (s)"),
    METRIC(struct application_row, gather_interval_s, "part of interval_s inside app_dtoh_s (s)"),
    METRIC(struct application_row, delin_s,
           "part of interval_s: from rows to runs of elements (s)"),
    METRIC(struct application_row, dr_create_s, "building of copy lists (s)"),
    METRIC(struct application_row, partition_s, "cutting of grids (s)"),
    METRIC(struct application_row, htod_bytes, "bytes from the host to devices"),
    METRIC(struct application_row, dtoh_bytes, "bytes from devices to the host"),
    METRIC(struct application_row, d2d_bytes, "bytes between devices"),
    METRIC(struct application_row, d2d_copies, "copies between devices"),
    METRIC(struct application_row, kl_created, "objects of different launches"),
    METRIC(struct application_row, aa_created, "objects of different argument accesses"),
    METRIC(struct application_row, dr_created, "objects of different dependencies"),
    METRIC(struct application_row, launches, "launches of the application"),
    METRIC(struct application_row, one_device, "of these, launches that were not split"),
    METRIC(struct application_row, allocated_bytes, "bytes allocated on all devices"),
    METRIC(struct application_row, requested_bytes, "bytes that the application asked for"),
    METRIC(struct application_row, pair_bytes_min, "bytes between two devices, least ordered pair"),
    METRIC(struct application_row, pair_bytes_max,
           "bytes between two devices, largest ordered pair"),
    METRIC(struct application_row, max_difference,
           "largest relative difference to the original's result"),
    METRIC(struct application_row, stale_elements,
           "4-byte words that differ from the original's result"),
    {0},
};

static void add_parameters(struct application_row *row, const struct application_job *job)
{
    const struct application_work *work = job->work;
    const struct application_mode *mode = &job->mode;
    row->app = work->application->name;
    row->size = work->input.n;
    row->devices = mode->devices;
    row->iterations = work->input.iterations;
    row->split = mode->split;
    row->htod = mode->htod;
    row->resolution = mode->resolution;
    row->access = mode->access;
    row->block_x = work->input.block[0];
    row->block_y = work->input.block[1];
    row->block_z = work->input.block[2];
    row->options = mode->options;
}

static void add_times(struct application_row *row, const struct application_job *job)
{
    const struct partition_statistics *s = &job->last.statistics;
    const struct application_times *times = &job->last.times;
    bool partitioned = job->variant == APPLICATION_PARTITIONED;
    bool spans = partitioned && strstr(job->mode.options, "spans");
    row->app_htod_s = times->htod_s;
    row->app_kernel_s = times->kernel_s;
    row->app_dtoh_s = times->dtoh_s;
    row->kernel_s = spans ? s->kernel_s : NAN;
    row->sync_comm_s = spans ? s->sync_comm_s : NAN;
    row->dep_calc_s = partitioned ? s->dep_calc_s : NAN;
    row->interval_s = partitioned ? s->interval_s : NAN;
    row->gather_interval_s = partitioned ? s->gather_interval_s : NAN;
    row->delin_s = partitioned ? s->delin_s : NAN;
    row->dr_create_s = partitioned ? s->dr_create_s : NAN;
    row->partition_s = partitioned ? s->partition_s : NAN;
}

/* What only a partitioned run has. */
static int64_t count_of(const struct application_job *job, uint64_t count)
{
    return job->variant == APPLICATION_PARTITIONED ? (int64_t)count : NO_VALUE;
}

static void add_counts(struct application_row *row, const struct application_job *job)
{
    const struct partition_statistics *s = &job->last.statistics;
    row->htod_bytes = count_of(job, s->htod_bytes);
    row->dtoh_bytes = count_of(job, s->dtoh_bytes);
    row->d2d_bytes = count_of(job, s->d2d_bytes);
    row->d2d_copies = count_of(job, s->d2d_copies);
    row->kl_created = count_of(job, s->kl_created);
    row->aa_created = count_of(job, s->aa_created);
    row->dr_created = count_of(job, s->dr_created);
    row->launches = count_of(job, s->launches);
    row->one_device = count_of(job, s->one_device);
    row->allocated_bytes = count_of(job, s->allocated_bytes);
    row->requested_bytes = count_of(job, s->requested_bytes);
}

/* Over the ordered pairs of devices that the statistics count. */
static void add_pairs(struct application_row *row, const struct application_job *job)
{
    const uint64_t(*pairs)[16] = job->last.statistics.pair_bytes;
    int devices = job->mode.devices < 16 ? job->mode.devices : 16;
    row->pair_bytes_min = row->pair_bytes_max = NO_VALUE;
    for (int from = 0; job->variant == APPLICATION_PARTITIONED && from < devices; from++)
        for (int to = 0; to < devices; to++) {
            int64_t bytes = (int64_t)pairs[from][to];
            if (from == to)
                continue;
            if (row->pair_bytes_min == NO_VALUE || bytes < row->pair_bytes_min)
                row->pair_bytes_min = bytes;
            if (bytes > row->pair_bytes_max)
                row->pair_bytes_max = bytes;
        }
}

void application_columns_fill(const void *task, double time_s, void *filled)
{
    const struct application_job *job = task;
    struct application_row *row = filled;
    (void)time_s;
    add_parameters(row, job);
    add_times(row, job);
    add_counts(row, job);
    add_pairs(row, job);
    row->max_difference = job->check ? job->last.difference : NAN;
    row->stale_elements = job->check ? job->last.different : NO_VALUE;
}
