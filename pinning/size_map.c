#include "size_map.h"

#include <stdlib.h>
#include <string.h>

/* Index of the first class of at least `bytes`. */
static size_t lower_bound(const struct size_map *map, size_t bytes)
{
    size_t low = 0, high = map->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (map->classes[middle].bytes < bytes)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Makes room for one more element; the array may move. */
static bool reserve(void **array, size_t element_bytes, size_t count, size_t *capacity)
{
    if (count < *capacity)
        return true;
    size_t larger = *capacity ? 2 * *capacity : 8;
    void *moved = realloc(*array, larger * element_bytes);
    if (!moved)
        return false;
    *array = moved;
    *capacity = larger;
    return true;
}

bool size_map_add(struct size_map *map, size_t bytes, void *block)
{
    size_t at = lower_bound(map, bytes);
    if (at == map->count || map->classes[at].bytes != bytes) {
        void **blocks = malloc(8 * sizeof *blocks);
        void *classes = map->classes;
        if (!blocks || !reserve(&classes, sizeof *map->classes, map->count, &map->capacity)) {
            free(blocks);
            return false;
        }
        map->classes = classes;
        memmove(&map->classes[at + 1], &map->classes[at], (map->count - at) * sizeof *map->classes);
        map->classes[at] = (struct size_class){bytes, blocks, 0, 8};
        map->count++;
    }
    struct size_class *class = &map->classes[at];
    void *blocks = class->blocks;
    if (!reserve(&blocks, sizeof *class->blocks, class->count, &class->capacity))
        return false;
    class->blocks = blocks;
    class->blocks[class->count++] = block;
    return true;
}

void *size_map_take(struct size_map *map, size_t bytes)
{
    size_t at = lower_bound(map, bytes);
    if (at == map->count)
        return NULL;
    struct size_class *class = &map->classes[at];
    void *block = class->blocks[--class->count];
    if (class->count == 0) {
        free(class->blocks);
        map->count--;
        memmove(class, class + 1, (map->count - at) * sizeof *class);
    }
    return block;
}

void size_map_free(struct size_map *map)
{
    for (size_t i = 0; i < map->count; i++)
        free(map->classes[i].blocks);
    free(map->classes);
    *map = (struct size_map){0};
}
