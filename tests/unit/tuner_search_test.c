/* tuner_search_test.c: searches measure nothing twice, keep to their limits, come out the same for
 * the same seed, and find what is there; IterML prunes as the algorithm says. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "random.h"
#include "status.h"
#include "test.h"
#include "tuner_search.h"
#include "tuner_strategies.h"

/* ---- a space and its times ---- */

struct world {
    struct tuner_space *space;
    size_t size;
    enum { CLUSTERED, CONSTANT, NOT_A_NUMBER, INFINITE, NEGATIVE, ALL_OUTCOMES, NONE_OK } times;
    size_t asked;      /* how often the oracle was */
    uint8_t *measured; /* by configuration: how often */
    /* What the callbacks see. */
    uint32_t *order; /* of the trials */
    size_t trials;
    size_t stop_after; /* trials; 0: never */
    bool *left;        /* by configuration: iterations left it */
    long iterations, outside, wrong_prunes;
    size_t sampled[64], before[64], after[64];
};

static void open_world(struct world *world, const char *text)
{
    const char *complaint;

    *world = (struct world){.space = tuner_space_read(text, strlen(text), "test", &complaint)};
    if (!world->space)
        fail("%s", complaint);
    world->size = tuner_space_size(world->space);
    world->measured = allocate_or_fail(world->size, 1);
    world->order = allocate_or_fail(world->size, sizeof *world->order);
    world->left = allocate_or_fail(world->size, sizeof *world->left);
}

static void open_blocks(struct world *world, int most, int product)
{
    char text[128];
    snprintf(text, sizeof text, "integer bx 1 %d\ninteger by 1 %d\nrequire bx * by <= %d\n", most,
             most, product);
    open_world(world, text);
}

/* Forgets what a search did. */
static void clear_world(struct world *world)
{
    memset(world->measured, 0, world->size);
    for (size_t i = 0; i < world->size; i++)
        world->left[i] = true;
    world->asked = world->trials = 0;
    world->iterations = world->outside = world->wrong_prunes = 0;
}

static void close_world(struct world *world)
{
    tuner_space_free(world->space);
    free(world->measured);
    free(world->order);
    free(world->left);
}

/* How a kernel's time may depend on its block: best at about 128 threads, x a multiple of 8, and
 * some noise that belongs to the configuration. */
static double block_time_s(double x, double y)
{
    double threads = log2(x * y / 128.0), shape = log2(x / y);
    double noise = random_uniform((uint64_t)x, (uint64_t)y);
    return 1e-5 * (1.0 + 0.1 * threads * threads + 0.01 * shape * shape +
                   (fmod(x, 8.0) != 0.0 ? 0.3 : 0.0) + 0.02 * noise);
}

static double time_of(const struct world *world, size_t configuration)
{
    if (tuner_space_dimensions(world->space) < 2)
        return 1.0;
    return block_time_s((double)tuner_space_value(world->space, configuration, 0),
                        (double)tuner_space_value(world->space, configuration, 1));
}

static double best_time(const struct world *world)
{
    double best_s = INFINITY;
    for (size_t i = 0; i < world->size; i++)
        best_s = fmin(best_s, time_of(world, i));
    return best_s;
}

static struct tuner_trial measure(void *context, size_t configuration)
{
    struct world *world = context;
    struct tuner_trial trial = {.time_s = time_of(world, configuration), .cost_s = 0.5};

    world->asked++;
    world->measured[configuration]++;
    switch (world->times) {
    case CLUSTERED:
        break;
    case CONSTANT:
        trial.time_s = 3.0;
        break;
    case NOT_A_NUMBER:
        trial.time_s = NAN;
        break;
    case INFINITE:
        trial.time_s = INFINITY;
        break;
    case NEGATIVE:
        trial.time_s = -1.0;
        break;
    case ALL_OUTCOMES:
        trial.outcome = (enum tuner_outcome)(configuration % TUNER_OUTCOMES);
        break;
    case NONE_OK:
        trial.outcome = TUNER_HANGING;
        break;
    }
    return trial;
}

static bool after_trial(const struct tuner_search *search, size_t configuration,
                        const struct tuner_trial *trial, void *context)
{
    struct world *world = context;

    expect(tuner_search_tried(search, configuration, NULL));
    expect((trial->outcome == TUNER_OK) == isfinite(trial->time_s));
    world->outside += !world->left[configuration];
    world->order[world->trials++] = (uint32_t)configuration;
    return world->trials != world->stop_after;
}

static struct tuner_search_options options_for(struct world *world)
{
    clear_world(world);
    return (struct tuner_search_options){.space = world->space,
                                         .oracle = {measure, world},
                                         .seed = 7,
                                         .samples = 5,
                                         .cut_ratio = 0.5,
                                         .iterations = 3,
                                         .after_trial = after_trial,
                                         .context = world};
}

static struct tuner_progress search_with(const struct tuner_search_options *options,
                                         const char *strategy)
{
    struct tuner_search *search = tuner_search_open(options);
    tuner_search_run(search, tuner_strategy_of(strategy));
    struct tuner_progress progress = *tuner_search_progress(search);
    tuner_search_close(search);
    return progress;
}

static long repeated(const struct world *world)
{
    long count = 0;
    for (size_t i = 0; i < world->size; i++)
        count += world->measured[i] > 1;
    return count;
}

/* ---- models that are known ---- */

struct tuner_model {
    int unused;
};

static size_t fitted_rows[64], fits;
static float least_target, largest_target;

static struct tuner_model *fit(const float *rows, const float *targets, size_t count,
                               size_t features, uint64_t seed)
{
    (void)rows;
    (void)features;
    (void)seed;
    if (fits < 64)
        fitted_rows[fits] = count;
    fits++;
    for (size_t i = 0; i < count; i++) {
        least_target = fminf(least_target, targets[i]);
        largest_target = fmaxf(largest_target, targets[i]);
    }
    return allocate_or_fail(1, sizeof(struct tuner_model));
}

static void release(struct tuner_model *model)
{
    free(model);
}

/* Knows all times. */
static void predict_perfect(const struct tuner_model *model, const float *rows,
                            const uint32_t *which, size_t count, float *result)
{
    (void)model;
    for (size_t i = 0; i < count; i++) {
        const float *row = rows + 2 * (size_t)which[i];
        result[i] = (float)(1e-5 / block_time_s(row[0], row[1]));
    }
}

/* The same of rows that also tell how often the numbers can be halved. */
static void predict_perfect_aligned(const struct tuner_model *model, const float *rows,
                                    const uint32_t *which, size_t count, float *result)
{
    (void)model;
    for (size_t i = 0; i < count; i++) {
        const float *row = rows + 4 * (size_t)which[i];
        result[i] = (float)(1e-5 / block_time_s(row[0], row[2]));
    }
}

/* Knows nothing. */
static void predict_equal(const struct tuner_model *model, const float *rows, const uint32_t *which,
                          size_t count, float *result)
{
    (void)model;
    (void)rows;
    (void)which;
    for (size_t i = 0; i < count; i++)
        result[i] = 0.5f;
}

/* Overflowed. */
static void predict_nan(const struct tuner_model *model, const float *rows, const uint32_t *which,
                        size_t count, float *result)
{
    (void)model;
    (void)rows;
    for (size_t i = 0; i < count; i++)
        result[i] = which[i] % 2 ? NAN : 0.5f;
}

static const struct tuner_model_kind perfect = {"perfect",       "",     false, fit,
                                                predict_perfect, release};
static const struct tuner_model_kind perfect_aligned = {
    "perfect", "", false, fit, predict_perfect_aligned, release};
static const struct tuner_model_kind equal = {"equal", "", false, fit, predict_equal, release};
static const struct tuner_model_kind overflowed = {"nan", "", false, fit, predict_nan, release};

/* ---- IterML ---- */

/* What an iteration pruned is what was left before, less its samples and what it left. */
static void after_iteration(const struct tuner_search *search, void *context)
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
    for (int turn = 0; turn < 2; turn++) {
        const struct tuner_model_kind *model = turn ? tuner_model_kind_of("forest") : &perfect;
        struct tuner_progress progress = trace(&world, model, 29, 0.5, 0);
        expect(progress.trials == world.asked && progress.trials == world.trials);
        expect(repeated(&world) == 0);
        expect(world.outside == 0);
        expect(world.iterations > 5);
        expect(world.after[world.iterations - 1] == 0);
        expect(turn || world.wrong_prunes == 0); /* the lowest predictions, with a known model */
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
    least_target = 9.0f;
    largest_target = -9.0f;
    trace(&world, &equal, 40, 0.5, 2);
    expect(least_target == 0.0f);
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

static int code_of(const struct tuner_search_options *options)
{
    int status;
    fflush(stdout);
    pid_t child = fork();

    if (child == 0) {
        if (!freopen("/dev/null", "w", stderr))
            _exit(99);
        search_with(options, "iterml");
        _exit(0);
    }
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void iterml_refuses(void)
{
    static const double cuts[] = {0.0, 1.0, -0.5, NAN};
    struct world world;

    open_blocks(&world, 8, 64);
    struct tuner_search_options options = options_for(&world);
    expect(code_of(&options) == EXIT_FAIL);
    options.model = &equal;
    expect(code_of(&options) == 0);
    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
        options.cut_ratio = cuts[i];
        expect(code_of(&options) == EXIT_FAIL);
    }
    options.cut_ratio = 0.5;
    options.samples = 0;
    expect(code_of(&options) == EXIT_FAIL);
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
        options.trials_most = 5 + samples; /* turns 0 and 1 of 5 take the best predicted */
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
    options.trials_most = 305;
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

/* ---- all strategies ---- */

static const char *const mixed = "integer bx 1 12\n"
                                 "power2 by 1 32\n"
                                 "category flags -O2 -O3 -Ofast\n"
                                 "values cache 16 48 100\n"
                                 "require bx * by <= 64\n"
                                 "require flags != \"-O2\" || bx % 3 == 0\n";

/* Without limits a strategy measures each configuration once, and so finds the best. */
static void all_measure_everything_once(void)
{
    for (size_t s = 0; tuner_strategies[s]; s++) {
        struct world world;
        open_world(&world, mixed);
        struct tuner_search_options options = options_for(&world);
        options.model = &equal;
        options.samples = world.size;
        struct tuner_progress progress = search_with(&options, tuner_strategies[s]->name);
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

static void seeds_decide(void)
{
    struct world first, second;

    open_blocks(&first, 64, 512);
    open_blocks(&second, 64, 512);
    for (size_t s = 0; tuner_strategies[s]; s++) {
        const char *name = tuner_strategies[s]->name;
        struct tuner_search_options one = options_for(&first), two = options_for(&second);
        one.model = two.model = tuner_model_kind_of("forest");
        one.samples = two.samples = 30;
        one.trials_most = two.trials_most = 90;
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

static void one_configuration(void)
{
    for (size_t s = 0; tuner_strategies[s]; s++) {
        struct world world;
        open_world(&world, "integer x 5 5\n");
        struct tuner_search_options options = options_for(&world);
        options.model = &equal;
        struct tuner_progress progress = search_with(&options, tuner_strategies[s]->name);
        expect(progress.trials == 1 && progress.found && progress.best == 0);
        close_world(&world);
    }
}

static void odd_times(void)
{
    for (size_t s = 0; tuner_strategies[s]; s++) {
        struct world world;
        open_blocks(&world, 8, 64);
        for (world.times = CONSTANT; world.times <= NEGATIVE; world.times++) {
            struct tuner_search_options options = options_for(&world);
            options.model = tuner_model_kind_of("cart");
            options.samples = world.size / 3 + 1;
            options.cut_ratio = 0.01;
            struct tuner_progress progress = search_with(&options, tuner_strategies[s]->name);
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
    for (size_t s = 0; tuner_strategies[s]; s++) {
        struct world world;
        size_t sum = 0;
        open_blocks(&world, 64, 512);
        world.times = ALL_OUTCOMES;
        struct tuner_search_options options = options_for(&world);
        options.model = tuner_model_kind_of("knn");
        options.samples = 100;
        options.trials_most = 300;
        struct tuner_progress progress = search_with(&options, tuner_strategies[s]->name);
        for (int i = 0; i < TUNER_OUTCOMES; i++) {
            expect(progress.count[i] > 0);
            sum += progress.count[i];
        }
        expect(sum == 300 && progress.trials == 300);
        expect(progress.found && progress.best % TUNER_OUTCOMES == TUNER_OK);
        close_world(&world);
    }
}

/* ---- limits ---- */

static void limits_hold(void)
{
    for (size_t s = 0; tuner_strategies[s]; s++) {
        const char *name = tuner_strategies[s]->name;
        struct world world;
        open_blocks(&world, 64, 512);
        struct tuner_search_options options = options_for(&world);
        options.model = &equal;
        options.samples = 50;
        options.trials_most = 7;
        expect(search_with(&options, name).trials == 7);
        expect(world.asked == 7);

        options = options_for(&world);
        options.model = &equal;
        options.samples = 50;
        options.cost_most_s = 5.2; /* a trial costs 0.5 */
        expect(search_with(&options, name).trials == 11);

        options.cost_most_s = 0.0;
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
    options.trials_most = 1;
    struct tuner_search *search = tuner_search_open(&options);
    expect(!tuner_search_over(search));
    expect(isfinite(tuner_search_try(search, 4)));
    expect(tuner_search_over(search));
    expect(isinf(tuner_search_try(search, 5)));
    expect(isfinite(tuner_search_try(search, 4))); /* it is known */
    expect(world.asked == 1 && !tuner_search_tried(search, 5, NULL));
    expect(tuner_search_progress(search)->trials == 1);
    tuner_search_close(search);
    close_world(&world);
}

/* ---- resuming ---- */

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
    struct tuner_search *search = tuner_search_open(&options);
    for (int i = 0; i < 35; i++) {
        struct tuner_trial trial = measure(&world, order[i]);
        tuner_search_recall(search, order[i], &trial);
        expect(!tuner_search_tried(search, order[i], NULL));
    }
    world.asked = 0;
    tuner_search_run(search, tuner_strategy_of("iterml"));
    const struct tuner_progress *progress = tuner_search_progress(search);
    expect(world.asked == 25 && repeated(&world) == 0);
    expect(progress->known == 35 && progress->trials == 60);
    expect(memcmp(order, world.order, sizeof order) == 0);
    expect(progress->best == whole.best && progress->cost_s == whole.cost_s);
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
        options.trials_most = trials;
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
        options.trials_most = 100;
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

/* Steps change the parameter they should and no other, and reach all values. */
static void moves(void)
{
    struct world world;
    size_t moved, reached[12] = {0};

    open_world(&world, mixed);
    struct tuner_search_options options = options_for(&world);
    struct tuner_search *search = tuner_search_open(&options);
    for (int i = 0; i < 4000; i++) {
        size_t from = tuner_search_random(search, world.size), dimension = (size_t)i % 4;
        if (!tuner_move(search, from, dimension, &moved))
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
    search = tuner_search_open(&options);
    expect(!tuner_move(search, 4, 0, &moved) && !tuner_move(search, 4, 1, &moved));
    tuner_search_close(search);
    close_world(&world);
}

static void names(void)
{
    size_t count = 0;

    for (; tuner_strategies[count]; count++) {
        expect(tuner_strategy_of(tuner_strategies[count]->name) == tuner_strategies[count]);
        expect(strlen(tuner_strategies[count]->meaning) > 10);
    }
    expect(count == 7);
    expect(!tuner_strategy_of("") && !tuner_strategy_of("Random"));
}

int main(void)
{
    run_test(names);
    run_test(pick_ratios);
    run_test(iterml_samples_only_what_is_left);
    run_test(iterml_halves);
    run_test(iterml_cuts_and_stops);
    run_test(iterml_may_forget);
    run_test(iterml_targets);
    run_test(iterml_ties);
    run_test(iterml_refuses);
    run_test(guided_measures_what_is_predicted);
    run_test(guided_looks_beside_the_best);
    run_test(all_measure_everything_once);
    run_test(exhaustive_goes_in_order);
    run_test(seeds_decide);
    run_test(one_configuration);
    run_test(odd_times);
    run_test(outcomes_are_trials);
    run_test(limits_hold);
    run_test(nothing_after_the_end);
    run_test(recalled_trials_are_not_measured);
    run_test(moves);
    run_test(all_beat_random);
    run_test(all_approach);
    return end_tests();
}
