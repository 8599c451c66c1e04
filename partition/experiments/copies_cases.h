/* copies_cases.h: sequences of launches of which the last reads a buffer that those before wrote,
 * and which elements each device accesses. */
#ifndef COPIES_CASES_H
#define COPIES_CASES_H

#include <datamotion/partition.h>

enum { COPIES_LAUNCHES = 3, COPIES_DEVICES = 3, COPIES_SCALARS = 4, COPIES_NO_ARGUMENT = -1 };

struct copies_launch {
    const char *kernel;
    int read_argument, write_argument; /* of the buffers that matter, or COPIES_NO_ARGUMENT */
    int64_t scalars[COPIES_SCALARS];   /* values of all arguments; of pointers any */
    struct partition_shape shape;
};

struct copies_case {
    const char *name, *meaning;
    const char *database; /* file name */
    int devices;
    const char *split;
    int64_t elements; /* of the buffer */
    int64_t row;      /* elements of a row; 0: the buffer has no rows */
    int launch_count;
    const struct copies_launch *launches[COPIES_LAUNCHES];
};

/* Ended by one without a name. */
extern const struct copies_case copies_cases[];

/* What each device accesses in each launch, in elements. */
struct copies_sets {
    struct partition_intervals reads[COPIES_LAUNCHES][COPIES_DEVICES];
    struct partition_intervals writes[COPIES_LAUNCHES][COPIES_DEVICES];
};

/* Replaces the sets by those of the case; ends the program with a sentence if the data base does
 * not give them. */
void copies_sets_compute(const struct copies_case *example, struct partition_database *database,
                         struct copies_sets *sets);
void copies_sets_free(struct copies_sets *sets);

#endif
