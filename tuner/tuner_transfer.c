/* tuner_transfer: how many trials does it save to know the times of another kernel? */
#include <stdlib.h>
#include <string.h>

#include "common/harness/program.h"

#include "course.h"
#include "percentiles.h"
#include "sweep.h"

enum { ALONE, PRIOR };

static const struct variant variants[] = {
    [ALONE] = {"alone", "strategy auto, which knows nothing"},
    [PRIOR] = {"from", "the same from the times of another kernel"},
    {0},
};

struct row {
    const char *pair, *benchmark, *known;
    size_t points, trials_limit;
    double correlation;
    size_t searches, unmet;
    PERCENTILES(trials);
};
static const struct column columns[] = {
    PARAMETER(struct row, pair, "alike or unlike: the option that named it"),
    PARAMETER(struct row, benchmark, "the kernel"),
    PARAMETER(struct row, known, "the kernel whose times are known"),
    PARAMETER(struct row, points, "configurations of the space"),
    PARAMETER(struct row, trials_limit, "trials of one search"),
    METRIC(struct row, correlation,
           "of the ranks of both kernels' speeds, over all configurations"),
    METRIC(struct row, searches, "repetitions with different seeds"),
    METRIC(struct row, unmet,
           "searches that did not reach 0.95 of the best speed: they count as trials_limit"),
    PERCENTILE_COLUMNS(struct row, trials, "the trials to 0.95 of the best"),
    {0},
};

static const char *sweep, *from;
static struct option_words alike = {.list = "2mm:3mm,3mm:2mm,gemm:2mm,syr2k:syrk,syrk:syr2k"};
static struct option_words unlike = {
    .list = "2dconv:gemm,3dconv:mvt,2mm:ldc,3mm:epcc,gemm:2dconv,gesummv:syrk,mvt:gesummv,"
            "syr2k:3dconv,syrk:mvt,ldc:gesummv"};
static int64_t searches = 20, limit = 150;
static const struct program_option options[] = {
    {"sweep", OPTION_TEXT, &sweep, "FILE", "results of tuner_sweep (.csv or .csv.gz)", 0, 0},
    {"from", OPTION_TEXT, &from, "FILE", "the same of what is known; if not given, --sweep", 0, 0},
    {"alike", OPTION_WORDS, &alike, "LIST", "pairs KERNEL:KNOWN that do the same", 0, 0},
    {"unlike", OPTION_WORDS, &unlike, "LIST", "pairs KERNEL:KNOWN that do not", 0, 0},
    {"limit", OPTION_INTEGER, &limit, "N", "trials of a search", 1, 100000},
    {"searches", OPTION_INTEGER, &searches, "N", "repetitions with different seeds", 1, 100000},
    {0},
};

static const double standard = 0.95; /* of the best speed */

static double correlation_of(struct tuner_replay *replay, const float *prior)
{
    struct tuner_objective objective = tuner_replay_objective(replay);
    size_t points = tuner_space_size(tuner_replay_space(replay));
    double *here = allocate_or_fail(points, sizeof *here);
    double *there = allocate_or_fail(points, sizeof *there);

    for (size_t i = 0; i < points; i++) {
        struct tuner_trial trial;
        check_status(tuner_objective_measure(objective, i, &trial));
        here[i] = trial.outcome == TUNER_OK ? 1.0 / trial.time_s : 0.0;
        there[i] = (double)prior[i];
    }
    double correlation = statistics_spearman(here, there, points);
    free(there);
    free(here);
    return correlation;
}

static void search(struct run *run, struct tuner_replay *replay, const float *prior,
                   struct row *row)
{
    size_t points = tuner_space_size(tuner_replay_space(replay));
    struct tuner_batch batch = {.objective = tuner_replay_objective(replay),
                                .space = tuner_replay_space(replay),
                                .best_s = tuner_replay_best_s(replay),
                                .strategy = tuner_strategy_of("auto"),
                                .samples = (size_t)limit < points ? (size_t)limit : points,
                                .iterations = 1,
                                .searches = (size_t)searches,
                                .seed = run->settings.seed};
    double *sorted = allocate_or_fail(batch.searches, sizeof *sorted);
    struct tuner_batch_result result = {
        .best = allocate_or_fail(batch.searches, sizeof(double)),
        .course = allocate_or_fail(batch.searches * batch.samples, sizeof(double))};

    row->points = points;
    row->trials_limit = batch.samples;
    row->searches = batch.searches;
    for (int i = ALONE; i <= PRIOR; i++)
        if (program_wants_variant(run, i)) {
            batch.prior = i == PRIOR ? prior : NULL;
            check_status(tuner_batch_run(&batch, &result));
            course_trials(result.course, batch.searches, batch.samples, standard, sorted,
                          &row->unmet);
            row->trials = percentiles_of(sorted, batch.searches);
            record_row(run, variants[i].name, 0, row, result.time_s, 0);
        }
    free(result.course);
    free(result.best);
    free(sorted);
}

static void search_pair(struct run *run, const char *pair, const char *words)
{
    const char *colon = strchr(words, ':');
    size_t count;
    float *prior;

    if (!colon)
        fail("the pair %s has no colon: write KERNEL:KNOWN", words);
    char *benchmark = strndup(words, (size_t)(colon - words));
    check_errno(benchmark != NULL);
    struct tuner_replay *replay = sweep_load(sweep, benchmark);
    check_status(tuner_prior_load(&prior, &count, tuner_replay_space(replay), from ? from : sweep,
                                  sweep_ignored, "variant", colon + 1));
    struct row row = {.pair = pair,
                      .benchmark = benchmark,
                      .known = colon + 1,
                      .correlation = correlation_of(replay, prior)};
    program_note(run, "%s", words);
    search(run, replay, prior, &row);
    free(prior);
    tuner_replay_free(replay);
    free(benchmark);
}

static void run_all(struct run *run)
{
    if (!sweep)
        fail("--sweep FILE is missing: name the results of tuner_sweep");
    for (size_t i = 0; i < alike.count; i++)
        search_pair(run, "alike", alike.values[i]);
    for (size_t i = 0; i < unlike.count; i++)
        search_pair(run, "unlike", unlike.values[i]);
}

const struct program program = {
    .name = "tuner_transfer",
    .summary = "searches that know the times of another kernel: how many trials does it save?",
    .details =
        "Strategy auto on measured thread blocks, alone and with what tuner --from knows of a\n"
        "kernel that is alike or unlike. time_s is the mean time of one search here. Results but\n"
        "for times depend on the sweeps, the options and --seed alone.",
    .variants = variants,
    .options = options,
    .columns = columns,
    .run = run_all,
};
