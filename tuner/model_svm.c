/* svm and svm-scaled: epsilon support vector regression by libsvm. */
#if __has_include(<libsvm/svm.h>)
#include <libsvm/svm.h> /* of Debian */
#else
#include <svm.h>
#endif
#include <pthread.h>
#include <stdlib.h>

#include "allocate.h"
#include "models.h"

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

static void release(struct tuner_model *model)
{
    if (!model)
        return;
    if (model->machine)
        svm_free_and_destroy_model(&model->machine);
    free(model->nodes);
    free(model);
}

static enum dm_status train(struct tuner_model *model, const float *rows, const float *targets,
                            size_t count, double gamma)
{
    static pthread_once_t silenced = PTHREAD_ONCE_INIT;
    const size_t features = model->features;
    struct svm_problem problem = {.l = (int)count,
                                  .y = allocate(count, sizeof *problem.y),
                                  .x = allocate(count, sizeof *problem.x)};
    const struct svm_parameter parameter = {.svm_type = EPSILON_SVR,
                                            .kernel_type = RBF,
                                            .gamma = gamma,
                                            .cache_size = 100,
                                            .eps = 1e-3,
                                            .C = 1,
                                            .p = 0.1,
                                            .shrinking = 1};

    model->nodes = allocate(count * (features + 1), sizeof *model->nodes);
    bool complete = problem.x && problem.y && model->nodes;
    for (size_t i = 0; complete && i < count; i++) {
        problem.y[i] = targets[i];
        problem.x[i] = model->nodes + i * (features + 1);
        write_nodes(rows + i * features, features, problem.x[i]);
    }
    pthread_once(&silenced, silence_library);
    if (complete)
        model->machine = svm_train(&problem, &parameter);
    free(problem.y);
    free(problem.x);
    return complete ? DM_OK : DM_NO_MEMORY;
}

static enum dm_status fit_with(struct tuner_model **model, const float *rows, const float *targets,
                               size_t count, size_t features, double gamma)
{
    *model = allocate(1, sizeof **model);
    if (!*model)
        return DM_NO_MEMORY;
    (*model)->features = features;
    enum dm_status status = train(*model, rows, targets, count, gamma);
    if (status != DM_OK) {
        release(*model);
        *model = NULL;
    }
    return status;
}

static enum dm_status fit(struct tuner_model **model, const float *rows, const float *targets,
                          size_t count, size_t features, uint64_t seed)
{
    (void)seed; /* nothing is random */
    return fit_with(model, rows, targets, count, features, 1 / (double)features);
}

static enum dm_status fit_scaled(struct tuner_model **model, const float *rows,
                                 const float *targets, size_t count, size_t features, uint64_t seed)
{
    (void)seed;
    return fit_with(model, rows, targets, count, features, scaled_gamma(rows, count, features));
}

static enum dm_status predict(const struct tuner_model *model, const float *rows,
                              const uint32_t *which, size_t count, float *result)
{
    size_t features = model->features;
    struct svm_node *nodes = allocate(features + 1, sizeof *nodes);

    if (!nodes)
        return DM_NO_MEMORY;
    for (size_t i = 0; i < count; i++) {
        write_nodes(row_of(rows, which, i, features), features, nodes);
        result[i] = (float)svm_predict(model->machine, nodes);
    }
    free(nodes);
    return DM_OK;
}

const struct tuner_model_kind model_svm = {
    .name = "svm",
    .meaning = "support vector regression (libsvm): radial basis functions, C 1, epsilon 0.1, "
               "gamma 1 / features",
    .fit = fit,
    .predict = predict,
    .release = release,
};

const struct tuner_model_kind model_svm_scaled = {
    .name = "svm-scaled",
    .meaning = "svm on features scaled to [0, 1], gamma 1 / (features * variance)",
    .scaled = true,
    .fit = fit_scaled,
    .predict = predict,
    .release = release,
};
