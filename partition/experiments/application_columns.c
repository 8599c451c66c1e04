#include "application_columns.h"

#include <string.h>

const struct column application_columns[] = {
    {"app", COLUMN_PARAMETER, "application"},
    {"size", COLUMN_PARAMETER, "n of the application: width, particles, elements"},
    {"devices", COLUMN_PARAMETER, "devices that the program was given"},
    {"iterations", COLUMN_PARAMETER, "iterations of the application's loop"},
    {"split", COLUMN_PARAMETER, "dimensions along which grids were cut; default: the data base's"},
    {"htod", COLUMN_PARAMETER, "what copies from the host did: scatter, broadcast, lazy"},
    {"resolution", COLUMN_PARAMETER, "copies between launches: exact, last-writer, none"},
    {"access", COLUMN_PARAMETER, "how accessed elements were found: boxes, rows, points"},
    {"block_x", COLUMN_PARAMETER, "threads of a block in x; 0: the application's default"},
    {"block_y", COLUMN_PARAMETER, "threads of a block in y; 0: the application's default"},
    {"block_z", COLUMN_PARAMETER, "threads of a block in z; 0: the application's default"},
    {"options", COLUMN_PARAMETER, "see --options"},
    {"app_htod_s", COLUMN_METRIC, "the application's copies to the device (s)"},
    {"app_kernel_s", COLUMN_METRIC, "the application's launches and waiting for them (s)"},
    {"app_dtoh_s", COLUMN_METRIC, "the application's copies to the host (s)"},
    {"kernel_s", COLUMN_METRIC, "kernels, slowest device of each launch (s); with option spans"},
    {"dep_calc_s", COLUMN_METRIC, "finding out what has to be copied between launches (s)"},
    {"sync_comm_s", COLUMN_METRIC, "copies between devices (s); with option spans"},
    {"interval_s", COLUMN_METRIC, "accessed intervals, part of dep_calc_s or app_dtoh_s (s)"},
    {"gather_interval_s", COLUMN_METRIC, "part of interval_s inside app_dtoh_s (s)"},
    {"delin_s", COLUMN_METRIC, "part of interval_s: from rows to runs of elements (s)"},
    {"dr_create_s", COLUMN_METRIC, "building of copy lists (s)"},
    {"partition_s", COLUMN_METRIC, "cutting of grids (s)"},
    {"htod_bytes", COLUMN_METRIC, "bytes from the host to devices"},
    {"dtoh_bytes", COLUMN_METRIC, "bytes from devices to the host"},
    {"d2d_bytes", COLUMN_METRIC, "bytes between devices"},
    {"d2d_copies", COLUMN_METRIC, "copies between devices"},
    {"kl_created", COLUMN_METRIC, "objects of different launches"},
    {"aa_created", COLUMN_METRIC, "objects of different argument accesses"},
    {"dr_created", COLUMN_METRIC, "objects of different dependencies"},
    {"launches", COLUMN_METRIC, "launches of the application"},
    {"one_device", COLUMN_METRIC, "of these, launches that were not split"},
    {"allocated_bytes", COLUMN_METRIC, "bytes allocated on all devices"},
    {"requested_bytes", COLUMN_METRIC, "bytes that the application asked for"},
    {"pair_bytes_min", COLUMN_METRIC, "bytes between two devices, least ordered pair"},
    {"pair_bytes_max", COLUMN_METRIC, "bytes between two devices, largest ordered pair"},
    {"max_difference", COLUMN_METRIC, "largest relative difference to the original's result"},
    {"stale_elements", COLUMN_METRIC, "4-byte words that differ from the original's result"},
    {0},
};
enum { COLUMNS = sizeof application_columns / sizeof *application_columns - 1 };

struct row {
    struct value values[COLUMNS];
    size_t count;
};

static void add(struct row *row, struct value value)
{
    row->values[row->count++] = value;
}

/* What only a partitioned run has. */
static void add_if(struct row *row, bool known, struct value value)
{
    add(row, known ? value : none());
}

static void add_parameters(struct row *row, const struct application_job *job)
{
    const struct application_work *work = job->work;
    const struct application_mode *mode = &job->mode;
    add(row, text(work->application->name));
    add(row, integer(work->input.n));
    add(row, integer(mode->devices));
    add(row, integer(work->input.iterations));
    add(row, text(mode->split));
    add(row, text(mode->htod));
    add(row, text(mode->resolution));
    add(row, text(mode->access));
    for (int d = 0; d < 3; d++)
        add(row, integer(work->input.block[d]));
    add(row, text(mode->options));
}

static void add_times(struct row *row, const struct application_job *job,
                      const struct application_sample *sample)
{
    const struct partition_statistics *s = &sample->statistics;
    bool partitioned = job->way == APPLICATION_PARTITIONED;
    bool spans = partitioned && strstr(job->mode.options, "spans");
    add(row, real(sample->times.htod_s));
    add(row, real(sample->times.kernel_s));
    add(row, real(sample->times.dtoh_s));
    add_if(row, spans, real(s->kernel_s));
    add_if(row, partitioned, real(s->dep_calc_s));
    add_if(row, spans, real(s->sync_comm_s));
    add_if(row, partitioned, real(s->interval_s));
    add_if(row, partitioned, real(s->gather_interval_s));
    add_if(row, partitioned, real(s->delin_s));
    add_if(row, partitioned, real(s->dr_create_s));
    add_if(row, partitioned, real(s->partition_s));
}

static void add_counts(struct row *row, const struct application_job *job,
                       const struct application_sample *sample)
{
    const struct partition_statistics *s = &sample->statistics;
    const uint64_t counts[] = {s->htod_bytes, s->dtoh_bytes,      s->d2d_bytes,      s->d2d_copies,
                               s->kl_created, s->aa_created,      s->dr_created,     s->launches,
                               s->one_device, s->allocated_bytes, s->requested_bytes};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        add_if(row, job->way == APPLICATION_PARTITIONED, integer((int64_t)counts[i]));
}

/* Over the ordered pairs of devices that the statistics count. */
static void add_pairs(struct row *row, const struct application_job *job,
                      const struct application_sample *sample)
{
    int64_t least = INT64_MAX, most = 0;
    const uint64_t(*pairs)[16] = sample->statistics.pair_bytes;
    int devices = job->mode.devices < 16 ? job->mode.devices : 16;
    for (int from = 0; from < devices; from++)
        for (int to = 0; to < devices; to++) {
            int64_t bytes = (int64_t)pairs[from][to];
            least = from != to && bytes < least ? bytes : least;
            most = from != to && bytes > most ? bytes : most;
        }
    bool known = job->way == APPLICATION_PARTITIONED && devices > 1;
    add_if(row, known, integer(least));
    add_if(row, known, integer(most));
}

static void record_sample(struct run *run, const struct application_job *job, const char *variant,
                          const struct application_sample *sample, int repetition, double time_s)
{
    struct row row = {.count = 0};
    add_parameters(&row, job);
    add_times(&row, job, sample);
    add_counts(&row, job, sample);
    add_pairs(&row, job, sample);
    add_if(&row, job->check, real(sample->difference));
    add_if(&row, job->check, integer(sample->different));
    long errors = application_job_may_differ(job) ? 0 : (long)sample->different;
    record_values(run, variant, repetition, row.values, time_s, errors);
}

void application_columns_record(struct run *run, const struct application_job *job,
                                const char *variant, const double *times_s, size_t count)
{
    size_t warm_up = job->count - count;
    for (size_t i = 0; i < count; i++)
        record_sample(run, job, variant, &job->samples[warm_up + i], (int)i, times_s[i]);
}
