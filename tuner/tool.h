/* tool.h: the parts of the program tuner. */
#ifndef TUNER_TOOL_H
#define TUNER_TOOL_H

#include <datamotion/tuner.h>

#include "common/harness/options.h"

#include "cuda/own_kernel.h"

enum tool_source { TOOL_COMMAND = 1, TOOL_REPLAY = 2, TOOL_KERNEL = 4, TOOL_CUDA = 8 };

/* ---- several objectives (tool_objectives.c) ---- */

/* What is minimised: the time, which is the first, and further quantities of a trial. */
struct tool_objectives {
    const char *further[TUNER_FURTHER_MAX + 1];  /* names, ended by NULL */
    const char *prefixes[TUNER_FURTHER_MAX + 1]; /* of a command's lines: "NAME:" */
    size_t count;                                /* with the time */
};

/* Reads a name of --objective; ends the program with a sentence if it is none. */
void tool_objective_add(struct tool_objectives *objectives, const char *name);

/* "time", or the name of a further one. */
const char *tool_objective_name(const struct tool_objectives *objectives, size_t which);

/* A quantity of a trial that was ok: 0 is the time. */
double tool_objective_value(const struct tuner_trial *trial, size_t which);

/* What a round of the search minimises: each objective alone, then their geometric mean, which no
 * unit changes. */
size_t tool_rounds(const struct tool_objectives *objectives);
double tool_round_value(const struct tool_objectives *objectives, const struct tuner_trial *trial,
                        size_t round);

/* A trial that was ok; `best`: no other one is as good in all objectives and better in one. */
struct tool_point {
    size_t configuration;
    struct tuner_trial trial;
    bool best;
};

/* Sorts the points by time and marks those on the Pareto front. */
void tool_front(const struct tool_objectives *objectives, struct tool_point *points, size_t count);

/* ---- the command line (tool_options.c) ---- */

struct tool_options {
    enum tool_source source;
    const char *subject; /* the command, the table's path, the kernel's name or its file */
    const char *space;   /* path; NULL for a kernel: all thread blocks */
    const char *dataset;
    const char *where_column, *where_value; /* NULL: no filter */
    struct option_words ignored;            /* none: left open */
    const struct tuner_strategy *strategy;
    const struct tuner_model_kind *model;
    double pick_ratio; /* 0: left open */
    double cut_ratio;
    int64_t iterations;
    int64_t trials;  /* 0: left open */
    double budget_s; /* 0: none */
    int64_t runs;    /* 0: left open */
    double limit_s;
    const char *prefix;
    double unit_s;     /* of the number behind it */
    const char *build; /* NULL: none */
    bool maximize;
    struct tool_objectives objectives;
    int64_t seed;
    const char *log;
    const char *from;              /* measured elsewhere; NULL: nothing */
    const char *report;            /* folder of a page; NULL: none */
    int64_t confirm;               /* measurements of the best two at the end */
    struct own_kernel_options own; /* of a kernel of the user's */
    bool quiet, verbose;
};

struct tool_option {
    struct program_option own;
    int letter;                        /* short form, or 0 */
    unsigned sources;                  /* with which it makes sense; 0: with all */
    const char *strategies;            /* with which it makes sense; NULL: with all */
    void (*set)(const char *argument); /* of options that are more than a value */
};
enum { TOOL_OPTIONS_MAX = 64 };
extern const struct tool_option tool_table[TOOL_OPTIONS_MAX]; /* ended by {0} */

/* Before parsing: the names that options choose from. After it: what these names stand for. */
void tool_name_choices(void);
const struct tool_options *tool_take_choices(void);

/* Parses; prints help or version and exits 0 when asked for; ends the program with EXIT_FAIL and
 * one sentence on any error (tool_parse.c). What it returns lives as long as the program. */
const struct tool_options *tool_parse(int argc, char **argv);

/* Print what -h, -l and -V print (tool_help.c), and end the program. */
void tool_help(const char *unused);
void tool_list(const char *unused);
void tool_version(const char *unused);

/* ---- what is searched (tool_subject.c) ---- */

struct tool_subject {
    const struct tuner_space *space;
    struct tuner_objective objective;
    bool live;        /* measured, not replayed */
    char *words;      /* what is measured, for the log */
    float *prior;     /* from elsewhere, or NULL */
    double optimum_s; /* replayed: the least time; else 0 */
    struct tuner_space *own_space;
    struct tuner_command *command;
    struct tuner_replay *replay;
    struct kernel *kernel;
    struct own_kernel *own;
};

/* Ends the program with a sentence on errors. */
void tool_open(struct tool_subject *subject, const struct tool_options *options);
void tool_close(struct tool_subject *subject);

/* ---- the end (tool_report.c) ---- */

struct tool_candidate {
    bool found;
    size_t configuration;
    struct tuner_trial trial; /* in the search */
    double *times;            /* measured again at the end, `measured` of them, sorted */
    size_t measured;
    bool unsteady; /* one of these was not ok */
};

struct tool_result {
    const struct tool_options *options;
    const struct tool_subject *subject;
    const struct tuner_progress *progress;
    struct tool_candidate best, second;
    const struct tool_point *points; /* of several objectives, from tool_front; NULL: of one */
    size_t point_count;
    size_t from_log; /* trials */
    double elapsed_s;
    bool interrupted;
};

void tool_report(const struct tool_result *result);

/* "12.3 us" into `text`, which it returns; tool_value: the rate instead, if rates are maximised. */
enum { TOOL_TIME_BYTES = 32 };
const char *tool_time(double seconds, char text[TOOL_TIME_BYTES]);
const char *tool_value(double seconds, char text[TOOL_TIME_BYTES]);
void tool_show_rates(void);

/* ---- on the way (tool_watch.c) ---- */

/* SIGINT and SIGTERM: the first asks for the end, the second ends the program at once. */
void tool_catch_signals(void);
bool tool_interrupted(void);

/* The line on stderr that shows how far the search is: rewritten on a terminal, else a new one for
 * each improvement. */
void tool_show(const struct tuner_search *search, bool improved);
void tool_show_end(void);

#endif
