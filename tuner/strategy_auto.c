/* A search for spaces of which nothing is known: a portfolio whose shares follow what pays. Batches
 * have a fixed small size and nothing looks at the budget, so that a longer search is the shorter
 * one and then more. Not in the thesis. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/error.h"

#include "allocate.h"
#include "encoding.h"
#include "ensemble.h"
#include "search_internal.h"
#include "strategies.h"
#include "variation.h"

enum {
    FIRST = 5,       /* samples far apart, before anything is fitted */
    SPREAD_OF = 12,  /* candidates of which the farthest one is taken */
    TRANSFERRED = 2, /* the best elsewhere come first, then one of them in so many trials */
    TRANSFER_EVERY = 12,
    BATCH = 4,         /* samples of a fit */
    LEARNED_MAX = 300, /* samples that are fitted: half of them the best ones */
    CANDIDATES = 600,
    ELITES = 12,
    RESTART = 40, /* trials without a better one */
    ATTEMPTS = 20
};

enum way { MODEL, LOCAL, GENETIC, TRANSFER, CHANCE, WAYS };

struct automatic {
    struct tuner_search *search;
    const struct tuner_space *space;
    struct encoding encoding;
    struct pool pool;    /* not drawn by chance so far */
    uint32_t *elsewhere; /* the best there, the best first; NULL: nothing is known */
    size_t elsewhere_count, elsewhere_tried;
    uint32_t elites[ELITES]; /* the best, the first is the best of all */
    size_t elite_count;
    double credit[WAYS];        /* what each way has found lately */
    size_t epoch, epoch_trials; /* restarts, and trials since the last one */
    size_t since_better;        /* trials */
    struct ensemble *ensemble;  /* of the last fit, or NULL */
    size_t fitted;              /* trials at that time */
    size_t candidate_count;     /* predicted by it */
    /* Scratch memory. */
    uint32_t *candidates, *learned;
    float *rows, *targets, *mean, *spread;
};

/* ---- what is known ---- */

static double time_of(const struct automatic *self, size_t configuration)
{
    struct tuner_trial trial;

    if (!tuner_search_tried(self->search, configuration, &trial) || trial.outcome != TUNER_OK)
        return INFINITY;
    return trial.time_s;
}

/* Its place among the elites, ELITES if it has none. */
static size_t rank(struct automatic *self, size_t configuration)
{
    double time_s = time_of(self, configuration);
    size_t place = self->elite_count;

    if (isinf(time_s))
        return ELITES;
    while (place > 0 && time_of(self, self->elites[place - 1]) > time_s)
        place--;
    if (place == ELITES)
        return ELITES;
    size_t last = self->elite_count < ELITES ? self->elite_count++ : ELITES - 1;
    memmove(&self->elites[place + 1], &self->elites[place], (last - place) * sizeof *self->elites);
    self->elites[place] = (uint32_t)configuration;
    return place;
}

/* From 0 to 1: how long nothing better was found. */
static double stuck(const struct automatic *self)
{
    return fmin((double)self->since_better / 40.0, 1.0);
}

/* The better, the likelier; the longer nothing better was found, the more alike they are. */
static size_t draw_elite(struct automatic *self)
{
    double share = tuner_search_uniform(self->search);
    size_t place = (size_t)((double)self->elite_count * pow(share, 3.0 - 2.0 * stuck(self)));

    return self->elites[place < self->elite_count ? place : self->elite_count - 1];
}

/* ---- the model ---- */

static float target_of(const struct automatic *self, size_t configuration)
{
    double best_s = tuner_search_progress(self->search)->best_trial.time_s;
    double time_s = time_of(self, configuration);

    if (isinf(time_s))
        return 0.0f;
    return time_s > best_s ? (float)(best_s / time_s) : 1.0f;
}

static int compare_times(const void *a, const void *b, void *context)
{
    double left = time_of(context, *(const uint32_t *)a);
    double right = time_of(context, *(const uint32_t *)b);

    return (left > right) - (left < right);
}

/* All trials, or the best ones and as many of the others. */
static size_t choose_learned(struct automatic *self)
{
    size_t trials = tuner_search_progress(self->search)->trials;

    for (size_t i = 0; i < trials; i++)
        self->learned[i] = (uint32_t)search_known(self->search, i);
    if (trials <= LEARNED_MAX)
        return trials;
    qsort_r(self->learned, trials, sizeof *self->learned, compare_times, self);
    for (size_t i = LEARNED_MAX / 2; i < LEARNED_MAX; i++) {
        size_t other = i + tuner_search_random(self->search, trials - i);
        uint32_t swapped = self->learned[i];
        self->learned[i] = self->learned[other];
        self->learned[other] = swapped;
    }
    return LEARNED_MAX;
}

static enum dm_status fit(struct automatic *self)
{
    size_t count = choose_learned(self);

    for (size_t i = 0; i < count; i++) {
        encode(&self->encoding, self->learned[i], self->rows + i * self->encoding.features);
        self->targets[i] = target_of(self, self->learned[i]);
    }
    ensemble_free(self->ensemble);
    self->fitted = tuner_search_progress(self->search)->trials;
    return ensemble_fit(&self->ensemble, self->rows, self->targets, count, self->encoding.features,
                        tuner_search_random(self->search, UINT64_MAX));
}

/* ---- candidates ---- */

static size_t draw_any(struct automatic *self)
{
    return tuner_search_random(self->search, tuner_space_size(self->space));
}

/* Beside one of the best, or anywhere: true if it was not tried. */
static bool make_candidate(struct automatic *self, size_t i, size_t *made)
{
    bool is_made = true;

    if (i % 4 == 0)
        *made = draw_any(self);
    else if (i % 4 == 1)
        is_made = mix(self->search, draw_elite(self), draw_elite(self), made);
    else
        is_made = vary(self->search, i % 4 == 2 ? self->elites[0] : draw_elite(self), made);
    return is_made && !tuner_search_tried(self->search, *made, NULL);
}

static size_t make_candidates(struct automatic *self)
{
    size_t count = 0, made;

    for (size_t i = 0; i < CANDIDATES; i++)
        if (make_candidate(self, i, &made)) {
            encode(&self->encoding, made, self->rows + count * self->encoding.features);
            self->candidates[count++] = (uint32_t)made;
        }
    return count;
}

static const float CAUTION = 0.5f;

/* The best predicted, the best first: most of the next samples are among them. */
static enum dm_status announce(struct automatic *self)
{
    enum { ANNOUNCED = 3 * BATCH };
    size_t best[ANNOUNCED], count = 0;
    float values[ANNOUNCED];

    if (!tuner_search_options(self->search)->expect)
        return DM_OK;
    for (size_t i = 0; i < self->candidate_count; i++) {
        float value = self->mean[i] + CAUTION * self->spread[i];
        size_t place = count < ANNOUNCED ? count++ : ANNOUNCED - 1;
        if (place == ANNOUNCED - 1 && count == ANNOUNCED && i >= ANNOUNCED &&
            value <= values[place])
            continue;
        for (; place > 0 && values[place - 1] < value; place--) {
            values[place] = values[place - 1];
            best[place] = best[place - 1];
        }
        values[place] = value;
        best[place] = self->candidates[i];
    }
    return search_expect(self->search, best, count);
}

static enum dm_status learn(struct automatic *self)
{
    TRY(fit(self));
    self->candidate_count = make_candidates(self);
    TRY(ensemble_predict(self->ensemble, self->rows, self->candidate_count, self->mean,
                         self->spread));
    return announce(self);
}

/* ---- ways to the next configuration ---- */

/* The highest of mean + weight x spread; how much the spread counts is drawn anew each time, from
 * an exponential distribution: mostly little, sometimes much. */
static enum dm_status ask_model(struct automatic *self, size_t *next, bool *found)
{
    if (!self->ensemble || tuner_search_progress(self->search)->trials >= self->fitted + BATCH)
        TRY(learn(self));
    float weight = -CAUTION * (float)log(1.0 - tuner_search_uniform(self->search)),
          highest = -INFINITY;
    *found = false;
    for (size_t i = 0; i < self->candidate_count; i++) {
        float value = self->mean[i] + weight * self->spread[i];
        if (value > highest && !tuner_search_tried(self->search, self->candidates[i], NULL)) {
            highest = value;
            *next = self->candidates[i];
            *found = true;
        }
    }
    return DM_OK;
}

/* The squared distance from the nearest of the first that were tried. */
static float distance_from_tried(struct automatic *self, size_t configuration)
{
    size_t features = self->encoding.features;
    size_t trials = tuner_search_progress(self->search)->trials;
    float *row = self->rows, *other = self->rows + features, least = INFINITY;

    encode(&self->encoding, configuration, row);
    for (size_t t = 0; t < trials && t < LEARNED_MAX; t++) {
        float sum = 0.0f;
        encode(&self->encoding, search_known(self->search, t), other);
        for (size_t f = 0; f < features; f++)
            sum += (row[f] - other[f]) * (row[f] - other[f]);
        least = fminf(least, sum);
    }
    return least;
}

/* Also for the first samples: the farthest of a few from all that was tried. */
static bool draw_far(struct automatic *self, size_t *next)
{
    float farthest = -1.0f;

    for (int i = 0; i < SPREAD_OF; i++) {
        size_t drawn = draw_any(self);
        if (tuner_search_tried(self->search, drawn, NULL))
            continue;
        float distance = distance_from_tried(self, drawn);
        if (distance > farthest) {
            farthest = distance;
            *next = drawn;
        }
    }
    return farthest >= 0.0f;
}

static bool draw_local(struct automatic *self, size_t *next)
{
    size_t from = tuner_search_random(self->search, 4) ? self->elites[0] : draw_elite(self);

    for (int i = 0; i < ATTEMPTS; i++)
        if (vary(self->search, from, next) && !tuner_search_tried(self->search, *next, NULL))
            return true;
    return false;
}

static bool draw_child(struct automatic *self, size_t *next)
{
    for (int i = 0; i < ATTEMPTS; i++) {
        if (!mix(self->search, draw_elite(self), draw_elite(self), next))
            continue;
        if (tuner_search_random(self->search, 2) && !vary(self->search, *next, next))
            continue;
        if (!tuner_search_tried(self->search, *next, NULL))
            return true;
    }
    return false;
}

/* The best elsewhere that was not tried here. */
static bool draw_elsewhere(struct automatic *self, size_t *next)
{
    while (self->elsewhere_tried < self->elsewhere_count) {
        *next = self->elsewhere[self->elsewhere_tried++];
        if (!tuner_search_tried(self->search, *next, NULL))
            return true;
    }
    return false;
}

static enum dm_status draw(struct automatic *self, enum way way, size_t *next, bool *found)
{
    *found = false;
    if (way == MODEL)
        TRY(ask_model(self, next, found));
    if (way == LOCAL)
        *found = draw_local(self, next);
    if (way == GENETIC)
        *found = draw_child(self, next);
    if (way == TRANSFER)
        *found = draw_elsewhere(self, next);
    if (way == CHANCE)
        *found = draw_far(self, next);
    if (!*found)
        *found = pool_draw_untried(&self->pool, self->search, next);
    return DM_OK;
}

/* ---- shares ---- */

static const double FADING = 0.97;

/* What each way gets even if it finds nothing. Local search needs no samples, so it has much of the
 * beginning, the more parameters there are that a model has to learn; and the longer nothing better
 * was found, the more goes to where nothing is known. */
static double least_share(const struct automatic *self, enum way way)
{
    static const double shares[WAYS] = {0.5, 0.12, 0.06, 0.0, 0.04};
    double dimensions = (double)tuner_space_dimensions(self->space);
    double trials = (double)tuner_search_progress(self->search)->trials;

    if (way == LOCAL && dimensions > 2.0)
        return shares[way] + (1.0 - 2.0 / dimensions) * exp(-trials / (8.0 * dimensions));
    if (way == CHANCE)
        return shares[way] * (1.0 + 2.0 * stuck(self));
    return shares[way];
}

static enum way choose_way(struct automatic *self)
{
    const struct tuner_progress *known = tuner_search_progress(self->search);
    double sum = 0.0, share[WAYS];

    const size_t begun = known->trials - known->known;

    if (self->elsewhere && (begun < TRANSFERRED || begun % TRANSFER_EVERY == 0))
        return TRANSFER;
    if (known->trials < FIRST + (self->elsewhere ? TRANSFERRED : 0) || self->elite_count == 0 ||
        (self->epoch % 2 == 1 && self->epoch_trials < FIRST))
        return CHANCE;
    for (int way = 0; way < WAYS; way++)
        sum += share[way] = least_share(self, (enum way)way) + self->credit[way];
    double drawn = sum * tuner_search_uniform(self->search);
    for (int way = 0; way < WAYS - 1; way++) {
        if (drawn < share[way])
            return (enum way)way;
        drawn -= share[way];
    }
    return CHANCE;
}

static void give_credit(struct automatic *self, enum way way, size_t place)
{
    for (int i = 0; i < WAYS; i++)
        self->credit[i] *= FADING;
    if (place == 0)
        self->credit[way] += 0.2;
    else if (place < ELITES / 3)
        self->credit[way] += 0.04;
    self->since_better = place == 0 ? 0 : self->since_better + 1;
    self->epoch_trials++;
}

/* Stuck for good: every other time it begins anew, with elites of its own, while the model keeps
 * all samples; then it goes on with the best of everything. */
static void restart(struct automatic *self)
{
    if (self->since_better < RESTART)
        return;
    self->epoch++;
    self->epoch_trials = self->since_better = self->elite_count = 0;
    for (size_t i = 0; self->epoch % 2 == 0 && i < tuner_search_progress(self->search)->trials; i++)
        rank(self, search_known(self->search, i));
}

/* ---- the search ---- */

static enum dm_status step(struct automatic *self, bool *over)
{
    double start_s = clock_now_s(), time_s;
    enum way way = choose_way(self);
    size_t next;
    bool found;

    enum dm_status status = draw(self, way, &next, &found);
    search_add_model_time(self->search, clock_now_s() - start_s);
    TRY(status);
    *over = !found;
    if (!found)
        return DM_OK;
    TRY(tuner_search_try(self->search, next, &time_s));
    /* What is good elsewhere may be a trap here: until a restart the search goes on as if without.
     */
    if (way == TRANSFER && self->epoch == 0)
        return DM_OK;
    give_credit(self, way, rank(self, next));
    restart(self);
    return DM_OK;
}

static enum dm_status allocate_all(struct automatic *self)
{
    size_t size = tuner_space_size(self->space), features = self->encoding.features;

    self->candidates = allocate(CANDIDATES, sizeof *self->candidates);
    self->learned = allocate(size, sizeof *self->learned);
    self->rows = allocate(CANDIDATES * features, sizeof *self->rows);
    self->targets = allocate(CANDIDATES, sizeof *self->targets);
    self->mean = allocate(CANDIDATES, sizeof *self->mean);
    self->spread = allocate(CANDIDATES, sizeof *self->spread);
    return self->candidates && self->learned && self->rows && self->targets && self->mean &&
                   self->spread
               ? DM_OK
               : DM_NO_MEMORY;
}

static void release(struct automatic *self)
{
    free(self->elsewhere);
    ensemble_free(self->ensemble);
    encoding_close(&self->encoding);
    pool_close(&self->pool);
    free(self->candidates);
    free(self->learned);
    free(self->rows);
    free(self->targets);
    free(self->mean);
    free(self->spread);
}

static int compare_priors(const void *a, const void *b, void *prior)
{
    float left = ((const float *)prior)[*(const uint32_t *)a];
    float right = ((const float *)prior)[*(const uint32_t *)b];

    return (left < right) - (left > right);
}

static enum dm_status sort_elsewhere(struct automatic *self, const float *prior)
{
    size_t size = tuner_space_size(self->space);

    self->elsewhere = allocate(size, sizeof *self->elsewhere);
    if (!self->elsewhere)
        return DM_NO_MEMORY;
    for (size_t i = 0; i < size; i++)
        self->elsewhere[i] = (uint32_t)i;
    qsort_r(self->elsewhere, size, sizeof *self->elsewhere, compare_priors, (void *)prior);
    self->elsewhere_count = size < CANDIDATES / 8 ? size : CANDIDATES / 8;
    return DM_OK;
}

static enum dm_status prepare(struct automatic *self)
{
    const float *prior = tuner_search_options(self->search)->prior;

    TRY(encoding_open(&self->encoding, self->space));
    if (prior)
        TRY(sort_elsewhere(self, prior));
    TRY(pool_open(&self->pool, self->search));
    TRY(allocate_all(self));
    for (size_t i = 0; i < tuner_search_progress(self->search)->trials; i++)
        rank(self, search_known(self->search, i));
    return DM_OK;
}

static enum dm_status run(struct tuner_search *search)
{
    struct automatic self = {.search = search, .space = tuner_search_options(search)->space};
    enum dm_status status = prepare(&self);

    for (bool over = false; status == DM_OK && !over && !tuner_search_over(search);)
        status = step(&self, &over);
    release(&self);
    return status;
}

const struct tuner_strategy strategy_auto = {
    .name = "auto",
    .meaning =
        "a portfolio that shifts to what pays: an ensemble of a forest and nearest neighbours "
        "that explores, local search, crossover, and samples far from all others",
    .run = run,
};
