/* tuner: searches for the configuration of a program, a kernel or a table with the least time. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/error.h"
#include "common/harness/exit.h"
#include "common/statistics.h"

#include "page.h"
#include "tool.h"

struct tool {
    const struct tool_options *options;
    struct tool_subject subject;
    struct tuner_log *log; /* or NULL */
    struct tool_candidate best, second;
    double start_s;
    /* Of several objectives: which of them this round of the search minimises, the trial that was
     * measured last, and all trials. */
    size_t round;
    struct tuner_trial latest;
    struct tool_point *points;
    size_t point_count, point_room;
};

static bool has_several(const struct tool *tool)
{
    return tool->options->objectives.count > 1;
}

/* The part of the search's trials, or of its time, that is over with this round. */
static double part(const struct tool *tool)
{
    return (double)(tool->round + 1) / (double)tool_rounds(&tool->options->objectives);
}

/* ---- the search ---- */

enum {
    SAMPLES_MIN = 10, /* fewer teach a model nothing */
    BATCHES = 8       /* of guided */
};

/* IterML's samples per iteration. */
static size_t samples_of(const struct tool *tool)
{
    const struct tool_options *options = tool->options;
    size_t size = tuner_space_size(tool->subject.space);

    if (options->pick_ratio > 0.0)
        return tuner_search_samples(options->pick_ratio, size);
    if (options->trials && options->iterations > 0)
        return (size_t)((options->trials + options->iterations - 1) / options->iterations);
    size_t samples = tuner_search_samples(0.01, size);
    return samples > SAMPLES_MIN ? samples : SAMPLES_MIN;
}

/* The same number of trials in smaller batches. */
static size_t batch_of(const struct tool *tool, size_t samples, size_t trials)
{
    size_t all = trials ? trials : samples * (size_t)tool->options->iterations;

    if (strcmp(tool->options->strategy->name, "guided") != 0 || tool->options->pick_ratio > 0.0)
        return samples;
    return (all + BATCHES - 1) / BATCHES;
}

/* Strategies that end by themselves, or by --budget, need no limit; the others get what IterML
 * would measure, so that they can be compared. */
static size_t trials_of(const struct tool *tool, size_t samples)
{
    const char *name = tool->options->strategy->name;

    if (tool->options->trials)
        return (size_t)tool->options->trials;
    if (strcmp(name, "iterml") == 0 || strcmp(name, "exhaustive") == 0 ||
        tool->options->budget_s > 0.0)
        return 0;
    return samples * (size_t)tool->options->iterations;
}

static bool better(const struct tuner_trial *trial, const struct tool_candidate *candidate)
{
    return trial->outcome == TUNER_OK &&
           (!candidate->found || trial->time_s < candidate->trial.time_s);
}

/* True if it is the new best. */
static bool rank(struct tool *tool, size_t configuration, const struct tuner_trial *trial)
{
    struct tool_candidate candidate = {
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

/* A table's time is no time here: its budget is the search's cost_max_s. */
static bool is_time_over(const struct tool *tool)
{
    double budget_s = tool->subject.live ? tool->options->budget_s : 0.0;
    return budget_s > 0.0 && clock_now_s() - tool->start_s >= part(tool) * budget_s;
}

static void remember(struct tool *tool, size_t configuration, const struct tuner_trial *trial)
{
    if (tool->point_count == tool->point_room) {
        tool->point_room = 2 * tool->point_room + 64;
        tool->points = realloc(tool->points, tool->point_room * sizeof *tool->points);
        check_errno(tool->points != NULL);
    }
    tool->points[tool->point_count++] =
        (struct tool_point){.configuration = configuration, .trial = *trial};
}

static enum dm_status after_trial(struct tuner_search *search, size_t configuration,
                                  const struct tuner_trial *trial, void *context)
{
    struct tool *tool = context;
    const struct tool_options *options = tool->options;
    enum dm_status status = DM_OK;

    if (has_several(tool)) {
        trial = &tool->latest;
        remember(tool, configuration, trial);
    }
    bool improved = rank(tool, configuration, trial);
    if (tool->log)
        status = tuner_log_add(tool->log, configuration, trial, (uint64_t)options->seed,
                               options->strategy->name);
    if (!options->quiet && !has_several(tool))
        tool_show(search, improved);
    if (tool_interrupted() || is_time_over(tool))
        tuner_search_stop(search);
    return status;
}

static enum dm_status expect(struct tuner_search *search, const size_t *configurations,
                             size_t count, void *context)
{
    const struct tool *tool = context;

    (void)search;
    return own_kernel_expect(tool->subject.own, configurations, count);
}

static struct tuner_search *open_search(struct tool *tool, struct tuner_objective objective)
{
    const struct tool_options *options = tool->options;
    size_t samples = samples_of(tool), trials = trials_of(tool, samples);
    struct tuner_search_options search_options = {
        .space = tool->subject.space,
        .objective = objective,
        .seed = (uint64_t)options->seed + tool->round,
        .trials_max = (size_t)ceil(part(tool) * (double)trials),
        .cost_max_s = tool->subject.live ? 0.0 : options->budget_s,
        .model = options->model,
        .samples = batch_of(tool, samples, trials),
        .cut_ratio = options->cut_ratio,
        .prior = tool->subject.prior,
        .iterations = options->iterations,
        .after_trial = after_trial,
        .expect = tool->subject.own ? expect : NULL,
        .context = tool,
    };
    struct tuner_search *search;

    check_status(tuner_search_open(&search, &search_options));
    return search;
}

/* ---- the log ---- */

static void open_log(struct tool *tool)
{
    const struct tool_options *options = tool->options;

    if (!options->log)
        return;
    check_status(tuner_log_open_further(&tool->log, options->log, tool->subject.space,
                                        tool->subject.words, options->objectives.further));
    if (tuner_log_was_cut(tool->log))
        fprintf(stderr, "%s: the last line was cut off and is dropped\n", options->log);
    if (tuner_log_size(tool->log) && !options->quiet)
        fprintf(stderr, "%s: %zu configurations are known\n", options->log,
                tuner_log_size(tool->log));
}

/* The log is the state: its trials count, and its best is the best until a better one is found. */
static void recall(struct tool *tool, struct tuner_search *search)
{
    struct tuner_trial trial;

    for (size_t i = 0; tool->log && i < tuner_log_size(tool->log); i++) {
        size_t configuration = tuner_log_at(tool->log, i);
        tuner_log_find(tool->log, configuration, &trial);
        rank(tool, configuration, &trial);
        if (search)
            check_status(tuner_search_recall(search, configuration, &trial));
        else
            remember(tool, configuration, &trial);
    }
}

/* ---- several objectives: a search for each, which knows what those before it measured ---- */

static void scale(const struct tool *tool, struct tuner_trial *trial)
{
    if (trial->outcome == TUNER_OK)
        trial->time_s = tool_round_value(&tool->options->objectives, trial, tool->round);
}

static enum dm_status measure_round(void *context, size_t configuration, struct tuner_trial *trial)
{
    struct tool *tool = context;

    TRY(tuner_objective_measure(tool->subject.objective, configuration, trial));
    for (size_t i = 1; trial->outcome == TUNER_OK && i < tool->options->objectives.count; i++)
        if (!(tool_objective_value(trial, i) > 0.0))
            return dm_fail(DM_UNAVAILABLE, "the %s of a launch is not known here",
                           tool_objective_name(&tool->options->objectives, i));
    tool->latest = *trial;
    scale(tool, trial);
    return DM_OK;
}

static void search_round(struct tool *tool)
{
    struct tuner_search *search = open_search(tool, (struct tuner_objective){measure_round, tool});

    for (size_t i = 0; i < tool->point_count; i++) {
        struct tuner_trial trial = tool->points[i].trial;
        scale(tool, &trial);
        check_status(tuner_search_recall(search, tool->points[i].configuration, &trial));
    }
    check_status(tuner_search_run(search, tool->options->strategy));
    if (!tool->options->quiet)
        fprintf(stderr, "%zu trials, the last ones for the least %s\n", tool->point_count,
                tool->round < tool->options->objectives.count
                    ? tool_objective_name(&tool->options->objectives, tool->round)
                    : "geometric mean of all objectives");
    tuner_search_close(search);
}

/* All trials as those of one search for the least time. */
static struct tuner_search *search_rounds(struct tool *tool)
{
    size_t rounds = tool_rounds(&tool->options->objectives);

    recall(tool, NULL);
    for (tool->round = 0; tool->round < rounds && !tool_interrupted(); tool->round++)
        search_round(tool);
    tool->round = rounds - 1;
    struct tuner_search *search = open_search(tool, tool->subject.objective);
    for (size_t i = 0; i < tool->point_count; i++)
        check_status(
            tuner_search_recall(search, tool->points[i].configuration, &tool->points[i].trial));
    return search;
}

/* Those that were ok, in the order of the front. */
static void find_front(struct tool *tool)
{
    size_t count = 0;

    for (size_t i = 0; i < tool->point_count; i++)
        if (tool->points[i].trial.outcome == TUNER_OK)
            tool->points[count++] = tool->points[i];
    tool->point_count = count;
    tool_front(&tool->options->objectives, tool->points, count);
}

static struct tuner_search *search_once(struct tool *tool)
{
    struct tuner_search *search = open_search(tool, tool->subject.objective);

    recall(tool, search);
    check_status(tuner_search_run(search, tool->options->strategy));
    return search;
}

/* ---- the best again: the least of many noisy times is too good ---- */

static void measure_again(const struct tool *tool, struct tool_candidate *candidate)
{
    struct tuner_trial trial;

    if (!candidate->found || tool_interrupted())
        return;
    check_status(
        tuner_objective_measure(tool->subject.objective, candidate->configuration, &trial));
    if (trial.outcome == TUNER_OK)
        candidate->times[candidate->measured++] = trial.time_s;
    else
        candidate->unsteady = true;
}

static double median_of(const struct tool_candidate *candidate)
{
    return candidate->measured ? statistics_quantile(candidate->times, candidate->measured, 0.5)
                               : INFINITY;
}

/* In turn, so that a drift of the machine affects both. */
static void confirm(struct tool *tool)
{
    struct tool_candidate *both[] = {&tool->best, &tool->second};
    size_t repetitions = (size_t)tool->options->confirm;

    for (int i = 0; i < 2; i++)
        both[i]->times = allocate_or_fail(repetitions, sizeof(double));
    for (size_t i = 0; i < 2 * repetitions; i++)
        measure_again(tool, both[i % 2]);
    for (int i = 0; i < 2; i++)
        statistics_sort(both[i]->times, both[i]->measured);
    if (tool->second.found && median_of(&tool->second) < median_of(&tool->best)) {
        struct tool_candidate first = tool->best;
        tool->best = tool->second;
        tool->second = first;
    }
}

/* ---- the program ---- */

static void check_found(const struct tool *tool, const struct tuner_progress *progress)
{
    const char *why = tool->subject.command ? tuner_command_failure(tool->subject.command)
                      : tool->subject.own   ? own_kernel_failure(tool->subject.own)
                                            : "";

    if (!progress->found)
        fail(
            "none of the %zu configurations tried was ok: %zu invalid, %zu failed, %zu hanging%s%s",
            progress->trials, progress->count[TUNER_INVALID], progress->count[TUNER_FAILED],
            progress->count[TUNER_HANGING], *why ? "; the last that failed: " : "", why);
}

static void search_and_report(struct tool *tool)
{
    struct tuner_search *search = has_several(tool) ? search_rounds(tool) : search_once(tool);
    double elapsed_s = clock_now_s() - tool->start_s;
    tool_show_end();
    check_found(tool, tuner_search_progress(search));
    bool interrupted = tool_interrupted();
    if (tool->subject.live && tool->options->confirm && !interrupted)
        confirm(tool);
    find_front(tool);
    struct tool_result result = {.options = tool->options,
                                 .subject = &tool->subject,
                                 .progress = tuner_search_progress(search),
                                 .best = tool->best,
                                 .second = tool->second,
                                 .points = tool->points,
                                 .point_count = tool->point_count,
                                 .from_log = tool->log ? tuner_log_size(tool->log) : 0,
                                 .elapsed_s = elapsed_s,
                                 .interrupted = interrupted};
    tool_report(&result);
    if (tool->options->report)
        page_write(tool->options->report, search, &result);
    tuner_search_close(search);
}

int main(int argc, char **argv)
{
    struct tool tool = {0};

    tool.options = tool_parse(argc, argv);
    tool_open(&tool.subject, tool.options);
    open_log(&tool);
    tool_catch_signals();
    tool.start_s = clock_now_s();
    search_and_report(&tool);
    free(tool.best.times);
    free(tool.second.times);
    free(tool.points);
    tuner_log_close(tool.log);
    tool_close(&tool.subject);
    if (fflush(stdout) != 0)
        fail("stdout could not be written: %s", strerror(errno));
    return EXIT_PASS;
}
