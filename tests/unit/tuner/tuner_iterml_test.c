/* tuner_iterml_test: the searches that a model guides: IterML prunes as the algorithm says, guided
 * measures what is predicted and what is beside the best. */
#include "tuner_search_test.h"

/* ---- IterML ---- */

/* What an iteration pruned is what was left before, less its samples and what it left. */
static enum dm_status after_iteration(struct tuner_search *search, void *context)
{
    struct world *world = context;
    const struct tuner_progress *progress = tuner_search_progress(search);
    size_t after = progress->remaining_before - progress->sampled - progress->pruned;
    bool *left = allocate_or_fail(world->size, sizeof *left);
    double slowest_left_s = 0.0, fastest_pruned_s = INFINITY;
    size_t pruned = 0;

    memset(left, 0, world->size * sizeof *left);
    for (size_t i = 0; i < after; i++) {
        size_t configuration = progress->remaining[i];
        expect(world->left[configuration] && !left[configuration]);
        left[configuration] = true;
        slowest_left_s = fmax(slowest_left_s, time_of(world, configuration));
    }
    for (size_t i = 0; i < world->size; i++)
        if (world->left[i] && !left[i] && !world->measured[i]) {
            pruned++;
            fastest_pruned_s = fmin(fastest_pruned_s, time_of(world, i));
        }
    expect(pruned == progress->pruned);
    if (progress->pruned > 0)
        world->wrong_prunes += slowest_left_s > fastest_pruned_s * (1.0 + 1e-6);
    free(world->left);
    world->left = left;
    if (world->iterations < 64) {
        world->before[world->iterations] = progress->remaining_before;
        world->sampled[world->iterations] = progress->sampled;
        world->after[world->iterations] = after;
    }
    world->iterations++;
    expect(progress->iteration == world->iterations);
    return DM_OK;
}

static struct tuner_progress trace(struct world *world, const struct tuner_model_kind *model,
                                   size_t samples, double cut_ratio, long iterations)
{
    struct tuner_search_options options = options_for(world);
    options.model = model;
    options.samples = samples;
    options.cut_ratio = cut_ratio;
    options.iterations = iterations;
    options.after_iteration = after_iteration;
    return search_with(&options, "iterml");
}

static void iterml_samples_only_what_is_left(void)
{
    struct world world;

    open_blocks(&world, 1024, 1024);
    expect(world.size == 7262);
    for (int known = 1; known >= 0; known--) {
        const struct tuner_model_kind *model = !known ? tuner_model_kind_of("forest") : &perfect;
        struct tuner_progress progress = trace(&world, model, 29, 0.5, 0);
        expect(progress.trials == world.asked && progress.trials == world.trials);
        expect(repeated(&world) == 0);
        expect(world.outside == 0);
        expect(world.iterations > 5);
        expect(world.after[world.iterations - 1] == 0);
        expect(!known || world.wrong_prunes == 0); /* the lowest predictions, with a known model */
        for (long i = 0; i < world.iterations; i++) {
            bool used_up = i == world.iterations - 1;
            expect(world.sampled[i] == 29 || (used_up && world.sampled[i] < 29));
            expect(i == 0 || world.before[i] == world.after[i - 1]);
        }
    }
    close_world(&world);
}

static void iterml_halves(void)
{
    static const int sizes[] = {1, 2, 3, 10, 64, 100, 1000, 1023, 1024, 1025};
    char text[64];

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct world world;
        snprintf(text, sizeof text, "integer x 1 %d\n", sizes[i]);
        open_world(&world, text);
        trace(&world, &equal, 1, 0.5, 0);
        expect(labs(world.iterations - (long)ceil(log2(sizes[i]))) <= 1);
        expect(world.after[world.iterations - 1] == 0);
        close_world(&world);
    }
}

static void iterml_cuts_and_stops(void)
{
    struct world world;

    open_blocks(&world, 64, 512);
    expect(world.size == 1524);
    fits = 0;
    struct tuner_progress progress = trace(&world, &perfect, 10, 0.75, 3);
    expect(world.iterations == 3 && progress.trials == 30);
    expect(world.after[0] == 1514 - 1136); /* round(0.75 * 1514) pruned */
    expect(fits == 2 && fitted_rows[0] == 10 && fitted_rows[1] == 20);
    expect(world.after[2] == world.before[2] - 10); /* the last one prunes nothing */
    fits = 0;
    progress = trace(&world, &perfect, 12, 0.5, 1);
    expect(progress.trials == 12 && fits == 0 && progress.model_s == 0.0);
    progress = trace(&world, &equal, 5000, 0.5, 0);
    expect(progress.trials == 1524 && world.iterations == 1);
    close_world(&world);
}

static void iterml_may_forget(void)
{
    struct world world;

    open_blocks(&world, 64, 512);
    struct tuner_search_options options = options_for(&world);
    options.model = &equal;
    options.latest_only = true;
    fits = 0;
    search_with(&options, "iterml");
    expect(fits == 2 && fitted_rows[0] == 5 && fitted_rows[1] == 5);
    close_world(&world);
}

static void iterml_targets(void)
{
    struct world world;

    open_blocks(&world, 64, 512);
    world.times = ALL_OUTCOMES;
    smallest_target = 9.0f;
    largest_target = -9.0f;
    trace(&world, &equal, 40, 0.5, 2);
    expect(smallest_target == 0.0f);
    expect(largest_target == 1.0f);
    world.times = NONE_OK;
    largest_target = -9.0f;
    struct tuner_progress progress = trace(&world, &equal, 40, 0.5, 2);
    expect(largest_target == 0.0f);
    expect(!progress.found && progress.count[TUNER_HANGING] == 80);
    close_world(&world);
}

/* Equal predictions are pruned from everywhere in the space, NaN first. */
static void iterml_ties(void)
{
    struct world world;
    size_t low = 0, odd = 0;

    open_world(&world, "integer x 1 1000\ninteger y 1 2\n");
    trace(&world, &equal, 10, 0.5, 2);
    for (size_t i = 0; i < world.size; i++)
        low += world.left[i] && i < world.size / 2;
    expect(low > 400 && low < 600);
    trace(&world, &overflowed, 10, 0.4, 2);
    for (size_t i = 1; i < world.size; i += 2)
        odd += world.left[i];
    expect(odd < 230 && world.after[1] == 1990 - 796 - 10);
    close_world(&world);
}

static void iterml_refuses(void)
{
    static const double cuts[] = {0.0, 1.0, -0.5, NAN};
    struct tuner_progress progress;
    struct world world;

    open_blocks(&world, 8, 64);
    struct tuner_search_options options = options_for(&world);
    expect_error(try_search(&options, "iterml", &progress), DM_INVALID,
                 "the strategy iterml needs a model");
    options.model = &equal;
    expect_ok(try_search(&options, "iterml", &progress));
    world.asked = 0;
    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
        options.cut_ratio = cuts[i];
        expect_error(try_search(&options, "iterml", &progress), DM_INVALID, "a cut ratio of");
    }
    options.cut_ratio = 0.5;
    options.samples = 0;
    expect_error(try_search(&options, "iterml", &progress), DM_INVALID,
                 "at least one sample per iteration");
    expect_error(try_search(&options, "guided", &progress), DM_INVALID,
                 "the strategy guided needs a model and at least one sample per iteration");
    expect(world.asked == 0 && progress.trials == 0);
    close_world(&world);
}

/* ---- guided ---- */

static void guided_measures_what_is_predicted(void)
{
    struct world world;

    open_blocks(&world, 128, 512);
    struct tuner_search_options options = options_for(&world);
    options.model = &perfect_aligned;
    for (size_t samples = 1; samples <= 5; samples++) {
        options.samples = samples;
        options.trials_max = 5 + samples; /* turns 0 and 1 of 5 take the best predicted */
        clear_world(&world);
        struct tuner_progress progress = search_with(&options, "guided");
        expect(progress.best_trial.time_s == best_time(&world));
        expect(repeated(&world) == 0);
    }
    close_world(&world);
}

/* Two of five differ from the best so far in one parameter only. */
static void guided_looks_beside_the_best(void)
{
    struct world world;

    open_blocks(&world, 128, 512);
    struct tuner_search_options options = options_for(&world);
    options.model = &equal;
    options.samples = 5;
    options.trials_max = 305;
    search_with(&options, "guided");
    long beside = 0;
    for (size_t i = 5; i < 305; i++) {
        size_t best = world.order[0], different = 0;
        for (size_t j = 1; j < i - i % 5; j++)
            if (time_of(&world, world.order[j]) < time_of(&world, best))
                best = world.order[j];
        for (size_t d = 0; d < 2; d++)
            different += tuner_space_index(world.space, world.order[i], d) !=
                         tuner_space_index(world.space, best, d);
        beside += different == 1;
    }
    expect(beside >= 90 && beside <= 160); /* fewer where the best one changes meanwhile */
    printf("# %ld of 300 beside the best\n", beside);
    close_world(&world);
}

int main(void)
{
    run_test(iterml_samples_only_what_is_left);
    run_test(iterml_halves);
    run_test(iterml_cuts_and_stops);
    run_test(iterml_may_forget);
    run_test(iterml_targets);
    run_test(iterml_ties);
    run_test(iterml_refuses);
    run_test(guided_measures_what_is_predicted);
    run_test(guided_looks_beside_the_best);
    return end_tests();
}
