/* partition_access_test: accessed elements of random parts of random launches, by all methods,
 * against plain loops that do what the kernels of tests/partition/access.db do. */
#include <stdlib.h>
#include <string.h>

#include "common/random.h"
#include "partition/access_cache.h"
#include "tests/unit/test_status.h"

#include "partition_access_models.h"

#define DATABASE "tests/partition/access.db"
enum { TRIALS = 8, THREADS_MAX = 18 };

static uint64_t drawn;

static unsigned draw(unsigned below)
{
    return (unsigned)random_below(8, drawn++, below);
}

/* ---- random launches ---- */

struct launch {
    struct partition_shape shape;
    struct partition_part part;
    int64_t scalars[ARGUMENTS];
};

static struct launch draw_launch(const struct model *model)
{
    struct launch launch = {.shape = {{1, 1, 1}, {1, 1, 1}}, .part = {.blocks = {1, 1, 1}}};
    unsigned longest = model->dims == 3 ? 8 : THREADS_MAX;
    for (int d = 0; d < model->dims; d++) {
        unsigned block = 1 + draw(6), grid = 1 + draw(longest / block > 0 ? longest / block : 1);
        launch.shape.block[d] = block;
        launch.shape.grid[d] = grid;
        launch.part.offset[d] = draw(grid);
        launch.part.blocks[d] = 1 + draw(grid - launch.part.offset[d]);
    }
    for (int i = 0; i < model->arguments; i++)
        launch.scalars[i] = 1 + draw(longest + 2);
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
    const struct partition_part *part = &launch->part;
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
static void compare(const unsigned char *expected, const struct partition_intervals *set,
                    long *extra, long *missing)
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

static void check_argument(struct partition_database *database, const struct model *model,
                           const struct launch *drawn_launch, size_t argument, bool write)
{
    struct partition_kernel *kernel = partition_database_find(database, model->kernel);
    const struct partition_argument *described = &kernel->arguments[argument];
    const struct partition_launch launch = {kernel, drawn_launch->scalars, &drawn_launch->shape};
    for (int method = PARTITION_BOXES; method <= PARTITION_POINTS; method++) {
        struct partition_intervals set = {0};
        long extra, missing;
        enum partition_extent extent;
        expect_ok(partition_accesses(&launch, argument, write, &drawn_launch->part,
                                     (enum partition_access)method, &set, &extent, NULL));
        bool accessed = write ? described->writes : described->reads;
        compare(touched[write][argument], &set, &extra, &missing);
        bool good = extent == (accessed ? PARTITION_ELEMENTS : PARTITION_NOTHING) && missing == 0 &&
                    (extra == 0 || (!write && !model->reads_exact));
        if (!good)
            printf("# %s, argument %zu, %s, method %d: extent %d, %ld too many, %ld missing\n",
                   model->kernel, argument, write ? "write" : "read", method, extent, extra,
                   missing);
        expect(good);
        partition_intervals_free(&set);
    }
}

static struct partition_database *load(void)
{
    struct partition_database *database;
    expect_ok(partition_database_load(&database, DATABASE));
    return database;
}

static void methods_agree_with_loops(void)
{
    struct partition_database *database = load();
    for (int m = 0; database && m < MODELS; m++)
        for (int trial = 0; trial < TRIALS; trial++) {
            struct launch launch = draw_launch(&models[m]);
            touch_part(&models[m], &launch);
            for (int i = 0; i < 2 * models[m].arguments; i++)
                check_argument(database, &models[m], &launch, (size_t)i / 2, i % 2);
        }
    partition_database_free(database);
}

/* ---- given launches ---- */

/* One block row of `rows` of a grid of 2 x 2 blocks of 16 x 16 threads. */
static enum dm_status ask(const char *name, size_t argument, bool write, const int64_t *scalars,
                          unsigned rows, struct partition_intervals *set,
                          enum partition_extent *extent)
{
    struct partition_database *database = load();
    struct partition_shape shape = {{2, 2, 1}, {16, 16, 1}};
    struct partition_part part = {.offset = {0, 1, 0}, .blocks = {2, rows, 1}};
    struct partition_times times = {0};
    const struct partition_launch launch = {partition_database_find(database, name), scalars,
                                            &shape};
    enum dm_status status =
        partition_accesses(&launch, argument, write, &part, PARTITION_BOXES, set, extent, &times);
    expect(times.interval_s >= times.linear_s);
    partition_database_free(database);
    return status;
}

static void worked_example(void)
{
    struct partition_intervals set = {0};
    enum partition_extent extent;
    const struct partition_range expected[] = {{481, 511}, {512, 992}, {993, 1023}};
    expect_ok(ask("stencil_ex", 0, false, (int64_t[]){0, 0, 32}, 1, &set, &extent));
    expect(extent == PARTITION_ELEMENTS);
    expect(set.count == 3 && memcmp(set.items, expected, sizeof expected) == 0);
    partition_intervals_free(&set);
}

/* Elements that many accesses write between one another, of a grid that is no small one: one run.
 */
static void what_fills_gaps_is_one_run(void)
{
    const int64_t n = 1 << 20, rows = 7 * 4096;
    struct partition_database *database = load();
    struct partition_shape lines = {{n / 128, 1, 1}, {128, 1, 1}};
    struct partition_shape tiles = {{(unsigned)rows / 128, 4096, 1}, {128, 4, 1}};
    struct partition_part whole = {.blocks = {n / 128, 1, 1}};
    struct partition_part half = {.blocks = {(unsigned)rows / 128, 2048, 1}};
    struct partition_intervals set = {0};
    enum partition_extent extent;
    struct partition_launch launch = {partition_database_find(database, "quads"), (int64_t[]){0, n},
                                      &lines};
    expect_ok(partition_accesses(&launch, 0, true, &whole, PARTITION_BOXES, &set, &extent, NULL));
    expect(set.count == 1 && set.items[0].begin == 0 && set.items[0].end == 4 * n);
    launch = (struct partition_launch){partition_database_find(database, "tiles"),
                                       (int64_t[]){0, rows}, &tiles};
    expect_ok(partition_accesses(&launch, 0, true, &half, PARTITION_BOXES, &set, &extent, NULL));
    expect(set.count == 1 && set.items[0].begin == 0 && set.items[0].end == rows * 7 * 2048);
    partition_intervals_free(&set);
    partition_database_free(database);
}

static void a_part_without_blocks_accesses_nothing(void)
{
    struct partition_intervals set = {0};
    enum partition_extent extent;
    expect_ok(ask("stencil_ex", 0, false, (int64_t[]){0, 0, 32}, 0, &set, &extent));
    expect(extent == PARTITION_ELEMENTS && set.count == 0);
    partition_intervals_free(&set);
}

static void extents(void)
{
    struct partition_intervals set = {0};
    enum partition_extent extent;
    const int64_t scalars[ARGUMENTS] = {0};
    expect_ok(ask("gather", 0, false, scalars, 1, &set, &extent));
    expect(extent == PARTITION_WHOLE);
    expect_ok(ask("gather", 0, true, scalars, 1, &set, &extent));
    expect(extent == PARTITION_NOTHING);
    expect_ok(ask("endless", 0, false, scalars, 1, &set, &extent));
    expect(extent == PARTITION_WHOLE && set.count == 0);
    expect_error(ask("gather", 9, true, scalars, 1, &set, &extent), DM_INVALID,
                 "kernel gather does not have so many arguments");
    expect_error(ask("endless", 1, true, scalars, 1, &set, &extent), DM_UNAVAILABLE,
                 "it writes elements without bound");
    expect(set.count == 0);
    expect_error(ask("histogram", 0, true, scalars, 1, &set, &extent), DM_UNAVAILABLE, "atomicAdd");
    partition_intervals_free(&set);
}

static void numbers_that_are_too_large(void)
{
    struct partition_intervals set = {0};
    enum partition_extent extent;
    const int64_t huge = INT64_C(1) << 62;
    expect(ask("stencil3d", 0, false, (int64_t[]){0, 0, huge, huge, 40}, 1, &set, &extent) ==
           DM_UNAVAILABLE);
    expect_error(ask("stencil_ex", 0, false, (int64_t[]){0, 0, huge}, 1, &set, &extent),
                 DM_UNAVAILABLE, "too large");
    expect_ok(ask("stencil_ex", 0, false, (int64_t[]){0, 0, -huge}, 1, &set, &extent));
    expect(extent == PARTITION_ELEMENTS && set.count == 0);
    expect(ask("update_velocities", 0, false, (int64_t[]){[9] = huge}, 1, &set, &extent) == DM_OK ||
           strstr(dm_message(), "too large"));
    partition_intervals_free(&set);
}

static enum dm_status check(const char *name, int64_t n, unsigned blocks)
{
    struct partition_database *database = load();
    struct partition_shape shape = {{blocks, 1, 1}, {100, 1, 1}};
    enum dm_status status = partition_check_launch(&(struct partition_launch){
        partition_database_find(database, name), (int64_t[]){0, n}, &shape});
    partition_database_free(database);
    return status;
}

static void assumptions(void)
{
    expect_ok(check("assumes", 999, 50));
    expect_ok(check("assumes", INT64_MIN, 50));
    expect_error(check("assumes", INT64_MAX, 50), DM_UNAVAILABLE, "assumption");
    expect_error(check("assumes", 1000, 50), DM_UNAVAILABLE, "assumption");
    expect_error(check("assumes", 999, 51), DM_UNAVAILABLE, "assumption");
    /* By isl, as a coefficient is too large for sums of 128 bits. */
    expect_ok(check("assumes_much", 999, 50));
    expect_error(check("assumes_much", 1000, 50), DM_UNAVAILABLE, "assumption");
    /* Blocks of 100: an index of 32 bits is negative. */
    expect_error(check("assumes", 1, 21474837), DM_UNAVAILABLE, "32 bits");
    expect_ok(check("assumes", -5, 1));
    expect_error(check("histogram", 1, 1), DM_UNAVAILABLE, "atomicAdd");
    expect_error(check("nothing", 1, 1), DM_INVALID, "no such kernel");
}

/* ---- the cache ---- */

static void the_cache_tells_launches_apart(void)
{
    enum { LAUNCHES = 100 };
    struct partition_database *database = load();
    struct access_cache cache = {0};
    struct partition_shape shape = {{2, 2, 1}, {16, 16, 1}}, other_shape = {{2, 2, 1}, {16, 8, 1}};
    int64_t scalars[3] = {1, 2, 0};
    static char values[LAUNCHES];
    struct access_query query = {
        partition_database_find(database, "stencil_ex"), scalars, &shape, "y", 2, PARTITION_BOXES};
    expect(!access_cache_find(&cache, &query));
    for (scalars[2] = 0; scalars[2] < LAUNCHES; scalars[2]++)
        expect_ok(access_cache_add(&cache, &query, &values[scalars[2]]));
    expect(!access_cache_find(&cache, &query));
    scalars[0] = 77; /* a pointer */
    for (scalars[2] = 0; scalars[2] < LAUNCHES; scalars[2]++)
        expect(access_cache_find(&cache, &query) == &values[scalars[2]]);
    scalars[2] = 5;
    struct access_query others[] = {query, query, query, query, query};
    others[0].kernel = partition_database_find(database, "stencil5p");
    others[1].shape = &other_shape;
    others[2].split = "x";
    others[3].devices = 3;
    others[4].method = PARTITION_ROWS;
    for (int i = 0; i < 5; i++)
        expect(!access_cache_find(&cache, &others[i]));
    others[2].split = "wxyz";
    expect_error(access_cache_add(&cache, &others[2], values), DM_INVALID, "split wxyz");
    access_cache_free(&cache, NULL);
    partition_database_free(database);
}

int main(void)
{
    run_test(methods_agree_with_loops);
    run_test(worked_example);
    run_test(what_fills_gaps_is_one_run);
    run_test(a_part_without_blocks_accesses_nothing);
    run_test(extents);
    run_test(numbers_that_are_too_large);
    run_test(assumptions);
    run_test(the_cache_tells_launches_apart);
    return end_tests();
}
