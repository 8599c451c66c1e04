/* tuner.h: searches for the configuration of a function, a program or a recorded table with the
 * least time. Link with -ldatamotion-tuner (pkg-config datamotion-tuner).
 *
 *     space       which configurations there are                          tuner_space.h
 *     objective   how long one takes: a callback, a command, a table      here
 *     strategy    which one is measured next, with a model's help or not  here, tuner_model.h
 *
 * Errors are reported as datamotion/status.h says; what opens or loads an object sets its pointer
 * to NULL on an error. Source: Cui, Directive-based data partitioning and pipelining and
 * auto-tuning for high-performance GPU computing (Virginia Tech, 2020), chapter 5. */
#ifndef DATAMOTION_TUNER_H
#define DATAMOTION_TUNER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <datamotion/status.h>
#include <datamotion/tuner_model.h>
#include <datamotion/tuner_space.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- objectives: how long does a configuration take? ---- */

/* What became of a configuration. All are results: each counts as a trial. */
enum tuner_outcome {
    TUNER_OK,
    TUNER_INVALID, /* it is impossible: refused at launch, or without a time in a table */
    TUNER_FAILED,  /* it was tried and did not work */
    TUNER_HANGING, /* it was stopped at its time limit */
    TUNER_OUTCOMES
};

/* "ok", "invalid", "failed" or "hanging". */
DM_API const char *tuner_outcome_name(enum tuner_outcome outcome);

enum { TUNER_FURTHER_MAX = 3 };

struct tuner_trial {
    enum tuner_outcome outcome;
    double time_s;   /* of the configuration: smaller is better; NaN unless ok */
    double spread_s; /* half width of the 95 % interval of time_s; 0: one measurement, or unknown */
    double cost_s;   /* how long it took to find out */
    double further[TUNER_FURTHER_MAX]; /* other quantities, if the objective has any; else 0 */
};

/* What is minimised. `measure` fills a trial whose outcome is ok and whose other members are 0, so
 * that any function of a configuration will do; time_s may be any finite number >= 0, not only a
 * time. A status other than DM_OK (dm_fail leaves its sentence) is no result: it ends the search.
 */
struct tuner_objective {
    enum dm_status (*measure)(void *context, size_t configuration, struct tuner_trial *trial);
    void *context;
};

/* Measures one configuration, without a search. */
DM_API enum dm_status tuner_objective_measure(struct tuner_objective objective,
                                              size_t configuration, struct tuner_trial *trial);

/* ---- searches ----
 *
 * A search measures one configuration after the other, none twice. Random choices depend on the
 * seed alone: the same seed, space and times give the same trials, bit for bit. */

struct tuner_search;
struct tuner_strategy;

struct tuner_search_options {
    const struct tuner_space *space;
    struct tuner_objective objective;
    uint64_t seed;
    size_t trials_max; /* with those recalled; 0: as many as there are configurations */
    double cost_max_s; /* stop when the new trials have cost so much; 0: no limit */
    /* Of strategies that learn. */
    const struct tuner_model_kind *model;
    size_t samples; /* per iteration or batch, >= 1 */
    /* IterML (Cui, 5.2.2). */
    double cut_ratio; /* share of the remaining configurations pruned per iteration, in (0, 1) */
    long iterations;  /* 0: until no configuration remains */
    bool latest_only; /* fit to the samples of this iteration only, instead of all so far */
    /* tuner_space_matrix of tuner_strategy_features; NULL: made and freed within. */
    const float *matrix;
    /* By configuration, how good it is elsewhere, from 0 to 1 (tuner_prior_load); NULL: unknown. */
    const float *prior;
    /* Called after each trial, and after each iteration of IterML; may be NULL. They may call
     * tuner_search_stop; a status other than DM_OK ends the search with an error. */
    enum dm_status (*after_trial)(struct tuner_search *search, size_t configuration,
                                  const struct tuner_trial *trial, void *context);
    enum dm_status (*after_iteration)(struct tuner_search *search, void *context);
    /* Called with configurations that will probably be tried soon, for those who can prepare them
     * (by compiling, for example); may be NULL. None needs to follow. A status other than DM_OK
     * ends the search with an error. */
    enum dm_status (*expect)(struct tuner_search *search, const size_t *configurations,
                             size_t count, void *context);
    void *context;
};

/* What is known so far; the members from `iteration` on are IterML's. */
struct tuner_progress {
    size_t trials; /* of all outcomes */
    size_t count[TUNER_OUTCOMES];
    bool found;  /* some configuration was ok */
    size_t best; /* the configuration with the least time, if found */
    struct tuner_trial best_trial;
    double cost_s;             /* of all trials but recalled ones */
    double model_s;            /* fitting and predicting */
    size_t known;              /* of the trials: those from tuner_search_recall */
    long iteration;            /* completed iterations */
    size_t remaining_before;   /* configurations before the last iteration's sampling */
    size_t sampled, pruned;    /* by the last iteration */
    const uint32_t *remaining; /* the configurations that it left, remaining_before - sampled -
                                  pruned of them; valid within after_iteration only */
};

/* Copies the options; what they point to must outlive the search. DM_NO_MEMORY. */
DM_API enum dm_status tuner_search_open(struct tuner_search **search,
                                        const struct tuner_search_options *options);
DM_API void tuner_search_close(struct tuner_search *search);

/* Before the search: this configuration was tried (resumed from a log). It counts as a trial from
 * now on, it may be the best one, and strategies start from it; after_trial is not called. Of two
 * for one configuration the first counts. DM_NO_MEMORY. */
DM_API enum dm_status tuner_search_recall(struct tuner_search *search, size_t configuration,
                                          const struct tuner_trial *trial);

/* Searches until the strategy is done or a limit is reached. DM_INVALID: options that the strategy
 * cannot use (no model, no samples, a cut ratio outside (0, 1)); DM_NO_MEMORY; any status of the
 * objective, the model or a callback. Trials before an error stay known. */
DM_API enum dm_status tuner_search_run(struct tuner_search *search,
                                       const struct tuner_strategy *strategy);

/* Lets the search end after this trial, without an error. */
DM_API void tuner_search_stop(struct tuner_search *search);

DM_API const struct tuner_progress *tuner_search_progress(const struct tuner_search *search);
DM_API const struct tuner_search_options *tuner_search_options(const struct tuner_search *search);

/* Samples per iteration for a pick ratio: round(pick_ratio * size), at least 1, at most size. */
DM_API size_t tuner_search_samples(double pick_ratio, size_t size);

/* ---- strategies ---- */

/* How a search chooses. A caller's own is as good as those of the table. */
struct tuner_strategy {
    const char *name;
    const char *meaning; /* one sentence with the settings */
    bool learns;         /* needs a model and samples in the options */
    bool aligned;        /* tells the model how often numbers can be halved (TUNER_ALIGNED) */
    enum dm_status (*run)(struct tuner_search *search);
};

/* The strategies of this library, ended by NULL:
 *     random      samples without replacement, no model (the thesis's baseline `non`)
 *     iterml      Cui, algorithm 1
 *     exhaustive  all configurations in order
 *     annealing   simulated annealing: neighbours by one parameter, geometric cooling, restarts
 *     genetic     population 20, tournaments, uniform crossover, mutation
 *     local       iterated local search: the first better neighbour by one parameter
 *     auto        a Gaussian process that explores, local search, crossover and samples far
 *                 from all others, in shares that follow what pays; nothing depends on
 *                 trials_max, so a longer search is the shorter one and then more
 *     guided      batches of `samples` that the model predicts to be best; not in the thesis */
DM_API const struct tuner_strategy *const *tuner_strategies(void);

/* The strategy of that name, or NULL. */
DM_API const struct tuner_strategy *tuner_strategy_of(const char *name);

/* What the strategy tells that model of a configuration. */
DM_API enum tuner_features tuner_strategy_features(const struct tuner_strategy *strategy,
                                                   const struct tuner_model_kind *model);

/* For a strategy's `run`: whether trials, cost or tuner_search_stop end the search. */
DM_API bool tuner_search_over(const struct tuner_search *search);

/* Measures, unless it was measured before (then it is that trial, which does not count again).
 * *time_s is infinite if the outcome is not ok, so that comparing is enough, and if the search is
 * over, when nothing is measured. An ok without a finite time >= 0 counts as failed. Any status of
 * the objective or of after_trial. */
DM_API enum dm_status tuner_search_try(struct tuner_search *search, size_t configuration,
                                       double *time_s);

/* Whether it was tried; then *trial is its trial, unless `trial` is NULL. */
DM_API bool tuner_search_tried(const struct tuner_search *search, size_t configuration,
                               struct tuner_trial *trial);

/* The next random numbers of the search. */
DM_API uint64_t tuner_search_random(struct tuner_search *search,
                                    uint64_t bound);             /* in [0, bound) */
DM_API double tuner_search_uniform(struct tuner_search *search); /* in [0, 1) */

/* ---- one search many times, with different seeds, on all cores ---- */

struct tuner_batch {
    const struct tuner_space *space;
    struct tuner_objective objective; /* called by several threads at once */
    double best_s;                    /* the least time that it knows */
    const struct tuner_strategy *strategy;
    const struct tuner_model_kind *model; /* of a strategy that learns, else NULL */
    const float *matrix;                  /* features as the strategy and the model want them */
    const float *prior;                   /* as of a search */
    size_t samples;  /* of a search in all; IterML's last iteration takes what is left */
    long iterations; /* >= 1; others than IterML: 1 */
    double cut_ratio;
    size_t searches; /* >= 1 */
    uint64_t seed;
};

struct tuner_batch_result {
    double *best;     /* of each search, ascending: best_s / time found, 0 if nothing was ok */
    double best_mean; /* their mean */
    double model_s;   /* fitting and predicting in one search, mean */
    double time_s;    /* of one search, mean */
    /* NULL, or searches x samples: best_s / time found after each trial of each search, search by
     * search, 0 as long as nothing was ok. */
    double *course;
};

/* result->best has room for `searches`. Search i of two batches with the same seed has the same
 * seed; but for times, results do not depend on the number of threads (one per core). The first
 * error of any search ends the batch. */
DM_API enum dm_status tuner_batch_run(const struct tuner_batch *batch,
                                      struct tuner_batch_result *result);

/* ---- an objective: a table of measured points ---- */

struct tuner_replay;

/* A table as CSV (RFC 4180): a header, one column per parameter, one column time_s; an empty or NaN
 * time is an invalid configuration. Columns named in `ignored` (ended by NULL; may be NULL) are
 * left out, and those whose name begins with "objective:"; a column of whole numbers is an integer
 * parameter, any other a category of its words.
 * Rows whose column `filter_column` is not `filter_value` are skipped (both NULL: none are). A file
 * that gzip compressed is decompressed. DM_INVALID, with the line: no time_s, a ragged row, a time
 * that is no number or not above 0, two rows for one configuration, no row with a time, more than a
 * million rows, a last line that is cut off. DM_FAILED: it cannot be read. DM_NO_MEMORY. */
DM_API enum dm_status tuner_replay_load(struct tuner_replay **replay, const char *path,
                                        const char *const *ignored, const char *filter_column,
                                        const char *filter_value);
DM_API void tuner_replay_free(struct tuner_replay *replay);

DM_API const struct tuner_space *tuner_replay_space(const struct tuner_replay *replay);

/* cost_s is time_s. Several threads may measure at once. */
DM_API struct tuner_objective tuner_replay_objective(struct tuner_replay *replay);

/* The least time, and of how many configurations the time is known. */
DM_API double tuner_replay_best_s(const struct tuner_replay *replay);
DM_API size_t tuner_replay_valid(const struct tuner_replay *replay);

/* ---- what is known from elsewhere ---- */

/* Fills *prior, by configuration of the space, from a table or log of another GPU, size or version:
 * best time / time there, 0 for what failed; what was not measured there is predicted from what
 * was, unless the space has more than 200,000 configurations (then it is 0). *known: how many were
 * measured. Arguments and errors as of tuner_replay_load; also DM_INVALID: a parameter that the
 * space has not, or no configuration in common. A parameter that only the space has makes no
 * difference. The caller calls free(). Strategy auto tries
 * the best of it first, and others of the best only where the ranks of the trials so far are
 * correlated with those there (0.3 and more): then one in twelve trials, as long as the best of all
 * is one of them, and as often as they paid. */
DM_API enum dm_status tuner_prior_load(float **prior, size_t *known,
                                       const struct tuner_space *space, const char *path,
                                       const char *const *ignored, const char *filter_column,
                                       const char *filter_value);

/* ---- an objective: a command ---- */

struct tuner_command_options {
    /* Run by /bin/sh; {name} stands for the parameter's value, {{ and }} for braces. A value is one
     * word, quoted where it needs quotes, so that the shell never executes it; {name*} stands for
     * its words, for values such as "-O3 -g". */
    const char *command;
    int runs;           /* successful runs per configuration, >= 1; time_s is their median */
    double limit_s;     /* a run that takes longer is killed with all its children: hanging */
    const char *prefix; /* of the output line whose first number is the time ("time_s:"); NULL: the
                           wall time of the command counts */
    bool verbose;       /* its stderr goes to ours, else it is dropped */
    double unit_s;      /* of a number without a unit of its own (3 ms, 3us); 0: 1 s */
    bool maximize;      /* the number is a rate: time_s is 1 / number; needs a prefix */
    /* Run before the command, if not NULL, and once for each of its texts: a configuration whose
     * build failed has failed. {build} stands in both for a name that belongs to the values in the
     * build's text; without it in the build, only the last build is known to be still there. */
    const char *build;
    /* Of lines whose first numbers, above 0, are further quantities of a trial (medians of the
     * runs); without one of them a run has failed. NULL: none. They must outlive the command. */
    const char *further[TUNER_FURTHER_MAX];
};

struct tuner_command;

/* Copies the options; the space must outlive the command. DM_INVALID: an unknown {name}, an
 * unbalanced brace, an empty command, no run or no time, a rate without a prefix; a parameter that
 * the command does not mention is no error. DM_NO_MEMORY. */
DM_API enum dm_status tuner_command_open(struct tuner_command **command,
                                         const struct tuner_space *space,
                                         const struct tuner_command_options *options);
DM_API void tuner_command_close(struct tuner_command *command);

/* One command at a time in a process. While it runs, the process has an action of its own for
 * SIGCHLD, which the calling thread blocks. A command that fails is a result; DM_FAILED: no shell
 * can be started; DM_TIMEOUT: the command is not gone 10 s after SIGKILL. */
DM_API struct tuner_objective tuner_command_objective(struct tuner_command *command);

/* The build with the values of a configuration in it, or NULL without one, and the command; the
 * caller calls free(). DM_NO_MEMORY. */
DM_API enum dm_status tuner_command_lines(const struct tuner_command *command, size_t configuration,
                                          char **build, char **run);

/* Why the last run that failed did so: "it ended with exit code 1"; empty if none has. */
DM_API const char *tuner_command_failure(const struct tuner_command *command);

/* The command with the values of a configuration in it; the caller calls free(). DM_INVALID,
 * DM_NO_MEMORY: as tuner_command_open. */
DM_API enum dm_status tuner_command_text(char **text, const struct tuner_space *space,
                                         const char *command, size_t configuration);

/* Kills the command that is running, if any. May be called in a signal handler. */
DM_API void tuner_command_kill(void);

/* ---- the log of trials: to be read, and to go on from ----
 *
 * CSV: one column per parameter, then outcome, time_s, spread_s, cost_s, seed, strategy, oracle
 * (what was measured, in words), and a column "objective:NAME" for each further quantity. Each
 * trial is written at once, so that a search that is killed loses none. It can be replayed like any
 * table of measured points. */

struct tuner_log;

/* Opens a log, which is made if it is not there; `oracle` says in words what is measured. A last
 * line that is cut off is removed. The space must outlive the log. DM_INVALID: it is a log of
 * another space or oracle, or no log; it stays as it is. DM_FAILED: it cannot be read or written,
 * or another process writes to it. DM_NO_MEMORY. */
DM_API enum dm_status tuner_log_open(struct tuner_log **log, const char *path,
                                     const struct tuner_space *space, const char *oracle);
DM_API void tuner_log_close(struct tuner_log *log);

/* The same of trials with further quantities of these names, which are ended by NULL. */
DM_API enum dm_status tuner_log_open_further(struct tuner_log **log, const char *path,
                                             const struct tuner_space *space, const char *oracle,
                                             const char *const *further);

/* Configurations that the log had when it was opened, and whether a cut line was removed. */
DM_API size_t tuner_log_size(const struct tuner_log *log);
DM_API bool tuner_log_was_cut(const struct tuner_log *log);

/* They are in the order of their trials: the one at place 0 .. tuner_log_size - 1. */
DM_API size_t tuner_log_at(const struct tuner_log *log, size_t place);

/* The trial that the log had when it was opened (the last one, if there are several); false if it
 * had none. */
DM_API bool tuner_log_find(const struct tuner_log *log, size_t configuration,
                           struct tuner_trial *trial);

/* Appends a trial. DM_FAILED: it cannot be written. */
DM_API enum dm_status tuner_log_add(struct tuner_log *log, size_t configuration,
                                    const struct tuner_trial *trial, uint64_t seed,
                                    const char *strategy);

/* The columns of a log that are neither parameters nor time_s, ended by NULL: what
 * tuner_replay_load has to ignore. */
DM_API const char *const *tuner_log_ignored(void);

#ifdef __cplusplus
}
#endif
#endif
