/* mlp and mlp-scaled: a multilayer perceptron by FANN.
 *
 * scikit-learn's has rectifiers and is trained by Adam; FANN has neither. Here: Elliott's function
 * x / (1 + |x|), which costs less than a hyperbolic tangent, and resilient propagation (iRPROP-) of
 * the whole batch. */
#include <floatfann.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "common/random.h"

#include "allocate.h"
#include "models.h"

enum { HIDDEN = 100, EPOCHS = 200, EPOCHS_WITHOUT_GAIN = 10 };

/* Training ends earlier when the mean squared error has not fallen by this much for
 * EPOCHS_WITHOUT_GAIN epochs, as scikit-learn's. */
static const float GAIN = 1e-4f;

/* Of each weight. FANN's 0.1 throws a network of 100 neurons so far that it often stays there. */
static const float FIRST_STEP = 0.01f;

struct tuner_model {
    size_t features;
    struct fann *network;
};

static void release(struct tuner_model *model)
{
    if (!model)
        return;
    if (model->network)
        fann_destroy(model->network);
    free(model);
}

/* FANN reports errors on stderr; where it creates objects, only a setting of all of them helps. */
static void silence_library(void)
{
    fann_set_error_log(NULL, NULL);
}

/* FANN draws its weights from rand(), seeded by the time; ours replace them. Uniform in +-bound as
 * in Glorot and Bengio, Understanding the difficulty of training deep feedforward neural networks,
 * 2010, with the layers' numbers of inputs and outputs; biases likewise. */
static enum dm_status draw_weights(struct fann *network, size_t features, uint64_t seed)
{
    unsigned count = fann_get_total_connections(network);
    struct fann_connection *connections = allocate(count, sizeof *connections);

    if (!connections)
        return DM_NO_MEMORY;
    fann_get_connection_array(network, connections);
    for (unsigned i = 0; i < count; i++) {
        bool into_hidden = connections[i].from_neuron <= features; /* inputs and their bias */
        double bound = sqrt(6.0 / (double)(HIDDEN + (into_hidden ? features : 1)));
        connections[i].weight = (float)(bound * (2 * random_uniform(seed, i) - 1));
    }
    fann_set_weight_array(network, connections, count);
    free(connections);
    return DM_OK;
}

static enum dm_status create_network(struct fann **network, size_t features, uint64_t seed)
{
    *network = fann_create_standard(3, (unsigned)features, (unsigned)HIDDEN, 1u);
    if (!*network)
        return dm_fail(DM_NO_MEMORY, "FANN cannot create a network of %zu inputs", features);
    fann_set_activation_function_hidden(*network, FANN_ELLIOT_SYMMETRIC);
    fann_set_activation_steepness_hidden(*network, 1);
    fann_set_activation_function_output(*network, FANN_LINEAR);
    fann_set_activation_steepness_output(*network, 1);
    fann_set_training_algorithm(*network, FANN_TRAIN_RPROP);
    fann_set_rprop_delta_zero(*network, FIRST_STEP);
    fann_set_train_error_function(*network, FANN_ERRORFUNC_LINEAR);
    return draw_weights(*network, features, seed);
}

static enum dm_status train(struct fann *network, const float *rows, const float *targets,
                            size_t count, size_t features)
{
    struct fann_train_data *data = fann_create_train((unsigned)count, (unsigned)features, 1);
    float best = INFINITY;

    if (!data)
        return dm_fail(DM_NO_MEMORY, "FANN cannot hold %zu samples of %zu features", count,
                       features);
    for (size_t i = 0; i < count; i++) {
        memcpy(data->input[i], rows + i * features, features * sizeof *rows);
        data->output[i][0] = targets[i];
    }
    for (int epoch = 0, idle = 0; epoch < EPOCHS && idle < EPOCHS_WITHOUT_GAIN; epoch++) {
        float error = fann_train_epoch(network, data);
        idle = error > best - GAIN ? idle + 1 : 0;
        best = fminf(best, error);
    }
    fann_destroy_train(data);
    if (fann_get_errno((struct fann_error *)network) != FANN_E_NO_ERROR)
        return dm_fail(DM_FAILED, "FANN cannot train a network: %s",
                       fann_get_errstr((struct fann_error *)network));
    return DM_OK;
}

static enum dm_status fit(struct tuner_model **model, const float *rows, const float *targets,
                          size_t count, size_t features, uint64_t seed)
{
    static pthread_once_t silenced = PTHREAD_ONCE_INIT;
    struct tuner_model *made = allocate(1, sizeof *made);

    *model = NULL;
    if (!made)
        return DM_NO_MEMORY;
    made->features = features;
    pthread_once(&silenced, silence_library);
    enum dm_status status = create_network(&made->network, features, seed);
    if (status == DM_OK)
        status = train(made->network, rows, targets, count, features);
    if (status == DM_OK)
        *model = made;
    else
        release(made);
    return status;
}

static enum dm_status predict(const struct tuner_model *model, const float *rows,
                              const uint32_t *which, size_t count, float *result)
{
    float *input = allocate(model->features, sizeof *input);

    if (!input)
        return DM_NO_MEMORY;
    for (size_t i = 0; i < count; i++) {
        const float *row = row_of(rows, which, i, model->features);
        memcpy(input, row, model->features * sizeof *input);
        result[i] = fann_run(model->network, input)[0];
    }
    free(input);
    return DM_OK;
}

const struct tuner_model_kind model_mlp = {
    .name = "mlp",
    .meaning = "a multilayer perceptron (FANN): one hidden layer of 100, at most 200 epochs of "
               "resilient propagation",
    .fit = fit,
    .predict = predict,
    .release = release,
};

const struct tuner_model_kind model_mlp_scaled = {
    .name = "mlp-scaled",
    .meaning = "mlp on features scaled to [0, 1]",
    .scaled = true,
    .fit = fit,
    .predict = predict,
    .release = release,
};
