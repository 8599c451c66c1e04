/* tsan_volatile.c: volatile accesses for ThreadSanitizer.
 *
 * CUDA programs poll flags through volatile, which for C is a data race. Compiled with
 * --param tsan-distinguish-volatile=1 such accesses come here: a volatile write publishes what was
 * done before it, and a volatile read sees that. */
#if defined(__SANITIZE_THREAD__)
#include "fiber.h"

#define VOLATILE_ACCESSES(bytes)                                                                   \
    void __tsan_volatile_read##bytes(void *address);                                               \
    void __tsan_volatile_write##bytes(void *address);                                              \
    void __tsan_volatile_read##bytes(void *address)                                                \
    {                                                                                              \
        fiber_acquire(address);                                                                    \
    }                                                                                              \
    void __tsan_volatile_write##bytes(void *address)                                               \
    {                                                                                              \
        fiber_release(address);                                                                    \
    }
VOLATILE_ACCESSES(1)
VOLATILE_ACCESSES(2)
VOLATILE_ACCESSES(4)
VOLATILE_ACCESSES(8)
VOLATILE_ACCESSES(16)
#else
typedef int not_empty; /* ISO C forbids an empty translation unit */
#endif
