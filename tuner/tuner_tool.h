/* tuner_tool.h: the parts of the program tuner. */
#ifndef TUNER_TOOL_H
#define TUNER_TOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "option_lists.h"
#include "tuner_search.h"

enum tuner_tool_source { TUNER_TOOL_COMMAND = 1, TUNER_TOOL_REPLAY = 2, TUNER_TOOL_KERNEL = 4 };

/* ---- the command line (tuner_tool_options.c) ---- */

struct tuner_tool_options {
    enum tuner_tool_source source;
    const char *subject; /* the command, the table's path, or the kernel's name */
    const char *space;   /* path; NULL for a kernel: all thread blocks */
    const char *dataset;
    char *where_column, *where_value; /* NULL: no filter */
    struct option_words ignored;      /* none: left open */
    const struct tuner_strategy *strategy;
    const struct tuner_model_kind *model;
    double pick_ratio; /* 0: left open */
    double cut_ratio;
    long iterations;
    size_t trials;   /* 0: left open */
    double budget_s; /* 0: none */
    int runs;        /* 0: left open */
    double limit_s;
    const char *prefix;
    uint64_t seed;
    const char *log;
    int confirm; /* measurements of the best two at the end */
    bool quiet, verbose;
};

struct tuner_tool_option {
    const char *name;
    int letter;             /* short form, or a number from 256 */
    const char *value;      /* NULL: takes none */
    unsigned sources;       /* with which it makes sense; 0: with all */
    const char *strategies; /* with which it makes sense; NULL: with all */
    void (*set)(struct tuner_tool_options *options, const char *argument); /* NULL: -h, -V */
    const char *meaning;
};
enum { TUNER_TOOL_OPTIONS = 32 };
extern const struct tuner_tool_option tuner_tool_table[TUNER_TOOL_OPTIONS]; /* ended by {0} */

/* Parses; prints help or version and exits 0 when asked for; ends the program with EXIT_FAIL and
 * one sentence on any error (tuner_tool_parse.c). */
void tuner_tool_parse(struct tuner_tool_options *options, int argc, char **argv);
void tuner_tool_release_options(struct tuner_tool_options *options);

/* Print what -h and -l print (tuner_tool_help.c). */
void tuner_tool_help(void);
void tuner_tool_list(void);

/* ---- what is searched (tuner_tool_subject.c) ---- */

struct tuner_tool_subject {
    const struct tuner_space *space;
    struct tuner_oracle oracle;
    bool live;        /* measured, not replayed */
    char *words;      /* what is measured, for the log */
    double optimum_s; /* replayed: the least time; else 0 */
    struct tuner_space *own_space;
    struct tuner_command *command;
    struct tuner_replay *replay;
    struct tuner_kernel *kernel;
};

/* Ends the program with a sentence on errors. */
void tuner_tool_open(struct tuner_tool_subject *subject, const struct tuner_tool_options *options);
void tuner_tool_close(struct tuner_tool_subject *subject);

/* ---- the end (tuner_tool_report.c) ---- */

struct tuner_tool_candidate {
    bool found;
    size_t configuration;
    struct tuner_trial trial; /* in the search */
    double *times;            /* measured again at the end, `measured` of them, sorted */
    size_t measured;
    bool unsteady; /* one of these was not ok */
};

struct tuner_tool_result {
    const struct tuner_tool_options *options;
    const struct tuner_tool_subject *subject;
    const struct tuner_progress *progress;
    struct tuner_tool_candidate best, second;
    double elapsed_s;
    bool interrupted;
};

void tuner_tool_report(const struct tuner_tool_result *result);

/* "12.3 us" into `text`, which it returns. */
enum { TUNER_TOOL_TIME = 32 };
const char *tuner_tool_time(double seconds, char text[TUNER_TOOL_TIME]);

/* ---- on the way (tuner_tool_watch.c) ---- */

/* SIGINT and SIGTERM: the first asks for the end, the second ends the program at once. */
void tuner_tool_catch_signals(void);
bool tuner_tool_interrupted(void);

/* The line on stderr that shows how far the search is: rewritten on a terminal, else a new one for
 * each improvement. */
void tuner_tool_show(const struct tuner_search *search, bool improved);
void tuner_tool_show_end(void);

#endif
