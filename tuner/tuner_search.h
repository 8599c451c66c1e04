/* tuner_search.h: searches for the configuration with the least time.
 *
 * A search asks its oracle for one configuration after the other, none twice. Random choices come
 * from the seed alone: the same seed, space and times give the same trials, bit for bit. */
#ifndef TUNER_SEARCH_H
#define TUNER_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tuner_model.h"
#include "tuner_oracle.h"
#include "tuner_space.h"

struct tuner_search;

struct tuner_search_options {
    const struct tuner_space *space;
    struct tuner_oracle oracle;
    uint64_t seed;
    size_t trials_most; /* 0: as many as there are configurations */
    double cost_most_s; /* stop when the trials have cost so much; 0: no limit */
    /* IterML (Cui, 5.2.2). */
    const struct tuner_model_kind *model;
    size_t samples;   /* per iteration: round(pick ratio * size), at least 1 */
    double cut_ratio; /* share of the remaining configurations pruned per iteration, in (0, 1) */
    long iterations;  /* 0: until no configuration remains */
    bool latest_only; /* fit to this iteration's samples only, instead of all so far */
    /* tuner_space_matrix of tuner_strategy_features; NULL: made and freed within. */
    const float *matrix;
    /* Called after each trial (may be NULL). false stops the search. */
    bool (*after_trial)(const struct tuner_search *search, size_t configuration,
                        const struct tuner_trial *trial, void *context);
    /* Called after each iteration of IterML (may be NULL). */
    void (*after_iteration)(const struct tuner_search *search, void *context);
    void *context;
};

/* What is known so far; iteration fields are IterML's. */
struct tuner_progress {
    size_t trials; /* measured, of all outcomes */
    size_t count[TUNER_OUTCOMES];
    bool found;  /* some configuration was ok */
    size_t best; /* the configuration with the least time, if found */
    struct tuner_trial best_trial;
    double cost_s;             /* of all trials */
    double model_s;            /* fitting and predicting */
    size_t known;              /* trials answered from tuner_search_recall */
    long iteration;            /* completed iterations */
    size_t remaining_before;   /* configurations before the last iteration's sampling */
    size_t sampled, pruned;    /* by the last iteration */
    const uint32_t *remaining; /* the configurations that it left, remaining_before - sampled -
                                  pruned of them; valid within after_iteration only */
};

struct tuner_strategy {
    const char *name;    /* random, iterml, exhaustive, annealing, genetic, local, guided */
    const char *meaning; /* one sentence with the settings */
    bool learns;         /* needs a model and samples in the options */
    bool aligned;        /* tells the model how often numbers can be halved */
    void (*run)(struct tuner_search *search);
};

/* Ended by NULL:
 *     random      samples without replacement, no model (the thesis's baseline `non`)
 *     iterml      Cui, algorithm 1
 *     exhaustive  all configurations in order
 *     annealing   simulated annealing: neighbours by one parameter, geometric cooling, restarts
 *     genetic     population 20, tournament, uniform crossover, mutation
 *     local       iterated greedy local search (Hamming neighbours, best or first improvement)
 *     guided      batches of `samples` that the model predicts to be best; not in the thesis */
extern const struct tuner_strategy *const tuner_strategies[];
const struct tuner_strategy *tuner_strategy_of(const char *name);

/* What the strategy tells that model of a configuration. */
enum tuner_features tuner_strategy_features(const struct tuner_strategy *strategy,
                                            const struct tuner_model_kind *model);

/* Samples per iteration for a pick ratio: round(pick_ratio * size), at least 1. */
size_t tuner_search_samples(double pick_ratio, size_t size);

/* Copies the options. Ends the program if there is no memory. */
struct tuner_search *tuner_search_open(const struct tuner_search_options *options);
void tuner_search_close(struct tuner_search *search);

/* Before the search: this configuration is known (resumed from a log). The oracle is not asked for
 * it; when a strategy chooses it, it counts as a trial. */
void tuner_search_recall(struct tuner_search *search, size_t configuration,
                         const struct tuner_trial *trial);

void tuner_search_run(struct tuner_search *search, const struct tuner_strategy *strategy);

const struct tuner_progress *tuner_search_progress(const struct tuner_search *search);
const struct tuner_search_options *tuner_search_options(const struct tuner_search *search);

/* ---- for strategies ---- */

/* Whether trials, cost or the caller end the search. */
bool tuner_search_over(const struct tuner_search *search);

/* Measures, unless it was measured before (then that trial, which does not count again). time_s is
 * infinite if it is not ok, so that comparing is enough. Does nothing when the search is over. An
 * oracle's ok without a finite time >= 0 counts as failed. */
double tuner_search_try(struct tuner_search *search, size_t configuration);

bool tuner_search_tried(const struct tuner_search *search, size_t configuration,
                        struct tuner_trial *trial);

/* The next random numbers of the search. */
uint64_t tuner_search_random(struct tuner_search *search, uint64_t bound); /* in [0, bound) */
double tuner_search_uniform(struct tuner_search *search);                  /* in [0, 1) */

/* IterML's own: adds the time of the model, and announces the end of an iteration. */
void tuner_search_add_model_time(struct tuner_search *search, double seconds);
void tuner_search_end_iteration(struct tuner_search *search, size_t remaining_before,
                                size_t sampled, size_t pruned, const uint32_t *remaining);

#endif
