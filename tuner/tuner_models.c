/* tuner_models: how well regression models predict performance, and how long they take. */
#include "clock.h"
#include "option_lists.h"
#include "program.h"
#include "tuner_model.h"
#include "tuner_model_data.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MODELS = 7 };
static struct variant variants[MODELS + 1]; /* tuner_model_kinds, ended by {0} */

static const struct column columns[] = {
    {"samples", COLUMN_PARAMETER, "points that the model is fitted to"},
    {"points", COLUMN_PARAMETER, "points that it predicts, samples among them"},
    {"data", COLUMN_PARAMETER, "thread-blocks or uniform"},
    {"fit_s", COLUMN_METRIC, "time to fit, in s"},
    {"predict_s", COLUMN_METRIC, "time to predict all points, in s"},
    {"r2", COLUMN_METRIC,
     "1 - squared error / variance on the points that were not samples: 1 is perfect"},
    {0},
};

static int64_t points = 11000;
static const char *sample_list = "50,100,200,400";
static const char *data_name = "thread-blocks";
static const char *written_file = NULL;
static const struct option options[] = {
    {"points", OPTION_INTEGER, &points, "N", "points of the space", 4, TUNER_MODEL_DATA_POINTS},
    {"samples", OPTION_TEXT, &sample_list, "LIST", "numbers of samples, at most half the points", 0,
     0},
    {"data", OPTION_TEXT, &data_name, "NAME", "thread-blocks or uniform, see -h", 0, 0},
    {"write", OPTION_TEXT, &written_file, "FILE",
     "write the points as CSV too, shuffled: samples are the first ones", 0, 0},
    {0},
};

struct fit {
    double time_s, r2;
};

struct trial {
    const struct tuner_model_kind *kind;
    const struct tuner_model_data *data;
    uint64_t seed;
    size_t samples, features;
    const float *matrix; /* of all points */
    float *rows;         /* of the samples */
    float *targets;      /* of the samples */
    float *predicted;    /* all points */
    struct fit *fits;    /* of each sample() so far, warm-up included */
    size_t taken, room;
};

static void note_fit(struct trial *trial, struct fit fit)
{
    if (trial->taken == trial->room) {
        trial->room = 2 * trial->room + 16;
        trial->fits = realloc(trial->fits, trial->room * sizeof *trial->fits);
        check_errno(trial->fits);
    }
    trial->fits[trial->taken++] = fit;
}

/* On the points that were not samples. */
static double held_out_r2(const struct trial *trial)
{
    const struct tuner_model_data *data = trial->data;
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

static struct tuner_model *fit(const struct trial *trial, size_t number)
{
    return trial->kind->fit(trial->rows, trial->targets, trial->samples, trial->features,
                            trial->seed + number);
}

static double sample(void *context)
{
    struct trial *trial = context;
    const struct tuner_model_kind *kind = trial->kind;
    double start_s = clock_now_s();
    struct tuner_model *model = fit(trial, trial->taken);
    double fitted_s = clock_now_s();

    kind->predict(model, trial->matrix, NULL, trial->data->points, trial->predicted);
    double end_s = clock_now_s();
    kind->release(model);
    note_fit(trial, (struct fit){fitted_s - start_s, held_out_r2(trial)});
    return end_s - start_s;
}

static void open_trial(struct trial *trial, const struct tuner_model_kind *kind,
                       const struct tuner_model_data *data, const float *matrix, size_t samples,
                       uint64_t seed)
{
    size_t features = tuner_space_features(data->space, TUNER_PLAIN);

    *trial = (struct trial){.kind = kind,
                            .data = data,
                            .seed = seed,
                            .samples = samples,
                            .features = features,
                            .matrix = matrix,
                            .rows = allocate_or_fail(samples * features, sizeof(float)),
                            .targets = allocate_or_fail(samples, sizeof(float)),
                            .predicted = allocate_or_fail(data->points, sizeof(float))};
    for (size_t i = 0; i < samples; i++) {
        size_t at = data->order[i];
        memcpy(trial->rows + i * features, matrix + at * features, features * sizeof(float));
        trial->targets[i] = data->targets[at];
    }
}

static void close_trial(struct trial *trial)
{
    free(trial->rows);
    free(trial->targets);
    free(trial->predicted);
    free(trial->fits);
}

/* The last model from the same samples, asked for the points in another order: predictions that
 * differ in any bit, or are no numbers. */
static long count_wrong(const struct trial *trial)
{
    const struct tuner_model_data *data = trial->data;
    float *again = allocate_or_fail(data->points, sizeof *again);
    struct tuner_model *model = fit(trial, trial->taken - 1);
    long wrong = 0;

    trial->kind->predict(model, trial->matrix, data->order, data->points, again);
    trial->kind->release(model);
    for (size_t i = 0; i < data->points; i++)
        wrong += !isfinite(again[i]) ||
                 memcmp(&again[i], &trial->predicted[data->order[i]], sizeof *again) != 0;
    free(again);
    return wrong;
}

static void record(struct run *run, const struct trial *trial, const struct subject *subject)
{
    long wrong = run->settings.check ? count_wrong(trial) : 0;
    const struct fit *fits = trial->fits + (trial->taken - subject->count);

    for (size_t i = 0; i < subject->count; i++) {
        struct value values[] = {integer((int64_t)trial->samples),
                                 integer((int64_t)trial->data->points),
                                 text(data_name),
                                 real(fits[i].time_s),
                                 real(subject->times_s[i] - fits[i].time_s),
                                 real(fits[i].r2)};
        record_row(run, subject->variant, (int)i, values, subject->times_s[i], wrong);
    }
}

static void measure_models(struct run *run, const struct tuner_model_data *data,
                           float *const matrices[2], size_t samples)
{
    struct trial trials[MODELS];
    struct subject subjects[MODELS];
    size_t count = 0;

    for (size_t i = 0; tuner_model_kinds[i]; i++) {
        const struct tuner_model_kind *kind = tuner_model_kinds[i];
        if (!program_wants(run, kind->name))
            continue;
        open_trial(&trials[count], kind, data, matrices[kind->scaled], samples, run->settings.seed);
        subjects[count] =
            (struct subject){.variant = kind->name, .sample = sample, .context = &trials[count]};
        count++;
    }
    measure(run, subjects, count);
    for (size_t i = 0; i < count; i++) {
        record(run, &trials[i], &subjects[i]);
        close_trial(&trials[i]);
    }
    measure_free(subjects, count);
}

static void write_points(const struct tuner_model_data *data)
{
    FILE *file = fopen(written_file, "wx");

    if (!file)
        fail("--write %s: %s", written_file, strerror(errno));
    bool complete = tuner_model_data_write(data, file);
    if (fclose(file) != 0 || !complete)
        fail("--write %s: cannot be written", written_file);
}

static void run_all(struct run *run)
{
    struct option_numbers samples = option_read_numbers("samples", sample_list, 1, points / 2);
    struct tuner_model_data data;
    const char *complaint =
        tuner_model_data_open(&data, data_name, (size_t)points, run->settings.seed);

    if (complaint)
        fail("--data %s: %s", data_name, complaint);
    if (written_file)
        write_points(&data);
    float *const matrices[2] = {tuner_space_matrix(data.space, TUNER_PLAIN),
                                tuner_space_matrix(data.space, TUNER_SCALED)};
    for (size_t i = 0; i < samples.count; i++)
        measure_models(run, &data, matrices, (size_t)samples.values[i]);
    free(matrices[0]);
    free(matrices[1]);
    free(samples.values);
    tuner_model_data_close(&data);
}

static const struct program program = {
    .name = "tuner_models",
    .summary = "fits regression models to samples of a random space and predicts the rest",
    .details =
        "time_s = fit_s + predict_s, on one core. Data from --seed: thread-blocks, blocks of two\n"
        "dimensions and an imagined kernel that wants full warps, resident blocks and coalesced\n"
        "accesses; uniform, a smooth function of four numbers. Both with 2 % of noise. Samples "
        "and\n"
        "points are the same in all repetitions, the seed of the model is another in each. Errors\n"
        "are predictions that are no numbers or differ when the same model is fitted again.\n"
        "Models have scikit-learn's default settings; mlp differs: FANN has no Adam.",
    .variants = variants,
    .options = options,
    .columns = columns,
    .run = run_all,
};

int main(int argc, char **argv)
{
    for (size_t i = 0; i < MODELS && tuner_model_kinds[i]; i++)
        variants[i] = (struct variant){tuner_model_kinds[i]->name, tuner_model_kinds[i]->meaning};
    return program_main(&program, argc, argv);
}
