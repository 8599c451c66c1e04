/* tuner: searches for the configuration of a program, a kernel or a table with the least time. */
#include "clock.h"
#include "statistics.h"
#include "status.h"
#include "tuner_log.h"
#include "tuner_tool.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct tool {
    struct tuner_tool_options options;
    struct tuner_tool_subject subject;
    struct tuner_log *log; /* or NULL */
    struct tuner_tool_candidate best, second;
    double start_s;
};

/* ---- the search ---- */

enum {
    LEAST_SAMPLES = 10, /* fewer teach a model nothing */
    BATCHES = 8         /* of guided */
};

/* IterML's samples per iteration. */
static size_t samples_of(const struct tool *tool)
{
    const struct tuner_tool_options *options = &tool->options;
    size_t size = tuner_space_size(tool->subject.space);
    size_t iterations = options->iterations > 0 ? (size_t)options->iterations : 1;

    if (options->pick_ratio > 0.0)
        return tuner_search_samples(options->pick_ratio, size);
    if (options->trials && options->iterations > 0)
        return (options->trials + iterations - 1) / iterations;
    size_t samples = tuner_search_samples(0.01, size);
    return samples > LEAST_SAMPLES ? samples : LEAST_SAMPLES;
}

/* The same number of trials in smaller batches. */
static size_t batch_of(const struct tool *tool, size_t samples, size_t trials)
{
    size_t all = trials ? trials : samples * (size_t)tool->options.iterations;

    if (strcmp(tool->options.strategy->name, "guided") != 0 || tool->options.pick_ratio > 0.0)
        return samples;
    return (all + BATCHES - 1) / BATCHES;
}

/* Strategies that end by themselves, or by --budget, need no limit; the others get what IterML
 * would measure, so that they can be compared. */
static size_t trials_of(const struct tool *tool, size_t samples)
{
    const char *name = tool->options.strategy->name;

    if (tool->options.trials)
        return tool->options.trials;
    if (strcmp(name, "iterml") == 0 || strcmp(name, "exhaustive") == 0 ||
        tool->options.budget_s > 0.0)
        return 0;
    return samples * (size_t)tool->options.iterations;
}

static bool better(const struct tuner_trial *trial, const struct tuner_tool_candidate *candidate)
{
    return trial->outcome == TUNER_OK &&
           (!candidate->found || trial->time_s < candidate->trial.time_s);
}

/* True if it is the new best. */
static bool rank(struct tool *tool, size_t configuration, const struct tuner_trial *trial)
{
    struct tuner_tool_candidate candidate = {
        .found = true, .configuration = configuration, .trial = *trial};

    if (better(trial, &tool->best)) {
        tool->second = tool->best;
        tool->best = candidate;
        return true;
    }
    if (better(trial, &tool->second))
        tool->second = candidate;
    return false;
}

static bool after_trial(const struct tuner_search *search, size_t configuration,
                        const struct tuner_trial *trial, void *context)
{
    struct tool *tool = context;
    const struct tuner_tool_options *options = &tool->options;
    struct tuner_trial known;
    bool improved = rank(tool, configuration, trial);

    if (tool->log && !tuner_log_find(tool->log, configuration, &known))
        tuner_log_add(tool->log, configuration, trial, options->seed, options->strategy->name);
    if (!options->quiet)
        tuner_tool_show(search, improved);
    return !tuner_tool_interrupted() && !(tool->subject.live && options->budget_s > 0.0 &&
                                          clock_now_s() - tool->start_s >= options->budget_s);
}

static struct tuner_search *open_search(struct tool *tool)
{
    const struct tuner_tool_options *options = &tool->options;
    size_t samples = samples_of(tool), trials = trials_of(tool, samples);
    struct tuner_search_options search = {
        .space = tool->subject.space,
        .oracle = tool->subject.oracle,
        .seed = options->seed,
        .trials_most = trials,
        .cost_most_s = tool->subject.live ? 0.0 : options->budget_s,
        .model = options->model,
        .samples = batch_of(tool, samples, trials),
        .cut_ratio = options->cut_ratio,
        .iterations = options->iterations,
        .after_trial = after_trial,
        .context = tool,
    };

    return tuner_search_open(&search);
}

/* ---- the log ---- */

static void open_log(struct tool *tool)
{
    const struct tuner_tool_options *options = &tool->options;
    const char *complaint;

    if (!options->log)
        return;
    tool->log = tuner_log_open(options->log, tool->subject.space, tool->subject.words, &complaint);
    if (!tool->log)
        fail("%s", complaint);
    if (tuner_log_was_cut(tool->log))
        fprintf(stderr, "%s: the last line was cut off and is dropped\n", options->log);
    if (tuner_log_size(tool->log) && !options->quiet)
        fprintf(stderr, "%s: %zu configurations are known\n", options->log,
                tuner_log_size(tool->log));
}

static void recall(const struct tool *tool, struct tuner_search *search)
{
    struct tuner_trial trial;

    for (size_t i = 0; tool->log && i < tuner_space_size(tool->subject.space); i++)
        if (tuner_log_find(tool->log, i, &trial))
            tuner_search_recall(search, i, &trial);
}

/* ---- the best again: the least of many noisy times is too good ---- */

static void measure_again(const struct tool *tool, struct tuner_tool_candidate *candidate)
{
    struct tuner_oracle oracle = tool->subject.oracle;

    if (!candidate->found || tuner_tool_interrupted())
        return;
    struct tuner_trial trial = oracle.measure(oracle.context, candidate->configuration);
    if (trial.outcome == TUNER_OK)
        candidate->times[candidate->measured++] = trial.time_s;
    else
        candidate->unsteady = true;
}

static double median_of(const struct tuner_tool_candidate *candidate)
{
    return candidate->measured ? statistics_quantile(candidate->times, candidate->measured, 0.5)
                               : INFINITY;
}

/* Turn by turn, so that a drift of the machine meets both. */
static void confirm(struct tool *tool)
{
    struct tuner_tool_candidate *both[] = {&tool->best, &tool->second};
    size_t rounds = (size_t)tool->options.confirm;

    for (int i = 0; i < 2; i++)
        both[i]->times = allocate_or_fail(rounds, sizeof(double));
    for (size_t round = 0; round < 2 * rounds; round++)
        measure_again(tool, both[round % 2]);
    for (int i = 0; i < 2; i++)
        statistics_sort(both[i]->times, both[i]->measured);
    if (tool->second.found && median_of(&tool->second) < median_of(&tool->best)) {
        struct tuner_tool_candidate first = tool->best;
        tool->best = tool->second;
        tool->second = first;
    }
}

/* ---- the program ---- */

static void check_found(const struct tool *tool, const struct tuner_progress *progress)
{
    const char *why = tool->subject.command ? tuner_command_failure(tool->subject.command) : "";

    if (!progress->found)
        fail(
            "none of the %zu configurations tried was ok: %zu invalid, %zu failed, %zu hanging%s%s",
            progress->trials, progress->count[TUNER_INVALID], progress->count[TUNER_FAILED],
            progress->count[TUNER_HANGING], *why ? "; the last that failed: " : "", why);
}

static void search_and_report(struct tool *tool)
{
    struct tuner_search *search = open_search(tool);

    recall(tool, search);
    tuner_search_run(search, tool->options.strategy);
    double elapsed_s = clock_now_s() - tool->start_s;
    tuner_tool_show_end();
    check_found(tool, tuner_search_progress(search));
    bool interrupted = tuner_tool_interrupted();
    if (tool->subject.live && tool->options.confirm && !interrupted)
        confirm(tool);
    struct tuner_tool_result result = {.options = &tool->options,
                                       .subject = &tool->subject,
                                       .progress = tuner_search_progress(search),
                                       .best = tool->best,
                                       .second = tool->second,
                                       .elapsed_s = elapsed_s,
                                       .interrupted = interrupted};
    tuner_tool_report(&result);
    tuner_search_close(search);
}

int main(int argc, char **argv)
{
    struct tool tool = {0};

    tuner_tool_parse(&tool.options, argc, argv);
    tuner_tool_open(&tool.subject, &tool.options);
    open_log(&tool);
    tuner_tool_catch_signals();
    tool.start_s = clock_now_s();
    search_and_report(&tool);
    free(tool.best.times);
    free(tool.second.times);
    tuner_log_close(tool.log);
    tuner_tool_close(&tool.subject);
    tuner_tool_release_options(&tool.options);
    if (fflush(stdout) != 0)
        fail("stdout could not be written: %s", strerror(errno));
    return EXIT_PASS;
}
