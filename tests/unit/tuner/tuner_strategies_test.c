/* tuner_strategies_test: strategies measure nothing twice, find what is there, and find it sooner
 * than at random. */
#include "tuner_search_test.h"

static const char *const mixed = "integer bx 1 12\n"
                                 "power2 by 1 32\n"
                                 "category flags -O2 -O3 -Ofast\n"
                                 "values cache 16 48 100\n"
                                 "require bx * by <= 64\n"
                                 "require flags != \"-O2\" || bx % 3 == 0\n";

static void names(void)
{
    size_t count = 0;

    for (; tuner_strategies()[count]; count++) {
        expect(tuner_strategy_of(tuner_strategies()[count]->name) == tuner_strategies()[count]);
        expect(strlen(tuner_strategies()[count]->meaning) > 10);
    }
    expect(count == 8);
    expect(!tuner_strategy_of("") && !tuner_strategy_of("Random"));
}

/* Without limits a strategy measures each configuration once, and so finds the best. */
static void all_measure_everything_once(void)
{
    for (size_t s = 0; tuner_strategies()[s]; s++) {
        struct world world;
        open_world(&world, mixed);
        struct tuner_search_options options = options_for(&world);
        options.model = &equal;
        options.samples = world.size;
        struct tuner_progress progress = search_with(&options, tuner_strategies()[s]->name);
        expect(progress.trials == world.size && world.trials == world.size);
        expect(world.asked == world.size && repeated(&world) == 0);
        expect(progress.found && progress.best_trial.time_s == best_time(&world));
        expect(time_of(&world, progress.best) == best_time(&world));
        expect(fabs(progress.cost_s - 0.5 * (double)world.size) < 1e-6);
        close_world(&world);
    }
}

static void exhaustive_goes_in_order(void)
{
    struct world world;

    open_blocks(&world, 8, 64);
    struct tuner_search_options options = options_for(&world);
    search_with(&options, "exhaustive");
    for (size_t i = 0; i < world.size; i++)
        expect(world.order[i] == i);
    close_world(&world);
}

/* Steps change the parameter they should and no other, and reach all values. */
static void moves(void)
{
    struct world world;
    size_t moved, reached[12] = {0};

    open_world(&world, mixed);
    struct tuner_search_options options = options_for(&world);
    struct tuner_search *search;
    expect_ok(tuner_search_open(&search, &options));
    for (int i = 0; i < 4000; i++) {
        size_t from = tuner_search_random(search, world.size), dimension = (size_t)i % 4;
        if (!move(search, from, dimension, &moved))
            continue;
        for (size_t d = 0; d < 4; d++)
            expect((tuner_space_index(world.space, from, d) !=
                    tuner_space_index(world.space, moved, d)) == (d == dimension));
        if (dimension == 0)
            reached[tuner_space_index(world.space, moved, 0)]++;
    }
    for (int i = 0; i < 12; i++)
        expect(reached[i] > 10);
    tuner_search_close(search);
    close_world(&world);

    open_world(&world, "integer x 1 9\ninteger y 1 9\nrequire x == y\n");
    options = options_for(&world);
    expect_ok(tuner_search_open(&search, &options));
    expect(!move(search, 4, 0, &moved) && !move(search, 4, 1, &moved));
    tuner_search_close(search);
    close_world(&world);
}

/* ---- quality ---- */

static double mean_share(struct world *world, const char *strategy, const char *model,
                         size_t trials)
{
    enum { SEARCHES = 60 };
    double best_s = best_time(world), sum = 0.0;

    for (uint64_t seed = 0; seed < SEARCHES; seed++) {
        struct tuner_search_options options = options_for(world);
        options.seed = seed;
        options.trials_max = trials;
        options.samples = strcmp(strategy, "guided") == 0 ? (trials + 7) / 8 : (trials + 2) / 3;
        options.model = model ? tuner_model_kind_of(model) : NULL;
        sum += best_s / search_with(&options, strategy).best_trial.time_s;
    }
    printf("# %s %s: %.4f\n", strategy, model ? model : "", sum / SEARCHES);
    return sum / SEARCHES;
}

static void all_beat_random(void)
{
    struct world world;

    open_blocks(&world, 1024, 1024);
    double at_random = mean_share(&world, "random", NULL, 60);
    expect(at_random < 0.97);
    expect(mean_share(&world, "iterml", "forest", 60) > at_random);
    expect(mean_share(&world, "guided", "forest", 60) > at_random);
    expect(mean_share(&world, "annealing", NULL, 60) > at_random);
    expect(mean_share(&world, "genetic", NULL, 60) > at_random);
    expect(mean_share(&world, "local", NULL, 60) > at_random);
    close_world(&world);
}

/* Mean time of trials 70 to 99 of many searches, relative to the first 30. */
static double progress_of(struct world *world, const char *strategy)
{
    double first_s = 0.0, last_s = 0.0;

    for (uint64_t seed = 0; seed < 60; seed++) {
        struct tuner_search_options options = options_for(world);
        options.seed = seed;
        options.trials_max = 100;
        search_with(&options, strategy);
        for (int i = 0; i < 30; i++) {
            first_s += time_of(world, world->order[i]);
            last_s += time_of(world, world->order[70 + i]);
        }
    }
    printf("# %s: %.3f\n", strategy, last_s / first_s);
    return last_s / first_s;
}

static void all_approach(void)
{
    struct world world;

    open_blocks(&world, 1024, 1024);
    double at_random = progress_of(&world, "random");
    expect(at_random > 0.95 && at_random < 1.05);
    expect(progress_of(&world, "annealing") < 0.95);
    expect(progress_of(&world, "genetic") < 0.95);
    expect(progress_of(&world, "local") < 0.95);
    close_world(&world);
}

int main(void)
{
    run_test(names);
    run_test(all_measure_everything_once);
    run_test(exhaustive_goes_in_order);
    run_test(moves);
    run_test(all_beat_random);
    run_test(all_approach);
    return end_tests();
}
