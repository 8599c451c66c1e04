/* The five kinds of loop and the block map against plain enumeration. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "common/random.h"
#include "prefetch/sip/loop.h"
#include "tests/unit/test_status.h"

enum { SETS_MAX = 4096, WORKERS_MAX = 7, KINDS = LOOP_DO + 1, BLOCKS_MAX = 512 };

struct shape {
    int count;
    int low[INDEX_SET_MAX], high[INDEX_SET_MAX];
};

static const struct shape shapes[] = {
    {1, {1}, {1}},
    {1, {3}, {12}},
    {2, {1, 1}, {6, 5}},
    {2, {-2, 4}, {9, 4}},
    {3, {-1, 2, 0}, {2, 4, 6}},
    {8, {1, 0, -1, 1, 5, 1, 1, 2}, {2, 0, 1, 2, 5, 2, 2, 4}},
    {2, {1, 5}, {4, 4}},
    {3, {2, 1, 1}, {1, 3, 3}},
};
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

/* ---- where clauses ---- */

typedef bool (*where_clause)(void *, const struct index_set *);

static bool ascends(void *context, const struct index_set *set)
{
    (void)context;
    return set->value[0] <= set->value[1];
}

static bool sums_to_third(void *context, const struct index_set *set)
{
    int sum = 0;
    for (int i = 0; i < INDEX_SET_MAX; i++)
        sum += set->value[i];
    return sum % *(int *)context == 0;
}

static bool never(void *context, const struct index_set *set)
{
    (void)context;
    (void)set;
    return false;
}

static int third = 3;
static const where_clause clauses[] = {NULL, ascends, sums_to_third, never};
enum { CLAUSES = sizeof clauses / sizeof clauses[0] };

/* ---- the oracle ---- */

/* A valid set and its number in the full product. */
struct visit {
    struct index_set set;
    size_t number;
};

struct plan {
    struct visit visits[SETS_MAX];
    size_t count;
};

/* The sparse array in plain form. */
struct plain_map {
    int rank, low[3], high[3];
    int64_t blocks[BLOCKS_MAX];
    size_t count;
};

static bool plain_has(const struct plain_map *map, const struct loop *loop,
                      const struct index_set *set)
{
    int64_t number = 0;
    for (int d = 0; d < map->rank; d++) {
        int index = loop->map_index[d];
        int value = index < 0 ? loop->map_fixed[d] : set->value[index];
        if (value < map->low[d] || value > map->high[d])
            return false;
        number = number * (map->high[d] - map->low[d] + 1) + value - map->low[d];
    }
    for (size_t i = 0; i < map->count; i++)
        if (map->blocks[i] == number)
            return true;
    return false;
}

static void enumerate(const struct loop *loop, const struct plain_map *map, int index,
                      struct index_set *set, size_t *number, struct plan *plan)
{
    if (index < loop->count) {
        for (int value = loop->low[index]; value <= loop->high[index]; value++) {
            set->value[index] = value;
            enumerate(loop, map, index + 1, set, number, plan);
        }
        return;
    }
    if ((!map || plain_has(map, loop, set)) &&
        (!loop->valid || loop->valid(loop->valid_context, set)))
        plan->visits[plan->count++] = (struct visit){*set, *number};
    ++*number;
}

static bool belongs(enum loop_kind kind, const struct visit *visit, size_t valid_number, int worker,
                    int workers)
{
    switch (kind) {
    case LOOP_SEQUENTIAL:
        return worker == 0;
    case LOOP_STATIC:
        return visit->number % (size_t)workers == (size_t)worker;
    case LOOP_BALANCED:
    case LOOP_FRAGMENTED:
        return valid_number % (size_t)workers == (size_t)worker;
    case LOOP_DO:
        break;
    }
    return true;
}

static bool same(const struct index_set *a, const struct index_set *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

/* Walks the loop of one worker; returns how many sets it got, which must be the plan's. */
static size_t follow(const struct loop *loop, const struct plan *plan)
{
    struct index_source source = loop_source(loop);
    struct index_set set, current;
    size_t got = 0;
    bool more = source.first(source.context, &set);
    for (size_t n = 0; n < plan->count; n++) {
        if (!belongs(loop->kind, &plan->visits[n], n, loop->worker, loop->workers))
            continue;
        expect(more && same(&set, &plan->visits[n].set));
        if (!more)
            return got;
        got++;
        current = set;
        more = source.next(source.context, &current, &set);
    }
    expect(!more);
    return got;
}

static void follow_all(struct loop loop, const struct plain_map *map)
{
    static struct plan plan;
    struct index_set set = {0};
    size_t number = 0;
    plan.count = 0;
    enumerate(&loop, map, 0, &set, &number, &plan);
    for (int kind = 0; kind < KINDS; kind++)
        for (int workers = 1; workers <= WORKERS_MAX; workers++) {
            size_t least = SIZE_MAX, most = 0, total = 0;
            for (int worker = 0; worker < workers; worker++) {
                loop.kind = kind;
                loop.worker = worker;
                loop.workers = workers;
                size_t got = follow(&loop, &plan);
                total += got;
                least = got < least ? got : least;
                most = got > most ? got : most;
            }
            expect(total == plan.count * (size_t)(kind == LOOP_DO ? workers : 1));
            expect((kind != LOOP_BALANCED && kind != LOOP_FRAGMENTED) || most - least <= 1);
        }
}

static struct loop loop_of(const struct shape *shape, where_clause clause)
{
    struct loop loop = {.count = shape->count, .valid = clause, .valid_context = &third};
    memcpy(loop.low, shape->low, sizeof loop.low);
    memcpy(loop.high, shape->high, sizeof loop.high);
    return loop;
}

static void every_set_goes_to_one_worker_in_order(void)
{
    for (int s = 0; s < SHAPES; s++)
        for (int c = 0; c < CLAUSES; c++)
            follow_all(loop_of(&shapes[s], clauses[c]), NULL);
}

/* ---- maps ---- */

/* Each block exists with that share; the list is neither sorted nor free of repetitions. */
static struct plain_map random_map(int rank, const int *low, const int *high, double share,
                                   uint64_t seed)
{
    struct plain_map map = {.rank = rank};
    int64_t total = 1;
    for (int d = 0; d < rank; d++) {
        map.low[d] = low[d];
        map.high[d] = high[d];
        total *= high[d] - low[d] + 1;
    }
    for (int64_t number = total - 1; number >= 0; number--)
        for (int copy = 0; copy <= number % 2; copy++)
            if (map.count < BLOCKS_MAX && random_uniform(seed, (uint64_t)number) < share)
                map.blocks[map.count++] = number;
    return map;
}

static struct block_map *create(const struct plain_map *map)
{
    struct block_map *created;
    expect_ok(block_map_create(&created, map->rank, map->low, map->high, map->blocks, map->count));
    return created;
}

/* Which index of the loop is which dimension; -1: fixed. Also the other way round, twice the same,
 * some left out. */
static const struct {
    int rank, index[3];
} layouts[] = {{1, {0}},       {2, {0, 1}},     {2, {1, 0}},    {2, {0, 0}},
               {2, {-1, 1}},   {2, {2, 0}},     {3, {0, 1, 2}}, {3, {2, 1, 0}},
               {3, {1, 2, 1}}, {3, {2, -1, 2}}, {3, {-1, 7, 3}}};
enum { LAYOUTS = sizeof layouts / sizeof layouts[0] };

static bool fits(int layout, const struct shape *shape)
{
    for (int d = 0; d < layouts[layout].rank; d++)
        if (layouts[layout].index[d] >= shape->count)
            return false;
    return true;
}

/* The array's ranges overlap the loop's: they are shifted by one to either side. */
static void follow_with_map(const struct shape *shape, int layout, where_clause clause,
                            double share, uint64_t seed)
{
    struct loop loop = loop_of(shape, clause);
    int low[3], high[3], shift = seed % 2 ? 1 : -1;
    for (int d = 0; d < layouts[layout].rank; d++) {
        int index = layouts[layout].index[d];
        loop.map_index[d] = index;
        loop.map_fixed[d] = 3;
        low[d] = index < 0 ? 1 : shape->low[index] + shift;
        high[d] = index < 0 ? 4 : shape->high[index] + shift;
        if (high[d] < low[d])
            high[d] = low[d];
    }
    struct plain_map plain = random_map(layouts[layout].rank, low, high, share, seed);
    struct block_map *map = create(&plain);
    loop.map = map;
    expect(map);
    if (map)
        follow_all(loop, &plain);
    block_map_destroy(map);
}

static void sparse_arrays_prune_every_kind_of_loop(void)
{
    static const double shares[] = {0.0, 0.05, 0.1, 0.1, 0.2, 0.4, 1.0};
    uint64_t seed = 1;
    for (int s = 0; s < SHAPES; s++)
        for (int l = 0; l < LAYOUTS; l++)
            for (size_t share = 0; share < sizeof shares / sizeof shares[0]; share++)
                for (int c = 0; fits(l, &shapes[s]) && c < 2 * (CLAUSES - 1); c++)
                    follow_with_map(&shapes[s], l, clauses[c / 2], shares[share], seed++);
}

/* Notes whether a set without a block was looked at: the where clause sees every such set. */
struct witness {
    const struct block_map *map;
    size_t seen, without_block;
};

static bool note(void *context, const struct index_set *set)
{
    struct witness *witness = context;
    witness->seen++;
    witness->without_block += !block_map_has(witness->map, set->value);
    return true;
}

static uint64_t walk(const struct loop *loop)
{
    struct index_source source = loop_source(loop);
    struct index_set set, next;
    uint64_t visited = 0;
    for (bool more = source.first(source.context, &set); more; set = next, visited++)
        more = source.next(source.context, &set, &next);
    return visited;
}

static void fragmented_looks_at_existing_blocks_only(void)
{
    static const int low[] = {1, 1}, high[] = {1 << 20, 1 << 20};
    static const int64_t blocks[] = {(int64_t)99999 << 20, 77, ((int64_t)99999 << 20) + 5, 1 << 20};
    for (int transposed = 0; transposed < 2; transposed++)
        for (int workers = 1; workers <= WORKERS_MAX; workers++) {
            struct block_map *map;
            expect_ok(block_map_create(&map, 2, low, high, blocks, 4));
            struct witness witness = {.map = map};
            uint64_t looked_at = 0, visited = 0;
            for (int worker = 0; worker < workers; worker++) {
                struct loop loop = {.kind = LOOP_FRAGMENTED,
                                    .count = 2,
                                    .low = {1, 1},
                                    .high = {1 << 20, 1 << 20},
                                    .worker = worker,
                                    .workers = workers,
                                    .valid = transposed ? NULL : note,
                                    .valid_context = &witness,
                                    .map = witness.map,
                                    .map_index = {transposed, !transposed},
                                    .looked_at = &looked_at};
                visited += walk(&loop);
            }
            expect(visited == 4 && looked_at == 4 * (uint64_t)workers);
            expect(witness.seen == (transposed ? 0 : looked_at) && witness.without_block == 0);
            block_map_destroy((struct block_map *)witness.map);
        }
}

/* ---- the claims about the deals ---- */

static bool is_multiple(void *context, const struct index_set *set)
{
    return set->value[0] % *(int *)context == 0;
}

static void a_stride_of_the_workers_gives_static_one_worker(void)
{
    for (int workers = 2; workers <= WORKERS_MAX; workers++)
        for (int worker = 0; worker < workers; worker++) {
            uint64_t looked_at = 0;
            struct loop loop = {.kind = LOOP_STATIC,
                                .count = 1,
                                .low = {0},
                                .high = {workers * 10 - 1},
                                .worker = worker,
                                .workers = workers,
                                .valid = is_multiple,
                                .valid_context = &workers,
                                .looked_at = &looked_at};
            expect(walk(&loop) == (worker == 0 ? 10 : 0));
            expect(looked_at == 10);
            loop.kind = LOOP_BALANCED;
            uint64_t share = walk(&loop);
            expect(share == (uint64_t)(10 / workers + (worker < 10 % workers)));
        }
}

static void products_need_not_fit_any_integer(void)
{
    struct loop loop = {.kind = LOOP_STATIC, .count = 8, .worker = 6, .workers = 7};
    for (int i = 0; i < loop.count; i++) {
        loop.low[i] = INT_MIN;
        loop.high[i] = INT_MAX;
    }
    struct index_source source = loop_source(&loop);
    struct index_set set, next;
    expect(source.first(source.context, &set) && set.value[7] == INT_MIN + 6);
    set.value[7] = INT_MAX - 2;
    expect(source.next(source.context, &set, &next));
    expect(next.value[7] == INT_MIN + 4 && next.value[6] == INT_MIN + 1);
    for (int i = 0; i < loop.count; i++)
        set.value[i] = INT_MAX;
    expect(!source.next(source.context, &set, &next));
}

static void the_block_map_refuses_what_it_cannot_hold(void)
{
    static const int low[9] = {1, 1, 1, 1, 1, 1, 1, 1, 1}, high[9] = {3, 4, 1, 1, 1, 1, 1, 1, 1};
    static const int lowest[] = {INT_MIN, INT_MIN}, highest[] = {INT_MAX, INT_MAX};
    static const int64_t past = 12, negative = -1, last = 11;
    struct block_map *map;
    expect_error(block_map_create(&map, 2, low, high, &past, 1), DM_INVALID, "block 12");
    expect_error(block_map_create(&map, 2, low, high, &negative, 1), DM_INVALID, "block -1");
    expect_error(block_map_create(&map, 0, low, high, &last, 1), DM_INVALID, "rank 0");
    expect_error(block_map_create(&map, 9, low, high, &last, 1), DM_INVALID, "rank 9");
    expect_error(block_map_create(&map, 2, lowest, highest, &last, 1), DM_INVALID, "2^63");
    expect(!map);
    expect_ok(block_map_create(&map, 2, low, high, &last, 1));
    expect(map && block_map_rank(map) == 2);
    expect(map && block_map_has(map, (int[]){3, 4}) && !block_map_has(map, (int[]){3, 3}));
    expect(map && !block_map_has(map, (int[]){4, 0}) && !block_map_has(map, (int[]){2, 8}));
    block_map_destroy(map);
    expect_ok(block_map_create(&map, 2, low, high, NULL, 0));
    expect(map && !block_map_has(map, (int[]){1, 1}));
    block_map_destroy(map);
    block_map_destroy(NULL);
}

int main(void)
{
    run_test(every_set_goes_to_one_worker_in_order);
    run_test(sparse_arrays_prune_every_kind_of_loop);
    run_test(fragmented_looks_at_existing_blocks_only);
    run_test(a_stride_of_the_workers_gives_static_one_worker);
    run_test(products_need_not_fit_any_integer);
    run_test(the_block_map_refuses_what_it_cannot_hold);
    return end_tests();
}
