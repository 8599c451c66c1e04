/* partition_access_test: accessed elements of random parts of random launches, by all methods,
 * against plain loops that do what the kernels of tests/partition/access.db do. */
#include <stdlib.h>
#include <string.h>

#include "common/random.h"
#include "partition/access_cache.h"
#include "tests/unit/test.h"

#include "partition_access_models.h"

#define DATABASE "tests/partition/access.db"
enum { TRIALS = 8, MOST_THREADS = 18 };

static char reason[PARTITION_REASON];
static uint64_t drawn;

static unsigned draw(unsigned below)
{
    return (unsigned)random_below(8, drawn++, below);
}

/* ---- random launches ---- */

struct launch {
    struct launch_shape shape;
    struct grid_part part;
    int64_t scalars[ARGUMENTS];
};

static struct launch draw_launch(const struct model *model)
{
    struct launch launch = {.shape = {{1, 1, 1}, {1, 1, 1}}, .part = {.blocks = {1, 1, 1}}};
    unsigned most = model->dims == 3 ? 8 : MOST_THREADS;
    for (int d = 0; d < model->dims; d++) {
        unsigned block = 1 + draw(6), grid = 1 + draw(most / block > 0 ? most / block : 1);
        launch.shape.block[d] = block;
        launch.shape.grid[d] = grid;
        launch.part.offset[d] = draw(grid);
        launch.part.blocks[d] = 1 + draw(grid - launch.part.offset[d]);
    }
    for (int i = 0; i < model->arguments; i++)
        launch.scalars[i] = 1 + draw(most + 2);
    return launch;
}

static void touch_block(const struct model *model, const struct launch *launch,
                        struct thread *thread)
{
    const unsigned *size = launch->shape.block;
    int64_t *inside = thread->inside;
    for (inside[2] = 0; inside[2] < size[2]; inside[2]++)
        for (inside[1] = 0; inside[1] < size[1]; inside[1]++)
            for (inside[0] = 0; inside[0] < size[0]; inside[0]++) {
                for (int d = 0; d < 3; d++)
                    thread->index[d] = thread->block[d] * size[d] + inside[d];
                model->touch(thread);
            }
}

static void touch_part(const struct model *model, const struct launch *launch)
{
    const struct grid_part *part = &launch->part;
    unsigned count = part->blocks[0] * part->blocks[1] * part->blocks[2];
    memset(touched, 0, sizeof touched);
    for (unsigned i = 0; i < count; i++) {
        struct thread thread = {.shape = &launch->shape, .scalars = launch->scalars};
        unsigned rest = i;
        for (int d = 0; d < 3; d++) {
            thread.block[d] = part->offset[d] + rest % part->blocks[d];
            rest /= part->blocks[d];
        }
        touch_block(model, launch, &thread);
    }
}

/* Elements of the set that were not touched, and the other way round. */
static void compare(const unsigned char *expected, const struct intervals *set, long *extra,
                    long *missing)
{
    int64_t at = 0;
    *extra = *missing = 0;
    for (size_t i = 0; i < set->count; i++) {
        expect(set->items[i].begin < set->items[i].end && set->items[i].begin >= at);
        for (; at < set->items[i].begin && at < ELEMENTS; at++)
            *missing += expected[at];
        for (; at < set->items[i].end && at < ELEMENTS; at++)
            *extra += !expected[at];
    }
    for (; at < ELEMENTS; at++)
        *missing += expected[at];
}

static void check_argument(struct database *database, const struct model *model,
                           const struct launch *launch, size_t argument, bool write)
{
    struct database_kernel *kernel = database_find(database, model->kernel);
    const struct database_argument *described = &kernel->arguments[argument];
    for (int method = PARTITION_BOXES; method <= PARTITION_POINTS; method++) {
        struct intervals set = {0};
        long extra, missing;
        enum access_outcome outcome =
            access_intervals(database, kernel, argument, write, launch->scalars, &launch->shape,
                             &launch->part, (enum partition_access)method, &set, NULL, reason);
        bool accessed = write ? described->writes : described->reads;
        compare(touched[write][argument], &set, &extra, &missing);
        bool good = outcome == (accessed ? ACCESS_SET : ACCESS_NONE) && missing == 0 &&
                    (extra == 0 || (!write && !model->reads_exact));
        if (!good)
            printf("# %s, argument %zu, %s, method %d: outcome %d, %ld too many, %ld missing\n",
                   model->kernel, argument, write ? "write" : "read", method, outcome, extra,
                   missing);
        expect(good);
        intervals_free(&set);
    }
}

static void methods_agree_with_loops(void)
{
    struct database *database = database_load(DATABASE, reason);
    expect(database);
    for (int m = 0; database && m < MODELS; m++)
        for (int trial = 0; trial < TRIALS; trial++) {
            struct launch launch = draw_launch(&models[m]);
            touch_part(&models[m], &launch);
            for (int i = 0; i < 2 * models[m].arguments; i++)
                check_argument(database, &models[m], &launch, (size_t)i / 2, i % 2);
        }
    database_free(database);
}

/* ---- given launches ---- */

/* One block row of `rows` of a grid of 2 x 2 blocks of 16 x 16 threads. */
static enum access_outcome ask(const char *name, size_t argument, bool write,
                               const int64_t *scalars, unsigned rows, struct intervals *set)
{
    struct database *database = database_load(DATABASE, reason);
    struct launch_shape shape = {{2, 2, 1}, {16, 16, 1}};
    struct grid_part part = {.offset = {0, 1, 0}, .blocks = {2, rows, 1}};
    struct access_times times = {0};
    enum access_outcome outcome =
        access_intervals(database, database_find(database, name), argument, write, scalars, &shape,
                         &part, PARTITION_BOXES, set, &times, reason);
    expect(times.interval_s >= times.linear_s);
    database_free(database);
    return outcome;
}

static void worked_example(void)
{
    struct intervals set = {0};
    const struct index_range expected[] = {{481, 511}, {512, 992}, {993, 1023}};
    expect(ask("stencil_ex", 0, false, (int64_t[]){0, 0, 32}, 1, &set) == ACCESS_SET);
    expect(set.count == 3 && memcmp(set.items, expected, sizeof expected) == 0);
    intervals_free(&set);
}

static void a_part_without_blocks_accesses_nothing(void)
{
    struct intervals set = {0};
    expect(ask("stencil_ex", 0, false, (int64_t[]){0, 0, 32}, 0, &set) == ACCESS_SET);
    expect(set.count == 0);
    intervals_free(&set);
}

static void outcomes(void)
{
    struct intervals set = {0};
    const int64_t scalars[ARGUMENTS] = {0};
    expect(ask("gather", 0, false, scalars, 1, &set) == ACCESS_WHOLE);
    expect(ask("gather", 0, true, scalars, 1, &set) == ACCESS_NONE);
    expect(ask("gather", 9, true, scalars, 1, &set) == ACCESS_FAILED);
    expect(ask("endless", 0, false, scalars, 1, &set) == ACCESS_WHOLE && set.count == 0);
    expect(ask("endless", 1, true, scalars, 1, &set) == ACCESS_FAILED && set.count == 0);
    expect(strstr(reason, "without bound"));
    expect(ask("histogram", 0, true, scalars, 1, &set) == ACCESS_FAILED);
    expect(strstr(reason, "atomicAdd"));
    intervals_free(&set);
}

static void numbers_that_are_too_large(void)
{
    struct intervals set = {0};
    const int64_t huge = INT64_C(1) << 62;
    expect(ask("stencil3d", 0, false, (int64_t[]){0, 0, huge, huge, 40}, 1, &set) == ACCESS_FAILED);
    expect(reason[0]);
    expect(ask("stencil_ex", 0, false, (int64_t[]){0, 0, huge}, 1, &set) == ACCESS_FAILED);
    expect(strstr(reason, "too large"));
    expect(ask("stencil_ex", 0, false, (int64_t[]){0, 0, -huge}, 1, &set) == ACCESS_SET);
    expect(set.count == 0);
    expect(ask("update_velocities", 0, false, (int64_t[]){[9] = huge}, 1, &set) == ACCESS_SET ||
           strstr(reason, "too large"));
    intervals_free(&set);
}

static bool holds(int64_t n, unsigned blocks)
{
    struct database *database = database_load(DATABASE, reason);
    struct launch_shape shape = {{blocks, 1, 1}, {100, 1, 1}};
    bool valid = access_valid(database, database_find(database, "assumes"), (int64_t[]){0, n},
                              &shape, reason);
    database_free(database);
    return valid;
}

static void assumptions(void)
{
    expect(holds(999, 50));
    expect(!holds(1000, 50));
    expect(strstr(reason, "assumption"));
    expect(!holds(999, 51));
    expect(!holds(1, 42949673)); /* blocks of 100: an index of 32 bits begins at 0 again */
    expect(strstr(reason, "32 bits"));
    expect(holds(-5, 1));
}

/* ---- the cache ---- */

static void the_cache_tells_launches_apart(void)
{
    enum { LAUNCHES = 100 };
    struct database *database = database_load(DATABASE, reason);
    struct access_cache cache = {0};
    struct launch_shape shape = {{2, 2, 1}, {16, 16, 1}}, other_shape = {{2, 2, 1}, {16, 8, 1}};
    int64_t scalars[3] = {1, 2, 0};
    static char values[LAUNCHES];
    struct access_query query = {
        database_find(database, "stencil_ex"), scalars, &shape, "y", 2, PARTITION_BOXES};
    expect(!access_cache_find(&cache, &query));
    for (scalars[2] = 0; scalars[2] < LAUNCHES; scalars[2]++)
        expect(access_cache_add(&cache, &query, &values[scalars[2]]));
    expect(!access_cache_find(&cache, &query));
    scalars[0] = 77; /* a pointer */
    for (scalars[2] = 0; scalars[2] < LAUNCHES; scalars[2]++)
        expect(access_cache_find(&cache, &query) == &values[scalars[2]]);
    scalars[2] = 5;
    struct access_query others[] = {query, query, query, query, query};
    others[0].kernel = database_find(database, "stencil5p");
    others[1].shape = &other_shape;
    others[2].split = "x";
    others[3].devices = 3;
    others[4].method = PARTITION_ROWS;
    for (int i = 0; i < 5; i++)
        expect(!access_cache_find(&cache, &others[i]));
    others[2].split = "wxyz";
    expect(!access_cache_add(&cache, &others[2], values));
    access_cache_free(&cache, NULL);
    database_free(database);
}

int main(void)
{
    run_test(methods_agree_with_loops);
    run_test(worked_example);
    run_test(a_part_without_blocks_accesses_nothing);
    run_test(outcomes);
    run_test(numbers_that_are_too_large);
    run_test(assumptions);
    run_test(the_cache_tells_launches_apart);
    return end_tests();
}
