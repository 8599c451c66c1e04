/* The index list against a plain model, and the order of sets with and without prefetching. */
#include <string.h>

#include "common/random.h"
#include "prefetch/sip/index_list.h"
#include "prefetch/sip/loop.h"
#include "tests/unit/test_status.h"

enum { SITES = 4, EVENTS_MAX = 4 };

/* ---- a loop that counts from 0, and how often it was asked for the next set ---- */

struct counter {
    int length;
    int *asked;
};

static bool count_first(const void *context, struct index_set *set)
{
    const struct counter *counter = context;
    *set = (struct index_set){{0}};
    return counter->length > 0;
}

static bool count_next(const void *context, const struct index_set *current, struct index_set *next)
{
    const struct counter *counter = context;
    *next = *current;
    ++*counter->asked;
    return ++next->value[0] < counter->length;
}

static struct index_source source_of(const struct counter *counter)
{
    return (struct index_source){count_first, count_next, counter};
}

/* ---- the model ---- */

struct event {
    enum index_list_event kind;
    int site;
    size_t before, length;
    uint64_t front, position;
};

struct journal {
    struct event events[EVENTS_MAX];
    int count;
};

static void note(void *context, enum index_list_event kind, int site, size_t before, size_t length,
                 uint64_t front, uint64_t position)
{
    struct journal *journal = context;
    expect(journal->count < EVENTS_MAX);
    if (journal->count < EVENTS_MAX)
        journal->events[journal->count++] =
            (struct event){kind, site, before, length, front, position};
}

struct model {
    uint64_t total, front, end; /* the list is [front, end) of the loop's sets */
    uint64_t position[SITES];
};

static uint64_t model_position(const struct model *model, int site)
{
    return model->position[site] > model->front ? model->position[site] : model->front;
}

static void expect_event(const struct event *event, enum index_list_event kind, int site,
                         uint64_t before, uint64_t length, uint64_t front, uint64_t position)
{
    expect(event->kind == kind && event->site == site);
    expect(event->before == before && event->length == length);
    expect(event->front == front && event->position == position);
}

/* The peek that update and prefetch start with. */
static void model_peek(struct model *model, uint64_t position, const struct journal *journal)
{
    uint64_t before = model->end - model->front;
    if (position + 1 == model->end && model->end < model->total)
        model->end++;
    expect(journal->count == 2);
    expect_event(&journal->events[0], INDEX_LIST_PEEK, -1, before, model->end - model->front,
                 model->front, position);
}

static void update_both(struct index_list *list, struct model *model, struct journal *journal)
{
    struct index_set set;
    bool more = model->front < model->total;
    journal->count = 0;
    expect(index_list_update(list, &set) == more);
    expect(more || journal->count == 0);
    if (!more)
        return;
    expect((uint64_t)set.value[0] == model->front);
    model_peek(model, model->front, journal);
    model->front++;
    uint64_t length = model->end - model->front;
    expect_event(&journal->events[1], INDEX_LIST_UPDATE, -1, length + 1, length, model->front,
                 model->front - 1);
}

static void prefetch_both(struct index_list *list, struct model *model, int site,
                          struct journal *journal)
{
    struct index_set set;
    uint64_t position = model_position(model, site);
    bool more = position < model->total;
    journal->count = 0;
    expect(index_list_prefetch(list, site, &set) == more);
    expect(more || journal->count == 0);
    if (!more)
        return;
    expect((uint64_t)set.value[0] == position);
    model_peek(model, position, journal);
    model->position[site] = position + 1;
    uint64_t length = model->end - model->front;
    expect_event(&journal->events[1], INDEX_LIST_PREFETCH, site, length, length, model->front,
                 position);
}

/* One operation in `prefetches` + 1 is an update. */
static void operate(int length, uint64_t prefetches, uint64_t seed)
{
    struct journal journal = {.count = 0};
    struct index_list_observer observer = {note, &journal};
    int asked = 0;
    struct counter counter = {length, &asked};
    struct index_source source = source_of(&counter);
    struct index_list *list;
    expect_ok(index_list_open(&list, &source, SITES, &observer));
    struct model model = {.total = (uint64_t)length, .end = length > 0};
    expect(list);
    for (uint64_t step = 0; list && step < 4 * (uint64_t)length * (prefetches + 1) + 20; step++) {
        int site = (int)random_below(seed, 2 * step, SITES);
        if (random_below(seed, 2 * step + 1, prefetches + 1) == 0)
            update_both(list, &model, &journal);
        else
            prefetch_both(list, &model, site, &journal);
        expect(index_list_length(list) == model.end - model.front);
        for (int other = 0; other < SITES; other++)
            expect(index_list_ahead(list, other) == model_position(&model, other) - model.front);
        expect((uint64_t)asked <= model.end);
    }
    expect(index_list_length(list) == 0);
    index_list_close(list);
}

static void random_operations_agree_with_a_model(void)
{
    static const int lengths[] = {0, 1, 2, 3, 8, 60};
    for (uint64_t seed = 0; seed < 30; seed++)
        for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++)
            operate(lengths[i], seed % 10, seed);
}

/* ---- one property each ---- */

static void sets_are_made_only_when_somebody_looks(void)
{
    int asked = 0;
    struct counter counter = {1000, &asked};
    struct index_source source = source_of(&counter);
    struct index_list *list;
    expect_ok(index_list_open(&list, &source, 1, NULL));
    struct index_set set;
    expect(asked == 0 && index_list_length(list) == 1);
    index_list_update(list, &set);
    expect(asked == 1 && index_list_length(list) == 1);
    for (int i = 0; i < 100; i++)
        expect(index_list_prefetch(list, 0, &set) && set.value[0] == 1 + i);
    expect(asked == 101 && index_list_length(list) == 101 && index_list_ahead(list, 0) == 100);
    for (int i = 0; i < 100; i++)
        expect(index_list_update(list, &set) && set.value[0] == 1 + i);
    expect(asked == 101 && index_list_length(list) == 1 && index_list_ahead(list, 0) == 0);
    index_list_close(list);
}

static void a_loop_of_one_iteration_has_nothing_to_prefetch(void)
{
    int asked = 0;
    struct counter counter = {1, &asked};
    struct index_source source = source_of(&counter);
    struct index_list *list;
    expect_ok(index_list_open(&list, &source, 1, NULL));
    struct index_set set;
    expect(index_list_update(list, &set) && set.value[0] == 0);
    expect(!index_list_prefetch(list, 0, &set) && !index_list_update(list, &set));
    expect(index_list_length(list) == 0 && index_list_ahead(list, 0) == 0);
    index_list_close(list);
}

static void a_site_that_skipped_iterations_goes_on_behind_the_current_set(void)
{
    int asked = 0;
    struct counter counter = {10, &asked};
    struct index_source source = source_of(&counter);
    struct index_list *list;
    expect_ok(index_list_open(&list, &source, 2, NULL));
    struct index_set set;
    index_list_update(list, &set);
    expect(index_list_prefetch(list, 0, &set) && set.value[0] == 1);
    for (int i = 0; i < 5; i++)
        index_list_update(list, &set);
    expect(set.value[0] == 5 && index_list_ahead(list, 0) == 0);
    expect(index_list_prefetch(list, 0, &set) && set.value[0] == 6);
    expect(index_list_prefetch(list, 1, &set) && set.value[0] == 6);
    expect(index_list_ahead(list, 0) == 1 && index_list_ahead(list, 1) == 1);
    index_list_close(list);
}

static bool ascends(void *context, const struct index_set *set)
{
    (void)context;
    return set->value[0] <= set->value[1];
}

/* A balanced loop with a where clause: sites fill up to their distances, which differ and change.
 */
static void prefetching_leaves_the_order_of_any_loop_alone(void)
{
    for (uint64_t seed = 0; seed < 40; seed++) {
        struct loop loop = {.kind = (enum loop_kind)(seed % 5),
                            .count = 2,
                            .low = {1, 1},
                            .high = {9, 8},
                            .workers = 3,
                            .valid = ascends};
        struct index_source source = loop_source(&loop);
        struct index_list *list;
        expect_ok(index_list_open(&list, &source, SITES, NULL));
        struct index_set plain, set, last[SITES];
        bool started[SITES] = {false};
        bool more = source.first(source.context, &plain);
        for (uint64_t step = 0; more; step++) {
            expect(index_list_update(list, &set) && memcmp(&set, &plain, sizeof set) == 0);
            struct index_set current = plain, expected;
            more = source.next(source.context, &current, &plain);
            for (int site = 0; site < SITES; site++) {
                size_t distance = random_below(seed, step * SITES + (unsigned)site, 6);
                while (index_list_ahead(list, site) < distance) {
                    /* A site that has nothing outstanding starts behind the current set. */
                    bool behind = !started[site] || index_list_ahead(list, site) == 0;
                    bool exists =
                        source.next(source.context, behind ? &current : &last[site], &expected);
                    expect(index_list_prefetch(list, site, &set) == exists);
                    if (!exists)
                        break;
                    expect(memcmp(&set, &expected, sizeof set) == 0);
                    last[site] = set;
                    started[site] = true;
                }
            }
        }
        expect(!index_list_update(list, &set));
        index_list_close(list);
    }
}

int main(void)
{
    run_test(random_operations_agree_with_a_model);
    run_test(sets_are_made_only_when_somebody_looks);
    run_test(a_loop_of_one_iteration_has_nothing_to_prefetch);
    run_test(a_site_that_skipped_iterations_goes_on_behind_the_current_set);
    run_test(prefetching_leaves_the_order_of_any_loop_alone);
    return end_tests();
}
