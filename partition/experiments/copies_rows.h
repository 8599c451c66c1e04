/* copies_rows.h: what partition_copies writes: its columns, and a row for each interval. */
#ifndef COPIES_ROWS_H
#define COPIES_ROWS_H

#include "common/harness/program.h"

#include "copies_modes.h"

/* What is timed of an example: its access sets, or the copies of a mode. */
struct copies_task {
    const struct copies_case *example;
    struct partition_database *database;
    struct copies_sets *sets;
    enum copies_mode mode; /* COPIES_MODES: access sets */
};

extern const struct column copies_columns[];

/* Writes the rows of all repetitions of a task. */
void copies_rows_record(struct run *run, const struct copies_task *task,
                        const struct subject *subject);

#endif
