#include "gpu.h"
#include "status.h"
#include "tuner_tool.h"
#include "version.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct tuner_tool_option *const table = tuner_tool_table;

static const struct tuner_tool_option *option_of(int letter)
{
    const struct tuner_tool_option *option = table;

    while (option->name && option->letter != letter)
        option++;
    return option;
}

static void end_printed(void)
{
    if (fflush(stdout) != 0)
        fail("stdout could not be written: %s", strerror(errno));
    exit(EXIT_PASS);
}

static void print_and_end(int letter)
{
    if (letter == 'h')
        tuner_tool_help();
    else if (letter == 'l')
        tuner_tool_list();
    else
        printf("tuner %s (commit %s%s, GPU %s)\n", version_number, version_commit,
               version_dirty ? ", modified" : "", GPU_KIND);
    end_printed();
}

/* Which options were given, by their place in the table. */
static void check_together(const struct tuner_tool_options *options, const bool *given)
{
    if (!options->source)
        fail("what is to be tuned? Name it by --command, --replay or --kernel; -h explains");
    for (size_t i = 0; table[i].name; i++) {
        if (given[i] && table[i].sources && !(table[i].sources & options->source))
            fail("--%s makes no sense with --%s", table[i].name,
                 options->source == TUNER_TOOL_COMMAND  ? "command"
                 : options->source == TUNER_TOOL_REPLAY ? "replay"
                                                        : "kernel");
        if (given[i] && table[i].strategies &&
            !strstr(table[i].strategies, options->strategy->name))
            fail("--%s makes no sense with the strategy %s", table[i].name,
                 options->strategy->name);
    }
    if (options->source == TUNER_TOOL_COMMAND && !options->space)
        fail("--command needs a --space: the parameters and their values");
}

void tuner_tool_parse(struct tuner_tool_options *options, int argc, char **argv)
{
    struct option longs[TUNER_TOOL_OPTIONS] = {0};
    bool given[TUNER_TOOL_OPTIONS] = {false};
    int letter;

    *options = (struct tuner_tool_options){.strategy = tuner_strategy_of("iterml"),
                                           .model = tuner_model_kind_of("forest"),
                                           .cut_ratio = 0.5,
                                           .iterations = 3,
                                           .limit_s = 60.0,
                                           .seed = 1,
                                           .confirm = 6};
    for (size_t i = 0; table[i].name; i++)
        longs[i] = (struct option){table[i].name, table[i].value != NULL, NULL, table[i].letter};
    opterr = 0;
    while ((letter = getopt_long(argc, argv, ":vqlhV", longs, NULL)) != -1) {
        if (letter == '?')
            fail("unknown option %s: -h lists the options", argv[optind - 1]);
        if (letter == ':')
            fail("option %s needs a value: -h lists the options", argv[optind - 1]);
        const struct tuner_tool_option *option = option_of(letter);
        if (!option->set)
            print_and_end(letter);
        option->set(options, optarg);
        given[option - table] = true;
    }
    if (optind < argc)
        fail("%s is not an option: -h lists the options", argv[optind]);
    check_together(options, given);
}

void tuner_tool_release_options(struct tuner_tool_options *options)
{
    free(options->where_column);
    free(options->where_value);
    option_free_words(&options->ignored);
}
