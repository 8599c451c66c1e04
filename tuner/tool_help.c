#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/gpu.h"
#include "common/harness/exit.h"
#include "common/harness/version.h"
#include "common/workloads/tunable.h"

#include "tool.h"

enum { INDENT = 28 };

static void print_option(const struct tool_option *option)
{
    const struct program_option *own = &option->own;
    char form[64];
    int used = option->letter ? snprintf(form, sizeof form, "-%c, ", option->letter) : 0;

    snprintf(form + used, sizeof form - (size_t)used, "--%s%s%s", own->name, own->value ? " " : "",
             own->value ? own->value : "");
    printf("  %-*s", INDENT - 2, form);
    for (const char *at = own->meaning; *at; at++) {
        putchar(*at);
        if (*at == '\n')
            printf("%*s", INDENT, "");
    }
    putchar('\n');
}

static void print_name(const char *name, const char *meaning)
{
    printf("  %-12s  %s\n", name, meaning);
}

#define PRINT_NAMES(table)                                                                         \
    for (size_t i = 0; (table)[i]; i++)                                                            \
    print_name((table)[i]->name, (table)[i]->meaning)

static void print_lists(void)
{
    printf("Strategies:\n");
    PRINT_NAMES(tuner_strategies());
    printf("\nModels of iterml and guided:\n");
    PRINT_NAMES(tuner_model_kinds());
    printf("\nKernels:\n");
    PRINT_NAMES(tunable_kinds);
}

static void end_printed(void)
{
    if (fflush(stdout) != 0)
        fail("stdout could not be written: %s", strerror(errno));
    exit(EXIT_PASS);
}

void tool_list(const char *unused)
{
    (void)unused;
    print_lists();
    end_printed();
}

void tool_version(const char *unused)
{
    (void)unused;
    printf("tuner %s (commit %s%s, GPU %s)\n", version_number, version_commit,
           version_dirty ? ", modified" : "", GPU_KIND);
    end_printed();
}

void tool_help(const char *unused)
{
    (void)unused;
    printf(
        "tuner - searches for the configuration with the least time\n\n"
        "Usage: tuner --space FILE --command TEXT   a program: the time of a shell command\n"
        "       tuner --cuda FILE --name NAME --space FILE --args LIST --grid LIST --block LIST\n"
        "                                           a CUDA kernel of yours\n"
        "       tuner --kernel NAME                 a kernel of this suite: its thread block\n"
        "       tuner --replay FILE                 a table of measured times\n\n"
        "Options:\n");
    for (const struct tool_option *at = tool_table; at->own.name; at++)
        print_option(at);
    putchar('\n');
    print_lists();
    printf(
        "\nA space is a text with one statement per line, for example\n"
        "  integer  bx 1 1024\n"
        "  power2   unroll 1 16\n"
        "  values   cache 16 48 100\n"
        "  real     share 0.1 0.9 0.2\n"
        "  category flags -O2 -O3\n"
        "  require  flags != \"-O2\" || unroll < 8\n"
        "  only     cache if flags == \"-O3\"      else it has its first value\n\n"
        "/bin/sh runs the command; {{ and }} are braces. A value is one word, in quotes where it\n"
        "needs them; {flags*} stands for the words of a value such as \"-O3 -g\". A run that ends with\n"
        "an exit code other than 0, or prints no time, has failed; one that reaches its time limit is\n"
        "killed with all that it started, and counts as hanging. The wall time of a command includes\n"
        "the start of a shell, about 1 ms.\n\n"
        "A kernel of yours is compiled for each configuration: its parameters are macros, and may\n"
        "stand in template arguments and launch bounds. It runs in a process of its own, which may\n"
        "crash or hang; what it writes must be what the first one wrote, or a reference.\n\n"
        "Ctrl-C ends the search with what is known so far; a second one ends it at once.\n\n"
        "Examples:\n"
        "  tuner --space gemm.space --command './gemm -x {bx} -y {by}' --budget 10m\n"
        "  tuner --space gemm.space --command './gemm -x {bx} -y {by}' --time-prefix time_s: \\\n"
        "        --log gemm.csv\n"
        "  tuner --cuda gemm.cu --name gemm --space gemm.space --grid 'n / (bx * tx), n / (by * ty)' \\\n"
        "        --block 'bx, by' --args 'in float[n*n], in float[n*n], out float[n*n]' --flops '2*n*n*n'\n"
        "  tuner --kernel gemm --dataset full --trials 200\n"
        "  tuner --replay sweep.csv.gz --where variant=gemm --strategy local --seed 3\n\n"
        "Exit codes: 0 a configuration was found, 1 none was, or an error, 2 no GPU.\n");
    end_printed();
}
