/* mlp and mlp-scaled: a multilayer perceptron by FANN.
 *
 * scikit-learn's has rectifiers and is trained by Adam; FANN has neither. Here: Elliott's function
 * x / (1 + |x|), which costs less than a hyperbolic tangent, and resilient propagation (iRPROP-) of
 * the whole batch. */
#include "random.h"
#include "status.h"
#include "tuner_model_private.h"

#include <floatfann.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

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

/* FANN draws its weights from rand(), seeded by the time; ours replace them. Uniform in +-bound as
 * in Glorot and Bengio, Understanding the difficulty of training deep feedforward neural networks,
 * 2010, with the layers' numbers of inputs and outputs; biases likewise. */
static void draw_weights(struct fann *network, size_t features, uint64_t seed)
{
    unsigned count = fann_get_total_connections(network);
    struct fann_connection *connections = allocate_or_fail(count, sizeof *connections);

    fann_get_connection_array(network, connections);
    for (unsigned i = 0; i < count; i++) {
        bool into_hidden = connections[i].from_neuron <= features; /* inputs and their bias */
        double bound = sqrt(6.0 / (double)(HIDDEN + (into_hidden ? features : 1)));
        connections[i].weight = (float)(bound * (2 * random_uniform(seed, i) - 1));
    }
    fann_set_weight_array(network, connections, count);
    free(connections);
}

static struct fann *create_network(size_t features, uint64_t seed)
{
    struct fann *network = fann_create_standard(3, (unsigned)features, (unsigned)HIDDEN, 1u);

    if (!network)
        fail("FANN cannot create a network of %zu inputs", features);
    fann_set_error_log((struct fann_error *)network, NULL);
    fann_set_activation_function_hidden(network, FANN_ELLIOT_SYMMETRIC);
    fann_set_activation_steepness_hidden(network, 1);
    fann_set_activation_function_output(network, FANN_LINEAR);
    fann_set_activation_steepness_output(network, 1);
    fann_set_training_algorithm(network, FANN_TRAIN_RPROP);
    fann_set_rprop_delta_zero(network, FIRST_STEP);
    fann_set_train_error_function(network, FANN_ERRORFUNC_LINEAR);
    draw_weights(network, features, seed);
    return network;
}

static void train(struct fann *network, struct fann_train_data *data)
{
    float best = INFINITY;

    for (int epoch = 0, idle = 0; epoch < EPOCHS && idle < EPOCHS_WITHOUT_GAIN; epoch++) {
        float error = fann_train_epoch(network, data);
        idle = error > best - GAIN ? idle + 1 : 0;
        best = fminf(best, error);
    }
}

static struct tuner_model *fit(const float *rows, const float *targets, size_t count,
                               size_t features, uint64_t seed)
{
    struct tuner_model *model = allocate_or_fail(1, sizeof *model);
    struct fann_train_data *data = fann_create_train((unsigned)count, (unsigned)features, 1);

    if (!data)
        fail("FANN cannot hold %zu samples", count);
    for (size_t i = 0; i < count; i++) {
        memcpy(data->input[i], rows + i * features, features * sizeof *rows);
        data->output[i][0] = targets[i];
    }
    *model = (struct tuner_model){.features = features, .network = create_network(features, seed)};
    train(model->network, data);
    fann_destroy_train(data);
    return model;
}

static void predict(const struct tuner_model *model, const float *rows, const uint32_t *which,
                    size_t count, float *result)
{
    float *input = allocate_or_fail(model->features, sizeof *input);

    for (size_t i = 0; i < count; i++) {
        const float *row = tuner_model_row(rows, which, i, model->features);
        memcpy(input, row, model->features * sizeof *input);
        result[i] = fann_run(model->network, input)[0];
    }
    free(input);
}

static void release(struct tuner_model *model)
{
    fann_destroy(model->network);
    free(model);
}

const struct tuner_model_kind tuner_mlp = {
    .name = "mlp",
    .meaning = "a multilayer perceptron (FANN): one hidden layer of 100, at most 200 epochs of "
               "resilient propagation",
    .fit = fit,
    .predict = predict,
    .release = release,
};

const struct tuner_model_kind tuner_mlp_scaled = {
    .name = "mlp-scaled",
    .meaning = "mlp on features scaled to [0, 1]",
    .scaled = true,
    .fit = fit,
    .predict = predict,
    .release = release,
};
