/* A command as an oracle. */
#include "status.h"
#include "statistics.h"
#include "tuner_command_output.h"
#include "tuner_command_text.h"
#include "tuner_complain.h"
#include "tuner_oracle.h"
#include "tuner_process.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

struct tuner_command {
    const struct tuner_space *space;
    struct tuner_command_options options; /* with copies of its texts */
    char *command, *pattern;
    double *times; /* of the runs of a configuration */
    char failure[256];
};

/* ---- opening ---- */

static const char *option_error(const struct tuner_command_options *options)
{
    if (options->runs < 1)
        return "a command must run at least once per configuration";
    if (!(options->limit_s > 0.0))
        return "the time limit of a command must be above 0";
    return options->command[strspn(options->command, " \t\n")] ? NULL : "the command is empty";
}

static char *copy_of(const char *text)
{
    return text ? strcpy(allocate_or_fail(strlen(text) + 1, 1), text) : NULL;
}

struct tuner_command *tuner_command_open(const struct tuner_space *space,
                                         const struct tuner_command_options *options,
                                         const char **complaint)
{
    const char *wrong = option_error(options);
    if (wrong)
        return tuner_complain(complaint, "%s", wrong);
    char *text = tuner_command_text(space, options->command, 0, complaint);
    if (!text)
        return NULL;
    free(text);
    struct tuner_command *command = allocate_or_fail(1, sizeof *command);
    command->space = space;
    command->options = *options;
    command->options.command = command->command = copy_of(options->command);
    command->options.pattern = command->pattern = copy_of(options->pattern);
    command->times = allocate_or_fail((size_t)options->runs, sizeof *command->times);
    return command;
}

void tuner_command_close(struct tuner_command *command)
{
    if (!command)
        return;
    free(command->command);
    free(command->pattern);
    free(command->times);
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

static enum tuner_outcome judge(struct tuner_command *command, const struct tuner_process_end *end,
                                struct tuner_command_output *output, double *time_s)
{
    *time_s = end->seconds;
    if (end->late)
        return TUNER_HANGING;
    if (WIFSIGNALED(end->status))
        return fail_run(command, "it was ended by signal", WTERMSIG(end->status));
    if (WEXITSTATUS(end->status) != 0)
        return fail_run(command, "it ended with exit code", WEXITSTATUS(end->status));
    if (!output->prefix || tuner_command_output_time(output, time_s))
        return TUNER_OK;
    snprintf(command->failure, sizeof command->failure,
             "it printed no line that begins with %.100s and has a time in s, above 0, behind it",
             output->prefix);
    return TUNER_FAILED;
}

static enum tuner_outcome run_once(struct tuner_command *command, const char *text, double *time_s,
                                   double *cost_s)
{
    struct tuner_command_output output = {.prefix = command->options.pattern};
    struct tuner_process process = {.command = text,
                                    .limit_s = command->options.limit_s,
                                    .show_stderr = command->options.verbose,
                                    .take = output.prefix ? tuner_command_output_take : NULL,
                                    .context = &output};
    struct tuner_process_end end = tuner_process_run(&process);

    *cost_s += end.seconds;
    return judge(command, &end, &output, time_s);
}

static struct tuner_trial measure(void *context, size_t configuration)
{
    struct tuner_command *command = context;
    struct tuner_trial trial = {.time_s = NAN};
    const char *complaint;
    size_t runs = (size_t)command->options.runs;
    char *text = tuner_command_text(command->space, command->command, configuration, &complaint);

    if (!text)
        fail("%s", complaint);
    for (size_t i = 0; i < runs && trial.outcome == TUNER_OK; i++)
        trial.outcome = run_once(command, text, &command->times[i], &trial.cost_s);
    free(text);
    if (trial.outcome != TUNER_OK)
        return trial;
    statistics_sort(command->times, runs);
    struct interval time = statistics_median(command->times, runs);
    trial.time_s = time.median;
    trial.spread_s = 0.5 * (time.high - time.low);
    return trial;
}

struct tuner_oracle tuner_command_oracle(struct tuner_command *command)
{
    return (struct tuner_oracle){.measure = measure, .context = command};
}
