/* interval_case.h: a launch whose accessed intervals are computed, for partition_intervals. */
#ifndef PARTITION_INTERVAL_CASE_H
#define PARTITION_INTERVAL_CASE_H

#include <datamotion/partition.h>

struct interval_case {
    const char *name; /* stencil, islpy, matmul, nbody */
    int64_t size;
    int devices;
    char split[4];
    struct partition_database *database;
    struct partition_kernel *kernel;
    struct partition_shape shape;
    struct partition_part parts[PARTITION_MAX_DEVICES];
    int64_t *scalars;
};

/* Makes the case that `word` names (NAME or NAME:SIZE), from the data bases of `folder`; ends the
 * program with a sentence if it cannot. `devices` and `split` ("": what the data base says) are
 * those of all cases but the worked example, which has two parts. */
struct interval_case interval_case_open(const char *word, const char *folder, int devices,
                                        const char *split);
void interval_case_close(struct interval_case *opened);

/* One set for each device. Ends the program if the sets cannot be found. */
void interval_case_compute(const struct interval_case *opened, size_t argument, bool write,
                           enum partition_access method, struct partition_intervals *sets,
                           struct partition_times *times);

#endif
