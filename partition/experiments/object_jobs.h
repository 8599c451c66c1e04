/* object_jobs.h: what one repetition of partition_objects finds, and its rows. */
#ifndef OBJECT_JOBS_H
#define OBJECT_JOBS_H

#include "common/harness/program.h"

enum object_column {
    OBJECT_STEP,
    OBJECT_DEVICES,
    OBJECT_CREATED,
    OBJECT_EXPECTED,
    OBJECT_REPEATED,
    OBJECT_ONE_DEVICE,
    OBJECT_POINTERS,
    OBJECT_MATCHING,
    OBJECT_SEQUENCES,
    OBJECT_DROPPED,
    OBJECT_MISMATCHES,
    OBJECT_COLUMNS
};
extern const struct column object_columns[];

/* One repetition: the cells that the sample fills in; the others stay empty. */
struct object_row {
    struct value values[OBJECT_COLUMNS];
    double time_s;
    long errors;
};

/* One configuration. `sample` does a repetition, the warm-up included. */
struct object_job {
    const char *variant, *step;
    int devices;
    void (*sample)(const struct object_job *job, struct object_row *row);
    void *context; /* the sample's own */
    int number;    /* the sample's own: which step */
    uint64_t seed; /* another one for each repetition */
    struct object_row *rows;
    size_t count, capacity;
};

/* Measures all jobs that --variants left on and writes their rows. */
void object_jobs_run(struct run *run, struct object_job *jobs, size_t count);

#endif
