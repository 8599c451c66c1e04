/* svm and svm-scaled: epsilon support vector regression by libsvm. */
#include "status.h"
#include "tuner_model_private.h"

#include <libsvm/svm.h>
#include <pthread.h>
#include <stdlib.h>

struct tuner_model {
    size_t features;
    struct svm_model *machine;
    struct svm_node *nodes; /* the machine's support vectors are among these */
};

static void say_nothing(const char *text)
{
    (void)text;
}

/* The library has one function for all threads. */
static void silence_library(void)
{
    svm_set_print_string_function(say_nothing);
}

/* libsvm's form of a row: features + 1 nodes. */
static void write_nodes(const float *row, size_t features, struct svm_node *nodes)
{
    for (size_t f = 0; f < features; f++)
        nodes[f] = (struct svm_node){.index = (int)f + 1, .value = row[f]};
    nodes[features].index = -1;
}

/* scikit-learn's gamma = "scale" with the variance of all numbers; 1 if they are equal. */
static double scaled_gamma(const float *rows, size_t count, size_t features)
{
    size_t numbers = count * features;
    double mean = 0, variance = 0;

    for (size_t i = 0; i < numbers; i++)
        mean += rows[i] / (double)numbers;
    for (size_t i = 0; i < numbers; i++)
        variance += (rows[i] - mean) * (rows[i] - mean) / (double)numbers;
    return variance > 0 ? 1 / ((double)features * variance) : 1;
}

static struct tuner_model *fit_with(const float *rows, const float *targets, size_t count,
                                    size_t features, double gamma)
{
    static pthread_once_t silenced = PTHREAD_ONCE_INIT;
    struct tuner_model *model = allocate_or_fail(1, sizeof *model);
    struct svm_problem problem = {.l = (int)count,
                                  .y = allocate_or_fail(count, sizeof *problem.y),
                                  .x = allocate_or_fail(count, sizeof *problem.x)};
    const struct svm_parameter parameter = {.svm_type = EPSILON_SVR,
                                            .kernel_type = RBF,
                                            .gamma = gamma,
                                            .cache_size = 100,
                                            .eps = 1e-3,
                                            .C = 1,
                                            .p = 0.1,
                                            .shrinking = 1};

    model->features = features;
    model->nodes = allocate_or_fail(count * (features + 1), sizeof *model->nodes);
    for (size_t i = 0; i < count; i++) {
        problem.y[i] = targets[i];
        problem.x[i] = model->nodes + i * (features + 1);
        write_nodes(rows + i * features, features, problem.x[i]);
    }
    pthread_once(&silenced, silence_library);
    model->machine = svm_train(&problem, &parameter);
    free(problem.y);
    free(problem.x);
    return model;
}

static struct tuner_model *fit(const float *rows, const float *targets, size_t count,
                               size_t features, uint64_t seed)
{
    (void)seed; /* nothing is random */
    return fit_with(rows, targets, count, features, 1 / (double)features);
}

static struct tuner_model *fit_scaled(const float *rows, const float *targets, size_t count,
                                      size_t features, uint64_t seed)
{
    (void)seed;
    return fit_with(rows, targets, count, features, scaled_gamma(rows, count, features));
}

static void predict(const struct tuner_model *model, const float *rows, const uint32_t *which,
                    size_t count, float *result)
{
    size_t features = model->features;
    struct svm_node *nodes = allocate_or_fail(features + 1, sizeof *nodes);

    for (size_t i = 0; i < count; i++) {
        write_nodes(tuner_model_row(rows, which, i, features), features, nodes);
        result[i] = (float)svm_predict(model->machine, nodes);
    }
    free(nodes);
}

static void release(struct tuner_model *model)
{
    svm_free_and_destroy_model(&model->machine);
    free(model->nodes);
    free(model);
}

const struct tuner_model_kind tuner_svm = {
    .name = "svm",
    .meaning = "support vector regression (libsvm): radial basis functions, C 1, epsilon 0.1, "
               "gamma 1 / features",
    .fit = fit,
    .predict = predict,
    .release = release,
};

const struct tuner_model_kind tuner_svm_scaled = {
    .name = "svm-scaled",
    .meaning = "svm on features scaled to [0, 1], gamma 1 / (features * variance)",
    .scaled = true,
    .fit = fit_scaled,
    .predict = predict,
    .release = release,
};
