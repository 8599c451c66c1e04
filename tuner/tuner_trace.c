/* tuner_trace: one search by iterative machine learning, iteration by iteration. */
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/harness/program.h"

#include "sweep.h"

/* Models of IterML, by name. */
static const struct variant variants[] = {
    {"cart", "a regression tree"},        {"knn", "the mean of the 5 nearest neighbours"},
    {"svm", "support-vector regression"}, {"forest", "a random forest"},
    {"mlp", "a multilayer perceptron"},   {0},
};

struct row {
    const char *benchmark;
    size_t points;
    double pick_ratio, cut_ratio;
    int64_t iteration;
    size_t remaining_before, sampled, pruned, remaining_after;
    int64_t repeated, outside;
    double best;
};
static const struct column columns[] = {
    PARAMETER(struct row, benchmark, "the kernel"),
    PARAMETER(struct row, points, "configurations of the space"),
    PARAMETER(struct row, pick_ratio, "samples of an iteration / points, before it is rounded"),
    PARAMETER(struct row, cut_ratio, "share of the remaining configurations that is pruned"),
    PARAMETER(struct row, iteration, "1, 2, ..."),
    METRIC(struct row, remaining_before, "configurations neither measured nor pruned before it"),
    METRIC(struct row, sampled, "configurations that it measured"),
    METRIC(struct row, pruned, "configurations that it gave up on its model's word"),
    METRIC(struct row, remaining_after, "configurations that it left"),
    METRIC(struct row, repeated, "samples that had been measured before: must be 0"),
    METRIC(struct row, outside,
           "samples that were not among what the iterations before left: must be 0"),
    METRIC(struct row, best, "least possible time / least time so far"),
    {0},
};

static const char *replay_path, *benchmark;
static struct option_reals pick_ratios = {.list = "0.004"}, cut_ratios = {.list = "0.5"};
static int64_t iterations = 3;
static const struct program_option options[] = {
    {"replay", OPTION_TEXT, &replay_path, "FILE", "results of tuner_sweep (.csv or .csv.gz)", 0, 0},
    {"benchmark", OPTION_TEXT, &benchmark, "NAME", "kernel: a variant of tuner_sweep", 0, 0},
    {"pick-ratio", OPTION_REALS, &pick_ratios, "LIST", "samples of an iteration / points", 1e-9, 1},
    {"cut-ratio", OPTION_REALS, &cut_ratios, "LIST", "share that an iteration prunes", 0.01, 0.99},
    {"iterations", OPTION_INTEGER, &iterations, "N", "0: until no configuration remains", 0, 1e6},
    {0},
};

/* What is seen of one search from outside. Its own bookkeeping is not asked which configurations
 * were measured or pruned: that is what is checked. */
struct trace {
    struct run *run;
    const char *variant;
    const struct tuner_space *space;
    double least_s; /* possible time */
    double pick_ratio, cut_ratio;
    bool *allowed;             /* by configuration: left by all iterations so far */
    bool *measured;            /* by configuration */
    int64_t repeated, outside; /* of this iteration's samples */
    double start_s;            /* of this iteration */
};

static enum dm_status after_trial(struct tuner_search *search, size_t configuration,
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
        program_debug(trace->run, "    %-24s %s", described, tuner_outcome_name(trial->outcome));
    return DM_OK;
}

/* What was not allowed before is not again, whatever the search says. */
static void allow_remaining(struct trace *trace, const uint32_t *remaining, size_t count)
{
    size_t points = tuner_space_size(trace->space);
    bool *allowed = allocate_or_fail(points, sizeof *allowed);

    for (size_t i = 0; i < count; i++)
        allowed[remaining[i]] = trace->allowed[remaining[i]];
    free(trace->allowed);
    trace->allowed = allowed;
}

static void describe_iteration(const struct trace *trace, const struct tuner_progress *progress,
                               const struct row *row)
{
    char described[256] = "nothing";

    if (progress->found)
        tuner_space_describe(trace->space, progress->best, described, sizeof described);
    program_debug(trace->run,
                  "  %s, iteration %ld: of %zu configurations %zu sampled, %zu pruned, %zu remain; "
                  "best so far %s with %.1f %% of the optimum",
                  trace->variant, progress->iteration, progress->remaining_before,
                  progress->sampled, progress->pruned, row->remaining_after, described,
                  100.0 * row->best);
}

static enum dm_status after_iteration(struct tuner_search *search, void *context)
{
    struct trace *trace = context;
    const struct tuner_progress *progress = tuner_search_progress(search);
    double time_s = clock_now_s() - trace->start_s;
    struct row row = {.benchmark = benchmark,
                      .points = tuner_space_size(trace->space),
                      .pick_ratio = trace->pick_ratio,
                      .cut_ratio = trace->cut_ratio,
                      .iteration = progress->iteration,
                      .remaining_before = progress->remaining_before,
                      .sampled = progress->sampled,
                      .pruned = progress->pruned,
                      .remaining_after =
                          progress->remaining_before - progress->sampled - progress->pruned,
                      .repeated = trace->repeated,
                      .outside = trace->outside,
                      .best = progress->found ? trace->least_s / progress->best_trial.time_s : 0.0};

    record_row(trace->run, trace->variant, 0, &row, time_s, trace->repeated + trace->outside);
    describe_iteration(trace, progress, &row);
    allow_remaining(trace, progress->remaining, row.remaining_after);
    trace->repeated = trace->outside = 0;
    trace->start_s = clock_now_s();
    return DM_OK;
}

/* ---- one search ---- */

static void search_with(struct trace *trace, struct tuner_replay *replay,
                        const struct tuner_model_kind *model, const float *matrix)
{
    size_t points = tuner_space_size(trace->space);
    struct tuner_search_options search_options = {
        .space = trace->space,
        .objective = tuner_replay_objective(replay),
        .seed = trace->run->settings.seed,
        .model = model,
        .samples = tuner_search_samples(trace->pick_ratio, points),
        .cut_ratio = trace->cut_ratio,
        .iterations = (long)iterations,
        .matrix = matrix,
        .after_trial = after_trial,
        .after_iteration = after_iteration,
        .context = trace};
    struct tuner_search *search;

    trace->allowed = allocate_or_fail(points, sizeof *trace->allowed);
    trace->measured = allocate_or_fail(points, sizeof *trace->measured);
    memset(trace->allowed, true, points * sizeof *trace->allowed);
    program_debug(trace->run, "%s, pick ratio %g (%zu samples), cut ratio %g:", trace->variant,
                  trace->pick_ratio, search_options.samples, trace->cut_ratio);
    check_status(tuner_search_open(&search, &search_options));
    trace->start_s = clock_now_s();
    check_status(tuner_search_run(search, tuner_strategy_of("iterml")));
    tuner_search_close(search);
    free(trace->measured);
    free(trace->allowed);
}

/* All pick and cut ratios. */
static void search_all(struct trace *trace, struct tuner_replay *replay)
{
    const struct tuner_model_kind *model = tuner_model_kind_of(trace->variant);
    float *matrix;

    check_status(tuner_space_matrix(
        trace->space, tuner_strategy_features(tuner_strategy_of("iterml"), model), &matrix));
    for (size_t p = 0; p < pick_ratios.count; p++)
        for (size_t c = 0; c < cut_ratios.count; c++) {
            trace->pick_ratio = pick_ratios.values[p];
            trace->cut_ratio = cut_ratios.values[c];
            search_with(trace, replay, model, matrix);
        }
    free(matrix);
}

static void run_all(struct run *run)
{
    if (!replay_path || !benchmark)
        fail("--replay FILE and --benchmark NAME are needed: results of tuner_sweep, and a kernel");
    struct tuner_replay *replay = sweep_load(replay_path, benchmark);
    struct trace trace = {
        .run = run, .space = tuner_replay_space(replay), .least_s = tuner_replay_best_s(replay)};
    for (int i = 0; variants[i].name; i++)
        if (program_wants_variant(run, i)) {
            trace.variant = variants[i].name;
            search_all(&trace, replay);
        }
    tuner_replay_free(replay);
}

const struct program program = {
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
