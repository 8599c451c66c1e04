/* A command as an objective. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include <datamotion/tuner.h>

#include "common/error.h"
#include "common/statistics.h"

#include "allocate.h"
#include "command_build.h"
#include "command_output.h"
#include "command_text.h"
#include "process.h"

struct tuner_command {
    const struct tuner_space *space;
    struct tuner_command_options options; /* of which the texts are copies */
    char *command, *prefix;
    double *times; /* of the runs of a configuration, and each further quantity of them */
    struct builds builds;
    char failure[256];
};

/* ---- opening ---- */

static enum dm_status check_options(const struct tuner_space *space,
                                    const struct tuner_command_options *options)
{
    char *text;

    if (options->runs < 1)
        return dm_fail(DM_INVALID, "%d runs of a command: at least one per configuration is needed",
                       options->runs);
    if (!(options->limit_s > 0.0))
        return dm_fail(DM_INVALID, "a time limit of %g s for a command: it must be above 0",
                       options->limit_s);
    if (!options->command[strspn(options->command, " \t\n")])
        return dm_fail(DM_INVALID, "the command is empty");
    if (options->maximize && !options->prefix)
        return dm_fail(DM_INVALID, "a rate to maximize is printed: name the prefix of its line");
    TRY(command_text(&text, space, options->command, 0, options->build ? "build" : NULL));
    free(text);
    return DM_OK;
}

enum dm_status tuner_command_open(struct tuner_command **command, const struct tuner_space *space,
                                  const struct tuner_command_options *options)
{
    *command = NULL;
    TRY(check_options(space, options));
    struct tuner_command *opened = allocate(1, sizeof *opened);
    if (!opened)
        return DM_NO_MEMORY;
    *opened = (struct tuner_command){
        .space = space,
        .options = *options,
        .command = allocate_copy(options->command, strlen(options->command) + 1, 1),
        .times = allocate((1 + TUNER_FURTHER_MAX) * (size_t)options->runs, sizeof *opened->times)};
    if (options->prefix)
        opened->prefix = allocate_copy(options->prefix, strlen(options->prefix) + 1, 1);
    opened->options.command = opened->command;
    opened->options.prefix = opened->prefix;
    if (!opened->command || !opened->times || (options->prefix && !opened->prefix)) {
        tuner_command_close(opened);
        return DM_NO_MEMORY;
    }
    enum dm_status status = builds_open(&opened->builds, space, options->build);
    if (status == DM_OK)
        *command = opened;
    else
        tuner_command_close(opened);
    return status;
}

void tuner_command_close(struct tuner_command *command)
{
    if (!command)
        return;
    free(command->command);
    free(command->prefix);
    free(command->times);
    builds_close(&command->builds);
    free(command);
}

const char *tuner_command_failure(const struct tuner_command *command)
{
    return command->failure;
}

/* ---- measuring ---- */

static enum tuner_outcome fail_run(struct tuner_command *command, const char *what, int number)
{
    snprintf(command->failure, sizeof command->failure, "%s %d", what, number);
    return TUNER_FAILED;
}

/* Without one of them the run has failed. */
static bool read_further(struct tuner_command *command, const struct command_output *output)
{
    for (size_t f = 0; f < TUNER_FURTHER_MAX; f++)
        if (command->options.further[f] && !(output->more[f] > 0.0)) {
            snprintf(command->failure, sizeof command->failure,
                     "it printed no line that begins with %.100s, followed by a number above 0",
                     command->options.further[f]);
            return false;
        }
    return true;
}

/* What was read is a time, or a rate whose inverse is minimised as a time is: half the rate is
 * twice the time. */
static bool read_output(const struct tuner_command *command, struct command_output *output,
                        double *time_s)
{
    if (!command_output_time(output, time_s))
        return false;
    if (command->options.maximize)
        *time_s = 1.0 / *time_s;
    return isfinite(*time_s) && *time_s > 0.0;
}

static enum tuner_outcome judge(struct tuner_command *command, const struct process_end *end,
                                struct command_output *output, double *time_s)
{
    *time_s = end->seconds;
    if (end->late)
        return TUNER_HANGING;
    if (WIFSIGNALED(end->status))
        return fail_run(command, "it was ended by signal", WTERMSIG(end->status));
    if (WEXITSTATUS(end->status) != 0)
        return fail_run(command, "it ended with exit code", WEXITSTATUS(end->status));
    if (!output->prefix || read_output(command, output, time_s))
        return !output->further || read_further(command, output) ? TUNER_OK : TUNER_FAILED;
    snprintf(command->failure, sizeof command->failure,
             "it printed no line that begins with %.100s, followed by a %s above 0", output->prefix,
             command->options.maximize ? "number" : "time");
    return TUNER_FAILED;
}

static enum dm_status run_once(struct tuner_command *command, const char *text,
                               struct tuner_trial *trial, double *time_s)
{
    const bool reads = command->options.prefix || command->options.further[0];
    struct command_output output = {.prefix = command->options.prefix,
                                    .unit_s = command->options.unit_s,
                                    .further = command->options.further};
    struct process process = {.command = text,
                              .limit_s = command->options.limit_s,
                              .show_stderr = command->options.verbose,
                              .take = reads ? command_output_take : NULL,
                              .context = &output};
    struct process_end end;

    TRY(process_run(&process, &end));
    trial->cost_s += end.seconds;
    command_output_end(&output);
    trial->outcome = judge(command, &end, &output, time_s);
    for (size_t f = 0; f < TUNER_FURTHER_MAX; f++)
        time_s[(f + 1) * (size_t)command->options.runs] = output.more[f];
    return DM_OK;
}

static enum dm_status run_build(struct tuner_command *command, const char *text,
                                struct tuner_trial *trial)
{
    struct process process = {.command = text,
                              .limit_s = command->options.limit_s,
                              .show_stderr = command->options.verbose};
    struct command_output none = {0};
    struct process_end end;
    double unused_s;

    TRY(process_run(&process, &end));
    trial->cost_s += end.seconds;
    trial->outcome = judge(command, &end, &none, &unused_s);
    return DM_OK;
}

/* Builds what is not built yet; the trial has failed if that did. */
static enum dm_status build(struct tuner_command *command, size_t configuration,
                            struct tuner_trial *trial, char name[BUILD_NAME_BYTES])
{
    struct builds *builds = &command->builds;
    uint64_t key;
    char *text;

    TRY(builds_text(builds, command->space, configuration, &text, &key, name));
    if (!text || builds_find(builds, key, &trial->outcome)) {
        free(text);
        return DM_OK;
    }
    enum dm_status status = run_build(command, text, trial);
    free(text);
    if (status == DM_OK)
        status = builds_add(builds, key, trial->outcome);
    return status;
}

enum dm_status tuner_command_lines(const struct tuner_command *command, size_t configuration,
                                   char **build, char **run)
{
    char name[BUILD_NAME_BYTES];
    uint64_t key;

    *run = NULL;
    TRY(builds_text(&command->builds, command->space, configuration, build, &key, name));
    enum dm_status status =
        command_text(run, command->space, command->command, configuration, *build ? name : NULL);
    if (status != DM_OK) {
        free(*build);
        *build = NULL;
    }
    return status;
}

static enum dm_status measure(void *context, size_t configuration, struct tuner_trial *trial)
{
    struct tuner_command *command = context;
    size_t runs = (size_t)command->options.runs;
    enum dm_status status = DM_OK;
    char *text, name[BUILD_NAME_BYTES];

    TRY(build(command, configuration, trial, name));
    TRY(command_text(&text, command->space, command->command, configuration,
                     command->builds.command ? name : NULL));
    for (size_t i = 0; i < runs && status == DM_OK && trial->outcome == TUNER_OK; i++)
        status = run_once(command, text, trial, &command->times[i]);
    free(text);
    if (status != DM_OK || trial->outcome != TUNER_OK)
        return status;
    statistics_sort(command->times, runs);
    struct interval time = statistics_median(command->times, runs);
    trial->time_s = time.median;
    trial->spread_s = 0.5 * (time.high - time.low);
    for (size_t f = 0; f < TUNER_FURTHER_MAX; f++) {
        double *values = command->times + (f + 1) * runs;
        statistics_sort(values, runs);
        trial->further[f] = statistics_median(values, runs).median;
    }
    return DM_OK;
}

struct tuner_objective tuner_command_objective(struct tuner_command *command)
{
    return (struct tuner_objective){.measure = measure, .context = command};
}
