/* copies_modes.h: what is copied for the last launch of a case, by three rules, and what it would
 * read that is not the latest. */
#ifndef COPIES_MODES_H
#define COPIES_MODES_H

#include <datamotion/partition.h>

#include "copies_cases.h"

enum copies_mode {
    COPIES_LAST_WRITER, /* from the launch before alone */
    COPIES_OMEGA,       /* from whoever wrote each element last */
    COPIES_NONE,
    COPIES_MODES
};
extern const char *const copies_mode_names[COPIES_MODES];

struct copies_result {
    struct partition_intervals owner[COPIES_DEVICES]; /* elements that a device wrote last */
    struct partition_intervals copied[COPIES_DEVICES][COPIES_DEVICES]; /* from, to */
    struct partition_intervals stale[COPIES_DEVICES][COPIES_DEVICES];  /* read, and not copied */
    int64_t foreign_reads[COPIES_DEVICES]; /* elements read that another device wrote last */
};

/* The copies as the run time lists them; the caller frees *copies. What is timed. */
size_t copies_compute(const struct copies_case *example, const struct copies_sets *sets,
                      enum copies_mode mode, struct partition_copy **copies);

/* The result of a mode, from its list of copies. */
void copies_result_compute(const struct copies_case *example, const struct copies_sets *sets,
                           enum copies_mode mode, struct copies_result *result);
void copies_result_free(struct copies_result *result);

/* Executes the launches and copies element by element and counts what disagrees with the result;
 * mode omega must leave nothing stale. */
long copies_count_errors(const struct copies_case *example, const struct copies_sets *sets,
                         enum copies_mode mode, const struct copies_result *result);

#endif
