/* tuner_search_test.h: what the tests of searches have in common: spaces whose times are known,
 * what a search did there, and models whose predictions are known. */
#ifndef TESTS_UNIT_TUNER_SEARCH_TEST_H
#define TESTS_UNIT_TUNER_SEARCH_TEST_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/harness/exit.h"
#include "common/random.h"
#include "tests/unit/test_status.h"
#include "tuner/strategies.h"

/* ---- a space and its times ---- */

struct world {
    struct tuner_space *space;
    size_t size;
    enum {
        CLUSTERED,
        CONSTANT,
        NOT_A_NUMBER,
        INFINITE,
        NEGATIVE,
        ALL_OUTCOMES,
        NONE_OK,
        BREAKS
    } times;
    size_t asked;      /* how often the objective was */
    uint8_t *measured; /* by configuration: how often */
    /* What the callbacks see. */
    uint32_t *order; /* of the trials */
    size_t trials;
    size_t stop_after; /* trials; 0: never */
    bool *left;        /* by configuration: iterations left it */
    long iterations, outside, wrong_prunes;
    size_t sampled[64], before[64], after[64];
};

static inline void open_world(struct world *world, const char *text)
{
    *world = (struct world){.space = NULL};
    check_status(tuner_space_read(&world->space, text, strlen(text), "test"));
    world->size = tuner_space_size(world->space);
    world->measured = allocate_or_fail(world->size, 1);
    world->order = allocate_or_fail(world->size, sizeof *world->order);
    world->left = allocate_or_fail(world->size, sizeof *world->left);
}

static inline void open_blocks(struct world *world, int largest, int product)
{
    char text[128];
    snprintf(text, sizeof text, "integer bx 1 %d\ninteger by 1 %d\nrequire bx * by <= %d\n",
             largest, largest, product);
    open_world(world, text);
}

/* Forgets what a search did. */
static inline void clear_world(struct world *world)
{
    memset(world->measured, 0, world->size);
    for (size_t i = 0; i < world->size; i++)
        world->left[i] = true;
    world->asked = world->trials = 0;
    world->iterations = world->outside = world->wrong_prunes = 0;
}

static inline void close_world(struct world *world)
{
    tuner_space_free(world->space);
    free(world->measured);
    free(world->order);
    free(world->left);
}

/* How a kernel's time may depend on its block: best at about 128 threads, x a multiple of 8, and
 * some noise that belongs to the configuration. */
static inline double block_time_s(double x, double y)
{
    double threads = log2(x * y / 128.0), shape = log2(x / y);
    double noise = random_uniform((uint64_t)x, (uint64_t)y);
    return 1e-5 * (1.0 + 0.1 * threads * threads + 0.01 * shape * shape +
                   (fmod(x, 8.0) != 0.0 ? 0.3 : 0.0) + 0.02 * noise);
}

static inline double time_of(const struct world *world, size_t configuration)
{
    if (tuner_space_dimensions(world->space) < 2)
        return 1.0;
    return block_time_s((double)tuner_space_value(world->space, configuration, 0),
                        (double)tuner_space_value(world->space, configuration, 1));
}

static inline double best_time(const struct world *world)
{
    double best_s = INFINITY;
    for (size_t i = 0; i < world->size; i++)
        best_s = fmin(best_s, time_of(world, i));
    return best_s;
}

/* BREAKS: this many are measured before the objective fails. */
enum { MEASURED_UNTIL_BROKEN = 12 };

static inline enum dm_status measure(void *context, size_t configuration, struct tuner_trial *trial)
{
    struct world *world = context;

    if (world->times == BREAKS && world->asked == MEASURED_UNTIL_BROKEN)
        return dm_fail(DM_LOST, "the objective is broken");
    trial->time_s = time_of(world, configuration);
    trial->cost_s = 0.5;
    world->asked++;
    world->measured[configuration]++;
    switch (world->times) {
    case CLUSTERED:
    case BREAKS:
        break;
    case CONSTANT:
        trial->time_s = 3.0;
        break;
    case NOT_A_NUMBER:
        trial->time_s = NAN;
        break;
    case INFINITE:
        trial->time_s = INFINITY;
        break;
    case NEGATIVE:
        trial->time_s = -1.0;
        break;
    case ALL_OUTCOMES:
        trial->outcome = (enum tuner_outcome)(configuration % TUNER_OUTCOMES);
        break;
    case NONE_OK:
        trial->outcome = TUNER_HANGING;
        break;
    }
    return DM_OK;
}

static inline enum dm_status after_trial(struct tuner_search *search, size_t configuration,
                                         const struct tuner_trial *trial, void *context)
{
    struct world *world = context;

    expect(tuner_search_tried(search, configuration, NULL));
    expect((trial->outcome == TUNER_OK) == isfinite(trial->time_s));
    world->outside += !world->left[configuration];
    world->order[world->trials++] = (uint32_t)configuration;
    if (world->trials == world->stop_after)
        tuner_search_stop(search);
    return DM_OK;
}

static inline struct tuner_search_options options_for(struct world *world)
{
    clear_world(world);
    return (struct tuner_search_options){.space = world->space,
                                         .objective = {measure, world},
                                         .seed = 7,
                                         .samples = 5,
                                         .cut_ratio = 0.5,
                                         .iterations = 3,
                                         .after_trial = after_trial,
                                         .context = world};
}

/* The status of a search, and what is known at its end. */
static inline enum dm_status try_search(const struct tuner_search_options *options,
                                        const char *strategy, struct tuner_progress *progress)
{
    struct tuner_search *search;

    expect_ok(tuner_search_open(&search, options));
    enum dm_status status = tuner_search_run(search, tuner_strategy_of(strategy));
    *progress = *tuner_search_progress(search);
    tuner_search_close(search);
    return status;
}

static inline struct tuner_progress search_with(const struct tuner_search_options *options,
                                                const char *strategy)
{
    struct tuner_progress progress;

    expect_ok(try_search(options, strategy, &progress));
    return progress;
}

static inline long repeated(const struct world *world)
{
    long count = 0;
    for (size_t i = 0; i < world->size; i++)
        count += world->measured[i] > 1;
    return count;
}

/* ---- models that are known ---- */

struct tuner_model {
    int unused;
};

static size_t fitted_rows[64], fits;
static float smallest_target, largest_target;

static inline enum dm_status fit(struct tuner_model **model, const float *rows,
                                 const float *targets, size_t count, size_t features, uint64_t seed)
{
    (void)rows;
    (void)features;
    (void)seed;
    if (fits < 64)
        fitted_rows[fits] = count;
    fits++;
    for (size_t i = 0; i < count; i++) {
        smallest_target = fminf(smallest_target, targets[i]);
        largest_target = fmaxf(largest_target, targets[i]);
    }
    *model = allocate_or_fail(1, sizeof(struct tuner_model));
    return DM_OK;
}

static inline void release(struct tuner_model *model)
{
    free(model);
}

/* Knows all times. */
static inline enum dm_status predict_perfect(const struct tuner_model *model, const float *rows,
                                             const uint32_t *which, size_t count, float *result)
{
    (void)model;
    for (size_t i = 0; i < count; i++) {
        const float *row = rows + 2 * (size_t)which[i];
        result[i] = (float)(1e-5 / block_time_s(row[0], row[1]));
    }
    return DM_OK;
}

/* The same of rows that also tell how often the numbers can be halved. */
static inline enum dm_status predict_perfect_aligned(const struct tuner_model *model,
                                                     const float *rows, const uint32_t *which,
                                                     size_t count, float *result)
{
    (void)model;
    for (size_t i = 0; i < count; i++) {
        const float *row = rows + 4 * (size_t)which[i];
        result[i] = (float)(1e-5 / block_time_s(row[0], row[2]));
    }
    return DM_OK;
}

/* Knows nothing. */
static inline enum dm_status predict_equal(const struct tuner_model *model, const float *rows,
                                           const uint32_t *which, size_t count, float *result)
{
    (void)model;
    (void)rows;
    (void)which;
    for (size_t i = 0; i < count; i++)
        result[i] = 0.5f;
    return DM_OK;
}

/* Cannot be asked. */
static inline enum dm_status predict_nothing(const struct tuner_model *model, const float *rows,
                                             const uint32_t *which, size_t count, float *result)
{
    (void)model;
    (void)rows;
    (void)which;
    (void)count;
    (void)result;
    return dm_fail(DM_UNAVAILABLE, "the model is broken");
}

/* Overflowed. */
static inline enum dm_status predict_nan(const struct tuner_model *model, const float *rows,
                                         const uint32_t *which, size_t count, float *result)
{
    (void)model;
    (void)rows;
    for (size_t i = 0; i < count; i++)
        result[i] = which[i] % 2 ? NAN : 0.5f;
    return DM_OK;
}

static const struct tuner_model_kind perfect = {"perfect",       "",     false, fit,
                                                predict_perfect, release};
static const struct tuner_model_kind perfect_aligned = {
    "perfect", "", false, fit, predict_perfect_aligned, release};
static const struct tuner_model_kind equal = {"equal", "", false, fit, predict_equal, release};
static const struct tuner_model_kind broken = {"broken", "", false, fit, predict_nothing, release};
static const struct tuner_model_kind overflowed = {"nan", "", false, fit, predict_nan, release};

#endif
