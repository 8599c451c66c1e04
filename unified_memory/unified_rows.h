/* unified_rows.h: the rows of unified_bench. */
#ifndef UNIFIED_ROWS_H
#define UNIFIED_ROWS_H

#include "unified_methods.h"

/* A row per repetition of a measured configuration, or one that says that it does not fit. Counts
 * the traffic of managed memory in a run of its own. limited: the device has no more memory than
 * the capacity. */
void unified_record(struct run *run, const struct unified_case *what,
                    const struct bench_configuration *configuration, bool limited);

#endif
