/* A search for spaces of which nothing is known: a portfolio whose shares follow what pays. Batches
 * have a fixed small size and nothing looks at the budget, so that a longer search is the shorter
 * one and then more. Not in the thesis. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/error.h"
#include "common/statistics.h"

#include "allocate.h"
#include "promise.h"
#include "search_internal.h"
#include "strategies.h"
#include "variation.h"

enum {
    FIRST = 5,           /* samples far apart, before anything is fitted */
    SPREAD_OF = 12,      /* candidates of which the farthest one is taken */
    TRANSFER_EVERY = 12, /* trials: then the next one of the best elsewhere */
    FAR_FROM = 300,      /* the first trials, from which it is far */
    ELSEWHERE_MAX = 75,  /* of the best elsewhere */
    RANKED_MAX = 200,    /* trials that are compared with elsewhere */
    ELITES = 12,
    RESTART = 40, /* trials without a better one */
    ATTEMPTS = 20
};

enum way { MODEL, LOCAL, GENETIC, TRANSFER, CHANCE, WAYS };

struct automatic {
    struct tuner_search *search;
    const struct tuner_space *space;
    struct promise *promise;
    struct pool pool;    /* not drawn by chance so far */
    uint32_t *elsewhere; /* the best there, the best first; NULL: nothing is known */
    size_t elsewhere_count, elsewhere_tried;
    bool elsewhere_leads;    /* the best of all is one of these: the data are alike */
    uint32_t elites[ELITES]; /* the best, the first is the best of all */
    size_t elite_count;
    double credit[WAYS];        /* what each way has found lately */
    size_t epoch, epoch_trials; /* restarts, and trials since the last one */
    size_t since_better;        /* trials */
    float *rows;                /* scratch memory: two encoded configurations */
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

static struct promise_elites elites_of(const struct automatic *self)
{
    return (struct promise_elites){self->elites, self->elite_count, stuck(self)};
}

static size_t draw_elite(struct automatic *self)
{
    const struct promise_elites elites = elites_of(self);
    return promise_draw_elite(self->search, &elites);
}

/* ---- ways to the next configuration ---- */

static size_t draw_any(struct automatic *self)
{
    return tuner_search_random(self->search, tuner_space_size(self->space));
}

/* The squared distance from the nearest of the first that were tried. */
static float distance_from_tried(struct automatic *self, size_t configuration)
{
    const struct encoding *encoding = promise_encoding(self->promise);
    size_t features = encoding->features;
    size_t trials = tuner_search_progress(self->search)->trials;
    float *row = self->rows, *other = self->rows + features, least = INFINITY;

    encode(encoding, configuration, row);
    for (size_t t = 0; t < trials && t < FAR_FROM; t++) {
        float sum = 0.0f;
        encode(encoding, search_known(self->search, t), other);
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
    const struct promise_elites elites = elites_of(self);

    *found = false;
    if (way == MODEL)
        TRY(promise_next(self->promise, &elites, next, found));
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

/* The rank correlation from which on what is known from elsewhere is believed. */
static const double ALIKE = 0.3;

/* What each way gets even if it finds nothing. Local search needs no samples, so it has much of the
 * beginning, the more parameters there are that a model has to learn; and the longer nothing better
 * was found, the more goes to where nothing is known. */
static double least_share(const struct automatic *self, enum way way)
{
    static const double shares[WAYS] = {2.0, 0.12, 0.06, 0.0, 0.04};
    double dimensions = (double)tuner_space_dimensions(self->space);
    double trials = (double)tuner_search_progress(self->search)->trials;

    if (way == LOCAL && dimensions > 2.0)
        return shares[way] + 0.3 * (1.0 - 2.0 / dimensions) * exp(-trials / (8.0 * dimensions));
    if (way == CHANCE)
        return shares[way] * (1.0 + 2.0 * stuck(self));
    return shares[way];
}

/* Whether what is better elsewhere is better here, too: the ranks of the trials say so. */
static bool is_alike(const struct automatic *self)
{
    const float *prior = tuner_search_options(self->search)->prior;
    double there[RANKED_MAX], here[RANKED_MAX];
    size_t trials = tuner_search_progress(self->search)->trials, count = 0;

    if (!prior)
        return false;
    for (size_t t = 0; t < trials && count < RANKED_MAX; t++) {
        size_t configuration = search_known(self->search, t);
        if (isinf(time_of(self, configuration)))
            continue;
        there[count] = (double)prior[configuration];
        here[count++] = -time_of(self, configuration);
    }
    return statistics_spearman(there, here, count) >= ALIKE;
}

static enum way choose_way(struct automatic *self)
{
    const struct tuner_progress *known = tuner_search_progress(self->search);
    double sum = 0.0, share[WAYS];

    const size_t begun = known->trials - known->known;

    if (self->elsewhere &&
        (begun == 0 || (begun % TRANSFER_EVERY == 0 && self->elsewhere_leads && is_alike(self))))
        return TRANSFER;
    if (known->trials < FIRST || self->elite_count == 0 ||
        (self->epoch % 2 == 1 && self->epoch_trials < FIRST))
        return CHANCE;
    for (int way = 0; way < WAYS; way++) {
        share[way] = least_share(self, (enum way)way) + self->credit[way];
        if (way == TRANSFER && !is_alike(self))
            share[way] = 0.0;
        sum += share[way];
    }
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
    if (!isinf(time_s) && tuner_search_progress(self->search)->best == next)
        self->elsewhere_leads = way == TRANSFER;
    give_credit(self, way, rank(self, next));
    restart(self);
    return DM_OK;
}

static void release(struct automatic *self)
{
    free(self->elsewhere);
    promise_close(self->promise);
    pool_close(&self->pool);
    free(self->rows);
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
    self->elsewhere_count = size < ELSEWHERE_MAX ? size : ELSEWHERE_MAX;
    return DM_OK;
}

static enum dm_status prepare(struct automatic *self)
{
    const float *prior = tuner_search_options(self->search)->prior;

    TRY(promise_open(&self->promise, self->search));
    self->rows = allocate(2 * promise_encoding(self->promise)->features, sizeof *self->rows);
    if (!self->rows)
        return DM_NO_MEMORY;
    if (prior)
        TRY(sort_elsewhere(self, prior));
    TRY(pool_open(&self->pool, self->search));
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
        "a portfolio that shifts to what pays: a Gaussian process that explores, local search, "
        "crossover, and samples far from all others",
    .run = run,
};
