/* tuner_log.h: the trials of searches in a file, to be read, and to go on from.
 *
 * CSV: one column per parameter, then outcome, time_s, spread_s, cost_s, seed, strategy, oracle
 * (what was measured, in words). Each trial is written at once, so that a search that is killed
 * loses none. It can be replayed like any table of measured points. */
#ifndef TUNER_LOG_H
#define TUNER_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tuner_oracle.h"
#include "tuner_space.h"

struct tuner_log;

/* Opens a log, made if it is not there. If its last line is cut off, it is removed. NULL with a
 * sentence: it cannot be read or written, another tuner writes to it, it is of another space or
 * oracle, or is no log. */
struct tuner_log *tuner_log_open(const char *path, const struct tuner_space *space,
                                 const char *oracle, const char **complaint);
void tuner_log_close(struct tuner_log *log);

/* Configurations that the log had when it was opened, and whether a cut line was removed. */
size_t tuner_log_size(const struct tuner_log *log);
bool tuner_log_was_cut(const struct tuner_log *log);

/* The trial that the log had when it was opened (the last one, if there are several); false if it
 * had none. */
bool tuner_log_find(const struct tuner_log *log, size_t configuration, struct tuner_trial *trial);

/* Appends a trial. Ends the program if it cannot be written. */
void tuner_log_add(struct tuner_log *log, size_t configuration, const struct tuner_trial *trial,
                   uint64_t seed, const char *strategy);

/* The columns of a log that are no parameters and not time_s, NULL-ended. */
extern const char *const tuner_log_ignored[];

#endif
