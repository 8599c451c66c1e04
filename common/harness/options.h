/* options.h: the command line that every program shares, plus a program's own options.
 *
 * Order does not matter, long options exist for all, sizes take K, M, G (binary), unknown options
 * and values are errors with a sentence. */
#ifndef COMMON_OPTIONS_H
#define COMMON_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "option_lists.h"

struct program;

enum option_kind {
    OPTION_SIZE,    /* size_t */
    OPTION_INTEGER, /* int64_t */
    OPTION_REAL,    /* double */
    OPTION_TEXT,    /* const char *; NULL: none given */
    OPTION_FLAG,    /* bool */
    OPTION_NUMBERS, /* struct option_numbers, as all below in option_lists.h */
    OPTION_REALS,   /* struct option_reals */
    OPTION_WORDS,   /* struct option_words */
    OPTION_CHOICES, /* struct option_choices */
    OPTION_CHOICE   /* struct option_choice */
};

/* One of a program's own options. The default stands in the target before parsing. */
struct program_option {
    const char *name; /* long form, without the dashes */
    enum option_kind kind;
    void *target;        /* of the kind's type */
    const char *value;   /* name of the value in the help text, e.g. "BYTES" */
    const char *meaning; /* one sentence with the unit; the default is added to it */
    double
        smallest; /* bounds of numbers, also of those in lists, inclusive; both 0: any value >= 0 */
    double largest;
};

enum output_format { FORMAT_TABLE, FORMAT_CSV, FORMAT_JSON };

/* What the shared options say. Sizes are in the program's unit (bytes or elements). */
struct settings {
    size_t begin, end; /* -b, -e */
    double factor;     /* -f, used when step is 0 */
    size_t step;       /* -i */
    size_t *sizes;     /* the sizes that result: --sizes LIST, or begin..end, or the default */
    size_t size_count;
    size_t size;       /* -s problem size */
    int iterations;    /* -n; 0: by noise and time */
    int warmup;        /* -w */
    double min_time_s; /* --min-time: keep sampling at least that long */
    double noise;      /* --noise: stop when the 95 % interval is within this share of the median */
    double time_limit_s; /* -T */
    bool check;          /* -c */
    int device;          /* -d */
    const char *output;  /* -o, NULL: stdout */
    enum output_format format;
    uint64_t seed;
    int verbosity;          /* -q: -1, default 0, -v: 1 */
    const char *experiment; /* --experiment: name in the first CSV column; default: the program */
    const char *reference;  /* --reference COLUMN:VALUE:LOWER:UPPER, NULL: none */
    unsigned long variants; /* bit i: variant i of the program is on */
};

/* Parses; prints help, version or the list of variants and exits 0 when asked for; ends the program
 * with EXIT_FAIL and one sentence on any error. Frees nothing: settings live as long as the
 * program. */
void options_parse(const struct program *program, struct settings *settings, int argc, char **argv);

/* For a program that parses by itself: stores the value of an option; of a list or a choice only
 * its text, which option_read_list reads when all options are known, the default too. */
void option_set(const struct program_option *own, const char *argument);
void option_read_list(const struct program_option *own);

/* Reads a size such as 4096, 64K, 1.5M, 2G (binary) from all of `text`; false if it is none or does
 * not fit into size_t. */
bool options_read_size(const char *text, size_t *size);

#endif
