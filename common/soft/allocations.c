/* allocations.c: all allocations in an array ordered by address, found by binary search. */
#include <stdlib.h>
#include <string.h>

#include "runtime.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static struct allocation **table;
static size_t count, capacity;

/* Number of allocations that start at or below the address. */
static size_t rank_of(uintptr_t address)
{
    size_t low = 0, high = count;

    while (low < high) {
        size_t middle = (low + high) / 2;
        if (table[middle]->base <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static struct allocation *containing(uintptr_t address)
{
    size_t rank = rank_of(address);

    if (rank == 0 || address - table[rank - 1]->base >= table[rank - 1]->bytes)
        return NULL;
    return table[rank - 1];
}

static bool overlaps(uintptr_t base, size_t bytes)
{
    size_t rank = rank_of(base);

    return containing(base) || (rank < count && table[rank]->base - base < bytes);
}

static bool make_room(void)
{
    if (count < capacity)
        return true;
    size_t larger = capacity ? 2 * capacity : 64;
    struct allocation **grown = realloc(table, larger * sizeof *grown);
    if (!grown)
        return false;
    table = grown;
    capacity = larger;
    return true;
}

/* cudaErrorHostMemoryAlreadyRegistered if it overlaps an allocation. */
cudaError_t allocation_insert(const struct allocation *allocation)
{
    struct allocation *copy = malloc(sizeof *copy);
    cudaError_t error = cudaSuccess;

    if (!copy)
        return cudaErrorMemoryAllocation;
    *copy = *allocation;
    pthread_rwlock_wrlock(&lock);
    if (overlaps(copy->base, copy->bytes))
        error = cudaErrorHostMemoryAlreadyRegistered;
    else if (!make_room())
        error = cudaErrorMemoryAllocation;
    if (error == cudaSuccess) {
        size_t rank = rank_of(copy->base);
        memmove(table + rank + 1, table + rank, (count - rank) * sizeof *table);
        table[rank] = copy;
        count++;
    }
    pthread_rwlock_unlock(&lock);
    if (error != cudaSuccess)
        free(copy);
    return error;
}

bool allocation_find(const void *address, struct allocation *found)
{
    pthread_rwlock_rdlock(&lock);
    struct allocation *allocation = containing((uintptr_t)address);
    if (allocation)
        *found = *allocation;
    pthread_rwlock_unlock(&lock);
    return allocation != NULL;
}

bool allocation_overlaps(const void *address, size_t bytes)
{
    pthread_rwlock_rdlock(&lock);
    bool result = overlaps((uintptr_t)address, bytes);
    pthread_rwlock_unlock(&lock);
    return result;
}

bool allocation_take(const void *address, unsigned kinds, struct allocation *taken)
{
    struct allocation *allocation = NULL;

    pthread_rwlock_wrlock(&lock);
    size_t rank = rank_of((uintptr_t)address);
    if (rank > 0 && table[rank - 1]->base == (uintptr_t)address &&
        (1u << table[rank - 1]->kind & kinds)) {
        allocation = table[rank - 1];
        *taken = *allocation;
        memmove(table + rank - 1, table + rank, (count - rank) * sizeof *table);
        count--;
    }
    pthread_rwlock_unlock(&lock);
    free(allocation);
    return allocation != NULL;
}

void allocation_set_shared_file(const void *base, int file)
{
    pthread_rwlock_wrlock(&lock);
    struct allocation *allocation = containing((uintptr_t)base);
    if (allocation)
        allocation->shared_file = file;
    pthread_rwlock_unlock(&lock);
}

bool allocation_of_device(int device, unsigned kinds, const void *owner, struct allocation *found)
{
    bool any = false;

    pthread_rwlock_rdlock(&lock);
    for (size_t i = 0; i < count && !any; i++)
        if (table[i]->device == device && (1u << table[i]->kind & kinds) &&
            (!owner || table[i]->owner == owner)) {
            *found = *table[i];
            any = true;
        }
    pthread_rwlock_unlock(&lock);
    return any;
}
