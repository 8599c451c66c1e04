/* options_internal.h: what parsing (options.c), values (option_values.c) and help (options_help.c)
 * share. */
#ifndef COMMON_OPTIONS_INTERNAL_H
#define COMMON_OPTIONS_INTERNAL_H

#include "program.h"

enum {
    FIRST_LONG = 256,
    LONG_SIZES = FIRST_LONG,
    LONG_MIN_TIME,
    LONG_NOISE,
    LONG_VARIANTS,
    LONG_CSV,
    LONG_JSON,
    LONG_SEED,
    LONG_EXPERIMENT,
    LONG_REFERENCE,
    FIRST_OWN
};

/* Which programs have the option: all, those with sizes, those with a problem size. */
enum applies { ALWAYS, WITH_SIZES, WITH_SIZE };

struct shared_option {
    const char *name;
    int letter; /* short form, or LONG_... */
    const char *value;
    enum applies applies;
    const char *meaning;
};

/* Ended by an entry without a name. */
extern const struct shared_option shared_options[];
enum { SHARED_OPTIONS_MAX = 32, OWN_OPTIONS_MAX = 32 };

/* Whether the program has that shared option. */
bool option_applies(const struct program *program, const struct shared_option *option);

/* Read the value of an option; end the program with a sentence if it is none. */
size_t option_read_size(const char *name, const char *text);
double option_read_real(const char *name, const char *text, double smallest, double largest);
int64_t option_read_integer(const char *name, const char *text, double smallest, double largest);

/* What -b and -e are by default. */
size_t options_default_begin(const struct program *program);
size_t options_default_end(const struct program *program);

/* Each prints on stdout. */
void options_print_help(const struct program *program);
void options_print_variants(const struct program *program);
void options_print_version(const struct program *program);

#endif
