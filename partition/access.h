/* access.h: which elements a part of a launch reads or writes of an argument. */
#ifndef PARTITION_ACCESS_H
#define PARTITION_ACCESS_H

#include "database.h"
#include "intervals.h"
#include "partitioner.h"

struct launch_shape {
    unsigned grid[3], block[3]; /* blocks, threads */
};

enum access_outcome {
    ACCESS_FAILED = -1, /* reason: an assumption of the analysis does not hold, ... */
    ACCESS_NONE,        /* the argument is not accessed that way */
    ACCESS_SET,         /* the set is exact (for writes), or holds every accessed element (reads) */
    ACCESS_WHOLE        /* reads: every element must be assumed */
};

struct access_times {
    double interval_s; /* all of it */
    double linear_s;   /* linearisation of rows to intervals */
};

/* The elements, in units of the argument's element, that the blocks of `part` access. `scalars` has
 * the value of each argument by its index (pointers: any). Not thread-safe for one data base.
 * `times` may be NULL; is added to. */
enum access_outcome access_intervals(struct database *database, struct database_kernel *kernel,
                                     size_t argument, bool write, const int64_t *scalars,
                                     const struct launch_shape *shape, const struct grid_part *part,
                                     enum partition_access method, struct intervals *out,
                                     struct access_times *times, char reason[PARTITION_REASON]);

/* Whether the analysis's assumptions hold for the launch; false with the reason. */
bool access_valid(struct database *database, struct database_kernel *kernel, const int64_t *scalars,
                  const struct launch_shape *shape, char reason[PARTITION_REASON]);

#endif
