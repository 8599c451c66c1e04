/* Regression models: against slow references, at the edges, and the same whatever the thread. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "common/harness/exit.h"
#include "tuner/model_data.h"

#include "tuner_model_test.h"

static float again[ROWS];

static bool all_within(const float *values, size_t count, double center, double distance)
{
    for (size_t i = 0; i < count; i++)
        if (!(fabs(values[i] - center) <= distance))
            return false;
    return true;
}

/* ---- the table and the measure ---- */

static void kinds_are_found_by_name(void)
{
    static const char *const names[] = {"cart", "knn",        "svm",       "forest",
                                        "mlp",  "svm-scaled", "mlp-scaled"};
    size_t count = 0;

    for (; tuner_model_kinds()[count]; count++) {
        expect(count < 7 && strcmp(tuner_model_kinds()[count]->name, names[count]) == 0);
        expect(tuner_model_kind_of(tuner_model_kinds()[count]->name) == tuner_model_kinds()[count]);
        expect(tuner_model_kinds()[count]->scaled == (count >= 5));
        expect(strlen(tuner_model_kinds()[count]->meaning) > 10);
    }
    expect(count == 7);
    expect(tuner_model_kind_of("") == NULL);
    expect(tuner_model_kind_of("fores") == NULL);
}

static void r2_is_one_for_perfect_and_zero_for_the_mean(void)
{
    const float t[] = {1, 2, 3, 6}, mean[] = {3, 3, 3, 3}, miss[] = {2, 2, 3, 6};

    expect(tuner_model_r2(t, t, 4) == 1);
    expect(fabs(tuner_model_r2(mean, t, 4)) < 1e-15);
    expect(fabs(tuner_model_r2(miss, t, 4) - (1 - 1.0 / 14)) < 1e-15);
    expect(isnan(tuner_model_r2(miss, mean, 4)));
    expect(isnan(tuner_model_r2(t, t, 1)));
    expect(isnan(tuner_model_r2(t, t, 0)));
}

/* ---- knn ---- */

/* Rank of sample i by distance from the row: how many are nearer, or as near and earlier. */
static size_t rank_of(size_t i, size_t count, const float *row)
{
    float distances[SAMPLES];
    size_t rank = 0;

    for (size_t k = 0; k < count; k++) {
        distances[k] = 0;
        for (size_t f = 0; f < FEATURES; f++)
            distances[k] += (rows[k * FEATURES + f] - row[f]) * (rows[k * FEATURES + f] - row[f]);
    }
    for (size_t k = 0; k < count; k++)
        rank += distances[k] < distances[i] || (distances[k] == distances[i] && k < i);
    return rank;
}

static void check_nearest(size_t count)
{
    predict_all(kind("knn"), count, 1, predicted);
    for (size_t i = 0; i < ROWS; i++) {
        double sum = 0, used = count < 5 ? (double)count : 5;
        for (size_t k = 0; k < count; k++)
            sum += rank_of(k, count, rows + i * FEATURES) < 5 ? targets[k] : 0;
        expect(fabs(predicted[i] - sum / used) < 1e-6);
    }
}

static void knn_takes_the_nearest_five(void)
{
    fill(1);
    check_nearest(SAMPLES);
    fill_coarse(2);
    check_nearest(SAMPLES);
    check_nearest(3);
    check_nearest(5);
}

/* ---- svm ---- */

/* Targets within the margin cost nothing: the machine has no support vector. */
static void svm_ignores_errors_within_its_margin(void)
{
    fill(1);
    for (size_t i = 0; i < ROWS; i++)
        targets[i] = 0.5f + 0.05f * (i % 2 ? 1.f : -1.f);
    predict_all(kind("svm"), SAMPLES, 1, predicted);
    expect(all_within(predicted, ROWS, 0.5, 0.051));
    for (size_t i = 0; i < ROWS; i++)
        expect(predicted[i] == predicted[0]);
}

static void scale_features(float factor)
{
    for (size_t i = 0; i < ROWS * FEATURES; i++)
        rows[i] *= factor;
}

/* svm-scaled has its width from the data, svm has not. */
static void svm_widths_are_those_of_scikit_learn(void)
{
    static const char *const names[] = {"svm-scaled", "svm"};

    for (int i = 0; i < 2; i++) {
        float difference = 0;
        fill(4);
        predict_all(kind(names[i]), SAMPLES, 1, predicted);
        scale_features(64);
        predict_all(kind(names[i]), SAMPLES, 1, again);
        for (size_t k = 0; k < ROWS; k++)
            difference = fmaxf(difference, fabsf(predicted[k] - again[k]));
        expect(i ? difference > 0.01f : difference < 1e-4f);
    }
}

static void svm_and_mlp_learn_a_smooth_function(void)
{
    fill(5);
    expect(held_out_r2(kind("svm-scaled"), 1) > 0.8);
    expect(held_out_r2(kind("mlp-scaled"), 1) > 0.8);
}

/* ---- all ---- */

static void same_seed_same_model(void)
{
    for (size_t k = 0; tuner_model_kinds()[k]; k++) {
        fill_coarse(9);
        predict_all(tuner_model_kinds()[k], SAMPLES, 7, predicted);
        srand(1); /* libraries may use it; the result must not depend on it */
        predict_all(tuner_model_kinds()[k], SAMPLES, 7, again);
        expect(memcmp(predicted, again, sizeof again) == 0);
    }
}

static void seeds_matter_to_random_models(void)
{
    static const char *const names[] = {"forest", "mlp", "mlp-scaled"};

    fill(9);
    for (size_t k = 0; k < 3; k++) {
        predict_all(kind(names[k]), SAMPLES, 7, predicted);
        predict_all(kind(names[k]), SAMPLES, 8, again);
        expect(memcmp(predicted, again, sizeof again) != 0);
    }
}

/* One by one, in any order, with repetitions, or all at once. */
static void predictions_do_not_depend_on_their_company(void)
{
    uint32_t which[2 * ROWS];
    float chosen[2 * ROWS];

    fill(2);
    for (size_t i = 0; i < 2 * ROWS; i++)
        which[i] = (uint32_t)random_below(3, i, ROWS);
    for (size_t k = 0; tuner_model_kinds()[k]; k++) {
        const struct tuner_model_kind *kind = tuner_model_kinds()[k];
        struct tuner_model *model = fit_model(kind, rows, targets, SAMPLES, FEATURES, 1);
        expect_ok(kind->predict(model, rows, NULL, ROWS, predicted));
        expect_ok(kind->predict(model, rows, which, 2 * ROWS, chosen));
        for (size_t i = 0; i < 2 * ROWS; i++)
            expect(chosen[i] == predicted[which[i]]);
        for (uint32_t i = 0; i < ROWS; i += 50) {
            expect_ok(kind->predict(model, rows, &i, 1, chosen));
            expect(chosen[0] == predicted[i]);
        }
        chosen[0] = -7;
        expect_ok(kind->predict(model, rows, NULL, 0, chosen));
        expect(chosen[0] == -7);
        kind->release(model);
    }
}

/* As in a search's first iteration with a tiny pick ratio. */
static void few_samples_are_enough(void)
{
    fill(2);
    for (size_t k = 0; tuner_model_kinds()[k]; k++)
        for (size_t samples = 1; samples <= 2; samples++) {
            predict_all(tuner_model_kinds()[k], samples, 1, predicted);
            for (size_t i = 0; i < ROWS; i++)
                expect(isfinite(predicted[i]));
            expect(fabsf(predicted[0] - targets[0]) < (samples == 1 ? 0.11f : 1.f));
        }
}

static void constant_targets_are_learned(void)
{
    fill(2);
    for (size_t i = 0; i < ROWS; i++)
        targets[i] = 0.3f;
    for (size_t k = 0; k < 4; k++) { /* cart, knn, svm, forest */
        predict_all(tuner_model_kinds()[k], SAMPLES, 1, predicted);
        expect(all_within(predicted, ROWS, 0.3,
                          strcmp(tuner_model_kinds()[k]->name, "svm") ? 1e-6 : 0.11));
    }
}

/* Equal rows with different targets: nothing tells them apart. */
static void equal_rows_give_the_mean(void)
{
    fill(2);
    memset(rows, 0, sizeof rows);
    double mean = 0;
    for (size_t i = 0; i < SAMPLES; i++)
        mean += (double)targets[i] / SAMPLES;
    predict_all(kind("cart"), SAMPLES, 1, predicted);
    expect(all_within(predicted, ROWS, mean, 1e-6));
    predict_all(kind("forest"), SAMPLES, 1, predicted);
    expect(all_within(predicted, ROWS, mean, 0.05));
    for (size_t k = 0; tuner_model_kinds()[k]; k++) {
        predict_all(tuner_model_kinds()[k], SAMPLES, 1, predicted);
        expect(all_within(predicted, ROWS, mean, 0.3));
    }
}

/* Spaces with categories have many columns. */
static void many_features_are_possible(void)
{
    enum { MANY = 200, COUNT = 40 };
    float *wide = allocate_or_fail(MANY * COUNT, sizeof *wide);
    float result[COUNT];

    for (size_t i = 0; i < MANY * COUNT; i++)
        wide[i] = (float)(random_bits(1, i) & 1);
    for (size_t i = 0; i < COUNT; i++)
        targets[i] = wide[i * MANY + 150];
    for (size_t k = 0; tuner_model_kinds()[k]; k++) {
        const struct tuner_model_kind *kind = tuner_model_kinds()[k];
        struct tuner_model *model = fit_model(kind, wide, targets, COUNT, MANY, 1);
        expect_ok(kind->predict(model, wide, NULL, COUNT, result));
        kind->release(model);
        for (size_t i = 0; i < COUNT; i++)
            expect(isfinite(result[i]));
        if (strcmp(kind->name, "cart") == 0)
            expect(tuner_model_r2(result, targets, COUNT) == 1);
    }
    free(wide);
}

static void *predict_in_a_thread(void *context)
{
    const struct tuner_model_kind *const *const kinds = tuner_model_kinds();
    float(*results)[ROWS] = context;

    for (size_t k = 0; kinds[k]; k++)
        predict_all(kinds[k], SAMPLES, 1, results[k]);
    return NULL;
}

static void threads_do_not_disturb_one_another(void)
{
    enum { THREADS = 3, KINDS = 7 };
    static float results[THREADS][KINDS][ROWS];
    pthread_t threads[THREADS];

    fill(8);
    for (int i = 0; i < THREADS; i++)
        expect(pthread_create(&threads[i], NULL, predict_in_a_thread, results[i]) == 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (size_t k = 0; k < KINDS; k++) {
        predict_all(tuner_model_kinds()[k], SAMPLES, 1, predicted);
        for (int i = 0; i < THREADS; i++)
            expect(memcmp(results[i][k], predicted, sizeof predicted) == 0);
    }
}

static void nothing_is_printed(void)
{
    FILE *file = tmpfile();
    int out = dup(1), err = dup(2);

    expect(file && out >= 0 && err >= 0);
    fill(2);
    fflush(stdout);
    dup2(fileno(file), 1);
    dup2(fileno(file), 2);
    for (size_t k = 0; tuner_model_kinds()[k]; k++)
        predict_all(tuner_model_kinds()[k], SAMPLES, 1, predicted);
    fflush(stdout);
    dup2(out, 1);
    dup2(err, 2);
    close(out);
    close(err);
    expect(lseek(fileno(file), 0, SEEK_END) == 0);
    fclose(file);
}

/* ---- data to try models on ---- */

static void check_data(enum model_data_kind kind, size_t points)
{
    struct model_data data, same;
    bool *seen = allocate_or_fail(points, sizeof *seen);

    memset(seen, 0, points * sizeof *seen);
    model_data_open(&data, kind, points, 3);
    model_data_open(&same, kind, points, 3);
    expect(data.points == points && tuner_space_size(data.space) == points);
    expect(memcmp(data.targets, same.targets, points * sizeof *data.targets) == 0);
    expect(memcmp(data.order, same.order, points * sizeof *data.order) == 0);
    for (size_t i = 0; i < points; i++) {
        expect(data.targets[i] >= 0 && data.targets[i] <= 1);
        expect(data.order[i] < points && !seen[data.order[i]]);
        seen[data.order[i]] = true;
        if (kind == MODEL_DATA_THREAD_BLOCKS && points <= 7262)
            expect(tuner_space_value(data.space, i, 0) * tuner_space_value(data.space, i, 1) <=
                   1024);
    }
    model_data_close(&same);
    model_data_open(&same, kind, points, 4);
    expect(memcmp(data.targets, same.targets, points * sizeof *data.targets) != 0);
    model_data_close(&same);
    model_data_close(&data);
    free(seen);
}

static void data_are_random_and_the_same(void)
{
    check_data(MODEL_DATA_THREAD_BLOCKS, 500);
    check_data(MODEL_DATA_THREAD_BLOCKS, 7262);
    check_data(MODEL_DATA_THREAD_BLOCKS, 7263);
    check_data(MODEL_DATA_UNIFORM, 500);
}

int main(void)
{
    run_test(kinds_are_found_by_name);
    run_test(r2_is_one_for_perfect_and_zero_for_the_mean);
    run_test(knn_takes_the_nearest_five);
    run_test(svm_ignores_errors_within_its_margin);
    run_test(svm_widths_are_those_of_scikit_learn);
    run_test(svm_and_mlp_learn_a_smooth_function);
    run_test(same_seed_same_model);
    run_test(seeds_matter_to_random_models);
    run_test(predictions_do_not_depend_on_their_company);
    run_test(few_samples_are_enough);
    run_test(constant_targets_are_learned);
    run_test(equal_rows_give_the_mean);
    run_test(many_features_are_possible);
    run_test(threads_do_not_disturb_one_another);
    run_test(nothing_is_printed);
    run_test(data_are_random_and_the_same);
    return end_tests();
}
