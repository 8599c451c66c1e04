#include "scope.h"

#include <stdlib.h>
#include <string.h>

#include "common/random.h"

#include "allocate.h"
#include "exit.h"

/* A block, or, with MEMORY_KINDS, the begin of a scope; the last one first. */
struct entry {
    struct entry *below;
    enum memory_kind kind;
    void *block;
};

static struct entry *top;

static void push(enum memory_kind kind, void *block)
{
    struct entry *entry = allocate_or_fail(1, sizeof *entry);
    *entry = (struct entry){top, kind, block};
    top = entry;
}

void scope_open(void)
{
    push(MEMORY_KINDS, NULL);
}

void scope_close(void)
{
    bool begun = false;
    while (top && !begun) {
        struct entry *entry = top;
        top = entry->below;
        begun = entry->kind == MEMORY_KINDS;
        if (!begun)
            memory_release(entry->kind, entry->block);
        free(entry);
    }
}

void *scope_allocate(enum memory_kind kind, size_t bytes)
{
    void *block = memory_allocate(kind, bytes);
    push(kind, block);
    return block;
}

void *scope_random(enum memory_kind kind, size_t bytes, uint64_t seed)
{
    void *block = scope_allocate(kind, bytes);
    if (memory_operations[kind].host_access) {
        random_fill_bytes(block, bytes, seed);
        return block;
    }
    void *host = memory_allocate(MEMORY_PAGEABLE, bytes);
    random_fill_bytes(host, bytes, seed);
    memory_copy(block, host, bytes);
    memory_release(MEMORY_PAGEABLE, host);
    return block;
}

void *scope_zeros(enum memory_kind kind, size_t bytes)
{
    void *block = scope_allocate(kind, bytes);
    if (memory_operations[kind].host_access) {
        memset(block, 0, bytes);
    } else {
        check_cuda(cudaMemset(block, 0, bytes));
        check_cuda(cudaDeviceSynchronize());
    }
    return block;
}

long count_wrong_bytes(const void *block, size_t bytes, uint64_t seed)
{
    void *host = memory_allocate(MEMORY_PAGEABLE, bytes);
    memory_copy(host, block, bytes);
    size_t wrong = random_count_wrong_bytes(host, bytes, seed);
    memory_release(MEMORY_PAGEABLE, host);
    return (long)wrong;
}
