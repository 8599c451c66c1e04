/* sweep.h: the results of tuner_sweep as a table to be replayed. */
#ifndef TUNER_SWEEP_H
#define TUNER_SWEEP_H

#include <datamotion/tuner.h>

/* The columns of a file of tuner_sweep that are neither parameters nor time_s, ended by NULL. */
extern const char *const sweep_ignored[];

/* The rows of one kernel. Ends the program with a sentence on errors. */
struct tuner_replay *sweep_load(const char *path, const char *kernel);

#endif
