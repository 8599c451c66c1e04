#include <getopt.h>
#include <string.h>

#include "common/harness/exit.h"

#include "tool.h"

/* getopt's value of an option without a short form. */
enum { FIRST_LONG = 256 };

static const struct tool_option *option_of(int value)
{
    if (value >= FIRST_LONG)
        return &tool_table[value - FIRST_LONG];
    const struct tool_option *option = tool_table;
    while (option->letter != value)
        option++;
    return option;
}

static const char *source_name(enum tool_source source)
{
    return source == TOOL_COMMAND  ? "command"
           : source == TOOL_REPLAY ? "replay"
           : source == TOOL_KERNEL ? "kernel"
                                   : "cuda";
}

/* What a kernel of the user's cannot do without. */
static void check_own(const struct tool_options *options)
{
    const struct {
        const char *value, *name, *what;
    } needed[] = {{options->space, "space", "the parameters and their values"},
                  {options->own.name, "name", "the kernel in the file"},
                  {options->own.arguments, "args", "what it is launched with"},
                  {options->own.grid, "grid", "how many blocks are launched"},
                  {options->own.block, "block", "how many threads a block has"}};

    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (!needed[i].value)
            fail("--cuda needs a --%s: %s", needed[i].name, needed[i].what);
}

/* Which options were given, by their place in the table. */
static void check_together(const struct tool_options *options, const bool *given)
{
    if (!options->source)
        fail(
            "what is to be tuned? Name it with --command, --cuda, --replay or --kernel; -h explains");
    for (size_t i = 0; tool_table[i].own.name; i++) {
        const struct tool_option *option = &tool_table[i];
        if (given[i] && option->sources && !(option->sources & options->source))
            fail("--%s cannot be combined with --%s", option->own.name,
                 source_name(options->source));
        if (given[i] && option->strategies && !strstr(option->strategies, options->strategy->name))
            fail("--%s cannot be combined with the strategy %s", option->own.name,
                 options->strategy->name);
    }
    if (options->source == TOOL_CUDA)
        check_own(options);
    if (options->source == TOOL_COMMAND && !options->space)
        fail("--command needs a --space: the parameters and their values");
    if (options->maximize && !options->prefix)
        fail("--maximize needs a --time-prefix: where the number is printed");
    if (options->maximize && options->objectives.count > 1)
        fail("--maximize cannot be combined with several objectives");
    for (size_t i = 1; options->source == TOOL_CUDA && i < options->objectives.count; i++)
        if (strcmp(tool_objective_name(&options->objectives, i), "energy") != 0)
            fail("unknown objective '%s' of --cuda; choose from time, energy",
                 tool_objective_name(&options->objectives, i));
    if (options->maximize && options->unit_s > 0.0)
        fail("--time-unit cannot be combined with --maximize");
}

/* Fills the tables of getopt. */
static void list_options(struct option *longs, char *shorts)
{
    *shorts++ = ':';
    for (size_t i = 0; tool_table[i].own.name; i++) {
        const struct tool_option *option = &tool_table[i];
        int value = option->letter ? option->letter : FIRST_LONG + (int)i;
        longs[i] = (struct option){option->own.name, option->own.value != NULL, NULL, value};
        if (option->letter)
            *shorts++ = (char)option->letter;
    }
}

const struct tool_options *tool_parse(int argc, char **argv)
{
    struct option longs[TOOL_OPTIONS_MAX] = {{0}};
    char shorts[TOOL_OPTIONS_MAX + 2] = "";
    bool given[TOOL_OPTIONS_MAX] = {false};
    int value;

    tool_name_choices();
    list_options(longs, shorts);
    opterr = 0;
    while ((value = getopt_long(argc, argv, shorts, longs, NULL)) != -1) {
        if (value == '?')
            fail("unknown option %s: -h lists the options", argv[optind - 1]);
        if (value == ':')
            fail("option %s needs a value: -h lists the options", argv[optind - 1]);
        const struct tool_option *option = option_of(value);
        if (option->set)
            option->set(optarg);
        else
            option_set(&option->own, optarg);
        given[option - tool_table] = true;
    }
    if (optind < argc)
        fail("%s is not an option: -h lists the options", argv[optind]);
    for (size_t i = 0; tool_table[i].own.name; i++)
        option_read_list(&tool_table[i].own);
    const struct tool_options *options = tool_take_choices();
    check_together(options, given);
    return options;
}
