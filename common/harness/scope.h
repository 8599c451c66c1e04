/* scope.h: memory that is released by itself: at the end of the comparison in which it was
 * allocated, or of the program. */
#ifndef COMMON_SCOPE_H
#define COMMON_SCOPE_H

#include <stdint.h>

#include "common/memory.h"

/* A block of a kind of memory until the innermost open scope is closed; ends the program with a
 * sentence if there is none. */
void *scope_allocate(enum memory_kind kind, size_t bytes);

/* The same with random bytes of that seed. */
void *scope_random(enum memory_kind kind, size_t bytes, uint64_t seed);

/* The same, all zero. */
void *scope_zeros(enum memory_kind kind, size_t bytes);

/* compare_tasks and the program's main function open and close scopes; each is closed in the
 * reverse order of opening. */
void scope_open(void);
void scope_close(void);

/* Bytes of a block of any kind that differ from random bytes of that seed. */
long count_wrong_bytes(const void *block, size_t bytes, uint64_t seed);

#endif
