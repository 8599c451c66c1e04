/* interval_task.h: one access of one argument, computed by one way: a subject of measure(). */
#ifndef PARTITION_INTERVAL_TASK_H
#define PARTITION_INTERVAL_TASK_H

#include "common/harness/measure.h"
#include "partition/access_cache.h"

#include "interval_case.h"

/* The methods are those of enum partition_access. */
enum { INTERVAL_CACHED = PARTITION_POINTS + 1 };

struct interval_task {
    const struct interval_case *launch;
    size_t argument;
    bool write;
    int way;
    struct partition_intervals sets[PARTITION_MAX_DEVICES];
    double *linear_s; /* of every sample, those of the warm-up first; not of INTERVAL_CACHED */
    size_t samples;
    struct access_cache cache;
};

void interval_task_open(struct interval_task *task, const struct interval_case *launch,
                        size_t argument, bool write, int way);
struct subject interval_task_subject(struct interval_task *task, const char *variant);
void interval_task_close(struct interval_task *task);

/* Parts whose set differs from that of another method. */
long interval_task_errors(const struct interval_task *task);

#endif
