#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/harness/exit.h"
#include "common/statistics.h"

#include "tool.h"

const char *tool_time(double seconds, char text[TOOL_TIME_BYTES])
{
    static const struct {
        double seconds;
        const char *name;
    } units[] = {{1.0, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}};
    size_t i = 0;

    while (i < 3 && seconds < units[i].seconds)
        i++;
    snprintf(text, TOOL_TIME_BYTES, "%.4g %s", seconds / units[i].seconds, units[i].name);
    return text;
}

static bool rates;

void tool_show_rates(void)
{
    rates = true;
}

const char *tool_value(double seconds, char text[TOOL_TIME_BYTES])
{
    if (!rates)
        return tool_time(seconds, text);
    snprintf(text, TOOL_TIME_BYTES, "%.6g", 1.0 / seconds);
    return text;
}

/* ---- the best two ---- */

enum { INTERVAL_SAMPLES_MIN = 6 /* for an interval of 95 % (statistics.h) */ };

/* "12.3 us" with its interval, as far as it is known. */
static void print_time(const struct tool_candidate *candidate)
{
    char time[TOOL_TIME_BYTES], low[TOOL_TIME_BYTES], high[TOOL_TIME_BYTES];
    const struct tuner_trial *trial = &candidate->trial;

    if (candidate->measured) {
        struct interval interval = statistics_median(candidate->times, candidate->measured);
        printf("%s (%s %s to %s, measured %zu times more)", tool_value(interval.median, time),
               candidate->measured < INTERVAL_SAMPLES_MIN ? "extremes" : "95 % interval",
               tool_value(rates ? interval.high : interval.low, low),
               tool_value(rates ? interval.low : interval.high, high), candidate->measured);
        return;
    }
    printf("%s", tool_value(trial->time_s, time));
    if (trial->spread_s > 0.0 && !rates)
        printf(" +- %s", tool_time(trial->spread_s, low));
}

static struct interval interval_of(const struct tool_candidate *candidate)
{
    const struct tuner_trial *trial = &candidate->trial;

    if (candidate->measured)
        return statistics_median(candidate->times, candidate->measured);
    return (struct interval){trial->time_s, trial->time_s - trial->spread_s,
                             trial->time_s + trial->spread_s, 0.0};
}

/* Whether an interval of 95 % is known: of a command measured again often enough, of any kernel. */
static bool is_known(const struct tool_result *result, const struct tool_candidate *candidate)
{
    if (result->best.measured || result->second.measured)
        return candidate->measured >= INTERVAL_SAMPLES_MIN;
    return result->options->source == TOOL_KERNEL && candidate->trial.spread_s > 0.0;
}

static const char *difference(const struct tool_result *result)
{
    const struct tool_candidate *best = &result->best, *second = &result->second;

    if (!result->subject->live) /* the table's times are taken as they are */
        return second->trial.time_s > best->trial.time_s ? "slower" : "the same";
    return is_known(result, best) && is_known(result, second) &&
                   statistics_separate(interval_of(best), interval_of(second))
               ? "slower, the intervals do not overlap"
               : "the difference is not significant";
}

static void print_candidate(const struct tool_result *result, const char *title,
                            const struct tool_candidate *candidate)
{
    char text[1024];

    tuner_space_describe(result->subject->space, candidate->configuration, text, sizeof text);
    printf("%-12s%s\n%-12s", title, text, "");
    print_time(candidate);
    if (candidate->unsteady)
        printf("; it did not work every time");
    if (candidate == &result->second)
        printf("; %s", difference(result));
    putchar('\n');
}

/* ---- the search ---- */

static void print_trials(const struct tool_result *result)
{
    const struct tuner_progress *progress = result->progress;
    size_t size = tuner_space_size(result->subject->space);

    printf("%-12s%zu of %zu configurations (%.3g %%):", "trials", progress->trials, size,
           100.0 * (double)progress->trials / (double)size);
    for (int i = 0; i < TUNER_OUTCOMES; i++)
        printf("%s %zu %s", i ? "," : "", progress->count[i],
               tuner_outcome_name((enum tuner_outcome)i));
    if (result->from_log)
        printf("; %zu from the log", result->from_log);
    putchar('\n');
}

static void print_search(const struct tool_result *result)
{
    const struct tool_options *options = result->options;
    char elapsed[TOOL_TIME_BYTES], model[TOOL_TIME_BYTES];

    printf("%-12s%s", "search", options->strategy->name);
    if (options->strategy->learns)
        printf(" with %s", options->model->name);
    if (result->progress->iteration > 0)
        printf(", iteration %ld", result->progress->iteration);
    printf(", seed %llu: %s", (unsigned long long)options->seed,
           tool_time(result->elapsed_s, elapsed));
    if (result->progress->model_s > 0.0)
        printf(", %s of it for the model", tool_time(result->progress->model_s, model));
    printf("%s\n", result->interrupted ? "; interrupted by a signal" : "");
}

static void print_command(const struct tool_result *result)
{
    char *build, *run;

    check_status(
        tuner_command_lines(result->subject->command, result->best.configuration, &build, &run));
    if (build)
        printf("%-12s%s\n", "build", build);
    printf("%-12s%s\n", "command", run);
    free(build);
    free(run);
}

/* Why configurations of a user's kernel were not ok. */
static void print_own_counts(const struct own_kernel *own)
{
    const struct own_kernel_counts *counts = own_kernel_counts(own);
    const struct {
        size_t count;
        const char *what;
    } why[] = {{counts->not_compiled, "did not compile"},
               {counts->compiled_late, "reached the time limit of the compiler"},
               {counts->not_launched, "could not be launched"},
               {counts->crashed, "crashed"},
               {counts->late, "reached the time limit"},
               {counts->wrong, "gave wrong results"}};
    const char *before = "";

    for (size_t i = 0; i < sizeof why / sizeof *why; i++)
        if (why[i].count) {
            printf("%s%zu %s", *before ? before : "not ok      ", why[i].count, why[i].what);
            before = ", ";
        }
    if (*before)
        printf("; the last one: %s\n", own_kernel_failure(own));
}

static void print_own(const struct tool_result *result)
{
    const struct own_kernel *own = result->subject->own;
    const struct tool_candidate *best = &result->best;
    char launch[160], *command;
    double gflops, gbs;

    own_kernel_rates(own, best->configuration,
                     best->measured ? statistics_median(best->times, best->measured).median
                                    : best->trial.time_s,
                     &gflops, &gbs);
    if (gflops > 0.0 || gbs > 0.0)
        printf("%-12s", "rate");
    if (gflops > 0.0)
        printf("%.4g GFLOP/s%s", gflops, gbs > 0.0 ? ", " : "\n");
    if (gbs > 0.0)
        printf("%.4g GB/s\n", gbs);
    if (own_kernel_energy(own) > 0.0)
        printf("%-12s%.4g J a launch\n", "energy", own_kernel_energy(own));
    print_own_counts(own);
    check_status(own_kernel_launch(own, best->configuration, launch, sizeof launch));
    check_status(own_kernel_command(own, best->configuration, &command));
    printf("%-12s%s\n%-12s%s\n", "launch", launch, "compiler", command);
    free(command);
}

/* The Pareto front, from the least time on. */
static void print_front(const struct tool_result *result)
{
    const struct tool_objectives *objectives = &result->options->objectives;
    size_t best = 0;
    char time[TOOL_TIME_BYTES], text[1024];

    for (size_t i = 0; i < result->point_count; i++)
        best += result->points[i].best;
    printf("%-12s%zu of %zu that were ok; the search minimised each objective alone, then their "
           "geometric mean\n%-12s",
           "front", best, result->point_count, "");
    for (size_t o = 0; o < objectives->count; o++)
        printf("%-14s", tool_objective_name(objectives, o));
    puts("configuration");
    for (size_t i = 0; i < result->point_count; i++) {
        const struct tool_point *point = &result->points[i];
        if (!point->best)
            continue;
        printf("%-12s%-14s", "", tool_time(point->trial.time_s, time));
        for (size_t o = 1; o < objectives->count; o++)
            printf("%-14.6g", tool_objective_value(&point->trial, o));
        tuner_space_describe(result->subject->space, point->configuration, text, sizeof text);
        puts(text);
    }
}

void tool_report(const struct tool_result *result)
{
    print_candidate(result, "best", &result->best);
    if (result->subject->optimum_s > 0.0)
        printf("%-12s%.4g of the best of the table\n", "",
               result->subject->optimum_s / result->best.trial.time_s);
    if (result->second.found)
        print_candidate(result, "second best", &result->second);
    if (result->points)
        print_front(result);
    print_trials(result);
    print_search(result);
    if (result->options->source == TOOL_COMMAND)
        print_command(result);
    if (result->subject->own)
        print_own(result);
}
