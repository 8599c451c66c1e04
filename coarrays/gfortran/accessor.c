#include "accessor.h"

#include <stdbool.h>
#include <stdlib.h>

#include "abi.h"
#include "status.h"

struct entry {
    int hash;
    accessor *procedure;
};
static struct entry *entries;
static int count, capacity;
static bool is_sorted;

void _gfortran_caf_register_accessor(int hash, accessor *procedure)
{
    if (count == capacity) {
        capacity = 2 * capacity + 64;
        entries = realloc(entries, (size_t)capacity * sizeof *entries);
        if (!entries)
            status_fatal("no memory for %d references to coarrays", capacity);
    }
    entries[count++] = (struct entry){hash, procedure};
    is_sorted = false;
}

static int compare(const void *a, const void *b)
{
    int hash_a = ((const struct entry *)a)->hash, hash_b = ((const struct entry *)b)->hash;
    return (hash_a > hash_b) - (hash_a < hash_b);
}

void _gfortran_caf_register_accessors_finish(void)
{
    if (!is_sorted && count > 1)
        qsort(entries, (size_t)count, sizeof *entries, compare);
    is_sorted = true;
}

/* Numbers are made of the names of program units and procedures, and those of two source files may
 * be alike: then one reference would be taken for another. */
static bool is_ambiguous(int index)
{
    for (int i = index; i > 0 && entries[i - 1].hash == entries[index].hash; i--)
        if (entries[i - 1].procedure != entries[index].procedure)
            return true;
    for (int i = index; i + 1 < count && entries[i + 1].hash == entries[index].hash; i++)
        if (entries[i + 1].procedure != entries[index].procedure)
            return true;
    return false;
}

int _gfortran_caf_get_remote_function_index(int hash)
{
    _gfortran_caf_register_accessors_finish();
    struct entry key = {.hash = hash};
    struct entry *found =
        count > 0 ? bsearch(&key, entries, (size_t)count, sizeof *entries, compare) : NULL;
    if (!found)
        status_fatal("a reference to a coarray was not registered (number %d)", hash);
    int index = (int)(found - entries);
    if (is_ambiguous(index))
        status_fatal(
            "two references to coarrays have the same number, %d: the compiler makes it of "
            "the names of procedures; put those of equal names into modules",
            hash);
    return index;
}

accessor *accessor_of(int index)
{
    if (index < 0 || index >= count)
        status_fatal("there is no reference to a coarray with index %d of %d", index, count);
    return entries[index].procedure;
}
