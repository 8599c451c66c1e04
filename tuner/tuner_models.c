/* tuner_models: how well regression models predict performance, and how long they take. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <datamotion/tuner.h>

#include "common/clock.h"
#include "common/harness/compare.h"
#include "common/harness/program.h"
#include "common/harness/scope.h"

#include "model_data.h"

enum { MODELS = 7 };
static struct variant variants[MODELS + 1]; /* tuner_model_kinds, ended by {0} */

struct row {
    size_t samples, points;
    const char *data;
    double fit_s, predict_s, r2;
};
static const struct column columns[] = {
    PARAMETER(struct row, samples, "points that the model is fitted to"),
    PARAMETER(struct row, points, "points that it predicts, samples among them"),
    PARAMETER(struct row, data, "thread-blocks or uniform"),
    METRIC(struct row, fit_s, "time to fit, in s"),
    METRIC(struct row, predict_s, "time to predict all points, in s"),
    METRIC(struct row, r2,
           "1 - squared error / variance on the points that were not samples: 1 is perfect"),
    {0},
};

static int64_t points = 11000;
static const char *sample_list = "50,100,200,400";
static struct option_choice data_set = {
    .noun = "data set", .names = model_data_names, .name = "thread-blocks"};
static const char *written_file = NULL;
static const struct program_option options[] = {
    {"points", OPTION_INTEGER, &points, "N", "points of the space", 4, MODEL_DATA_POINTS_MAX},
    {"samples", OPTION_TEXT, &sample_list, "LIST", "numbers of samples, at most half of the points",
     0, 0},
    {"data", OPTION_CHOICE, &data_set, "NAME", "thread-blocks or uniform, see -h", 0, 0},
    {"write", OPTION_TEXT, &written_file, "FILE",
     "write the points as CSV too, shuffled: samples are the first ones", 0, 0},
    {0},
};

/* One kind of model with one number of samples. */
struct trial {
    int variant;
    const struct tuner_model_kind *kind;
    const struct model_data *data;
    float *const *matrices; /* of all points: as they are, scaled */
    const float *matrix;    /* of these two, what the kind wants */
    size_t samples, features;
    uint64_t seed;    /* of the next fit: another one in each */
    float *rows;      /* of the samples */
    float *targets;   /* of the samples */
    float *predicted; /* all points */
    double fit_s, r2; /* of the last sample */
};

static float *floats(size_t count)
{
    return scope_allocate(MEMORY_PAGEABLE, count * sizeof(float));
}

static bool open_trial(struct run *run, void *task)
{
    struct trial *trial = task;
    const struct model_data *data = trial->data;
    const size_t features = tuner_space_features(data->space, TUNER_PLAIN);

    trial->kind = tuner_model_kinds()[trial->variant];
    trial->matrix = trial->matrices[trial->kind->scaled];
    trial->features = features;
    trial->seed = run->settings.seed;
    trial->rows = floats(trial->samples * features);
    trial->targets = floats(trial->samples);
    trial->predicted = floats(data->points);
    for (size_t i = 0; i < trial->samples; i++) {
        size_t at = data->order[i];
        memcpy(trial->rows + i * features, trial->matrix + at * features, features * sizeof(float));
        trial->targets[i] = data->targets[at];
    }
    return true;
}

/* On the points that were not samples. */
static double held_out_r2(const struct trial *trial)
{
    const struct model_data *data = trial->data;
    size_t count = data->points - trial->samples;
    float *predicted = allocate_or_fail(count, sizeof *predicted);
    float *targets = allocate_or_fail(count, sizeof *targets);

    for (size_t i = 0; i < count; i++) {
        size_t at = data->order[trial->samples + i];
        predicted[i] = trial->predicted[at];
        targets[i] = data->targets[at];
    }
    double r2 = tuner_model_r2(predicted, targets, count);
    free(predicted);
    free(targets);
    return r2;
}

static struct tuner_model *fit(const struct trial *trial, uint64_t seed)
{
    struct tuner_model *model;
    check_status(trial->kind->fit(&model, trial->rows, trial->targets, trial->samples,
                                  trial->features, seed));
    return model;
}

static double sample(void *task)
{
    struct trial *trial = task;
    const struct tuner_model_kind *kind = trial->kind;
    double start_s = clock_now_s();
    struct tuner_model *model = fit(trial, trial->seed++);
    trial->fit_s = clock_now_s() - start_s;

    check_status(kind->predict(model, trial->matrix, NULL, trial->data->points, trial->predicted));
    double time_s = clock_now_s() - start_s;
    kind->release(model);
    trial->r2 = held_out_r2(trial);
    return time_s;
}

/* The last model from the same samples, asked for the points in another order: predictions that
 * differ in any bit, or are not finite. */
static long count_wrong(struct run *run, void *task)
{
    const struct trial *trial = task;
    const struct model_data *data = trial->data;
    float *again = allocate_or_fail(data->points, sizeof *again);
    struct tuner_model *model = fit(trial, trial->seed - 1);
    long wrong = 0;
    (void)run;

    check_status(trial->kind->predict(model, trial->matrix, data->order, data->points, again));
    trial->kind->release(model);
    for (size_t i = 0; i < data->points; i++)
        wrong += !isfinite(again[i]) ||
                 memcmp(&again[i], &trial->predicted[data->order[i]], sizeof *again) != 0;
    free(again);
    return wrong;
}

static void fill_row(const void *task, double time_s, void *row)
{
    const struct trial *trial = task;
    *(struct row *)row = (struct row){.samples = trial->samples,
                                      .points = trial->data->points,
                                      .data = data_set.name,
                                      .fit_s = trial->fit_s,
                                      .predict_s = time_s - trial->fit_s,
                                      .r2 = trial->r2};
}

static const struct comparison comparison = {.task_bytes = TASK(struct trial),
                                             .row_bytes = sizeof(struct row),
                                             .open = open_trial,
                                             .sample = sample,
                                             .row = fill_row,
                                             .verify = count_wrong};

static void write_points(const struct model_data *data)
{
    FILE *file = fopen(written_file, "wx");

    if (!file)
        fail("--write %s: %s", written_file, strerror(errno));
    bool complete = model_data_write(data, file);
    if (fclose(file) != 0 || !complete)
        fail("--write %s: cannot be written", written_file);
}

static void run_all(struct run *run)
{
    /* Its bounds depend on another option. */
    struct option_numbers samples = option_read_numbers("samples", sample_list, 1, points / 2);
    struct model_data data;
    float *matrices[2];

    model_data_open(&data, (enum model_data_kind)data_set.value, (size_t)points,
                    run->settings.seed);
    if (written_file)
        write_points(&data);
    check_status(tuner_space_matrix(data.space, TUNER_PLAIN, &matrices[0]));
    check_status(tuner_space_matrix(data.space, TUNER_SCALED, &matrices[1]));
    for (size_t i = 0; i < samples.count; i++)
        compare_variants(run, &comparison,
                         &(struct trial){.data = &data,
                                         .matrices = matrices,
                                         .samples = (size_t)samples.values[i]});
    free(matrices[0]);
    free(matrices[1]);
    free(samples.values);
    model_data_close(&data);
}

static void start_program(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    for (size_t i = 0; i < MODELS && tuner_model_kinds()[i]; i++)
        variants[i] =
            (struct variant){tuner_model_kinds()[i]->name, tuner_model_kinds()[i]->meaning};
}

const struct program program = {
    .name = "tuner_models",
    .summary = "fits regression models to samples of a random space and predicts the rest",
    .details =
        "time_s = fit_s + predict_s, on one core. Data from --seed: thread-blocks, blocks of two\n"
        "dimensions and an imagined kernel that wants full warps, resident blocks and coalesced\n"
        "accesses; uniform, a smooth function of four numbers. Both with 2 % of noise. Samples and\n"
        "points are the same in all repetitions, the seed of the model is another in each. Errors\n"
        "are predictions that are not finite or differ when the same model is fitted again.\n"
        "Models have scikit-learn's default settings; mlp differs: FANN has no Adam.",
    .variants = variants,
    .options = options,
    .columns = columns,
    .start = start_program,
    .run = run_all,
};
