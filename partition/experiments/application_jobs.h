/* application_jobs.h: runs of an application in one mode, each compared with the original's result.
 */
#ifndef APPLICATION_JOBS_H
#define APPLICATION_JOBS_H

#include "partition/experiments/apps/application.h"

#include "application_modes.h"

/* An application with its input, and what it computes. */
struct application_work {
    const struct application *application;
    struct application_input input;
    void *result; /* of the unmodified program */
    size_t result_bytes;
};

enum application_way { APPLICATION_ORIGINAL, APPLICATION_PARTITIONED, APPLICATION_BY_HAND };

struct application_sample {
    struct application_times times;
    struct partition_statistics statistics; /* of partitioned runs */
    int64_t different;                      /* 4-byte words that are not the original's */
    double difference;                      /* the largest relative one, words taken as floats */
};

/* One way in one mode: the task of a comparison. */
struct application_job {
    int variant; /* enum application_way */
    const struct application_work *work;
    struct application_mode mode; /* of ways other than partitioned: the number of devices */
    bool check;
    struct application_sample last;
    long errors;    /* the maximum of all runs; 0 where other results are what the mode shows */
    char note[256]; /* why a launch of the last run was not split; "": all were */
};

/* Fills in the result, by a run of the unmodified program. Ends the program on an error. */
void application_work_open(struct application_work *work);
void application_work_close(struct application_work *work);

/* One run, whose total_s it returns. Ends the program if the run fails. */
double application_job_sample(void *job);

#endif
