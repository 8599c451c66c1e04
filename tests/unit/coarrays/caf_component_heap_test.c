/* The heap of allocatable components against a plain model, and addresses that are none of its. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "coarrays/gfortran/component_heap.h"
#include "common/random.h"
#include "tests/unit/test.h"

enum { BYTES = 1 << 16, LINE = 64, BLOCKS = 100 };

struct block {
    unsigned char *memory;
    size_t bytes;
    unsigned char fill;
};

static _Alignas(LINE) unsigned char memory[BYTES];

static void empty_and_tiny_heaps_are_full(void)
{
    struct component_heap heap;
    component_heap_start(&heap, memory, 0);
    expect(!component_heap_allocate(&heap, 0));
    component_heap_start(&heap, memory, 2 * LINE - 1);
    expect(!component_heap_allocate(&heap, 1));
    component_heap_start(&heap, memory, 2 * LINE);
    void *only = component_heap_allocate(&heap, LINE);
    expect(only == memory + LINE);
    expect(!component_heap_allocate(&heap, 0));
    expect(component_heap_free(&heap, only));
    expect(component_heap_allocate(&heap, 0) == only);
}

static void all_of_it_can_be_one_block(void)
{
    struct component_heap heap;
    component_heap_start(&heap, memory, BYTES);
    expect(!component_heap_allocate(&heap, BYTES - LINE + 1));
    void *all = component_heap_allocate(&heap, BYTES - LINE);
    expect(all != NULL);
    expect(!component_heap_allocate(&heap, 0));
    expect(component_heap_free(&heap, all));
    expect(!component_heap_allocate(&heap, SIZE_MAX));
    expect(!component_heap_allocate(&heap, (size_t)PTRDIFF_MAX));
}

static void neighbours_become_one_in_any_order(void)
{
    static const int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                     {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    for (int i = 0; i < 6; i++) {
        struct component_heap heap;
        void *blocks[3];
        component_heap_start(&heap, memory, 8 * LINE);
        for (int b = 0; b < 3; b++)
            blocks[b] = component_heap_allocate(&heap, LINE);
        for (int b = 0; b < 3; b++)
            expect(component_heap_free(&heap, blocks[orders[i][b]]));
        expect(component_heap_allocate(&heap, 7 * LINE) == memory + LINE);
    }
}

static void other_addresses_are_refused(void)
{
    struct component_heap heap;
    component_heap_start(&heap, memory, BYTES);
    unsigned char *block = component_heap_allocate(&heap, 1000), outside = 0;
    memset(block, 0xff, 1000);
    expect(!component_heap_free(&heap, NULL));
    expect(!component_heap_free(&heap, &outside));
    expect(!component_heap_free(&heap, (void *)(uintptr_t)0xdeadbeef));
    expect(!component_heap_free(&heap, memory));
    expect(!component_heap_free(&heap, memory + BYTES));
    expect(!component_heap_free(&heap, block + 1));
    expect(!component_heap_free(&heap, block + LINE));
    expect(!component_heap_free(&heap, block + 2000));
    expect(component_heap_free(&heap, block));
    expect(!component_heap_free(&heap, block)); /* twice */
    expect(component_heap_allocate(&heap, BYTES - LINE) == block);
}

/* A header that was copied with other data is none. */
static void copies_of_headers_are_refused(void)
{
    struct component_heap heap;
    component_heap_start(&heap, memory, BYTES);
    unsigned char *block = component_heap_allocate(&heap, 4 * LINE);
    memcpy(block + LINE, block - LINE, LINE);
    expect(!component_heap_free(&heap, block + 2 * LINE));
    expect(component_heap_free(&heap, block));
}

static bool is_filled(const struct block *block)
{
    for (size_t i = 0; i < block->bytes; i++)
        if (block->memory[i] != block->fill)
            return false;
    return true;
}

/* Blocks keep what is written into them; when all are freed the heap is whole again. */
static void random_operations_keep_the_contents(void)
{
    struct component_heap heap;
    struct block blocks[BLOCKS] = {0};
    size_t refused = 0;
    component_heap_start(&heap, memory, BYTES);
    for (uint64_t i = 0; i < 50000; i++) {
        struct block *block = &blocks[random_below(3, 3 * i, BLOCKS)];
        if (block->memory) {
            expect(is_filled(block));
            expect(component_heap_free(&heap, block->memory));
            block->memory = NULL;
            continue;
        }
        block->bytes = random_below(3, 3 * i + 1, i % 20 ? 1500 : BYTES / 4);
        block->fill = (unsigned char)random_bits(3, 3 * i + 2);
        block->memory = component_heap_allocate(&heap, block->bytes);
        refused += !block->memory;
        expect((uintptr_t)block->memory % LINE == 0);
        if (block->memory)
            memset(block->memory, block->fill, block->bytes);
    }
    expect(refused > 100 && refused < 25000);
    for (int b = 0; b < BLOCKS; b++)
        if (blocks[b].memory)
            expect(is_filled(&blocks[b]) && component_heap_free(&heap, blocks[b].memory));
    expect(component_heap_allocate(&heap, BYTES - LINE) == memory + LINE);
}

int main(void)
{
    run_test(empty_and_tiny_heaps_are_full);
    run_test(all_of_it_can_be_one_block);
    run_test(neighbours_become_one_in_any_order);
    run_test(other_addresses_are_refused);
    run_test(copies_of_headers_are_refused);
    run_test(random_operations_keep_the_contents);
    return end_tests();
}
