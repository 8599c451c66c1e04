#include "heap.h"

static size_t granules_of(size_t bytes)
{
    return bytes ? (bytes + GRANULE_BYTES - 1) / GRANULE_BYTES : 1;
}

/* The first granule at or after `at` whose bit is `taken`, GRANULES if there is none. */
static size_t find(const struct granule_map *map, size_t at, bool taken)
{
    while (at < GRANULES) {
        uint64_t word = taken ? map->taken[at / 64] : ~map->taken[at / 64];
        word &= ~UINT64_C(0) << at % 64;
        if (word)
            return at / 64 * 64 + (size_t)__builtin_ctzll(word);
        at = at / 64 * 64 + 64;
    }
    return GRANULES;
}

static void mark(struct granule_map *map, size_t first, size_t count)
{
    for (size_t i = first; i < first + count; i++)
        map->taken[i / 64] ^= UINT64_C(1) << i % 64;
}

bool granules_take(struct granule_map *map, size_t bytes, size_t *offset)
{
    size_t count = granules_of(bytes), first = find(map, 0, false);
    while (first + count <= GRANULES) {
        size_t end = find(map, first, true);
        if (end - first >= count) {
            mark(map, first, count);
            map->used += count;
            *offset = first * GRANULE_BYTES;
            return true;
        }
        first = find(map, end, false);
    }
    return false;
}

void granules_give(struct granule_map *map, size_t bytes, size_t offset)
{
    size_t count = granules_of(bytes);
    mark(map, offset / GRANULE_BYTES, count);
    map->used -= count;
}
