/* The store of a server against a plain model: all blocks in one table, nothing ever on disk. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "common/random.h"
#include "prefetch/sip/conflict.h"
#include "prefetch/sip/store.h"
#include "tests/unit/test_status.h"

enum { ARRAYS = 4, NUMBERS = 24, ELEMENTS = 16, SERVED = 2, RESIDENT = 3 };
enum { BLOCK_BYTES = ELEMENTS * sizeof(double) };

static double resident_blocks[NUMBERS][ELEMENTS];

/* Only every second block has a place of its own. */
static double *place(void *context, struct block_id id)
{
    double(*blocks)[ELEMENTS] = context;
    return id.array == RESIDENT && id.number % 2 == 0 ? blocks[id.number] : NULL;
}

static struct store *create(size_t memory_blocks, size_t disk_blocks)
{
    struct store_config config = {.limit_bytes = memory_blocks * BLOCK_BYTES,
                                  .spill_limit_bytes = disk_blocks * BLOCK_BYTES};
    struct store *store;
    expect_ok(store_create(&store, &config));
    return store;
}

static struct block_id block(int array, int64_t number)
{
    return (struct block_id){array, number};
}

/* Arrays have blocks of different sizes, so that places on disk split and merge. */
static size_t elements_of(int array)
{
    return array == 1 ? 5 : array == SERVED ? 11 : ELEMENTS;
}

static enum store_outcome put(struct store *store, struct block_id id, double value)
{
    double *data;
    size_t elements = elements_of(id.array);
    enum store_outcome status = store_acquire(store, id, elements, STORE_WRITE, &data, NULL);
    if (status != STORE_OK)
        return status;
    for (size_t e = 0; e < elements; e++)
        data[e] = value + (double)e;
    expect(store_release(store, id, true));
    return STORE_OK;
}

static bool is_there(struct store *store, struct block_id id, double value)
{
    double *data;
    size_t elements = elements_of(id.array);
    if (store_acquire(store, id, elements, STORE_READ, &data, NULL) != STORE_OK)
        return false;
    bool right = true;
    for (size_t e = 0; e < elements; e++)
        right &= data[e] == value + (double)e;
    return store_release(store, id, false) && right;
}

static struct store_counters counters_of(const struct store *store)
{
    struct store_counters counters;
    store_counters(store, &counters);
    return counters;
}

/* ---- the model ---- */

struct model {
    bool there[ARRAYS][NUMBERS];
    double value[ARRAYS][NUMBERS];
};

static void drop(struct store *store, struct model *model, int array)
{
    expect(store_drop_array(store, array));
    memset(model->there[array], 0, sizeof model->there[array]);
}

static void add(struct store *store, struct model *model, struct block_id id, double value)
{
    double *data;
    bool *there = &model->there[id.array][id.number];
    size_t elements = elements_of(id.array);
    expect(store_acquire(store, id, elements, STORE_UPDATE, &data, NULL) == STORE_OK);
    for (size_t e = 0; e < elements; e++)
        data[e] += *there ? value : value + (double)e;
    expect(store_release(store, id, true));
    model->value[id.array][id.number] += value;
    if (!*there)
        model->value[id.array][id.number] = value;
    *there = true;
}

static void compare_list(struct store *store, const struct model *model, int array)
{
    int64_t *numbers;
    size_t count, at = 0;
    expect_ok(store_list(store, array, &numbers, &count));
    for (int64_t n = 0; n < NUMBERS; n++)
        if (model->there[array][n]) {
            expect(at < count && numbers[at] == n);
            at++;
        }
    expect(at == count && (count > 0 || !numbers));
    free(numbers);
}

static void compare_block(struct store *store, const struct model *model, struct block_id id)
{
    double *data;
    bool there = model->there[id.array][id.number];
    expect(store_has(store, id, NULL) == there);
    if (there)
        expect(is_there(store, id, model->value[id.array][id.number]));
    else
        expect(store_acquire(store, id, elements_of(id.array), STORE_READ, &data, NULL) ==
               STORE_MISSING);
}

static void one_operation(struct store *store, struct model *model, uint64_t seed, uint64_t i)
{
    struct block_id id = block((int)random_below(seed, 4 * i, ARRAYS),
                               (int64_t)random_below(seed, 4 * i + 1, NUMBERS));
    double value = (double)random_below(seed, 4 * i + 2, 1000);
    uint64_t choice = random_below(seed, 4 * i + 3, 400);
    if (choice == 0) {
        drop(store, model, id.array);
    } else if (choice < 10) {
        expect(store_flush(store) == STORE_OK);
    } else if (choice < 20) {
        compare_list(store, model, id.array);
    } else if (choice < 140) {
        expect(put(store, id, value) == STORE_OK);
        model->there[id.array][id.number] = true;
        model->value[id.array][id.number] = value;
    } else if (choice < 200) {
        add(store, model, id, value);
    } else {
        compare_block(store, model, id);
    }
}

static void random_operations(void)
{
    for (uint64_t seed = 0; seed < 20; seed++) {
        static struct model model;
        struct store *store = create(1 + seed, 0);
        memset(&model, 0, sizeof model);
        expect_ok(store_set_served(store, SERVED));
        expect_ok(store_set_resident(store, RESIDENT, place, resident_blocks));
        for (uint64_t i = 0; i < 5000; i++) {
            one_operation(store, &model, seed, i);
            expect(counters_of(store).memory_bytes <= (1 + seed) * BLOCK_BYTES);
        }
        expect(counters_of(store).spills > 0 && counters_of(store).loads > 0);
        for (int array = 0; array < ARRAYS; array++)
            for (int64_t n = 0; n < NUMBERS; n++)
                compare_block(store, &model, block(array, n));
        for (int array = 0; array < ARRAYS; array++)
            drop(store, &model, array);
        struct store_counters counters = counters_of(store);
        expect(counters.blocks == 0 && counters.memory_bytes == 0 && counters.disk_bytes == 0);
        store_destroy(store);
    }
}

/* ---- spilling ---- */

static void blocks_spill_and_load(void)
{
    struct store *store = create(2, 0);
    for (int64_t n = 0; n < 6; n++)
        expect(put(store, block(0, n), 100.0 * (double)n) == STORE_OK);
    struct store_counters counters = counters_of(store);
    expect(counters.blocks == 6 && counters.spills == 4 && counters.loads == 0);
    expect(counters.memory_bytes == 2 * BLOCK_BYTES && counters.disk_bytes == 4 * BLOCK_BYTES);
    expect(counters.spilled_bytes == 4 * BLOCK_BYTES);
    for (int64_t n = 0; n < 6; n++)
        expect(is_there(store, block(0, n), 100.0 * (double)n));
    /* Blocks 4 and 5 were written once more; later rounds write nothing, because nothing changes.
     */
    expect(counters_of(store).loads == 6 && counters_of(store).spills == 6);
    for (int64_t n = 0; n < 6; n++)
        expect(is_there(store, block(0, n), 100.0 * (double)n));
    expect(counters_of(store).loads == 12 && counters_of(store).spills == 6);
    store_destroy(store);
}

static void least_recently_used_leaves(void)
{
    struct store *store = create(3, 0);
    for (int64_t n = 0; n < 3; n++)
        expect(put(store, block(0, n), 1) == STORE_OK);
    expect(is_there(store, block(0, 0), 1));
    expect(put(store, block(0, 3), 1) == STORE_OK); /* 1 leaves */
    expect(is_there(store, block(0, 0), 1) && is_there(store, block(0, 2), 1));
    expect(counters_of(store).loads == 0);
    expect(is_there(store, block(0, 1), 1) && counters_of(store).loads == 1);
    store_destroy(store);
}

static void served_arrays_leave_first(void)
{
    struct store *store = create(3, 0);
    expect_ok(store_set_served(store, SERVED));
    expect(put(store, block(0, 0), 1) == STORE_OK);
    expect(put(store, block(0, 1), 1) == STORE_OK);
    expect(put(store, block(SERVED, 0), 7) == STORE_OK); /* hottest of all */
    expect(put(store, block(0, 2), 1) == STORE_OK);
    for (int64_t n = 0; n < 3; n++)
        expect(is_there(store, block(0, n), 1));
    expect(counters_of(store).loads == 0 && counters_of(store).spills == 1);
    expect(is_there(store, block(SERVED, 0), 7) && counters_of(store).loads == 1);
    store_destroy(store);
}

static void flush_writes_served_arrays(void)
{
    struct store *store = create(8, 0);
    expect_ok(store_set_served(store, SERVED));
    for (int64_t n = 0; n < 3; n++)
        expect(put(store, block(SERVED, n), 1) == STORE_OK);
    expect(put(store, block(0, 0), 1) == STORE_OK);
    expect(store_flush(store) == STORE_OK && counters_of(store).spills == 3);
    expect(store_flush(store) == STORE_OK && counters_of(store).spills == 3);
    expect(is_there(store, block(SERVED, 1), 1) && counters_of(store).loads == 0);
    store_destroy(store);
}

static void residents_stay_where_they_are(void)
{
    struct store *store = create(1, 0);
    expect_ok(store_set_resident(store, RESIDENT, place, resident_blocks));
    for (int64_t n = 0; n < NUMBERS; n += 2)
        expect(put(store, block(RESIDENT, n), (double)n) == STORE_OK);
    for (int64_t n = 0; n < NUMBERS; n += 2)
        expect(resident_blocks[n][3] == (double)n + 3);
    struct store_counters counters = counters_of(store);
    expect(counters.blocks == NUMBERS / 2 && counters.memory_bytes == 0 && counters.spills == 0);
    expect(put(store, block(RESIDENT, 1), 5) == STORE_OK);
    expect(counters_of(store).memory_bytes == BLOCK_BYTES);
    store_destroy(store);
}

/* ---- when things are full or broken ---- */

static void full_disk_loses_nothing(void)
{
    struct store *store = create(2, 3);
    for (int64_t n = 0; n < 5; n++)
        expect(put(store, block(0, n), (double)n) == STORE_OK);
    for (int round = 0; round < 3; round++) {
        expect(put(store, block(0, 5), 5) == STORE_NO_SPACE);
        expect(!store_has(store, block(0, 5), NULL));
        for (int64_t n = 4; n >= 0; n--)
            expect(is_there(store, block(0, n), (double)n));
        expect(counters_of(store).memory_bytes <= 2 * BLOCK_BYTES);
    }
    for (int64_t n = 0; n < 5; n++) /* old blocks can be put again */
        expect(put(store, block(0, n), 10.0 + (double)n) == STORE_OK);
    for (int64_t n = 0; n < 5; n++)
        expect(is_there(store, block(0, n), 10.0 + (double)n));
    store_destroy(store);
}

/* Blocks of different sizes do not fit into one another's places; they stay readable all the same.
 */
static void full_disk_with_many_sizes(void)
{
    static struct model model;
    memset(&model, 0, sizeof model);
    struct store *store = create(2, 3);
    int refused = 0;
    for (uint64_t i = 0; i < 4000; i++) {
        struct block_id id =
            block((int)random_below(9, 3 * i, 3), (int64_t)random_below(9, 3 * i + 1, NUMBERS));
        if (random_below(9, 3 * i + 2, 2)) {
            compare_block(store, &model, id);
            continue;
        }
        bool was_there = model.there[id.array][id.number];
        enum store_outcome status = put(store, id, (double)i);
        refused += status == STORE_NO_SPACE;
        expect(status == STORE_OK || status == STORE_NO_SPACE);
        if (status == STORE_OK) {
            model.there[id.array][id.number] = true;
            model.value[id.array][id.number] = (double)i;
        } else if (was_there) {
            expect(store_has(store, id, NULL));
        }
        if (i % 500 == 499)
            drop(store, &model, id.array);
    }
    expect(refused > 100);
    store_destroy(store);
}

/* The disk says no: a limit on the size of files does so at the same call. */
static void failing_writes_lose_nothing(void)
{
    struct rlimit old, small = {.rlim_cur = 2 * BLOCK_BYTES + 40};
    struct store *store = create(2, 0);
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    expect(getrlimit(RLIMIT_FSIZE, &old) == 0);
    small.rlim_max = old.rlim_max;
    fflush(stdout);
    expect(setrlimit(RLIMIT_FSIZE, &small) == 0);
    for (int64_t n = 0; n < 4; n++)
        expect(put(store, block(0, n), (double)n) == STORE_OK);
    bool refused = put(store, block(0, 4), 4) == STORE_NO_SPACE;
    bool readable = true;
    for (int round = 0; round < 3; round++)
        for (int64_t n = 0; n < 4; n++)
            readable &= is_there(store, block(0, n), (double)n);
    expect(setrlimit(RLIMIT_FSIZE, &old) == 0);
    signal(SIGXFSZ, handler);
    expect(refused && readable);
    expect(put(store, block(0, 4), 4) == STORE_OK); /* there is room again */
    expect(is_there(store, block(0, 0), 0) && is_there(store, block(0, 4), 4));
    store_destroy(store);
}

static void no_spill_directory(void)
{
    struct store_config config = {.limit_bytes = 2 * BLOCK_BYTES,
                                  .spill_directory = "/nonexistent"};
    struct store *store;
    expect_ok(store_create(&store, &config));
    expect(put(store, block(0, 0), 0) == STORE_OK && put(store, block(0, 1), 1) == STORE_OK);
    expect(put(store, block(0, 2), 2) == STORE_DISK_ERROR);
    expect(is_there(store, block(0, 0), 0) && is_there(store, block(0, 1), 1));
    expect(store_flush(store) == STORE_OK);
    store_destroy(store);
}

static void acquired_blocks_stay(void)
{
    double *data[3];
    struct store *store = create(2, 0);
    expect(store_acquire(store, block(0, 0), ELEMENTS, STORE_WRITE, &data[0], NULL) == STORE_OK);
    expect(store_acquire(store, block(0, 1), ELEMENTS, STORE_UPDATE, &data[1], NULL) == STORE_OK);
    expect(store_acquire(store, block(0, 2), ELEMENTS, STORE_WRITE, &data[2], NULL) ==
           STORE_NO_MEMORY);
    expect(!store_has(store, block(0, 2), NULL) && !store_drop_array(store, 0));
    expect(store_acquire(store, block(0, 1), ELEMENTS, STORE_READ, &data[2], NULL) == STORE_OK);
    expect(data[2] == data[1] && data[1][0] == 0 && data[1][ELEMENTS - 1] == 0);
    expect(store_release(store, block(0, 1), false));
    expect(put(store, block(0, 2), 2) == STORE_NO_MEMORY); /* 1 was acquired twice */
    expect(store_release(store, block(0, 1), true));
    expect(put(store, block(0, 2), 2) == STORE_OK);
    expect(store_release(store, block(0, 0), true));
    store_destroy(store);
}

static void wrong_use(void)
{
    double *data;
    struct store *store = create(2, 0);
    expect(put(store, block(0, 0), 1) == STORE_OK);
    expect(!store_release(store, block(0, 0), false));
    expect(!store_release(store, block(0, 1), false));
    expect(is_there(store, block(0, 0), 1)); /* the second release did no harm */
    for (int intent = STORE_READ; intent <= STORE_UPDATE; intent++)
        expect(store_acquire(store, block(0, 0), ELEMENTS + 1, (enum store_intent)intent, &data,
                             NULL) == STORE_WRONG_SIZE);
    expect(store_acquire(store, block(0, 1), 0, STORE_WRITE, &data, NULL) == STORE_WRONG_SIZE);
    expect(store_acquire(store, block(0, 1), SIZE_MAX / 4, STORE_WRITE, &data, NULL) ==
           STORE_WRONG_SIZE);
    expect(store_acquire(store, block(0, 1), 3 * ELEMENTS, STORE_WRITE, &data, NULL) ==
           STORE_NO_MEMORY);
    expect(store_acquire(store, block(0, 1), ELEMENTS, STORE_READ, &data, NULL) == STORE_MISSING);
    for (int status = STORE_OK; status <= STORE_WRONG_SIZE; status++)
        expect(strlen(store_outcome_text((enum store_outcome)status)) > 10);
    store_destroy(store);
}

static void stamps_survive_the_disk(void)
{
    double *data;
    struct store_stamp *stamp, copy;
    struct store *store = create(1, 0);
    expect(store_acquire(store, block(0, 0), ELEMENTS, STORE_WRITE, &data, &stamp) == STORE_OK);
    expect(stamp->epoch == -1);
    conflict_note_put(stamp, 3, 1, false, 42);
    expect(store_release(store, block(0, 0), true));
    expect(put(store, block(0, 1), 1) == STORE_OK);
    expect(store_has(store, block(0, 0), &copy));
    expect(copy.epoch == 3 && copy.writer == 1 && copy.statement == 42);
    store_destroy(store);
}

/* ---- conflicts ---- */

static bool gets(const struct store_stamp *stamp, int epoch, int worker, int *other)
{
    int statement;
    return conflict_of_get(stamp, epoch, worker, other, &statement);
}
static bool puts_or_adds(const struct store_stamp *stamp, int epoch, int worker, bool add)
{
    int other, statement;
    return conflict_of_put(stamp, epoch, worker, add, &other, &statement);
}

static void conflicts_after_a_put(void)
{
    int other = -1;
    struct store_stamp stamp = {.epoch = -1};
    expect(!gets(&stamp, 0, 1, &other) && !puts_or_adds(&stamp, 0, 1, false));
    conflict_note_put(&stamp, 0, 1, false, 10);
    expect(gets(&stamp, 0, 2, &other) && other == 1);
    expect(!gets(&stamp, 0, 1, &other) && !gets(&stamp, 1, 2, &other));
    expect(puts_or_adds(&stamp, 0, 2, false) && puts_or_adds(&stamp, 0, 2, true));
    expect(!puts_or_adds(&stamp, 0, 1, false) && !puts_or_adds(&stamp, 1, 2, false));
    conflict_note_put(&stamp, 0, 1, true, 11); /* still put, too */
    expect(puts_or_adds(&stamp, 0, 2, true));
}

static void conflicts_after_additions(void)
{
    int other = -1, statement = -1;
    struct store_stamp stamp = {.epoch = -1};
    conflict_note_put(&stamp, 5, 1, true, 10);
    expect(!puts_or_adds(&stamp, 5, 2, true) && puts_or_adds(&stamp, 5, 2, false));
    expect(!gets(&stamp, 5, 1, &other) && gets(&stamp, 5, 2, &other));
    conflict_note_put(&stamp, 5, 2, true, 20);
    expect(conflict_of_get(&stamp, 5, 2, &other, &statement) && other == 1 && statement == 10);
    expect(conflict_of_get(&stamp, 5, 1, &other, &statement) && other == 2 && statement == 20);
    expect(puts_or_adds(&stamp, 5, 1, false) && puts_or_adds(&stamp, 5, 2, false));
    expect(!puts_or_adds(&stamp, 5, 3, true));
    conflict_note_put(&stamp, 6, 3, false, 30); /* a new epoch forgets */
    expect(!gets(&stamp, 6, 3, &other) && gets(&stamp, 6, 1, &other) && other == 3);
}

int main(void)
{
    run_test(random_operations);
    run_test(blocks_spill_and_load);
    run_test(least_recently_used_leaves);
    run_test(served_arrays_leave_first);
    run_test(flush_writes_served_arrays);
    run_test(residents_stay_where_they_are);
    run_test(full_disk_loses_nothing);
    run_test(full_disk_with_many_sizes);
    run_test(failing_writes_lose_nothing);
    run_test(no_spill_directory);
    run_test(acquired_blocks_stay);
    run_test(wrong_use);
    run_test(stamps_survive_the_disk);
    run_test(conflicts_after_a_put);
    run_test(conflicts_after_additions);
    return end_tests();
}
