/* poison.h: tells AddressSanitizer which bytes of a mapping nobody may touch; nothing in other
 * builds. */
#ifndef SOFT_POISON_H
#define SOFT_POISON_H

#include <stddef.h>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#endif

static inline void poison(void *start, size_t bytes)
{
#ifdef __SANITIZE_ADDRESS__
    ASAN_POISON_MEMORY_REGION(start, bytes);
#else
    (void)start;
    (void)bytes;
#endif
}

static inline void unpoison(void *start, size_t bytes)
{
#ifdef __SANITIZE_ADDRESS__
    ASAN_UNPOISON_MEMORY_REGION(start, bytes);
#else
    (void)start;
    (void)bytes;
#endif
}

#endif
