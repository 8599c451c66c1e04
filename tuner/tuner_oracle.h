/* tuner_oracle.h: who says how long a configuration takes. */
#ifndef TUNER_ORACLE_H
#define TUNER_ORACLE_H

#include <stdbool.h>
#include <stddef.h>

#include "tuner_space.h"

/* What became of a configuration. All are first-class results: each counts as a trial. */
enum tuner_outcome {
    TUNER_OK,
    TUNER_INVALID, /* it cannot be: refused at launch, or known to be so in replayed data */
    TUNER_FAILED,  /* the command ended with an error, or printed no time */
    TUNER_HANGING, /* it was stopped at its time limit */
    TUNER_OUTCOMES
};

extern const char *const tuner_outcome_names[TUNER_OUTCOMES]; /* ok, invalid, failed, hanging */

struct tuner_trial {
    enum tuner_outcome outcome;
    double time_s;   /* of the configuration: smaller is better; NaN unless ok */
    double spread_s; /* half width of the 95 % interval of time_s; 0: one measurement, not known */
    double cost_s;   /* how long it took to find out */
};

struct tuner_oracle {
    struct tuner_trial (*measure)(void *context, size_t configuration);
    void *context;
};

/* ---- measured points: --replay ---- */

/* A table of measured points as CSV: a header, one column per parameter, one column time_s; an
 * empty or NaN time is an invalid configuration. Columns named in `ignored` (NULL-ended, may be
 * NULL) are left out; numbers that are all whole make an integer parameter, words a category. A
 * path ending in .gz is decompressed. Up to a million rows. Rows whose column `filter_column` is
 * not `filter_value` are skipped (both NULL: none are). */
struct tuner_replay;

/* NULL with a sentence on errors: unreadable, no time_s, ragged row (with its line), a number that
 * is none, negative time, two rows for one configuration, no valid row, too many rows. A last line
 * that is cut off is an error too: it says so. */
struct tuner_replay *tuner_replay_load(const char *path, const char *const *ignored,
                                       const char *filter_column, const char *filter_value,
                                       const char **complaint);
void tuner_replay_free(struct tuner_replay *replay);

/* The columns of a file of tuner_sweep that are neither parameters nor time_s, NULL-ended. */
extern const char *const tuner_replay_sweep_ignored[];

const struct tuner_space *tuner_replay_space(const struct tuner_replay *replay);
/* cost_s is time_s. Several threads may ask at once. */
struct tuner_oracle tuner_replay_oracle(struct tuner_replay *replay);
/* The least time, and of how many configurations the time is known. */
double tuner_replay_best_s(const struct tuner_replay *replay);
size_t tuner_replay_valid(const struct tuner_replay *replay);

/* ---- a command: --command ---- */

struct tuner_command_options {
    const char *
        command; /* run by /bin/sh; {name} stands for the parameter's value, {{ and }} for braces */
    int runs;    /* successful runs per configuration, >= 1; time_s is their median */
    double limit_s;      /* a run that takes longer is killed with all its children: hanging */
    const char *pattern; /* prefix of the line whose first number is the time in s ("time_s:");
                            NULL: the command's wall time counts */
    bool verbose;        /* its stderr goes to ours, else it is dropped */
};

struct tuner_command;

/* NULL with a sentence: an unknown {name}, an unbalanced brace, a parameter that the command does
 * not mention is no error. */
struct tuner_command *tuner_command_open(const struct tuner_space *space,
                                         const struct tuner_command_options *options,
                                         const char **complaint);
void tuner_command_close(struct tuner_command *command);
struct tuner_oracle tuner_command_oracle(struct tuner_command *command);
/* Why the last run that failed did so: "it ended with exit code 1"; empty if none has. */
const char *tuner_command_failure(const struct tuner_command *command);

/* ---- a kernel of the suite: --kernel ---- */

struct tuner_kernel;

/* Kernel `name` of tunable.h at data set `dataset` or a number, with thread blocks of the
 * parameters bx and by, which the space must have; time on the device, mean of `runs` launches
 * after one that is not timed and is verified (wrong results: failed). NULL with a sentence on
 * errors. */
struct tuner_kernel *tuner_kernel_open(const struct tuner_space *space, const char *name,
                                       const char *dataset, int runs, uint64_t seed,
                                       const char **complaint);
void tuner_kernel_close(struct tuner_kernel *kernel);
struct tuner_oracle tuner_kernel_oracle(struct tuner_kernel *kernel);

#endif
