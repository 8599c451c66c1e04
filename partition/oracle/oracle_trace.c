/* oracle_trace.c: part of each module of the oracle. -fsanitize=thread makes the compiler call
 * these functions, usually the thread sanitizer's, before each load and store; here they report it.
 */
#include "oracle_module.h"

oracle_access *oracle_accessed;

#define HIDDEN __attribute__((visibility("hidden")))

static void report(const void *address, unsigned long bytes, int write)
{
    if (oracle_accessed)
        oracle_accessed(address, bytes, write);
}

#define ACCESS(bytes)                                                                              \
    HIDDEN void __tsan_read##bytes(const void *address);                                           \
    HIDDEN void __tsan_write##bytes(const void *address);                                          \
    HIDDEN void __tsan_unaligned_read##bytes(const void *address);                                 \
    HIDDEN void __tsan_unaligned_write##bytes(const void *address);                                \
    void __tsan_read##bytes(const void *address)                                                   \
    {                                                                                              \
        report(address, bytes, 0);                                                                 \
    }                                                                                              \
    void __tsan_write##bytes(const void *address)                                                  \
    {                                                                                              \
        report(address, bytes, 1);                                                                 \
    }                                                                                              \
    void __tsan_unaligned_read##bytes(const void *address)                                         \
    {                                                                                              \
        report(address, bytes, 0);                                                                 \
    }                                                                                              \
    void __tsan_unaligned_write##bytes(const void *address)                                        \
    {                                                                                              \
        report(address, bytes, 1);                                                                 \
    }

ACCESS(1)
ACCESS(2)
ACCESS(4)
ACCESS(8)
ACCESS(16)

HIDDEN void __tsan_read_range(const void *address, unsigned long bytes);
HIDDEN void __tsan_write_range(const void *address, unsigned long bytes);
HIDDEN void __tsan_func_entry(void *from);
HIDDEN void __tsan_func_exit(void);
HIDDEN void __tsan_init(void);

void __tsan_read_range(const void *address, unsigned long bytes)
{
    report(address, bytes, 0);
}

void __tsan_write_range(const void *address, unsigned long bytes)
{
    report(address, bytes, 1);
}

void __tsan_func_entry(void *from)
{
    (void)from;
}

void __tsan_func_exit(void)
{
}

void __tsan_init(void)
{
}

/* Atomic operations are done and not reported: what they update is known by another way. */
#define ATOMIC(bits, type, name, operation)                                                        \
    HIDDEN type __tsan_atomic##bits##_fetch_##name(type *address, type value, int order);          \
    type __tsan_atomic##bits##_fetch_##name(type *address, type value, int order)                  \
    {                                                                                              \
        type old = *address;                                                                       \
        (void)order;                                                                               \
        *address = old operation value;                                                            \
        return old;                                                                                \
    }

ATOMIC(32, unsigned, add, +)
ATOMIC(32, unsigned, sub, -)
ATOMIC(32, unsigned, and, &)
ATOMIC(32, unsigned, or, |)
ATOMIC(32, unsigned, xor, ^)
ATOMIC(64, unsigned long, add, +)
ATOMIC(64, unsigned long, sub, -)
ATOMIC(64, unsigned long, and, &)
ATOMIC(64, unsigned long, or, |)
ATOMIC(64, unsigned long, xor, ^)
