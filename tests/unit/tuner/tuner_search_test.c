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

static void recalled_trials_are_not_measured(void)
{
    struct world world;
    uint32_t order[60];

    open_blocks(&world, 64, 512);
    struct tuner_search_options options = options_for(&world);
    options.model = tuner_model_kind_of("forest");
    options.samples = 20;
    struct tuner_progress whole = search_with(&options, "iterml");
    memcpy(order, world.order, sizeof order);

    clear_world(&world);
    struct tuner_search *search;
    expect_ok(tuner_search_open(&search, &options));
    for (int i = 0; i < 35; i++) {
        struct tuner_trial trial;
        expect_ok(tuner_objective_measure(options.objective, order[i], &trial));
        expect_ok(tuner_search_recall(search, order[i], &trial));
        expect(!tuner_search_tried(search, order[i], NULL));
    }
    world.asked = 0;
    expect_ok(tuner_search_run(search, tuner_strategy_of("iterml")));
    const struct tuner_progress *progress = tuner_search_progress(search);
    expect(world.asked == 25 && repeated(&world) == 0);
    expect(progress->known == 35 && progress->trials == 60);
    expect(memcmp(order, world.order, sizeof order) == 0);
    expect(progress->best == whole.best && progress->cost_s == whole.cost_s);
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
    run_test(a_callers_strategy_is_run);
    return end_tests();
}
