/* tuner_search_test: a search keeps to its limits, counts every outcome, comes out the same for the
 * same seed, and does not measure again what is known. */
#include "tuner_search_test.h"

static void pick_ratios(void)
{
    expect(tuner_search_samples(0.004, 7262) == 29);
    expect(tuner_search_samples(0.5, 5) == 3);
    expect(tuner_search_samples(0.0, 7262) == 1);
    expect(tuner_search_samples(1e-9, 7262) == 1);
    expect(tuner_search_samples(-1.0, 7262) == 1);
    expect(tuner_search_samples(NAN, 7262) == 1);
    expect(tuner_search_samples(7.0, 100) == 100);
}

static void one_configuration(void)
{
    for (size_t s = 0; tuner_strategies()[s]; s++) {
        struct world world;
        open_world(&world, "integer x 5 5\n");
        struct tuner_search_options options = options_for(&world);
        options.model = &equal;
        struct tuner_progress progress = search_with(&options, tuner_strategies()[s]->name);
        expect(progress.trials == 1 && progress.found && progress.best == 0);
        close_world(&world);
    }
}

static void seeds_decide(void)
{
    struct world first, second;

    open_blocks(&first, 64, 512);
    open_blocks(&second, 64, 512);
    for (size_t s = 0; tuner_strategies()[s]; s++) {
        const char *name = tuner_strategies()[s]->name;
        struct tuner_search_options one = options_for(&first), two = options_for(&second);
        one.model = two.model = tuner_model_kind_of("forest");
        one.samples = two.samples = 30;
        one.trials_max = two.trials_max = 90;
        search_with(&one, name);
        search_with(&two, name);
        expect(first.trials == 90 && second.trials == 90);
        expect(memcmp(first.order, second.order, 90 * sizeof *first.order) == 0);
        two.seed++;
        clear_world(&second);
        search_with(&two, name);
        bool same = memcmp(first.order, second.order, 90 * sizeof *first.order) == 0;
        expect(same == (strcmp(name, "exhaustive") == 0));
    }
    close_world(&first);
    close_world(&second);
}

static void odd_times(void)
{
    for (size_t s = 0; tuner_strategies()[s]; s++) {
        struct world world;
        open_blocks(&world, 8, 64);
        for (world.times = CONSTANT; world.times <= NEGATIVE; world.times++) {
            struct tuner_search_options options = options_for(&world);
            options.model = tuner_model_kind_of("cart");
            options.samples = world.size / 3 + 1;
            options.cut_ratio = 0.01;
            struct tuner_progress progress = search_with(&options, tuner_strategies()[s]->name);
            bool constant = world.times == CONSTANT;
            expect(progress.trials >= world.size - 1);
            expect(progress.count[constant ? TUNER_OK : TUNER_FAILED] == progress.trials);
            expect(progress.found == constant);
            expect(repeated(&world) == 0);
        }
        close_world(&world);
    }
}

static void outcomes_are_trials(void)
{
    for (size_t s = 0; tuner_strategies()[s]; s++) {
        struct world world;
        size_t sum = 0;
        open_blocks(&world, 64, 512);
        world.times = ALL_OUTCOMES;
        struct tuner_search_options options = options_for(&world);
        options.model = tuner_model_kind_of("knn");
        options.samples = 100;
        options.trials_max = 300;
        struct tuner_progress progress = search_with(&options, tuner_strategies()[s]->name);
        for (int i = 0; i < TUNER_OUTCOMES; i++) {
            expect(progress.count[i] > 0);
            sum += progress.count[i];
        }
        expect(sum == 300 && progress.trials == 300);
        expect(progress.found && progress.best % TUNER_OUTCOMES == TUNER_OK);
        close_world(&world);
    }
}

static void limits_hold(void)
{
    for (size_t s = 0; tuner_strategies()[s]; s++) {
        const char *name = tuner_strategies()[s]->name;
        struct world world;
        open_blocks(&world, 64, 512);
        struct tuner_search_options options = options_for(&world);
        options.model = &equal;
        options.samples = 50;
        options.trials_max = 7;
        expect(search_with(&options, name).trials == 7);
        expect(world.asked == 7);

        options = options_for(&world);
        options.model = &equal;
        options.samples = 50;
        options.cost_max_s = 5.2; /* a trial costs 0.5 */
        expect(search_with(&options, name).trials == 11);

        options.cost_max_s = 0.0;
        clear_world(&world);
        world.stop_after = 3;
        expect(search_with(&options, name).trials == 3);
        expect(world.asked == 3);
        close_world(&world);
    }
}

static void nothing_after_the_end(void)
{
    struct world world;

    open_blocks(&world, 8, 64);
    struct tuner_search_options options = options_for(&world);
    options.trials_max = 1;
    struct tuner_search *search;
    double time_s;
    expect_ok(tuner_search_open(&search, &options));
    expect(!tuner_search_over(search));
    expect_ok(tuner_search_try(search, 4, &time_s));
    expect(isfinite(time_s));
    expect(tuner_search_over(search));
    expect_ok(tuner_search_try(search, 5, &time_s));
    expect(isinf(time_s));
    expect_ok(tuner_search_try(search, 4, &time_s));
    expect(isfinite(time_s)); /* it is known */
    expect(world.asked == 1 && !tuner_search_tried(search, 5, NULL));
    expect(tuner_search_progress(search)->trials == 1);
    tuner_search_close(search);
    close_world(&world);
}

/* Recalls the trials of configurations `step` apart; returns the least time among them. */
static double recall_some(struct world *world, struct tuner_search *search, size_t step)
{
    const struct tuner_objective objective = tuner_search_options(search)->objective;
    double best_s = INFINITY;

    for (size_t i = 0; i < world->size; i += step) {
        struct tuner_trial trial;
        expect_ok(tuner_objective_measure(objective, i, &trial));
        expect_ok(tuner_search_recall(search, i, &trial));
        expect_ok(tuner_search_recall(search, i, &(struct tuner_trial){.time_s = 1e-9}));
        expect(tuner_search_tried(search, i, NULL));
        best_s = fmin(best_s, trial.time_s);
    }
    world->asked = 0;
    return best_s;
}

/* Whatever the strategy, a log's trials count, are not measured, and its best stays the best. */
static void recalled_trials_are_not_measured(void)
{
    for (size_t s = 0; tuner_strategies()[s]; s++) {
        struct world world;
        struct tuner_search *search;
        open_blocks(&world, 64, 512);
        struct tuner_search_options options = options_for(&world);
        options.model = tuner_model_kind_of("cart");
        options.samples = 10;
        options.iterations = 0;
        options.trials_max = 70;
        expect_ok(tuner_search_open(&search, &options));
        double best_s = recall_some(&world, search, world.size / 35);
        size_t recalled = tuner_search_progress(search)->trials;
        expect_ok(tuner_search_run(search, tuner_strategies()[s]));
        const struct tuner_progress *progress = tuner_search_progress(search);
        expect(world.asked == 70 - recalled && world.trials == world.asked);
        expect(progress->known == recalled && progress->trials == 70 && repeated(&world) == 0);
        expect(progress->found && progress->best_trial.time_s <= best_s);
        expect(progress->cost_s == 0.5 * (double)world.asked);
        tuner_search_close(search);
        close_world(&world);
    }
}

/* A limit that the log has reached: nothing is measured, and the best of the log is the best. */
static void a_log_can_be_all(void)
{
    for (size_t s = 0; tuner_strategies()[s]; s++) {
        struct world world;
        struct tuner_search *search;
        open_blocks(&world, 64, 512);
        struct tuner_search_options options = options_for(&world);
        options.model = &equal;
        options.trials_max = 3;
        expect_ok(tuner_search_open(&search, &options));
        double best_s = recall_some(&world, search, 20);
        expect_ok(tuner_search_run(search, tuner_strategies()[s]));
        expect(world.asked == 0);
        expect(tuner_search_progress(search)->best_trial.time_s == best_s);
        tuner_search_close(search);
        close_world(&world);
    }
}

/* Random search in two parts is random search. */
static void random_search_goes_on_as_if_it_had_not_ended(void)
{
    struct world world;
    struct tuner_search *search;
    uint32_t order[60];

    open_blocks(&world, 64, 512);
    struct tuner_search_options options = options_for(&world);
    options.trials_max = 60;
    search_with(&options, "random");
    memcpy(order, world.order, sizeof order);
    clear_world(&world);
    expect_ok(tuner_search_open(&search, &options));
    for (int i = 0; i < 35; i++)
        expect_ok(tuner_search_recall(search, order[i], &(struct tuner_trial){.time_s = 1.0}));
    expect_ok(tuner_search_run(search, tuner_strategy_of("random")));
    expect(world.asked == 25 && memcmp(order + 35, world.order, 25 * sizeof *order) == 0);
    tuner_search_close(search);
    close_world(&world);
}

/* ---- a strategy and a function of the caller's ---- */

/* From the middle downwards, which finds the least of a function that falls and then rises. */
static enum dm_status slide(struct tuner_search *search)
{
    size_t at = tuner_space_size(tuner_search_options(search)->space) / 2;
    double last_s = INFINITY, time_s;

    for (;; at--) {
        enum dm_status status = tuner_search_try(search, at, &time_s);
        if (status != DM_OK || time_s >= last_s || at == 0)
            return status;
        last_s = time_s;
    }
}

static enum dm_status parabola(void *context, size_t configuration, struct tuner_trial *trial)
{
    double x = (double)tuner_space_value(context, configuration, 0);
    trial->time_s = 1.0 + (x - 30.0) * (x - 30.0);
    return DM_OK;
}

static void a_callers_strategy_is_run(void)
{
    static const char text[] = "integer x 1 100\n";
    const struct tuner_strategy sliding = {.name = "slide", .meaning = "downwards", .run = slide};
    struct tuner_space *space;
    struct tuner_search *search;

    expect_ok(tuner_space_read(&space, text, strlen(text), "x"));
    const struct tuner_search_options options = {.space = space, .objective = {parabola, space}};
    expect_ok(tuner_search_open(&search, &options));
    expect_ok(tuner_search_run(search, &sliding));
    const struct tuner_progress *progress = tuner_search_progress(search);
    expect(tuner_space_value(space, progress->best, 0) == 30);
    expect(progress->best_trial.time_s == 1.0 && progress->trials == 51 - 29 + 1);
    tuner_search_close(search);
    tuner_search_close(NULL);
    tuner_space_free(space);
}

int main(void)
{
    run_test(pick_ratios);
    run_test(one_configuration);
    run_test(seeds_decide);
    run_test(odd_times);
    run_test(outcomes_are_trials);
    run_test(limits_hold);
    run_test(nothing_after_the_end);
    run_test(recalled_trials_are_not_measured);
    run_test(a_log_can_be_all);
    run_test(random_search_goes_on_as_if_it_had_not_ended);
    run_test(a_callers_strategy_is_run);
    return end_tests();
}
