/* tuner_auto_test: the portfolio, and what it is made of: encoding, ensemble, variations. */
#include <time.h>

#include "tuner/encoding.h"
#include "tuner/ensemble.h"
#include "tuner/variation.h"

#include "tuner_search_test.h"

static const char *const mixed = "integer bx 1 64\n"
                                 "power2 by 1 32\n"
                                 "category flags -O2 -O3 -Ofast\n"
                                 "values share 0.5 0.25 1e-1\n"
                                 "values cache 16 48 100\n"
                                 "require bx * by <= 128\n"
                                 "require flags != \"-O2\" || bx % 3 == 0\n";

static void numbers_are_between_0_and_1(void)
{
    struct world world;
    struct encoding encoding;
    float row[64], other[64];

    open_world(&world, mixed);
    expect_ok(encoding_open(&encoding, world.space));
    /* bx and cache with their halvings, by, three words, share, and one pair: bx by. */
    expect(encoding.features == 2 + 1 + 3 + 1 + 2 + 1);
    for (size_t i = 0; i < world.size; i++) {
        encode(&encoding, i, row);
        for (size_t f = 0; f < encoding.features; f++)
            expect(row[f] >= 0.0f && row[f] <= 1.0f);
        if (i > 0)
            expect(memcmp(row, other, encoding.features * sizeof *row) != 0);
        memcpy(other, row, sizeof row);
    }
    encoding_close(&encoding);
    close_world(&world);
}

static void an_ensemble_learns_and_knows_where_it_does_not(void)
{
    enum { COUNT = 200 };
    float rows[COUNT], targets[COUNT], mean[3], spread[3];
    const float asked[3] = {0.1f, 0.9f, 0.5f};
    struct ensemble *ensemble;

    for (int i = 0; i < COUNT; i++) {
        rows[i] = (float)i / COUNT;
        targets[i] = rows[i] < 0.5f ? 0.25f : 0.75f;
    }
    expect_ok(ensemble_fit(&ensemble, rows, targets, COUNT, 1, 3));
    expect_ok(ensemble_predict(ensemble, asked, 3, mean, spread));
    expect(fabsf(mean[0] - 0.25f) < 1e-3f && fabsf(mean[1] - 0.75f) < 1e-3f);
    expect(spread[0] < 1e-3f && spread[1] < 1e-3f && spread[2] > spread[0]);
    ensemble_free(ensemble);
}

static void variations_are_in_the_space_and_others(void)
{
    struct world world;
    struct tuner_search *search;
    size_t made = 0, varied;

    open_world(&world, mixed);
    struct tuner_search_options options = options_for(&world);
    expect_ok(tuner_search_open(&search, &options));
    for (int i = 0; i < 2000; i++) {
        size_t from = tuner_search_random(search, world.size);
        if (!vary(search, from, &varied))
            continue;
        made++;
        expect(varied < world.size && varied != from);
    }
    expect(made > 1900);
    tuner_search_close(search);
    close_world(&world);
}

/* Anytime: whatever the limit, the trials are the same. */
static void a_longer_search_is_the_shorter_one_and_more(void)
{
    for (int times = CLUSTERED; times < BREAKS; times++) {
        struct world world;
        uint32_t order[150];
        open_world(&world, mixed);
        struct tuner_search_options options = options_for(&world);
        world.times = times;
        options.trials_max = 150;
        struct tuner_progress longer = search_with(&options, "auto");
        memcpy(order, world.order, sizeof order);
        expect(repeated(&world) == 0 && longer.trials == 150);
        for (size_t trials = 1; trials < 150; trials += 37) {
            clear_world(&world);
            options.trials_max = trials;
            struct tuner_progress shorter = search_with(&options, "auto");
            expect(memcmp(order, world.order, trials * sizeof *order) == 0);
            expect(!shorter.found || longer.best_trial.time_s <= shorter.best_trial.time_s);
        }
        close_world(&world);
    }
}

static double mean_best(struct world *world, const char *strategy, size_t trials)
{
    enum { SEEDS = 20 };
    struct tuner_search_options options = options_for(world);
    double best_s = best_time(world), sum = 0.0;

    options.trials_max = trials;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        clear_world(world);
        options.seed = seed;
        sum += best_s / search_with(&options, strategy).best_trial.time_s / SEEDS;
    }
    return sum;
}

static void it_is_better_than_what_it_is_made_of(void)
{
    static const char *const others[] = {"random", "annealing", "genetic", "local"};
    struct world world;

    open_blocks(&world, 128, 1024);
    double own = mean_best(&world, "auto", 60);
    printf("# auto: %.4f\n", own);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        double other = mean_best(&world, others[i], 60);
        printf("# %s: %.4f\n", others[i], other);
        expect(own > other);
    }
    close_world(&world);
}

/* Processor time, so that others' load does not matter; twice the aim, as machines differ. */
/* Of 4096 configurations 3 of 4 fail, which no constraint says: those where x and y are too much.
 */
static enum dm_status measure_mostly_failing(void *context, size_t configuration,
                                             struct tuner_trial *trial)
{
    const struct tuner_space *space = context;
    double x = (double)tuner_space_value(space, configuration, 0);
    double y = (double)tuner_space_value(space, configuration, 1);

    trial->outcome = x + y > 45.0 ? TUNER_FAILED : TUNER_OK;
    trial->time_s = 100.0 - x - 0.8 * y;
    return DM_OK;
}

static void what_fails_is_learned(void)
{
    static const char text[] = "integer x 1 64\ninteger y 1 64\n";
    struct tuner_space *space;
    struct tuner_search *search;
    size_t failed = 0, tried = 0;

    expect_ok(tuner_space_read(&space, text, strlen(text), "space"));
    for (uint64_t seed = 1; seed <= 5; seed++) {
        struct tuner_search_options options = {.space = space,
                                               .objective = {measure_mostly_failing, space},
                                               .seed = seed,
                                               .trials_max = 80,
                                               .samples = 1,
                                               .cut_ratio = 0.5};
        expect_ok(tuner_search_open(&search, &options));
        expect_ok(tuner_search_run(search, tuner_strategy_of("auto")));
        failed += tuner_search_progress(search)->count[TUNER_FAILED];
        tried += tuner_search_progress(search)->trials;
        tuner_search_close(search);
    }
    printf("# %zu of %zu failed\n", failed, tried);
    expect(tried == 400 && failed < tried / 2); /* by chance 3 of 4 */
    tuner_space_free(space);
}

static void a_proposal_takes_little_time(void)
{
    struct world world;
    struct timespec begin, end;

    open_blocks(&world, 1024, 1024);
    struct tuner_search_options options = options_for(&world);
    options.trials_max = 1000;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
    search_with(&options, "auto");
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
    double each_s =
        ((double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec)) / 1000;
    printf("# %.3f ms per proposal\n", 1e3 * each_s);
#ifdef __OPTIMIZE__
    expect(each_s < 2e-3);
#endif
    close_world(&world);
}

int main(void)
{
    run_test(numbers_are_between_0_and_1);
    run_test(an_ensemble_learns_and_knows_where_it_does_not);
    run_test(variations_are_in_the_space_and_others);
    run_test(a_longer_search_is_the_shorter_one_and_more);
    run_test(it_is_better_than_what_it_is_made_of);
    run_test(what_fails_is_learned);
    run_test(a_proposal_takes_little_time);
    return end_tests();
}
