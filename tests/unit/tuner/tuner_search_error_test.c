/* tuner_search_error_test: an error of the objective, of a model or of a callback ends a search,
 * and a batch of searches; batches without errors. */
#include "common/statistics.h"

#include "tuner_search_test.h"

/* ---- searches ---- */

/* What was measured before stays counted; the search leaves nothing behind (AddressSanitizer). */
static void an_error_of_the_objective_ends_the_search(void)
{
    for (size_t s = 0; tuner_strategies()[s]; s++) {
        struct world world;
        struct tuner_progress progress;
        open_blocks(&world, 64, 512);
        world.times = BREAKS;
        struct tuner_search_options options = options_for(&world);
        options.model = tuner_model_kind_of("cart");
        expect_error(try_search(&options, tuner_strategies()[s]->name, &progress), DM_LOST,
                     "the objective is broken");
        expect(progress.trials == MEASURED_UNTIL_BROKEN && progress.found);
        expect(world.asked == MEASURED_UNTIL_BROKEN);
        close_world(&world);
    }
}

static enum dm_status refuse(struct tuner_search *search, void *context)
{
    (void)search;
    (void)context;
    return dm_fail(DM_TIMEOUT, "the callback has enough");
}

static enum dm_status refuse_third(struct tuner_search *search, size_t configuration,
                                   const struct tuner_trial *trial, void *context)
{
    (void)configuration;
    (void)trial;
    return tuner_search_progress(search)->trials == 3 ? refuse(search, context) : DM_OK;
}

static void an_error_of_a_callback_ends_the_search(void)
{
    struct world world;
    struct tuner_progress progress;

    open_blocks(&world, 64, 512);
    for (size_t s = 0; tuner_strategies()[s]; s++) {
        struct tuner_search_options options = options_for(&world);
        options.model = &equal;
        options.after_trial = refuse_third;
        expect_error(try_search(&options, tuner_strategies()[s]->name, &progress), DM_TIMEOUT,
                     "the callback has enough");
        expect(progress.trials == 3 && world.asked == 3);
    }
    struct tuner_search_options options = options_for(&world);
    options.model = &equal;
    options.after_iteration = refuse;
    expect_error(try_search(&options, "iterml", &progress), DM_TIMEOUT, "the callback has enough");
    expect(progress.trials == options.samples && progress.iteration == 1);
    close_world(&world);
}

static void an_error_of_the_model_ends_the_search(void)
{
    static const char *const learning[] = {"iterml", "guided"};
    struct world world;
    struct tuner_progress progress;

    open_blocks(&world, 64, 512);
    for (int i = 0; i < 2; i++) {
        struct tuner_search_options options = options_for(&world);
        options.model = &broken;
        expect_error(try_search(&options, learning[i], &progress), DM_UNAVAILABLE,
                     "the model is broken");
        expect(progress.trials == options.samples);
    }
    close_world(&world);
}

/* Also an outcome that is none counts as failed. */
static enum dm_status measure_nonsense(void *context, size_t configuration,
                                       struct tuner_trial *trial)
{
    (void)context;
    (void)configuration;
    *trial = (struct tuner_trial){.outcome = (enum tuner_outcome)77, .time_s = 1.0, .cost_s = -3.0};
    return DM_OK;
}

static void trials_are_made_consistent(void)
{
    struct tuner_trial trial;

    expect_ok(tuner_objective_measure((struct tuner_objective){measure_nonsense, NULL}, 0, &trial));
    expect(trial.outcome == TUNER_FAILED && isnan(trial.time_s) && trial.cost_s == 0.0);
    expect(strcmp(tuner_outcome_name(TUNER_HANGING), "hanging") == 0);
}

/* ---- batches ---- */

static enum dm_status parabola(void *context, size_t configuration, struct tuner_trial *trial)
{
    double x = (double)tuner_space_value(context, configuration, 0);
    trial->time_s = 1.0 + (x - 30.0) * (x - 30.0);
    return DM_OK;
}

static void batches_are_searches_with_different_seeds(void)
{
    enum { SEARCHES = 20 };
    static const char text[] = "integer x 1 100\n";
    struct tuner_space *space;
    double first[SEARCHES], second[SEARCHES];
    struct tuner_batch_result result = {.best = first}, again = {.best = second};

    expect_ok(tuner_space_read(&space, text, strlen(text), "x"));
    struct tuner_batch batch = {.space = space,
                                .objective = {parabola, space},
                                .best_s = 1.0,
                                .strategy = tuner_strategy_of("random"),
                                .samples = 5,
                                .iterations = 1,
                                .searches = SEARCHES,
                                .seed = 3};
    expect_ok(tuner_batch_run(&batch, &result));
    expect_ok(tuner_batch_run(&batch, &again));
    expect(memcmp(first, second, sizeof first) == 0 && result.best_mean == again.best_mean);
    for (int i = 1; i < SEARCHES; i++)
        expect(first[i - 1] <= first[i]);
    expect(first[0] < first[SEARCHES - 1] && first[SEARCHES - 1] <= 1.0);
    expect(result.best_mean > first[0] && result.best_mean < first[SEARCHES - 1]);
    batch.seed = 4;
    expect_ok(tuner_batch_run(&batch, &again));
    expect(memcmp(first, second, sizeof first) != 0);
    tuner_space_free(space);
}

/* A search of k trials is the first k of a longer one; one of a whole space ends early. */
static void a_batch_tells_the_course_of_its_searches(void)
{
    enum { SEARCHES = 6, SAMPLES = 12, POINTS = 10 };
    static const char text[] = "integer x 25 34\n";
    struct tuner_space *space;
    double best[SEARCHES], short_best[SEARCHES], course[SEARCHES * SAMPLES], third[SEARCHES];
    struct tuner_batch_result result = {.best = best, .course = course};
    struct tuner_batch_result shorter = {.best = short_best};

    expect_ok(tuner_space_read(&space, text, strlen(text), "x"));
    struct tuner_batch batch = {.space = space,
                                .objective = {parabola, space},
                                .best_s = 1.0,
                                .strategy = tuner_strategy_of("random"),
                                .samples = SAMPLES,
                                .iterations = 1,
                                .searches = SEARCHES,
                                .seed = 3};
    expect_ok(tuner_batch_run(&batch, &result));
    for (int s = 0; s < SEARCHES; s++) {
        const double *row = course + (size_t)s * SAMPLES;
        for (int t = 1; t < SAMPLES; t++)
            expect(row[t] >= row[t - 1]);
        expect(row[0] > 0.0 && row[POINTS - 1] == 1.0 && row[SAMPLES - 1] == 1.0);
        third[s] = row[2];
    }
    batch.samples = 3;
    expect_ok(tuner_batch_run(&batch, &shorter));
    statistics_sort(third, SEARCHES);
    expect(memcmp(third, short_best, sizeof third) == 0 && third[0] < 1.0);
    tuner_space_free(space);
}

static enum dm_status fail_always(void *context, size_t configuration, struct tuner_trial *trial)
{
    (void)context;
    (void)trial;
    return dm_fail(DM_LOST, "no luck with %zu", configuration);
}

/* The sentence of the thread that failed is the caller's. */
static void an_error_ends_a_batch(void)
{
    struct world world;
    double best[20];

    open_blocks(&world, 64, 512);
    struct tuner_batch_result result = {.best = best};
    struct tuner_batch batch = {.space = world.space,
                                .objective = {fail_always, NULL},
                                .best_s = 1.0,
                                .strategy = tuner_strategy_of("exhaustive"),
                                .samples = 5,
                                .iterations = 1,
                                .searches = 20};
    expect_error(tuner_batch_run(&batch, &result), DM_LOST, "no luck with 0");
    batch.searches = 0;
    expect_error(tuner_batch_run(&batch, &result), DM_INVALID, "a batch of 0 searches");
    close_world(&world);
}

int main(void)
{
    run_test(an_error_of_the_objective_ends_the_search);
    run_test(an_error_of_a_callback_ends_the_search);
    run_test(an_error_of_the_model_ends_the_search);
    run_test(trials_are_made_consistent);
    run_test(batches_are_searches_with_different_seeds);
    run_test(a_batch_tells_the_course_of_its_searches);
    run_test(an_error_ends_a_batch);
    return end_tests();
}
