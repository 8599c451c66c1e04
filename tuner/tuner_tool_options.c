#include "option_lists.h"
#include "status.h"
#include "tuner_csv.h"
#include "tuner_tool.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- values ---- */

static double read_number(const char *name, const char *argument, double least, double most)
{
    double number;

    if (!tuner_csv_number(argument, &number))
        fail("--%s %s is not a number", name, argument);
    if (number < least || number > most)
        fail("--%s %s is out of range: it must be from %g to %g", name, argument, least, most);
    return number;
}

static double read_whole(const char *name, const char *argument, double least, double most)
{
    double number = read_number(name, argument, least, most);

    if (number != floor(number))
        fail("--%s %s is not a whole number", name, argument);
    return number;
}

/* 90, 90s, 1.5m, 2h */
static double read_duration(const char *name, const char *argument)
{
    static const struct {
        char letter;
        double seconds;
    } units[] = {{'s', 1.0}, {'m', 60.0}, {'h', 3600.0}};
    char number[64];
    size_t length = strlen(argument);
    double unit = 1.0, seconds;

    for (size_t i = 0; i < sizeof units / sizeof *units && length; i++)
        if (argument[length - 1] == units[i].letter) {
            unit = units[i].seconds;
            length--;
            break;
        }
    snprintf(number, sizeof number, "%.*s", (int)(length < 63 ? length : 63), argument);
    if (!tuner_csv_number(number, &seconds) || !(seconds > 0.0) || !(seconds * unit <= 1e9))
        fail("--%s %s is not a time above 0: write 60s, 10m or 2h", name, argument);
    return seconds * unit;
}

/* ---- options ---- */

typedef struct tuner_tool_options options_t;

static void set_source(options_t *options, enum tuner_tool_source source, const char *argument)
{
    if (options->source)
        fail("--command, --replay and --kernel exclude one another");
    options->source = source;
    options->subject = argument;
}

static void set_command(options_t *options, const char *argument)
{
    set_source(options, TUNER_TOOL_COMMAND, argument);
}

static void set_replay(options_t *options, const char *argument)
{
    set_source(options, TUNER_TOOL_REPLAY, argument);
}

static void set_kernel(options_t *options, const char *argument)
{
    set_source(options, TUNER_TOOL_KERNEL, argument);
}

static void set_space(options_t *options, const char *argument)
{
    options->space = argument;
}

static void set_dataset(options_t *options, const char *argument)
{
    options->dataset = argument;
}

static char *copy_part(const char *text, size_t length)
{
    return memcpy(allocate_or_fail(length + 1, 1), text, length);
}

static void set_where(options_t *options, const char *argument)
{
    size_t length = strcspn(argument, "=");

    if (length == 0 || argument[length] == '\0')
        fail("--where %s is not COLUMN=VALUE", argument);
    free(options->where_column);
    free(options->where_value);
    options->where_column = copy_part(argument, length);
    options->where_value = copy_part(argument + length + 1, strlen(argument + length + 1));
}

static void set_ignored(options_t *options, const char *argument)
{
    option_free_words(&options->ignored);
    options->ignored = option_read_words("ignore", argument);
}

static void set_strategy(options_t *options, const char *argument)
{
    options->strategy = tuner_strategy_of(argument);
    if (!options->strategy)
        fail("there is no strategy %s: -h lists them", argument);
}

static void set_model(options_t *options, const char *argument)
{
    options->model = tuner_model_kind_of(argument);
    if (!options->model)
        fail("there is no model %s: -h lists them", argument);
}

static void set_pick_ratio(options_t *options, const char *argument)
{
    options->pick_ratio = read_number("pick-ratio", argument, 1e-9, 1.0);
}

static void set_cut_ratio(options_t *options, const char *argument)
{
    options->cut_ratio = read_number("cut-ratio", argument, 0.001, 0.999);
}

static void set_iterations(options_t *options, const char *argument)
{
    options->iterations = (long)read_whole("iterations", argument, 0, 1000000);
}

static void set_trials(options_t *options, const char *argument)
{
    options->trials = (size_t)read_whole("trials", argument, 1, TUNER_CONFIGURATIONS);
}

static void set_budget(options_t *options, const char *argument)
{
    options->budget_s = read_duration("budget", argument);
}

static void set_runs(options_t *options, const char *argument)
{
    options->runs = (int)read_whole("runs", argument, 1, 1000000);
}

static void set_limit(options_t *options, const char *argument)
{
    options->limit_s = read_duration("limit", argument);
}

static void set_prefix(options_t *options, const char *argument)
{
    if (!*argument)
        fail("--time-prefix needs the beginning of a line");
    options->prefix = argument;
}

static void set_seed(options_t *options, const char *argument)
{
    options->seed = (uint64_t)read_whole("seed", argument, 0, 9007199254740991.0);
}

static void set_log(options_t *options, const char *argument)
{
    options->log = argument;
}

static void set_confirm(options_t *options, const char *argument)
{
    options->confirm = (int)read_whole("confirm", argument, 0, 1000000);
}

static void set_verbose(options_t *options, const char *argument)
{
    (void)argument;
    options->verbose = true;
}

static void set_quiet(options_t *options, const char *argument)
{
    (void)argument;
    options->quiet = true;
}

#define COMMAND  TUNER_TOOL_COMMAND
#define REPLAY   TUNER_TOOL_REPLAY
#define KERNEL   TUNER_TOOL_KERNEL
#define LEARNING "iterml guided"

const struct tuner_tool_option tuner_tool_table[TUNER_TOOL_OPTIONS] = {
    {"command", 256, "TEXT", 0, NULL, set_command,
     "measure this shell command; {name} stands for a parameter"},
    {"replay", 257, "FILE", 0, NULL, set_replay, "look times up in this table (.csv or .csv.gz)"},
    {"kernel", 258, "NAME", 0, NULL, set_kernel, "measure a kernel of the suite on the GPU"},
    {"space", 259, "FILE", COMMAND | KERNEL, NULL, set_space,
     "the configurations (kernel: default all thread blocks bx by)"},
    {"time-prefix", 260, "TEXT", COMMAND, NULL, set_prefix,
     "the time is the first number, in s, behind this beginning of a\n"
     "line of the command's output; default: the command's wall time"},
    {"limit", 261, "TIME", COMMAND, NULL, set_limit,
     "stop a run after TIME, for example 90s, 10m, 2h (default 60s)"},
    {"dataset", 262, "NAME", KERNEL, NULL, set_dataset,
     "tiny, small, full or a size (default full; software GPU: small)"},
    {"where", 263, "COLUMN=VALUE", REPLAY, NULL, set_where, "only these rows of the table"},
    {"ignore", 264, "LIST", REPLAY, NULL, set_ignored,
     "columns that are no parameters (default: those of tuner_sweep or\n"
     "of a log, if the table has them, else none)"},
    {"strategy", 265, "NAME", 0, NULL, set_strategy, "how to search (default iterml)"},
    {"model", 266, "NAME", 0, LEARNING, set_model,
     "what the strategy learns with (default forest)"},
    {"pick-ratio", 267, "R", 0, LEARNING, set_pick_ratio,
     "share of the space that iterml measures per iteration, guided per\n"
     "batch (default 0.01 and at least 10 configurations, or what\n"
     "--trials leaves; guided: an eighth of all)"},
    {"cut-ratio", 268, "R", 0, "iterml", set_cut_ratio,
     "share of the rest that it prunes per iteration (default 0.5)"},
    {"iterations", 269, "N", 0, "iterml", set_iterations,
     "of iterml; 0: until nothing remains (default 3)"},
    {"trials", 270, "N", 0, NULL, set_trials,
     "try at most N configurations (default: as many as iterml would,\n"
     "without limit for exhaustive or with --budget)"},
    {"budget", 271, "TIME", 0, NULL, set_budget,
     "end the search after TIME (replay: of recorded time)"},
    {"runs", 272, "N", COMMAND | KERNEL, NULL, set_runs,
     "runs per configuration: median of a command's (default 3), mean of\n"
     "a kernel's (10)"},
    {"confirm", 273, "N", COMMAND | KERNEL, NULL, set_confirm,
     "measure the best two N times more at the end (default 6)"},
    {"seed", 274, "N", 0, NULL, set_seed, "of random choices and data (default 1)"},
    {"log", 275, "FILE", 0, NULL, set_log,
     "append each trial to this CSV file; what is there already is known"},
    {"verbose", 'v', NULL, COMMAND, NULL, set_verbose, "show what the command writes on stderr"},
    {"quiet", 'q', NULL, 0, NULL, set_quiet, "show no progress"},
    {"list", 'l', NULL, 0, NULL, NULL, "list strategies, models and kernels"},
    {"help", 'h', NULL, 0, NULL, NULL, "this help"},
    {"version", 'V', NULL, 0, NULL, NULL, "version and commit"},
    {0},
};
