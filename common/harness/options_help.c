#include <stdio.h>
#include <string.h>

#include "common/gpu.h"

#include "options_internal.h"
#include "version.h"

const struct shared_option shared_options[] = {
    {"begin", 'b', "SIZE", WITH_SIZES, "smallest size"},
    {"end", 'e', "SIZE", WITH_SIZES, "largest size"},
    {"factor", 'f', "X", WITH_SIZES, "factor from one size to the next (default 2)"},
    {"step", 'i', "SIZE", WITH_SIZES, "step from one size to the next, instead of -f"},
    {"sizes", LONG_SIZES, "LIST", WITH_SIZES, "these sizes, separated by commas, instead of -b -e"},
    {"size", 's', "N", WITH_SIZE, "problem size"},
    {"iters", 'n', "N", ALWAYS,
     "timed repetitions (default: 10 or more, by --noise and --min-time)"},
    {"warmup", 'w', "N", ALWAYS, "untimed repetitions before (default 2)"},
    {"min-time", LONG_MIN_TIME, "S", ALWAYS,
     "stop repeating a configuration after S seconds, if noise did not stop it before (default "
     "0.5)"},
    {"noise", LONG_NOISE, "SHARE", ALWAYS,
     "stop when the 95 % interval is within SHARE of the median (default 0.02)"},
    {"timeout", 'T', "S", ALWAYS,
     "time limit in seconds: what is complete is kept, exit code 124 (default 600)"},
    {"check", 'c', "0|1", ALWAYS, "verify results, outside the timed region (default 1)"},
    {"device", 'd', "N", ALWAYS, "GPU to use (default: the rank on this host, modulo GPUs)"},
    {"variants", LONG_VARIANTS, "LIST", ALWAYS, "only these variants, separated by commas"},
    {"output", 'o', "FILE", ALWAYS, "write CSV (or JSON, by the name's ending) to a new FILE"},
    {"csv", LONG_CSV, NULL, ALWAYS, "write CSV, one row per repetition"},
    {"json", LONG_JSON, NULL, ALWAYS, "write one JSON document with all samples"},
    {"seed", LONG_SEED, "N", ALWAYS, "seed of all random data (default 1)"},
    {"experiment", LONG_EXPERIMENT, "NAME", ALWAYS, "name in the first column of the CSV"},
    {"reference", LONG_REFERENCE, "COLUMN:VALUE:LOWER:UPPER", ALWAYS,
     "judge the column's median over all rows: outside VALUE*(1+LOWER) .. VALUE*(1+UPPER)\n"
     "exit code 3; an empty bound is open. Example: bandwidth_gbs:55:-0.1:"},
    {"list", 'l', NULL, ALWAYS, "list the variants and end"},
    {"help", 'h', NULL, ALWAYS, "this help"},
    {"version", 'V', NULL, ALWAYS, "version and commit"},
    {"verbose", 'v', NULL, ALWAYS, "say more on stderr"},
    {"quiet", 'q', NULL, ALWAYS, "say nothing on stderr but the result"},
    {0},
};

bool option_applies(const struct program *program, const struct shared_option *option)
{
    return option->applies == ALWAYS || (option->applies == WITH_SIZES && program->size_unit) ||
           (option->applies == WITH_SIZE && program->default_size);
}

static void print_text_default(const char *text)
{
    if (text && *text)
        printf(" (default %s)", text);
}

static void print_default(const struct program_option *own)
{
    switch (own->kind) {
    case OPTION_SIZE:
        printf(" (default %zu)", *(size_t *)own->target);
        break;
    case OPTION_INTEGER:
        printf(" (default %lld)", (long long)*(int64_t *)own->target);
        break;
    case OPTION_REAL:
        printf(" (default %g)", *(double *)own->target);
        break;
    case OPTION_TEXT:
        print_text_default(*(const char **)own->target);
        break;
    case OPTION_FLAG:
        break;
    case OPTION_NUMBERS:
        print_text_default(((struct option_numbers *)own->target)->list);
        break;
    case OPTION_REALS:
        print_text_default(((struct option_reals *)own->target)->list);
        break;
    case OPTION_WORDS:
        print_text_default(((struct option_words *)own->target)->list);
        break;
    case OPTION_CHOICES:
        print_text_default(((struct option_choices *)own->target)->list);
        break;
    case OPTION_CHOICE:
        print_text_default(((struct option_choice *)own->target)->name);
        break;
    }
}

static void print_meaning(const char *meaning)
{
    for (const char *at = meaning; *at; at++) {
        putchar(*at);
        if (*at == '\n')
            printf("%28s", "");
    }
}

static void print_option(int letter, const char *name, const char *value, const char *meaning)
{
    char form[64];
    snprintf(form, sizeof form, "--%s%s%s", name, value ? " " : "", value ? value : "");
    if (letter < FIRST_LONG)
        printf("  -%c, ", letter);
    else
        printf("      ");
    if (strlen(form) > 21)
        printf("%s\n%28s", form, "");
    else
        printf("%-22s", form);
    print_meaning(meaning);
}

static void print_columns(const struct program *program)
{
    printf("\nColumns of the CSV beside the common ones:\n");
    for (const struct column *column = program->columns; column->name; column++)
        printf("  %-22s    %s%s\n", column->name,
               column->kind == COLUMN_METRIC ? "" : "parameter: ", column->meaning);
}

void options_print_variants(const struct program *program)
{
    for (size_t i = 0; program->variants[i].name; i++)
        printf("  %-22s    %s\n", program->variants[i].name, program->variants[i].meaning);
}

void options_print_help(const struct program *program)
{
    printf("%s: %s\n\nUsage: %s [OPTION]...\n", program->name, program->summary, program->name);
    if (program->details)
        printf("\n%s\n", program->details);
    printf("\nVariants:\n");
    options_print_variants(program);
    const struct program_option *own = program->options;
    if (own && own->name)
        printf("\nOptions of this program:\n");
    for (const struct program_option *option = own; option && option->name; option++) {
        print_option(FIRST_LONG, option->name, option->value, option->meaning);
        print_default(option);
        putchar('\n');
    }
    printf("\nShared options%s%s:\n", program->size_unit ? "; sizes are in " : "",
           program->size_unit ? program->size_unit : "");
    for (const struct shared_option *option = shared_options; option->name; option++) {
        if (!option_applies(program, option))
            continue;
        print_option(option->letter, option->name, option->value, option->meaning);
        if (option->applies == WITH_SIZE)
            printf(" (default %zu)", program->default_size);
        if (option->letter == 'b')
            printf(" (default %zu)", options_default_begin(program));
        if (option->letter == 'e')
            printf(" (default %zu)", options_default_end(program));
        putchar('\n');
    }
    print_columns(program);
    printf("\nExit codes: 0 pass, 1 error or wrong result, 2 waived (something is missing here),\n"
           "3 right but outside the reference, 124 time limit. Sizes take K, M, G (binary).\n");
}

void options_print_version(const struct program *program)
{
    printf("%s %s (commit %s%s, GPU %s)\n", program->name, version_number, version_commit,
           version_dirty ? ", modified" : "", GPU_KIND);
}
