#include <stdio.h>
#include <string.h>

#include "common/harness/exit.h"
#include "common/workloads/tunable.h"

#include "csv.h"
#include "tool.h"

static struct tool_options options = {.cut_ratio = 0.5,
                                      .iterations = 3,
                                      .limit_s = 60.0,
                                      .seed = 1,
                                      .confirm = 6,
                                      .objectives = {.count = 1},
                                      .own = {.grid = NULL, .tolerance = 1e-4, .jobs = -1}};

/* ---- choices ---- */

enum { NAMES_MAX = 32 };
static const char *strategy_names[NAMES_MAX], *model_names[NAMES_MAX], *kernel_names[NAMES_MAX];
static struct option_choice strategy = {
    .noun = "strategy", .names = strategy_names, .name = "auto"};
static struct option_choice model = {.noun = "model", .names = model_names, .name = "forest"};

#define LIST_NAMES(names, table)                                                                   \
    for (size_t i = 0; i + 1 < NAMES_MAX && (table)[i]; i++)                                       \
    (names)[i] = (table)[i]->name

void tool_name_choices(void)
{
    LIST_NAMES(strategy_names, tuner_strategies());
    LIST_NAMES(model_names, tuner_model_kinds());
    LIST_NAMES(kernel_names, tunable_kinds);
}

const struct tool_options *tool_take_choices(void)
{
    options.strategy = tuner_strategies()[strategy.value];
    options.model = tuner_model_kinds()[model.value];
    return &options;
}

/* ---- options that are more than a value ---- */

static void set_source(enum tool_source source, const char *argument)
{
    if (options.source)
        fail("--command, --replay, --kernel and --cuda exclude one another");
    options.source = source;
    options.subject = argument;
}

static void set_command(const char *argument)
{
    set_source(TOOL_COMMAND, argument);
}

static void set_replay(const char *argument)
{
    set_source(TOOL_REPLAY, argument);
}

static void set_kernel(const char *argument)
{
    set_source(TOOL_KERNEL, argument);
    option_find_name("kernel", kernel_names, argument, (int)strlen(argument));
}

static void set_cuda(const char *argument)
{
    set_source(TOOL_CUDA, argument);
}

static void set_where(const char *argument)
{
    size_t length = strcspn(argument, "=");

    if (length == 0 || argument[length] == '\0')
        fail("--where %s is not COLUMN=VALUE", argument);
    options.where_column =
        memcpy(allocate_or_fail(length + 1, 1), argument, length); /* as long as the program */
    options.where_value = argument + length + 1;
}

static void set_prefix(const char *argument)
{
    if (!*argument)
        fail("--time-prefix needs a prefix of a line");
    options.prefix = argument;
}

static void set_build(const char *argument)
{
    options.build = argument;
}

static void set_objective(const char *argument)
{
    tool_objective_add(&options.objectives, argument);
}

static void set_unit(const char *argument)
{
    static const struct {
        const char *name;
        double seconds;
    } units[] = {{"s", 1.0}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}};

    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(argument, units[i].name) == 0)
            options.unit_s = units[i].seconds;
    if (options.unit_s == 0.0)
        fail("unknown time unit '%s'; choose from s, ms, us, ns", argument);
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
    if (!csv_number(number, &seconds) || !(seconds > 0.0) || !(seconds * unit <= 1e9))
        fail("--%s %s is not a time above 0: write 60s, 10m or 2h", name, argument);
    return seconds * unit;
}

static void set_budget(const char *argument)
{
    options.budget_s = read_duration("budget", argument);
}

static void set_limit(const char *argument)
{
    options.limit_s = read_duration("limit", argument);
}

/* ---- the table ---- */

#define LEARNING "iterml guided"

/* An option that `set` reads, and one whose value is a member of the options. */
#define SPECIAL(name, value, meaning)                                                              \
    {                                                                                              \
        name, OPTION_TEXT, NULL, value, meaning, 0, 0                                              \
    }
#define TEXT(name, member, value, meaning)                                                         \
    {                                                                                              \
        name, OPTION_TEXT, &options.member, value, meaning, 0, 0                                   \
    }
#define WHOLE(name, member, meaning, smallest, largest)                                            \
    {                                                                                              \
        name, OPTION_INTEGER, &options.member, "N", meaning, smallest, largest                     \
    }
#define REAL(name, member, meaning, smallest, largest)                                             \
    {                                                                                              \
        name, OPTION_REAL, &options.member, "R", meaning, smallest, largest                        \
    }
#define FLAG(name, member, meaning)                                                                \
    {                                                                                              \
        name, OPTION_FLAG, &options.member, NULL, meaning, 0, 0                                    \
    }

/* clang-format off */
const struct tool_option tool_table[TOOL_OPTIONS_MAX] = {
    {SPECIAL("command", "TEXT", "measure this shell command; {name} stands for a parameter"),
     0, 0, NULL, set_command},
    {SPECIAL("replay", "FILE", "look times up in this table (.csv or .csv.gz)"),
     0, 0, NULL, set_replay},
    {SPECIAL("kernel", "NAME", "measure a kernel of the suite on the GPU"),
     0, 0, NULL, set_kernel},
    {SPECIAL("cuda", "FILE", "measure a CUDA kernel of this file, compiled per configuration"),
     0, 0, NULL, set_cuda},
    {TEXT("space", space, "FILE", "the configurations (kernel: default all thread blocks bx by)"),
     0, TOOL_COMMAND | TOOL_KERNEL | TOOL_CUDA, NULL, NULL},
    {SPECIAL("time-prefix", "TEXT",
             "the time is the first number after this prefix of a line of the\n"
             "command's output, with its unit (3 ms, 3us) or in s; default: the\n"
             "command's wall time"),
     0, TOOL_COMMAND, NULL, set_prefix},
    {SPECIAL("time-unit", "UNIT", "of a number without one: s, ms, us or ns (default s)"),
     0, TOOL_COMMAND, NULL, set_unit},
    {FLAG("maximize", maximize, "the number after --time-prefix is a rate: the more, the better"),
     0, TOOL_COMMAND, NULL, NULL},
    {SPECIAL("objective", "NAME",
             "minimise this beside the time, and show the Pareto front; may be\n"
             "given again: energy of your kernel, or what a command prints in a\n"
             "line \"NAME: 12.5\""),
     0, TOOL_COMMAND | TOOL_CUDA, NULL, set_objective},
    {SPECIAL("build", "TEXT",
             "run this shell command before; once for each of its own texts if\n"
             "it and the command name what it makes {build}"),
     0, TOOL_COMMAND, NULL, set_build},
    {SPECIAL("limit", "TIME", "kill a run after TIME, for example 90s, 10m, 2h (default 60s)"),
     0, TOOL_COMMAND | TOOL_CUDA, NULL, set_limit},
    {TEXT("name", own.name, "NAME",
          "the kernel; gemm<{bx}, float> if it is a template"),
     0, TOOL_CUDA, NULL, NULL},
    {TEXT("args", own.arguments, "LIST",
          "its arguments: in float[n*n] random, out float[n*n], int n, float 1.5"),
     0, TOOL_CUDA, NULL, NULL},
    {TEXT("grid", own.grid, "LIST", "blocks of the grid, up to three formulas: (n + bx - 1) / bx, n"),
     0, TOOL_CUDA, NULL, NULL},
    {TEXT("block", own.block, "LIST", "threads of a block, likewise: bx, by"),
     0, TOOL_CUDA, NULL, NULL},
    {TEXT("shared", own.shared, "FORMULA", "bytes of dynamic shared memory (default 0)"),
     0, TOOL_CUDA, NULL, NULL},
    {TEXT("flops", own.flops, "FORMULA", "operations of a launch: the report has GFLOP/s"),
     0, TOOL_CUDA, NULL, NULL},
    {TEXT("bytes", own.bytes, "FORMULA", "bytes that a launch moves: the report has GB/s"),
     0, TOOL_CUDA, NULL, NULL},
    {REAL("tolerance", own.tolerance,
          "reals that differ by no more than this, relatively, count as equal\n"
          "(default 1e-4)", 0.0, 1.0),
     0, TOOL_CUDA, NULL, NULL},
    {FLAG("flush", own.flush, "empty the L2 cache before each timed launch"),
     0, TOOL_CUDA, NULL, NULL},
    {FLAG("energy", own.energy, "the energy of a launch, too, where NVML tells"),
     0, TOOL_CUDA, NULL, NULL},
    {TEXT("compiler", own.compiler, "TEXT",
          "nvrtc (default; software GPU: the C++ compiler), nvcc, or a command\n"
          "that makes {build}.image of {build}.cu"),
     0, TOOL_CUDA, NULL, NULL},
    {TEXT("flags", own.flags, "TEXT", "more options of the compiler; {name} stands for a parameter"),
     0, TOOL_CUDA, NULL, NULL},
    {WHOLE("jobs", own.jobs,
           "compilers that run while kernels are measured (default one per core\n"
           "but one; software GPU: 0, as they would disturb the times)", 0, 255),
     0, TOOL_CUDA, NULL, NULL},
    {TEXT("dataset", dataset, "NAME",
          "tiny, small, full or a size (default full; software GPU: small)"),
     0, TOOL_KERNEL, NULL, NULL},
    {SPECIAL("where", "COLUMN=VALUE", "only these rows of the table"),
     0, TOOL_REPLAY, NULL, set_where},
    {{"ignore", OPTION_WORDS, &options.ignored, "LIST",
      "columns that are not parameters (default: those of tuner_sweep or\n"
      "of a log, if the table has them, else none)", 0, 0},
     0, TOOL_REPLAY, NULL, NULL},
    {{"strategy", OPTION_CHOICE, &strategy, "NAME", "how to search (default auto)", 0, 0},
     0, 0, NULL, NULL},
    {{"model", OPTION_CHOICE, &model, "NAME", "what the strategy learns with (default forest)", 0, 0},
     0, 0, LEARNING, NULL},
    {REAL("pick-ratio", pick_ratio,
          "share of the space that iterml measures per iteration, guided per\n"
          "batch (default 0.01 and at least 10 configurations, or what\n"
          "--trials leaves; guided: an eighth of all)", 1e-9, 1.0),
     0, 0, LEARNING, NULL},
    {REAL("cut-ratio", cut_ratio,
          "share of the remaining space that it prunes per iteration (default 0.5)", 0.001, 0.999),
     0, 0, "iterml", NULL},
    {WHOLE("iterations", iterations, "of iterml; 0: until nothing remains (default 3)", 0, 1e6),
     0, 0, "iterml", NULL},
    {WHOLE("trials", trials,
           "try at most N configurations (default: as many as iterml would,\n"
           "without limit for exhaustive or with --budget)", 1, TUNER_CONFIGURATIONS_MAX),
     0, 0, NULL, NULL},
    {SPECIAL("budget", "TIME", "end the search after TIME (replay: of recorded time)"),
     0, 0, NULL, set_budget},
    {WHOLE("runs", runs,
           "runs per configuration: median of a command's (default 3) or of your\n"
           "kernel's (7), mean of a kernel's of the suite (10)", 1, 1e6),
     0, TOOL_COMMAND | TOOL_KERNEL | TOOL_CUDA, NULL, NULL},
    {WHOLE("confirm", confirm, "measure the best two again, N times each (default 6)", 0, 1e6),
     0, TOOL_COMMAND | TOOL_KERNEL | TOOL_CUDA, NULL, NULL},
    {WHOLE("seed", seed, "of random choices and data (default 1)", 0, 0),
     0, 0, NULL, NULL},
    {TEXT("log", log, "FILE",
          "append each trial to this CSV file, and go on from those in it: they\n"
          "count as trials, and their best as found"),
     0, 0, NULL, NULL},
    {TEXT("from", from, "FILE",
          "begin with what a log or table of another GPU, size or version says;\n"
          "with --replay, --where is about it, too"),
     0, 0, "auto", NULL},
    {TEXT("report", report, "DIR",
          "write a page with convergence, importance and effect of each\n"
          "parameter to DIR/index.html; figures need gnuplot"),
     0, 0, NULL, NULL},
    {FLAG("verbose", verbose, "show what the command writes on stderr, or the compilers"),
     'v', TOOL_COMMAND | TOOL_CUDA, NULL, NULL},
    {FLAG("quiet", quiet, "show no progress"), 'q', 0, NULL, NULL},
    {SPECIAL("list", NULL, "list strategies, models and kernels"), 'l', 0, NULL, tool_list},
    {SPECIAL("help", NULL, "this help"), 'h', 0, NULL, tool_help},
    {SPECIAL("version", NULL, "version and commit"), 'V', 0, NULL, tool_version},
    {{0}, 0, 0, NULL, NULL},
};
/* clang-format on */
