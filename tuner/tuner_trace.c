/* tuner_trace: one search by iterative machine learning, iteration by iteration. */
#include "clock.h"
#include "option_lists.h"
#include "program.h"
#include "tuner_oracle.h"
#include "tuner_search.h"

#include <stdlib.h>
#include <string.h>

/* Models of IterML, by name. */
static const struct variant variants[] = {
    {"cart", "a regression tree"},        {"knn", "the mean of the 5 nearest neighbours"},
    {"svm", "support-vector regression"}, {"forest", "a random forest"},
    {"mlp", "a multilayer perceptron"},   {0},
};

static const struct column columns[] = {
    {"benchmark", COLUMN_PARAMETER, "the kernel"},
    {"points", COLUMN_PARAMETER, "configurations of the space"},
    {"pick_ratio", COLUMN_PARAMETER, "samples of an iteration / points, before it is rounded"},
    {"cut_ratio", COLUMN_PARAMETER, "share of the remaining configurations that is pruned"},
    {"iteration", COLUMN_PARAMETER, "1, 2, ..."},
    {"remaining_before", COLUMN_METRIC, "configurations neither measured nor pruned before it"},
    {"sampled", COLUMN_METRIC, "configurations that it measured"},
    {"pruned", COLUMN_METRIC, "configurations that it gave up on its model's word"},
    {"remaining_after", COLUMN_METRIC, "configurations that it left"},
    {"repeated", COLUMN_METRIC, "samples that had been measured before: must be 0"},
    {"outside", COLUMN_METRIC,
     "samples that were not among what the iterations before left: must be 0"},
    {"best", COLUMN_METRIC, "least possible time / least time so far"},
    {0},
};

static const char *replay_path, *benchmark, *pick_ratios = "0.004", *cut_ratios = "0.5";
static int64_t iterations = 3;
static const struct option options[] = {
    {"replay", OPTION_TEXT, &replay_path, "FILE", "results of tuner_sweep (.csv or .csv.gz)", 0, 0},
    {"benchmark", OPTION_TEXT, &benchmark, "NAME", "kernel: a variant of tuner_sweep", 0, 0},
    {"pick-ratio", OPTION_TEXT, &pick_ratios, "LIST", "samples of an iteration / points", 0, 0},
    {"cut-ratio", OPTION_TEXT, &cut_ratios, "LIST", "share that an iteration prunes", 0, 0},
    {"iterations", OPTION_INTEGER, &iterations, "N", "0: until no configuration remains", 0, 1e6},
    {0},
};

/* What is seen of one search from without. Its own bookkeeping is not asked which configurations
 * were measured or pruned: that is what is checked. */
struct trace {
    struct run *run;
    const char *variant;
    const struct tuner_replay *replay;
    const struct tuner_space *space;
    double pick_ratio, cut_ratio;
    bool *allowed;          /* by configuration: left by all iterations so far */
    bool *measured;         /* by configuration */
    long repeated, outside; /* of this iteration's samples */
    double start_s;         /* of this iteration */
};

static bool after_trial(const struct tuner_search *search, size_t configuration,
                        const struct tuner_trial *trial, void *context)
{
    struct trace *trace = context;
    char described[256];
    (void)search;

    trace->repeated += trace->measured[configuration];
    trace->outside += !trace->allowed[configuration];
    trace->measured[configuration] = true;
    tuner_space_describe(trace->space, configuration, described, sizeof described);
    if (trial->outcome == TUNER_OK)
        program_debug(trace->run, "    %-24s %.4g s", described, trial->time_s);
    else
        program_debug(trace->run, "    %-24s %s", described, tuner_outcome_names[trial->outcome]);
    return true;
}

/* What was not allowed before is not again, whatever the search says. */
static void allow_remaining(struct trace *trace, const uint32_t *remaining, size_t count)
{
    size_t points = tuner_space_size(trace->space);
    bool *allowed = allocate_or_fail(points, sizeof *allowed);

    memset(allowed, 0, points * sizeof *allowed);
    for (size_t i = 0; i < count; i++)
        allowed[remaining[i]] = trace->allowed[remaining[i]];
    free(trace->allowed);
    trace->allowed = allowed;
}

static void describe_iteration(const struct trace *trace, const struct tuner_progress *progress,
                               size_t after, double best)
{
    char described[256] = "nothing";

    if (progress->found)
        tuner_space_describe(trace->space, progress->best, described, sizeof described);
    program_debug(trace->run,
                  "  %s, iteration %ld: of %zu configurations %zu sampled, %zu pruned, %zu remain; "
                  "best so far %s with %.1f %% of the optimum",
                  trace->variant, progress->iteration, progress->remaining_before,
                  progress->sampled, progress->pruned, after, described, 100.0 * best);
}

static void after_iteration(const struct tuner_search *search, void *context)
{
    struct trace *trace = context;
    const struct tuner_progress *progress = tuner_search_progress(search);
    double time_s = clock_now_s() - trace->start_s;
    size_t after = progress->remaining_before - progress->sampled - progress->pruned;
    double best =
        progress->found ? tuner_replay_best_s(trace->replay) / progress->best_trial.time_s : 0.0;
    struct value values[] = {text(benchmark),
                             integer((int64_t)tuner_space_size(trace->space)),
                             real(trace->pick_ratio),
                             real(trace->cut_ratio),
                             integer(progress->iteration),
                             integer((int64_t)progress->remaining_before),
                             integer((int64_t)progress->sampled),
                             integer((int64_t)progress->pruned),
                             integer((int64_t)after),
                             integer(trace->repeated),
                             integer(trace->outside),
                             real(best)};

    record_row(trace->run, trace->variant, 0, values, time_s, trace->repeated + trace->outside);
    describe_iteration(trace, progress, after, best);
    allow_remaining(trace, progress->remaining, after);
    trace->repeated = trace->outside = 0;
    trace->start_s = clock_now_s();
}

/* ---- one search ---- */

static void search_with(struct trace *trace, struct tuner_replay *replay,
                        const struct tuner_model_kind *model, const float *matrix)
{
    size_t points = tuner_space_size(trace->space);
    struct tuner_search_options search_options = {
        .space = trace->space,
        .oracle = tuner_replay_oracle(replay),
        .seed = trace->run->settings.seed,
        .model = model,
        .samples = tuner_search_samples(trace->pick_ratio, points),
        .cut_ratio = trace->cut_ratio,
        .iterations = (long)iterations,
        .matrix = matrix,
        .after_trial = after_trial,
        .after_iteration = after_iteration,
        .context = trace};

    trace->allowed = allocate_or_fail(points, sizeof *trace->allowed);
    trace->measured = allocate_or_fail(points, sizeof *trace->measured);
    for (size_t i = 0; i < points; i++) {
        trace->allowed[i] = true;
        trace->measured[i] = false;
    }
    program_debug(trace->run, "%s, pick ratio %g (%zu samples), cut ratio %g:", trace->variant,
                  trace->pick_ratio, search_options.samples, trace->cut_ratio);
    struct tuner_search *search = tuner_search_open(&search_options);
    trace->start_s = clock_now_s();
    tuner_search_run(search, tuner_strategy_of("iterml"));
    tuner_search_close(search);
    free(trace->measured);
    free(trace->allowed);
}

/* All pick and cut ratios. */
static void search_all(struct trace *trace, struct tuner_replay *replay)
{
    const struct tuner_model_kind *model = tuner_model_kind_of(trace->variant);
    struct option_reals picks = option_read_reals("pick-ratio", pick_ratios, 1e-9, 1.0);
    struct option_reals cuts = option_read_reals("cut-ratio", cut_ratios, 0.01, 0.99);
    float *matrix = tuner_space_matrix(trace->space,
                                       tuner_strategy_features(tuner_strategy_of("iterml"), model));

    for (size_t p = 0; p < picks.count; p++)
        for (size_t c = 0; c < cuts.count; c++) {
            trace->pick_ratio = picks.values[p];
            trace->cut_ratio = cuts.values[c];
            search_with(trace, replay, model, matrix);
        }
    free(matrix);
    free(cuts.values);
    free(picks.values);
}

static void run_all(struct run *run)
{
    const char *complaint;

    if (!replay_path || !benchmark)
        fail("--replay FILE and --benchmark NAME are needed: results of tuner_sweep, and a kernel");
    struct tuner_replay *replay = tuner_replay_load(replay_path, tuner_replay_sweep_ignored,
                                                    "variant", benchmark, &complaint);
    if (!replay)
        fail("%s", complaint);
    struct trace trace = {.run = run, .replay = replay, .space = tuner_replay_space(replay)};
    for (const struct variant *variant = variants; variant->name; variant++)
        if (program_wants(run, variant->name)) {
            trace.variant = variant->name;
            search_all(&trace, replay);
        }
    tuner_replay_free(replay);
}

static const struct program program = {
    .name = "tuner_trace",
    .summary = "shows one search by iterative machine learning, iteration by iteration",
    .details =
        "An iteration measures samples at random among the remaining configurations, fits the\n"
        "model to all samples so far, predicts the rest and prunes the lowest share (Cui, 5.2.2,\n"
        "algorithm 1). Times come from the file. One row per iteration; time_s is its time here.\n"
        "The last of --iterations prunes nothing, as no samples follow. -v shows each sample.\n"
        "--pick-ratio and --cut-ratio take lists with commas: a search for each combination.\n"
        "errors = repeated + outside, counted without the search's own bookkeeping.",
    .variants = variants,
    .options = options,
    .columns = columns,
    .run = run_all,
};

int main(int argc, char **argv)
{
    return program_main(&program, argc, argv);
}
