/* object_jobs.h: what one repetition of partition_objects finds: its row. */
#ifndef OBJECT_JOBS_H
#define OBJECT_JOBS_H

#include "common/harness/program.h"

struct object_row {
    const char *step;
    int devices;
    int64_t created, expected, repeated, one_device, pointers, matching, sequences, dropped,
        mismatches;
};
extern const struct column object_columns[];

enum object_variant { OBJECT_LAUNCH, OBJECT_PAIR, OBJECT_POINTER, OBJECT_CHAIN };

/* One configuration: the task of a comparison. */
struct object_job {
    int variant; /* enum object_variant */
    const char *step;
    int devices;
    /* Does a repetition, fills in the members of job->row that it knows, adds to job->errors and
     * returns the time. */
    double (*sample)(struct object_job *job);
    void *context; /* the sample's own */
    int number;    /* the sample's own: which step */
    uint64_t seed; /* another one for each repetition */
    struct object_row row;
    long errors; /* of all repetitions */
};

/* Measures all jobs that --variants left on and writes their rows. */
void object_jobs_run(struct run *run, struct object_job *jobs, size_t count);

#endif
