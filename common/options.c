/* getopt.h has a struct option of its own. */
#define option getopt_option
#include <getopt.h>
#undef option

#include "options.h"
#include "options_internal.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading values ---- */

bool options_read_size(const char *string, size_t *size)
{
    char *end;
    /* strtod alone would also take signs, blanks, exponents and hexadecimal numbers. */
    size_t digits = strspn(string, "0123456789.");
    if (*string < '0' || *string > '9')
        return false;
    errno = 0;
    double number = strtod(string, &end);
    double unit = 1.0;
    if (end != string + digits)
        return false;
    switch (*end) {
    case 'G':
    case 'g':
        unit *= 1024.0; /* fall through */
    case 'M':
    case 'm':
        unit *= 1024.0; /* fall through */
    case 'K':
    case 'k':
        unit *= 1024.0;
        end++;
    }
    number *= unit;
    if (*end != '\0' || errno || !(number < 9007199254740992.0) || number != floor(number))
        return false;
    *size = (size_t)number;
    return true;
}

static size_t read_size(const char *name, const char *string)
{
    size_t size;
    if (!options_read_size(string, &size))
        fail("--%s %s is not a size: write a whole number below 2^53, with K, M or G if you like",
             name, string);
    return size;
}

static double read_real(const char *name, const char *string, double smallest, double largest)
{
    char *end;
    errno = 0;
    double number = strtod(string, &end);
    if (end == string || *end != '\0' || errno || !isfinite(number))
        fail("--%s %s is not a number", name, string);
    if (number < smallest || number > largest)
        fail("--%s %s is out of range: it must be from %.15g to %.15g", name, string, smallest,
             largest);
    return number;
}

static int64_t read_integer(const char *name, const char *string, double smallest, double largest)
{
    double number = read_real(name, string, smallest, largest);
    if (number != floor(number))
        fail("--%s %s is not a whole number", name, string);
    return (int64_t)number;
}

static unsigned long read_variants(const struct program *program, const char *list)
{
    unsigned long chosen = 0;
    for (const char *at = list; *at;) {
        size_t length = strcspn(at, ",");
        size_t i = 0;
        while (program->variants[i].name && !(strlen(program->variants[i].name) == length &&
                                              strncmp(program->variants[i].name, at, length) == 0))
            i++;
        if (!program->variants[i].name)
            fail("%.*s is not a variant of %s: -l lists them", (int)length, at, program->name);
        chosen |= 1ul << i;
        at += length + (at[length] == ',');
    }
    if (!chosen)
        fail("--variants needs at least one name: -l lists them");
    return chosen;
}

static size_t *read_size_list(const char *list, size_t *count)
{
    size_t *sizes = allocate_or_fail(strlen(list) + 1, sizeof *sizes);
    *count = 0;
    for (const char *at = list; *at;) {
        size_t length = strcspn(at, ",");
        char one[64];
        if (length >= sizeof one)
            fail("--sizes: %.*s is not a size", (int)length, at);
        memcpy(one, at, length);
        one[length] = '\0';
        sizes[(*count)++] = read_size("sizes", one);
        at += length + (at[length] == ',');
    }
    if (*count == 0)
        fail("--sizes needs at least one size");
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
        fail("the largest size -e %zu is below the smallest -b %zu: exchange them", settings->end,
             settings->begin);
    size_t count = 0;
    for (size_t size = settings->begin; size <= settings->end && size != SIZE_MAX; count++)
        size = next_size(settings, size);
    if (count > 100000)
        fail("-b %zu to -e %zu gives %zu sizes: choose a larger step", settings->begin,
             settings->end, count);
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

static void set_own(const struct option *own, const char *argument)
{
    double smallest = own->smallest, largest = own->largest;
    if (smallest == 0.0 && largest == 0.0)
        largest = 9007199254740991.0;
    switch (own->kind) {
    case OPTION_SIZE:
        *(size_t *)own->target = read_size(own->name, argument);
        if ((double)*(size_t *)own->target < smallest || (double)*(size_t *)own->target > largest)
            fail("--%s %s is out of range: it must be from %.0f to %.0f", own->name, argument,
                 smallest, largest);
        break;
    case OPTION_INTEGER:
        *(int64_t *)own->target = read_integer(own->name, argument, smallest, largest);
        break;
    case OPTION_REAL:
        *(double *)own->target = read_real(own->name, argument, smallest, largest);
        break;
    case OPTION_TEXT:
        *(const char **)own->target = argument;
        break;
    case OPTION_FLAG:
        *(bool *)own->target = true;
        break;
    }
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
        settings->begin = read_size("begin", argument);
        break;
    case 'e':
        settings->end = read_size("end", argument);
        break;
    case 'f':
        settings->factor = read_real("factor", argument, 1.0001, 1e6);
        break;
    case 'i':
        settings->step = read_size("step", argument);
        if (settings->step == 0)
            fail("the step -i must be at least 1");
        break;
    }
}

static void set_measuring_option(struct settings *settings, int letter, const char *argument)
{
    switch (letter) {
    case 'n':
        settings->iterations = (int)read_integer("iters", argument, -1e9, 1e9);
        if (settings->iterations < 1)
            fail("-n %s makes no measurement: it must be at least 1", argument);
        break;
    case 'w':
        settings->warmup = (int)read_integer("warmup", argument, 0, 1e9);
        break;
    case LONG_MIN_TIME:
        settings->min_time_s = read_real("min-time", argument, 0, 1e6);
        break;
    case LONG_NOISE:
        settings->noise = read_real("noise", argument, 0, 1);
        break;
    case 'T':
        settings->time_limit_s = read_real("timeout", argument, 0.001, 1e7);
        break;
    case 'c':
        settings->check = read_integer("check", argument, 0, 1) == 1;
        break;
    case 'd':
        settings->device = (int)read_integer("device", argument, 0, 1023);
        break;
    case LONG_SEED:
        settings->seed = (uint64_t)read_integer("seed", argument, 0, 9007199254740991.0);
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
        settings->size = read_size("size", argument);
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

static struct settings defaults(const struct program *program)
{
    return (struct settings){
        .begin = program->default_begin ? program->default_begin : 1,
        .end = program->default_end ? program->default_end : 1,
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
    struct getopt_option longs[SHARED_OPTIONS_MOST + OWN_OPTIONS_MOST + 1];
    char shorts[2 * SHARED_OPTIONS_MOST + 2];
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
            (struct getopt_option){option->name, option->value ? 1 : 0, NULL, option->letter};
        if (option->letter >= FIRST_LONG)
            continue;
        *shorts++ = (char)option->letter;
        if (option->value)
            *shorts++ = ':';
    }
    *shorts = '\0';
    for (size_t i = 0; i < OWN_OPTIONS_MOST && program->options && program->options[i].name; i++)
        tables->longs[longs++] = (struct getopt_option){program->options[i].name,
                                                        program->options[i].kind != OPTION_FLAG,
                                                        NULL, FIRST_OWN + (int)i};
    tables->longs[longs] = (struct getopt_option){NULL, 0, NULL, 0};
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
            set_own(&program->options[letter - FIRST_OWN], optarg);
        else
            set_shared(&parser, letter, optarg);
    }
    if (optind < argc)
        fail("%s is not an option: -h lists the options", argv[optind]);
    choose_sizes(program, settings, parser.range_given);
}
