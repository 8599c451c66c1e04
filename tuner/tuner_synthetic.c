/* tuner_synthetic: how many trials do searches need on generated spaces? */
#include <math.h>
#include <stdlib.h>

#include "common/harness/program.h"
#include "common/random.h"

#include "course.h"
#include "percentiles.h"
#include "synthetic.h"

static const struct variant variants[] = {
    {"random", "samples at random"},
    {"annealing", "simulated annealing"},
    {"genetic", "a genetic algorithm"},
    {"local", "iterated local search"},
    {"auto", "the portfolio with a Gaussian process"},
    {0},
};

struct row {
    const char *kind;
    int64_t space;
    bool failing;
    size_t parameters, points, trials_limit;
    double failing_share;
    size_t searches, unmet;
    PERCENTILES(trials);
    double found_20, found_50, found_100, found_200, model_s;
};
static const struct column columns[] = {
    PARAMETER(struct row, kind, "of the space: see --kinds"),
    PARAMETER(struct row, space, "its number among those of its kind"),
    PARAMETER(struct row, failing, "1: with rules by which about half of it fails"),
    PARAMETER(struct row, parameters, "of the space"),
    PARAMETER(struct row, points, "configurations of the space"),
    PARAMETER(struct row, trials_limit, "trials of one search"),
    METRIC(struct row, failing_share, "share of the configurations that fails"),
    METRIC(struct row, searches, "repetitions with different seeds"),
    METRIC(struct row, unmet,
           "searches that did not reach 0.95 of the best speed: they count as trials_limit"),
    PERCENTILE_COLUMNS(struct row, trials, "the trials to 0.95 of the best"),
    METRIC(struct row, found_20, "least possible time / time found after 20 trials, median"),
    METRIC(struct row, found_50, "the same after 50"),
    METRIC(struct row, found_100, "after 100"),
    METRIC(struct row, found_200, "after 200"),
    METRIC(struct row, model_s, "time of fitting and predicting in one search, mean"),
    {0},
};

static struct option_words kinds = {.list = "smooth,cliffs,products,constraints,conditional"};
static int64_t spaces = 2, searches = 20, limit = 300;
static const struct program_option options[] = {
    {"kinds", OPTION_WORDS, &kinds, "LIST", "kinds of spaces", 0, 0},
    {"spaces", OPTION_INTEGER, &spaces, "N", "spaces of each kind", 1, 1000},
    {"limit", OPTION_INTEGER, &limit, "N", "trials of a search", 1, 100000},
    {"searches", OPTION_INTEGER, &searches, "N", "repetitions with different seeds", 1, 100000},
    {0},
};

static const double standard = 0.95; /* of the best speed */

/* NaN, an empty cell, if searches were shorter. */
static double found_after(const struct row *row, size_t trials, const double *course,
                          double *sorted)
{
    if (trials > row->trials_limit)
        return NAN;
    for (size_t s = 0; s < row->searches; s++)
        sorted[s] = course[s * row->trials_limit + trials - 1];
    statistics_sort(sorted, row->searches);
    return statistics_quantile(sorted, row->searches, 0.5);
}

static void record(struct run *run, const char *variant, struct row *row,
                   const struct tuner_batch_result *result)
{
    double *sorted = allocate_or_fail(row->searches, sizeof *sorted);

    course_trials(result->course, row->searches, row->trials_limit, standard, sorted, &row->unmet);
    row->trials = percentiles_of(sorted, row->searches);
    row->found_20 = found_after(row, 20, result->course, sorted);
    row->found_50 = found_after(row, 50, result->course, sorted);
    row->found_100 = found_after(row, 100, result->course, sorted);
    row->found_200 = found_after(row, 200, result->course, sorted);
    row->model_s = result->model_s;
    record_row(run, variant, 0, row, result->time_s, 0);
    free(sorted);
}

static void search_space(struct run *run, struct synthetic *synthetic, struct row *row)
{
    struct tuner_batch batch = {.objective = synthetic_objective(synthetic),
                                .space = synthetic->space,
                                .best_s = synthetic->best_s,
                                .samples = row->trials_limit,
                                .iterations = 1,
                                .searches = row->searches,
                                .seed = run->settings.seed};
    struct tuner_batch_result result = {
        .best = allocate_or_fail(row->searches, sizeof(double)),
        .course = allocate_or_fail(row->searches * row->trials_limit, sizeof(double))};

    for (int i = 0; variants[i].name; i++)
        if (program_wants_variant(run, i)) {
            batch.strategy = tuner_strategy_of(variants[i].name);
            check_status(tuner_batch_run(&batch, &result));
            record(run, variants[i].name, row, &result);
        }
    free(result.course);
    free(result.best);
}

static void make_and_search(struct run *run, const char *kind, int64_t space, bool failing)
{
    struct synthetic synthetic;

    program_note(run, "%s %lld%s", kind, (long long)space, failing ? ", failing" : "");
    synthetic_make(&synthetic, kind, random_bits(run->settings.seed, (uint64_t)space), failing);
    size_t points = tuner_space_size(synthetic.space);
    struct row row = {.kind = kind,
                      .space = space,
                      .failing = failing,
                      .parameters = tuner_space_dimensions(synthetic.space),
                      .points = points,
                      .trials_limit = (size_t)limit < points ? (size_t)limit : points,
                      .failing_share = (double)synthetic.failing / (double)points,
                      .searches = (size_t)searches};
    search_space(run, &synthetic, &row);
    synthetic_free(&synthetic);
}

static void run_all(struct run *run)
{
    for (size_t k = 0; k < kinds.count; k++)
        synthetic_check_kind(kinds.values[k]);
    for (size_t k = 0; k < kinds.count; k++)
        for (int64_t space = 1; space <= spaces; space++)
            for (int failing = 0; failing < 2; failing++)
                make_and_search(run, kinds.values[k], space, failing);
}

const struct program program = {
    .name = "tuner_synthetic",
    .summary = "searches on generated spaces: how many trials to 0.95 of the best speed?",
    .details =
        "Spaces of 6 to 11 parameters; the logarithm of a time is a sum of effects:\n"
        "  smooth       bowls, and valleys across two parameters\n"
        "  cliffs       bowls, and steps at weighted sums of three parameters\n"
        "  products     what products of powers of two decide, such as threads; a word\n"
        "  constraints  products, bowls and valleys, less what three constraints forbid\n"
        "  conditional  three ways to compute with two parameters of their own each\n"
        "Each is there again with two rules, not known to a search, by which about half of the\n"
        "configurations fail. Spaces and searches are drawn from --seed; time_s is the mean time\n"
        "of one search. Results but for times depend on the options and --seed alone.",
    .variants = variants,
    .options = options,
    .columns = columns,
    .run = run_all,
};
