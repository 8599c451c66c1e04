#include "tuner_tool.h"
#include "workloads/tunable.h"

#include <stdio.h>

enum { INDENT = 28 };

static void print_option(const struct tuner_tool_option *option)
{
    char form[64];
    int used = option->letter < 256 ? snprintf(form, sizeof form, "-%c, ", option->letter) : 0;

    snprintf(form + used, sizeof form - (size_t)used, "--%s%s%s", option->name,
             option->value ? " " : "", option->value ? option->value : "");
    printf("  %-*s", INDENT - 2, form);
    for (const char *at = option->meaning; *at; at++) {
        putchar(*at);
        if (*at == '\n')
            printf("%*s", INDENT, "");
    }
    putchar('\n');
}

static void print_names(const char *name, const char *meaning)
{
    printf("  %-12s  %s\n", name, meaning);
}

void tuner_tool_list(void)
{
    printf("Strategies:\n");
    for (const struct tuner_strategy *const *at = tuner_strategies; *at; at++)
        print_names((*at)->name, (*at)->meaning);
    printf("\nModels of iterml and guided:\n");
    for (const struct tuner_model_kind *const *at = tuner_model_kinds; *at; at++)
        print_names((*at)->name, (*at)->meaning);
    printf("\nKernels:\n");
    for (const struct tunable_kind *const *at = tunable_kinds; *at; at++)
        print_names((*at)->name, (*at)->meaning);
}

void tuner_tool_help(void)
{
    printf(
        "tuner - searches for the configuration with the least time\n\n"
        "Usage: tuner --space FILE --command TEXT   of a program: what a shell command takes\n"
        "       tuner --kernel NAME                 of a kernel of this suite: its thread block\n"
        "       tuner --replay FILE                 of a table of measured times\n\n"
        "Options:\n");
    for (const struct tuner_tool_option *at = tuner_tool_table; at->name; at++)
        print_option(at);
    putchar('\n');
    tuner_tool_list();
    printf(
        "\nA space is a text with one statement per line, for example\n"
        "  integer  bx 1 1024\n"
        "  power2   unroll 1 16\n"
        "  values   cache 16 48 100\n"
        "  category flags -O2 -O3\n"
        "  require  flags != \"-O2\" || unroll < 8\n\n"
        "A command runs by /bin/sh; {{ and }} are braces. Values are put in as they are. A run "
        "that\n"
        "ends with another exit code than 0, or prints no time, has failed; one that reaches the\n"
        "limit is stopped with all that it started, and counts as hanging. The wall time of a\n"
        "command contains the start of a shell, about 1 ms.\n\n"
        "Ctrl-C ends the search with what is known, once more ends it at once.\n\n"
        "Examples:\n"
        "  tuner --space gemm.space --command './gemm -x {bx} -y {by}' --budget 10m\n"
        "  tuner --space gemm.space --command './gemm -x {bx} -y {by}' --time-prefix time_s: \\\n"
        "        --log gemm.csv\n"
        "  tuner --kernel gemm --dataset full --trials 200\n"
        "  tuner --replay sweep.csv.gz --where variant=gemm --strategy local --seed 3\n\n"
        "Exit codes: 0 a configuration was found, 1 none or an error, 2 there is no GPU.\n");
}
