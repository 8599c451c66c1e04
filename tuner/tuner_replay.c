/* tuner_replay: how many samples searches need, replayed on measured thread blocks. */
#include "option_lists.h"
#include "program.h"
#include "tuner_batch.h"
#include "tuner_oracle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
    {"guided", "batches of what a random forest predicts to be best; not in the thesis"},
    {"annealing", "simulated annealing"},
    {"genetic", "a genetic algorithm"},
    {"local", "iterated local search"},
    {0},
};

static const struct column columns[] = {
    {"benchmark", COLUMN_PARAMETER, "the kernel"},
    {"points", COLUMN_PARAMETER, "configurations of the space"},
    {"iterations", COLUMN_PARAMETER, "of IterML; guided: batches; others: 1"},
    {"cut_ratio", COLUMN_PARAMETER, "share of the remaining space that IterML prunes each time"},
    {"samples", COLUMN_PARAMETER, "configurations measured by one search, in all"},
    {"total_ratio", COLUMN_METRIC, "samples / points"},
    {"searches", COLUMN_METRIC, "repetitions with different seeds"},
    {"best_p05", COLUMN_METRIC, "5th percentile over searches of least possible time / time found"},
    {"best_p25", COLUMN_METRIC, "25th percentile"},
    {"best_median", COLUMN_METRIC, "median"},
    {"best_p75", COLUMN_METRIC, "75th percentile"},
    {"best_p95", COLUMN_METRIC, "95th percentile"},
    {"best_mean", COLUMN_METRIC, "mean"},
    {"model_s", COLUMN_METRIC, "time of fitting and predicting in one search, mean"},
    {0},
};

static const char *sweep,
    *benchmarks = "2dconv,3dconv,2mm,3mm,gemm,gesummv,mvt,syr2k,syrk,epcc,ldc", *iterations = "3";
static double cut_ratio = 0.5, least_ratio = 0.001, most_ratio = 1.0, factor = 1.25;
static int64_t searches = 100, batches = 8;
static bool all_samples;
static const struct option options[] = {
    {"sweep", OPTION_TEXT, &sweep, "FILE", "results of tuner_sweep (.csv or .csv.gz)", 0, 0},
    {"benchmarks", OPTION_TEXT, &benchmarks, "LIST", "kernels, separated by commas", 0, 0},
    {"iterations", OPTION_TEXT, &iterations, "LIST", "iterations of IterML", 0, 0},
    {"cut-ratio", OPTION_REAL, &cut_ratio, "R", "share of the space pruned per iteration", 0.01,
     0.99},
    {"least-ratio", OPTION_REAL, &least_ratio, "R", "samples / points, the first", 1e-6, 1},
    {"most-ratio", OPTION_REAL, &most_ratio, "R",
     "samples / points, at most, of IterML; with --all-samples of all", 1e-6, 1},
    {"factor", OPTION_REAL, &factor, "F", "from one number of samples to the next", 1.01, 10},
    {"batches", OPTION_INTEGER, &batches, "N", "batches of guided", 1, 1000},
    {"searches", OPTION_INTEGER, &searches, "N", "repetitions with different seeds", 1, 100000},
    {"all-samples", OPTION_FLAG, &all_samples, NULL,
     "go on to --most-ratio, also when the 5th percentile is above 0.95", 0, 0},
    {0},
};

static const double standard =
    0.95; /* Standards 1 and 2 of the thesis: this share of the optimum */

/* ---- one number of samples ---- */

static void record(struct run *run, const char *variant, const char *benchmark,
                   const struct tuner_batch *batch, const struct tuner_batch_result *result)
{
    const double *best = result->best;
    size_t count = batch->searches;
    struct value values[] = {text(benchmark),
                             integer((int64_t)batch->points),
                             integer(batch->iterations),
                             real(batch->cut_ratio),
                             integer((int64_t)batch->samples),
                             real((double)batch->samples / (double)batch->points),
                             integer((int64_t)count),
                             real(statistics_quantile(best, count, 0.05)),
                             real(statistics_quantile(best, count, 0.25)),
                             real(statistics_quantile(best, count, 0.5)),
                             real(statistics_quantile(best, count, 0.75)),
                             real(statistics_quantile(best, count, 0.95)),
                             real(result->best_mean),
                             real(result->model_s)};
    record_row(run, variant, 0, values, result->time_s, 0);
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
    double ratio = batch->model || all_samples ? most_ratio : 1.0;
    size_t most = (size_t)floor(ratio * (double)batch->points);
    bool enough = false;

    batch->samples = 0;
    for (int k = 0; !enough && batch->samples < most; k++) {
        size_t last = batch->samples;
        batch->samples = samples_of(batch->points, k);
        if (batch->samples == last)
            continue;
        if (batch->samples > most)
            break;
        tuner_batch_run(batch, &result);
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
                          const struct table *table, const struct option_numbers *counts)
{
    const struct tuner_strategy *strategy = tuner_strategy_of(variant);
    const struct tuner_model_kind *model = tuner_model_kind_of(strategy ? "forest" : variant);
    bool learns = !strategy || strategy->learns;
    struct tuner_batch batch = {.oracle = tuner_replay_oracle(table->replay),
                                .space = tuner_replay_space(table->replay),
                                .best_s = tuner_replay_best_s(table->replay),
                                .strategy = strategy ? strategy : tuner_strategy_of("iterml"),
                                .model = learns ? model : NULL,
                                .searches = (size_t)searches,
                                .cut_ratio = cut_ratio,
                                .seed = run->settings.seed};
    batch.points = tuner_space_size(batch.space);
    batch.matrix = table->matrix[tuner_strategy_features(batch.strategy, model)];

    for (size_t i = 0; i < (strategy ? 1 : counts->count); i++) {
        batch.iterations = !strategy ? counts->values[i] : learns ? (long)batches : 1;
        climb(run, variant, benchmark, &batch);
    }
}

static void search_table(struct run *run, const char *benchmark, struct tuner_replay *replay,
                         const struct option_numbers *counts)
{
    const struct tuner_space *space = tuner_replay_space(replay);
    struct table table = {replay,
                          {tuner_space_matrix(space, TUNER_PLAIN),
                           tuner_space_matrix(space, TUNER_SCALED),
                           tuner_space_matrix(space, TUNER_ALIGNED)}};

    for (const struct variant *variant = variants; variant->name; variant++)
        if (program_wants(run, variant->name)) {
            program_note(run, "%s: %s", benchmark, variant->name);
            search_kernel(run, variant->name, benchmark, &table, counts);
        }
    for (size_t i = 0; i < 3; i++)
        free(table.matrix[i]);
}

static void run_all(struct run *run)
{
    struct option_numbers counts = option_read_numbers("iterations", iterations, 1, 1000);
    struct option_words names = option_read_words("benchmarks", benchmarks);
    const char *complaint;

    if (!sweep)
        fail("--sweep FILE is missing: name the results of tuner_sweep");
    for (size_t i = 0; i < names.count; i++) {
        struct tuner_replay *replay = tuner_replay_load(sweep, tuner_replay_sweep_ignored,
                                                        "variant", names.values[i], &complaint);
        if (!replay)
            fail("%s", complaint);
        search_table(run, names.values[i], replay, &counts);
        tuner_replay_free(replay);
    }
    option_free_words(&names);
    free(counts.values);
}

static const struct program program = {
    .name = "tuner_replay",
    .summary = "replays searches on measured thread blocks: how many samples do they need?",
    .details =
        "For each kernel and strategy the samples of one search go up by --factor from\n"
        "--least-ratio of the space, with --searches searches each, until their 5th percentile is\n"
        "above 0.95 of the optimum. Models take long with many samples, hence --most-ratio; the\n"
        "others go on to the whole space. time_s is the mean time of one search here, without "
        "measuring.\n"
        "Results but for times depend on the sweep, the options and --seed alone.",
    .variants = variants,
    .options = options,
    .columns = columns,
    .run = run_all,
};

int main(int argc, char **argv)
{
    return program_main(&program, argc, argv);
}
