#include "promise.h"

#include <math.h>
#include <stdlib.h>

#include "common/error.h"

#include "allocate.h"
#include "gaussian.h"
#include "search_internal.h"
#include "variation.h"

enum {
    BATCH = 4,                                  /* trials between fits at most */
    LEARNED_MAX = GAUSSIAN_SAMPLES_MAX - BATCH, /* samples that are fitted: half of them the best */
    CANDIDATES = 600,
    FIRST = 300, /* of them that are not made from others */
    CLIMBS = 8,
    TOP = 8 /* candidates from which a climb goes on */
};

/* How much what is unknown counts, in standard deviations. */
static const float CURIOSITY = 0.7f, CURIOSITY_STUCK = 4.9f;

/* The logarithm of the share of valid ones counts so much, in deviations of the targets. */
static const float DOUBT = 1.0f, LIKELY_MIN = 0.03f;

/* Differences of some percent from the best count about so many times what they would in the
 * logarithm of the time. */
static const double SHARPNESS = 4.0;

struct promise {
    struct tuner_search *search;
    struct encoding encoding;
    struct gaussian *gaussian;
    size_t fitted;        /* trials at the last fit */
    size_t learned_count; /* trials that the model knows */
    size_t best;          /* of the elites at the last fit */
    double best_s, failed_target;
    uint32_t candidates[CANDIDATES];
    struct gaussian_prediction predictions[CANDIDATES];
    size_t count;
    uint32_t *learned; /* room for all configurations */
    float *rows;
    struct gaussian_sample *samples;
};

enum dm_status promise_open(struct promise **promise, struct tuner_search *search)
{
    const struct tuner_space *space = tuner_search_options(search)->space;
    struct promise *made = allocate(1, sizeof *made);

    *promise = NULL;
    if (!made)
        return DM_NO_MEMORY;
    made->search = search;
    enum dm_status status = encoding_open(&made->encoding, space);
    if (status == DM_OK)
        status = gaussian_open(&made->gaussian, &made->encoding);
    made->learned = allocate(tuner_space_size(space), sizeof *made->learned);
    made->rows = allocate(LEARNED_MAX * made->encoding.features, sizeof *made->rows);
    made->samples = allocate(LEARNED_MAX, sizeof *made->samples);
    if (status == DM_OK && made->learned && made->rows && made->samples) {
        *promise = made;
        return DM_OK;
    }
    promise_close(made);
    return DM_NO_MEMORY;
}

void promise_close(struct promise *promise)
{
    if (!promise)
        return;
    gaussian_close(promise->gaussian);
    encoding_close(&promise->encoding);
    free(promise->learned);
    free(promise->rows);
    free(promise->samples);
    free(promise);
}

const struct encoding *promise_encoding(const struct promise *promise)
{
    return &promise->encoding;
}

size_t promise_draw_elite(struct tuner_search *search, const struct promise_elites *elites)
{
    double share = pow(tuner_search_uniform(search), 3.0 - 2.0 * elites->evenness);
    size_t place = (size_t)((double)elites->count * share);

    return elites->configurations[place < elites->count ? place : elites->count - 1];
}

/* ---- the model ---- */

static double time_of(const struct promise *promise, size_t configuration)
{
    struct tuner_trial trial;

    if (!tuner_search_tried(promise->search, configuration, &trial) || trial.outcome != TUNER_OK)
        return INFINITY;
    return fmax(trial.time_s, 1e-300);
}

static int compare_times(const void *a, const void *b, void *promise)
{
    double left = time_of(promise, *(const uint32_t *)a);
    double right = time_of(promise, *(const uint32_t *)b);

    return (left > right) - (left < right);
}

/* All trials, or the best ones and as many of the others. */
static size_t choose_learned(struct promise *promise)
{
    size_t trials = tuner_search_progress(promise->search)->trials;
    uint32_t *learned = promise->learned;
    size_t count = 0;

    for (size_t i = 0; i < trials; i++)
        learned[count++] = (uint32_t)search_known(promise->search, i);
    if (count <= LEARNED_MAX)
        return count;
    qsort_r(learned, count, sizeof *learned, compare_times, promise);
    for (size_t i = LEARNED_MAX / 2; i < LEARNED_MAX; i++) {
        size_t other = i + tuner_search_random(promise->search, count - i);
        uint32_t swapped = learned[i];
        learned[i] = learned[other];
        learned[other] = swapped;
    }
    return LEARNED_MAX;
}

/* Nearly logarithms, in which factors add up, but finer near the best. */
static float target_of(const struct promise *promise, double time_s)
{
    if (isinf(time_s))
        return (float)promise->failed_target;
    return (float)-log(1.0 + SHARPNESS * fmax(time_s / promise->best_s - 1.0, 0.0));
}

static struct gaussian_sample sample_of(const struct promise *promise, size_t configuration)
{
    double time_s = time_of(promise, configuration);

    return (struct gaussian_sample){target_of(promise, time_s), isinf(time_s) ? 0.0f : 1.0f};
}

/* What failed is as good as the mean, as one much worse would make a cliff that the model cannot
 * follow; that it failed is learned apart. */
static void take_targets(struct promise *promise, size_t count)
{
    double sum = 0.0;
    size_t timed = 0;

    promise->best_s = INFINITY;
    for (size_t i = 0; i < count; i++)
        promise->best_s = fmin(promise->best_s, time_of(promise, promise->learned[i]));
    for (size_t i = 0; i < count; i++)
        if (!isinf(time_of(promise, promise->learned[i]))) {
            sum += (double)target_of(promise, time_of(promise, promise->learned[i]));
            timed++;
        }
    promise->failed_target = timed ? sum / (double)timed : 0.0;
    for (size_t i = 0; i < count; i++)
        promise->samples[i] = sample_of(promise, promise->learned[i]);
}

static void fit(struct promise *promise)
{
    size_t count = choose_learned(promise), features = promise->encoding.features;

    for (size_t i = 0; i < count; i++)
        encode(&promise->encoding, promise->learned[i], promise->rows + i * features);
    take_targets(promise, count);
    gaussian_fit(promise->gaussian, promise->rows, promise->samples, count,
                 tuner_search_random(promise->search, UINT64_MAX));
    promise->fitted = promise->learned_count = tuner_search_progress(promise->search)->trials;
}

/* ---- candidates ---- */

/* The longer nothing better was found, the more what is unknown counts. */
static float curiosity_of(const struct promise_elites *elites)
{
    return CURIOSITY + (CURIOSITY_STUCK - CURIOSITY) * (float)elites->evenness;
}

static float value_of(const struct promise *promise, size_t i, float curiosity)
{
    const struct gaussian_prediction *prediction = &promise->predictions[i];

    return prediction->mean + curiosity * prediction->spread +
           gaussian_deviation(promise->gaussian) * DOUBT *
               logf(fminf(fmaxf(prediction->valid, LIKELY_MIN), 1.0f));
}

static bool is_candidate(const struct promise *promise, size_t configuration)
{
    for (size_t i = 0; i < promise->count; i++)
        if (promise->candidates[i] == configuration)
            return true;
    return false;
}

static void add(struct promise *promise, size_t configuration)
{
    size_t i = promise->count;
    float *row = promise->rows; /* free between fits */

    if (tuner_search_tried(promise->search, configuration, NULL) ||
        is_candidate(promise, configuration))
        return;
    promise->candidates[i] = (uint32_t)configuration;
    encode(&promise->encoding, configuration, row);
    gaussian_predict(promise->gaussian, row, &promise->predictions[i]);
    promise->count++;
}

/* Beside one of the best, from two of them, or anywhere. */
static void make(struct promise *promise, const struct promise_elites *elites, size_t i)
{
    struct tuner_search *search = promise->search;
    size_t from = promise_draw_elite(search, elites), made;
    bool is_made = true;

    if (i % 4 == 0)
        made = tuner_search_random(search, tuner_space_size(promise->encoding.space));
    else if (i % 4 == 1)
        is_made = mix(search, from, promise_draw_elite(search, elites), &made);
    else
        is_made = vary(search, i % 4 == 2 ? elites->configurations[0] : from, &made);
    if (is_made)
        add(promise, made);
}

/* The places of the `room` most promising candidates, the best first. */
static size_t find_top(const struct promise *promise, float curiosity, size_t *top, size_t room)
{
    size_t count = 0;

    for (size_t i = 0; i < promise->count; i++) {
        float value = value_of(promise, i, curiosity);
        if (count == room && value <= value_of(promise, top[room - 1], curiosity))
            continue;
        size_t place = count < room ? count++ : room - 1;
        for (; place > 0 && value_of(promise, top[place - 1], curiosity) < value; place--)
            top[place] = top[place - 1];
        top[place] = i;
    }
    return count;
}

static void climb(struct promise *promise, float curiosity, size_t until)
{
    size_t top[TOP], count = find_top(promise, curiosity, top, TOP), made;

    for (size_t k = 0; count > 0 && promise->count < until && k < CANDIDATES; k++)
        if (vary(promise->search, promise->candidates[top[k % count]], &made))
            add(promise, made);
}

/* Most of the next samples are among them. */
static enum dm_status announce(struct promise *promise, float curiosity)
{
    enum { ANNOUNCED = 3 * BATCH };
    size_t top[ANNOUNCED], count = find_top(promise, curiosity, top, ANNOUNCED);

    for (size_t i = 0; i < count; i++)
        top[i] = promise->candidates[top[i]];
    return search_expect(promise->search, top, count);
}

static enum dm_status learn(struct promise *promise, const struct promise_elites *elites)
{
    const float curiosity = curiosity_of(elites);

    fit(promise);
    promise->best = elites->configurations[0];
    promise->count = 0;
    for (size_t i = 0; i < FIRST; i++)
        make(promise, elites, i);
    for (size_t i = 1; i <= CLIMBS; i++)
        climb(promise, curiosity, FIRST + (CANDIDATES - FIRST) * i / CLIMBS);
    return announce(promise, curiosity);
}

static void add_sample(struct promise *promise, size_t configuration)
{
    float *row = promise->rows;

    encode(&promise->encoding, configuration, row);
    if (!gaussian_add(promise->gaussian, row, sample_of(promise, configuration)))
        return;
    for (size_t i = 0; i < promise->count; i++) {
        encode(&promise->encoding, promise->candidates[i], row);
        gaussian_update(promise->gaussian, row, &promise->predictions[i]);
    }
}

/* A fit every few trials, and with each new best one, as it moves the targets and where candidates
 * are; between them the model learns the new trials. */
static enum dm_status catch_up(struct promise *promise, const struct promise_elites *elites)
{
    size_t trials = tuner_search_progress(promise->search)->trials;

    if (!promise->fitted || trials >= promise->fitted + BATCH ||
        elites->configurations[0] != promise->best)
        return learn(promise, elites);
    for (; promise->learned_count < trials; promise->learned_count++)
        add_sample(promise, search_known(promise->search, promise->learned_count));
    return DM_OK;
}

/* The highest of mean + curiosity x spread; how much the spread counts is drawn anew each time,
 * from an exponential distribution: mostly little, sometimes much. */
enum dm_status promise_next(struct promise *promise, const struct promise_elites *elites,
                            size_t *next, bool *found)
{
    struct tuner_search *search = promise->search;

    TRY(catch_up(promise, elites));
    float curiosity = -curiosity_of(elites) * (float)log(1.0 - tuner_search_uniform(search)),
          highest = -INFINITY;
    *found = false;
    for (size_t i = 0; i < promise->count; i++) {
        float value = value_of(promise, i, curiosity);
        if (value > highest && !tuner_search_tried(search, promise->candidates[i], NULL)) {
            highest = value;
            *next = promise->candidates[i];
            *found = true;
        }
    }
    return DM_OK;
}
