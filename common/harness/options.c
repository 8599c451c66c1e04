#include "options.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/harness/exit.h"

#include "options_internal.h"

enum { SIZES_MAX = 100000, VARIANTS_MAX = 64 };

static unsigned long read_variants(const struct program *program, const char *list)
{
    const char *names[VARIANTS_MAX + 1] = {NULL};
    struct option_entry entry;
    unsigned long chosen = 0;
    for (size_t i = 0; i < VARIANTS_MAX && program->variants[i].name; i++)
        names[i] = program->variants[i].name;
    for (const char *rest = list; option_next_entry("variants", &rest, &entry);)
        chosen |= 1ul << option_find_name("variant", names, entry.text, entry.length);
    return chosen;
}

static size_t *read_size_list(const char *list, size_t *count)
{
    size_t *sizes = allocate_or_fail(strlen(list) + 1, sizeof *sizes);
    struct option_entry entry;
    *count = 0;
    for (const char *rest = list; option_next_entry("sizes", &rest, &entry);) {
        char one[64];
        snprintf(one, sizeof one, "%.*s", entry.length, entry.text);
        sizes[*count] = option_read_size("sizes", one);
        if (sizes[(*count)++] == 0)
            fail("--sizes %s: a size must be at least 1", list);
    }
    return sizes;
}

/* ---- sizes ---- */

static size_t next_size(const struct settings *settings, size_t size)
{
    if (settings->step)
        return settings->step > SIZE_MAX - size ? SIZE_MAX : size + settings->step;
    double next = (double)size * settings->factor;
    return next >= 9007199254740992.0 ? SIZE_MAX : (size_t)next > size ? (size_t)next : size + 1;
}

static void list_sizes(struct settings *settings)
{
    if (settings->begin == 0)
        fail("the smallest size -b must be at least 1");
    if (settings->end < settings->begin)
        fail("the largest size -e %zu is below the smallest -b %zu: swap them", settings->end,
             settings->begin);
    size_t count = 0;
    for (size_t size = settings->begin; size <= settings->end && size != SIZE_MAX; count++) {
        size = next_size(settings, size);
        if (count == SIZES_MAX)
            fail("-b %zu to -e %zu gives more than %d sizes: choose a larger step", settings->begin,
                 settings->end, SIZES_MAX);
    }
    settings->sizes = allocate_or_fail(count, sizeof(size_t));
    settings->size_count = 0;
    for (size_t size = settings->begin; settings->size_count < count;
         size = next_size(settings, size))
        settings->sizes[settings->size_count++] = size;
}

static void choose_sizes(const struct program *program, struct settings *settings, bool range_given)
{
    if (!program->size_unit || settings->sizes)
        return;
    if (range_given || !program->default_sizes) {
        list_sizes(settings);
        return;
    }
    while (program->default_sizes[settings->size_count])
        settings->size_count++;
    settings->sizes = allocate_or_fail(settings->size_count, sizeof(size_t));
    memcpy(settings->sizes, program->default_sizes, settings->size_count * sizeof(size_t));
}

/* ---- parsing ---- */

/* Prints what was asked for on stdout and ends; a full disk or closed pipe is an error. */
static void print_and_end(void (*print)(const struct program *), const struct program *program)
{
    print(program);
    if (fflush(stdout) != 0)
        fail("stdout could not be written: %s", strerror(errno));
    exit(EXIT_PASS);
}

static void set_output(struct settings *settings, const char *file, bool format_given)
{
    settings->output = file;
    if (!*file)
        fail("-o needs the name of a file");
    size_t length = strlen(file);
    if (!format_given)
        settings->format =
            length > 5 && strcmp(file + length - 5, ".json") == 0 ? FORMAT_JSON : FORMAT_CSV;
}

struct parser {
    const struct program *program;
    struct settings *settings;
    bool range_given;
    bool format_given;
};

static void set_size_option(struct parser *parser, int letter, const char *argument)
{
    struct settings *settings = parser->settings;
    parser->range_given = true;
    switch (letter) {
    case 'b':
        settings->begin = option_read_size("begin", argument);
        break;
    case 'e':
        settings->end = option_read_size("end", argument);
        break;
    case 'f':
        settings->factor = option_read_real("factor", argument, 1.0001, 1e6);
        break;
    case 'i':
        settings->step = option_read_size("step", argument);
        if (settings->step == 0)
            fail("the step -i must be at least 1");
        break;
    }
}

static void set_measuring_option(struct settings *settings, int letter, const char *argument)
{
    switch (letter) {
    case 'n':
        settings->iterations = (int)option_read_integer("iters", argument, -1e9, 1e9);
        if (settings->iterations < 1)
            fail("-n %s makes no measurement: it must be at least 1", argument);
        break;
    case 'w':
        settings->warmup = (int)option_read_integer("warmup", argument, 0, 1e9);
        break;
    case LONG_MIN_TIME:
        settings->min_time_s = option_read_real("min-time", argument, 0, 1e6);
        break;
    case LONG_NOISE:
        settings->noise = option_read_real("noise", argument, 0, 1);
        break;
    case 'T':
        settings->time_limit_s = option_read_real("timeout", argument, 0.001, 1e7);
        break;
    case 'c':
        settings->check = option_read_integer("check", argument, 0, 1) == 1;
        break;
    case 'd':
        settings->device = (int)option_read_integer("device", argument, 0, 1023);
        break;
    case LONG_SEED:
        settings->seed = (uint64_t)option_read_integer("seed", argument, 0, 9007199254740991.0);
        break;
    }
}

static void set_shared(struct parser *parser, int letter, const char *argument)
{
    const struct program *program = parser->program;
    struct settings *settings = parser->settings;
    switch (letter) {
    case 'b':
    case 'e':
    case 'f':
    case 'i':
        set_size_option(parser, letter, argument);
        break;
    case LONG_SIZES:
        settings->sizes = read_size_list(argument, &settings->size_count);
        break;
    case 's':
        settings->size = option_read_size("size", argument);
        if (settings->size == 0)
            fail("the problem size -s must be at least 1");
        break;
    case LONG_VARIANTS:
        settings->variants = read_variants(program, argument);
        break;
    case 'o':
        set_output(settings, argument, parser->format_given);
        break;
    case LONG_CSV:
    case LONG_JSON:
        settings->format = letter == LONG_CSV ? FORMAT_CSV : FORMAT_JSON;
        parser->format_given = true;
        break;
    case LONG_EXPERIMENT:
        settings->experiment = argument;
        break;
    case LONG_REFERENCE:
        settings->reference = argument;
        break;
    case 'v':
        settings->verbosity = 1;
        break;
    case 'q':
        settings->verbosity = -1;
        break;
    case 'l':
        print_and_end(options_print_variants, program);
        break;
    case 'h':
        print_and_end(options_print_help, program);
        break;
    case 'V':
        print_and_end(options_print_version, program);
        break;
    default:
        set_measuring_option(settings, letter, argument);
    }
}

size_t options_default_begin(const struct program *program)
{
    return program->default_begin   ? program->default_begin
           : program->default_sizes ? program->default_sizes[0]
                                    : 1;
}

size_t options_default_end(const struct program *program)
{
    const size_t *sizes = program->default_sizes;
    if (program->default_end || !sizes)
        return program->default_end ? program->default_end : 1;
    while (sizes[1])
        sizes++;
    return sizes[0];
}

static struct settings defaults(const struct program *program)
{
    return (struct settings){
        .begin = options_default_begin(program),
        .end = options_default_end(program),
        .factor = 2.0,
        .size = program->default_size,
        .warmup = 2,
        .min_time_s = 0.5,
        .noise = 0.02,
        .time_limit_s = 600.0,
        .check = true,
        .device = -1,
        .seed = 1,
        .experiment = program->name,
        .variants = ~0ul,
    };
}

/* getopt's tables: the shared options first, then the program's own as FIRST_OWN + i. */
struct option_tables {
    struct option longs[SHARED_OPTIONS_MAX + OWN_OPTIONS_MAX + 1];
    char shorts[2 * SHARED_OPTIONS_MAX + 2];
};

static void fill_tables(const struct program *program, struct option_tables *tables)
{
    size_t longs = 0;
    char *shorts = tables->shorts;
    *shorts++ = ':';
    for (const struct shared_option *option = shared_options; option->name; option++) {
        if (!option_applies(program, option))
            continue;
        tables->longs[longs++] =
            (struct option){option->name, option->value ? 1 : 0, NULL, option->letter};
        if (option->letter >= FIRST_LONG)
            continue;
        *shorts++ = (char)option->letter;
        if (option->value)
            *shorts++ = ':';
    }
    *shorts = '\0';
    for (size_t i = 0; i < OWN_OPTIONS_MAX && program->options && program->options[i].name; i++)
        tables->longs[longs++] =
            (struct option){program->options[i].name, program->options[i].kind != OPTION_FLAG, NULL,
                            FIRST_OWN + (int)i};
    tables->longs[longs] = (struct option){NULL, 0, NULL, 0};
}

void options_parse(const struct program *program, struct settings *settings, int argc, char **argv)
{
    struct option_tables tables;
    struct parser parser = {program, settings, false, false};
    *settings = defaults(program);
    fill_tables(program, &tables);
    opterr = 0;
    int letter;
    while ((letter = getopt_long(argc, argv, tables.shorts, tables.longs, NULL)) != -1) {
        if (letter == '?')
            fail("unknown option %s: -h lists the options", argv[optind - 1]);
        if (letter == ':')
            fail("option %s needs a value: -h lists the options", argv[optind - 1]);
        if (letter >= FIRST_OWN)
            option_set(&program->options[letter - FIRST_OWN], optarg);
        else
            set_shared(&parser, letter, optarg);
    }
    if (optind < argc)
        fail("%s is not an option: -h lists the options", argv[optind]);
    for (const struct program_option *own = program->options; own && own->name; own++)
        option_read_list(own);
    choose_sizes(program, settings, parser.range_given);
}
