/* tuner_replay: how many samples searches need, replayed on measured thread blocks. */
#include <math.h>
#include <stdlib.h>

#include "common/harness/program.h"

#include "percentiles.h"
#include "sweep.h"

/* Strategies by name; names of models stand for iterml with that model. */
static const struct variant variants[] = {
    {"random", "samples at random, no model: the thesis's baseline"},
    {"cart", "IterML with a regression tree"},
    {"knn", "IterML with the 5 nearest neighbours"},
    {"svm", "IterML with support-vector regression on features as they are"},
    {"forest", "IterML with a random forest"},
    {"mlp", "IterML with a multilayer perceptron on features as they are"},
    {"svm-scaled", "IterML with support-vector regression on scaled features"},
    {"mlp-scaled", "IterML with a multilayer perceptron on scaled features"},
    {"auto", "the portfolio with a Gaussian process; not in the thesis"},
    {"guided", "batches of what a random forest predicts to be best; not in the thesis"},
    {"annealing", "simulated annealing"},
    {"genetic", "a genetic algorithm"},
    {"local", "iterated local search"},
    {0},
};

struct row {
    const char *benchmark;
    size_t points;
    int64_t iterations;
    double cut_ratio;
    size_t samples;
    double total_ratio;
    size_t searches;
    PERCENTILES(best);
    double best_mean, model_s;
};
static const struct column columns[] = {
    PARAMETER(struct row, benchmark, "the kernel"),
    PARAMETER(struct row, points, "configurations of the space"),
    PARAMETER(struct row, iterations, "of IterML; guided: batches; others: 1"),
    PARAMETER(struct row, cut_ratio, "share of the remaining space that IterML prunes each time"),
    PARAMETER(struct row, samples, "configurations measured by one search, in all"),
    METRIC(struct row, total_ratio, "samples / points"),
    METRIC(struct row, searches, "repetitions with different seeds"),
    PERCENTILE_COLUMNS(struct row, best, "least possible time / time found"),
    METRIC(struct row, best_mean, "mean"),
    METRIC(struct row, model_s, "time of fitting and predicting in one search, mean"),
    {0},
};

static const char *sweep;
static struct option_words benchmarks = {
    .list = "2dconv,3dconv,2mm,3mm,gemm,gesummv,mvt,syr2k,syrk,epcc,ldc"};
static struct option_numbers iterations = {.list = "3"};
static double cut_ratio = 0.5, least_ratio = 0.001, most_ratio = 1.0, factor = 1.25;
static int64_t searches = 100, batches = 8;
static bool all_samples;
static const struct program_option options[] = {
    {"sweep", OPTION_TEXT, &sweep, "FILE", "results of tuner_sweep (.csv or .csv.gz)", 0, 0},
    {"benchmarks", OPTION_WORDS, &benchmarks, "LIST", "kernels, separated by commas", 0, 0},
    {"iterations", OPTION_NUMBERS, &iterations, "LIST", "iterations of IterML", 1, 1000},
    {"cut-ratio", OPTION_REAL, &cut_ratio, "R", "share of the space pruned per iteration", 0.01,
     0.99},
    {"least-ratio", OPTION_REAL, &least_ratio, "R", "samples / points, the first", 1e-6, 1},
    {"most-ratio", OPTION_REAL, &most_ratio, "R",
     "maximum of samples / points for IterML; with --all-samples for all", 1e-6, 1},
    {"factor", OPTION_REAL, &factor, "F", "from one number of samples to the next", 1.01, 10},
    {"batches", OPTION_INTEGER, &batches, "N", "batches of guided", 1, 1000},
    {"searches", OPTION_INTEGER, &searches, "N", "repetitions with different seeds", 1, 100000},
    {"all-samples", OPTION_FLAG, &all_samples, NULL,
     "go on to --most-ratio even when the 5th percentile is above 0.95", 0, 0},
    {0},
};

/* Standards 1 and 2 of the thesis: this share of the optimum. */
static const double standard = 0.95;

/* ---- one number of samples ---- */

static void record(struct run *run, const char *variant, const char *benchmark,
                   const struct tuner_batch *batch, const struct tuner_batch_result *result)
{
    size_t count = batch->searches, points = tuner_space_size(batch->space);
    struct row row = {.benchmark = benchmark,
                      .points = points,
                      .iterations = batch->iterations,
                      .cut_ratio = batch->cut_ratio,
                      .samples = batch->samples,
                      .total_ratio = (double)batch->samples / (double)points,
                      .searches = count,
                      .best = percentiles_of(result->best, count),
                      .best_mean = result->best_mean,
                      .model_s = result->model_s};
    record_row(run, variant, 0, &row, result->time_s, 0);
}

/* ---- a strategy with more and more samples ---- */

/* The k-th number of the grid, which all strategies share, so that their ratios can be compared. */
static size_t samples_of(size_t points, int k)
{
    double samples = round(least_ratio * pow(factor, k) * (double)points);
    return samples < 1.0 ? 1 : samples > (double)points ? points : (size_t)samples;
}

static void climb(struct run *run, const char *variant, const char *benchmark,
                  struct tuner_batch *batch)
{
    struct tuner_batch_result result = {.best = allocate_or_fail(batch->searches, sizeof(double))};
    size_t points = tuner_space_size(batch->space);
    double ratio = batch->model || all_samples ? most_ratio : 1.0;
    size_t largest = (size_t)floor(ratio * (double)points);
    bool enough = false;

    batch->samples = 0;
    for (int k = 0; !enough && batch->samples < largest; k++) {
        size_t last = batch->samples;
        batch->samples = samples_of(points, k);
        if (batch->samples == last)
            continue;
        if (batch->samples > largest)
            break;
        check_status(tuner_batch_run(batch, &result));
        record(run, variant, benchmark, batch, &result);
        enough = !all_samples && statistics_quantile(result.best, batch->searches, 0.05) > standard;
    }
    free(result.best);
}

/* ---- a kernel ---- */

struct table {
    struct tuner_replay *replay;
    float *matrix[3]; /* by enum tuner_features */
};

static void search_kernel(struct run *run, const char *variant, const char *benchmark,
                          const struct table *table)
{
    const struct tuner_strategy *strategy = tuner_strategy_of(variant);
    const struct tuner_model_kind *model = tuner_model_kind_of(strategy ? "forest" : variant);
    bool learns = !strategy || strategy->learns;
    struct tuner_batch batch = {.objective = tuner_replay_objective(table->replay),
                                .space = tuner_replay_space(table->replay),
                                .best_s = tuner_replay_best_s(table->replay),
                                .strategy = strategy ? strategy : tuner_strategy_of("iterml"),
                                .model = learns ? model : NULL,
                                .searches = (size_t)searches,
                                .cut_ratio = cut_ratio,
                                .seed = run->settings.seed};

    batch.matrix = table->matrix[tuner_strategy_features(batch.strategy, model)];
    for (size_t i = 0; i < (strategy ? 1 : iterations.count); i++) {
        batch.iterations = !strategy ? iterations.values[i] : learns ? (long)batches : 1;
        climb(run, variant, benchmark, &batch);
    }
}

static void search_table(struct run *run, const char *benchmark)
{
    struct table table = {.replay = sweep_load(sweep, benchmark)};
    const struct tuner_space *space = tuner_replay_space(table.replay);

    for (int i = 0; i < 3; i++)
        check_status(tuner_space_matrix(space, (enum tuner_features)i, &table.matrix[i]));
    for (int i = 0; variants[i].name; i++)
        if (program_wants_variant(run, i)) {
            program_note(run, "%s: %s", benchmark, variants[i].name);
            search_kernel(run, variants[i].name, benchmark, &table);
        }
    for (int i = 0; i < 3; i++)
        free(table.matrix[i]);
    tuner_replay_free(table.replay);
}

static void run_all(struct run *run)
{
    if (!sweep)
        fail("--sweep FILE is missing: name the results of tuner_sweep");
    for (size_t i = 0; i < benchmarks.count; i++)
        search_table(run, benchmarks.values[i]);
}

const struct program program = {
    .name = "tuner_replay",
    .summary = "replays searches on measured thread blocks: how many samples do they need?",
    .details =
        "For each kernel and strategy the samples of one search go up by --factor from\n"
        "--least-ratio of the space, with --searches searches each, until their 5th percentile is\n"
        "above 0.95 of the optimum. Models take long with many samples, hence --most-ratio; the\n"
        "others go on to the whole space. time_s is the mean time of one search here, without\n"
        "measuring. Results but for times depend on the sweep, the options and --seed alone.",
    .variants = variants,
    .options = options,
    .columns = columns,
    .run = run_all,
};
