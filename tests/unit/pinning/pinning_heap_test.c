/* The heap of segments, the address map, the ordered map and the pointer table against plain
 * models. */
#include <stdlib.h>
#include <string.h>

#include "common/random.h"
#include "pinning/address_map.h"
#include "pinning/heap.h"
#include "pinning/pointer_table.h"
#include "pinning/size_map.h"
#include "tests/unit/test.h"

enum { SEGMENT = 1 << 20, EXTENTS = 200 };

static char *segment_at(size_t number)
{
    return (char *)(((uintptr_t)1 << 40) + number * 4 * SEGMENT); /* never dereferenced */
}

static void classes_are_monotonic_and_tight(void)
{
    unsigned last = 0;
    for (size_t bytes = GRANULE_BYTES; bytes < (size_t)1 << 26; bytes += GRANULE_BYTES) {
        unsigned class = heap_class_of(bytes);
        expect(class == last || class == last + 1);
        last = class;
    }
    expect(heap_class_of((size_t)1 << HEAP_LARGEST_SHIFT) < HEAP_CLASSES);
    expect(heap_round(0) == GRANULE_BYTES && heap_round(1) == GRANULE_BYTES);
    expect(heap_round(GRANULE_BYTES + 1) == 2 * GRANULE_BYTES);
    expect(heap_round(SIZE_MAX) == 0 && heap_round(((size_t)1 << HEAP_LARGEST_SHIFT) + 1) == 0);
}

static void overlaps_nothing(struct extent *const *extents, size_t number)
{
    char *low = extents[number]->base, *high = low + extents[number]->bytes;
    for (size_t i = 0; i < EXTENTS; i++)
        if (i != number && extents[i])
            expect(high <= extents[i]->base || extents[i]->base + extents[i]->bytes <= low);
}

static void random_operations_keep_the_rules(void)
{
    struct heap heap = {0};
    struct extent *extents[EXTENTS] = {0};
    for (size_t s = 0; s < 3; s++)
        expect(heap_add_segment(&heap, segment_at(s), SEGMENT));
    size_t refused = 0;
    for (uint64_t i = 0; i < 20000; i++) {
        size_t at = random_below(5, 3 * i, EXTENTS);
        if (extents[at]) {
            heap_release(&heap, extents[at]);
            extents[at] = NULL;
        } else {
            size_t bytes = heap_round(1 + random_bits(5, 3 * i + 1) % (i % 50 ? 40000 : SEGMENT));
            extents[at] = heap_allocate(&heap, bytes, random_below(5, 3 * i + 2, 2));
            refused += !extents[at];
            if (extents[at]) {
                expect(extents[at]->bytes == bytes);
                overlaps_nothing(extents, at);
            }
        }
        if (i % 64 == 0)
            expect(heap_check(&heap) == NULL);
    }
    expect(refused > 0);
    for (size_t at = 0; at < EXTENTS; at++)
        if (extents[at])
            heap_release(&heap, extents[at]);
    expect(heap_check(&heap) == NULL);
    size_t bytes, sum = 0;
    while (heap_take_free_segment(&heap, &bytes))
        sum += bytes;
    expect(sum == 3 * SEGMENT);
    heap_clear(&heap);
}

static void a_thorough_search_finds_the_exact_fit(void)
{
    struct heap heap = {0};
    size_t odd = 1001 * GRANULE_BYTES; /* not the smallest size of its class */
    expect(heap_add_segment(&heap, segment_at(0), odd));
    expect(heap_allocate(&heap, odd, false) == NULL);
    struct extent *extent = heap_allocate(&heap, odd, true);
    expect(extent && extent->bytes == odd);
    expect(heap_allocate(&heap, GRANULE_BYTES, true) == NULL);
    expect(extent && heap_release(&heap, extent));
    heap_clear(&heap);
}

static void a_segment_in_use_is_not_taken(void)
{
    struct heap heap = {0};
    size_t bytes;
    expect(heap_take_free_segment(&heap, &bytes) == NULL);
    expect(heap_add_segment(&heap, segment_at(0), SEGMENT));
    struct extent *low = heap_allocate(&heap, GRANULE_BYTES, false);
    struct extent *high = heap_allocate(&heap, GRANULE_BYTES, false);
    expect(!heap_release(&heap, low));
    expect(heap_take_free_segment(&heap, &bytes) == NULL);
    expect(heap_release(&heap, high));
    expect(heap_take_free_segment(&heap, &bytes) == segment_at(0) && bytes == SEGMENT);
    heap_clear(&heap);
}

static void addresses_are_found_again(void)
{
    struct address_map map = {0};
    char values[100];
    for (size_t i = 0; i < 100; i++)
        expect(address_map_set(&map, segment_at(i * 777), &values[i]));
    for (size_t i = 0; i < 100; i++)
        expect(address_map_get(&map, segment_at(i * 777)) == &values[i]);
    expect(address_map_get(&map, segment_at(1)) == NULL);
    expect(address_map_get(&map, NULL) == NULL);
    expect(address_map_get(&map, (void *)UINTPTR_MAX) == NULL);
    expect(!address_map_set(&map, (void *)UINTPTR_MAX, values));
    address_map_clear(&map);
    expect(address_map_get(&map, segment_at(0)) == NULL);
}

static void the_smallest_fitting_class_serves(void)
{
    struct size_map map = {0};
    static char blocks[64];
    size_t count = 0;
    expect(size_map_take(&map, 0) == NULL);
    for (size_t i = 0; i < 64; i++)
        expect(size_map_add(&map, 100 * (1 + random_below(3, i, 10)), &blocks[i]));
    for (size_t c = 1; c < map.count; c++)
        expect(map.classes[c - 1].bytes < map.classes[c].bytes);
    size_t smallest = map.classes[0].bytes;
    expect(size_map_take(&map, 1001) == NULL);
    expect(size_map_take(&map, smallest - 1) != NULL);
    while (size_map_take(&map, 0))
        count++;
    expect(count == 63 && map.count == 0);
    size_map_free(&map);
}

static void pointers_are_found_after_removals(void)
{
    enum { POINTERS = 500 };
    struct pointer_table table = {0};
    bool inside[POINTERS] = {0};
    char *base = segment_at(0);
    expect(pointer_table_find(&table, base) == NULL);
    for (uint64_t i = 0; i < 20000; i++) {
        size_t at = random_below(7, i, POINTERS);
        void *pointer = base + at * 4096;
        struct block_record *record = pointer_table_find(&table, pointer);
        expect(!record == !inside[at]);
        if (inside[at]) {
            expect(record->bytes == at + 1);
            pointer_table_remove(&table, pointer);
        } else {
            expect(pointer_table_insert(
                &table, (struct block_record){.pointer = pointer, .bytes = at + 1}));
        }
        inside[at] = !inside[at];
    }
    expect(pointer_table_find(&table, NULL) == NULL);
    free(table.places);
}

int main(void)
{
    run_test(classes_are_monotonic_and_tight);
    run_test(random_operations_keep_the_rules);
    run_test(a_thorough_search_finds_the_exact_fit);
    run_test(a_segment_in_use_is_not_taken);
    run_test(addresses_are_found_again);
    run_test(the_smallest_fitting_class_serves);
    run_test(pointers_are_found_after_removals);
    return end_tests();
}
