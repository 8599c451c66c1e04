/* device_atomic.h: CUDA's atomic functions (part of device.h). They return the old value and order
 * nothing else, as on a GPU; the scopes (_block, _system) are the same here. */
#ifndef SOFT_DEVICE_ATOMIC_H
#define SOFT_DEVICE_ATOMIC_H

/* Replaces *address by next(old) in one step and returns the old value. */
template <class T, class Next> static inline T soft_atomic_update(T *address, Next next)
{
    T old, wanted;
    __atomic_load(address, &old, __ATOMIC_RELAXED);
    do
        wanted = next(old);
    while (!__atomic_compare_exchange(address, &old, &wanted, true, __ATOMIC_RELAXED,
                                      __ATOMIC_RELAXED));
    soft_pause();
    return old;
}

/* name, name_block and name_system for one type; `...` is the body, which uses address and value.
 */
#define SOFT_ATOMIC(name, type, ...)                                                               \
    static inline type name(type *address, type value)                                             \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }                                                                                              \
    static inline type name##_block(type *address, type value)                                     \
    {                                                                                              \
        return name(address, value);                                                               \
    }                                                                                              \
    static inline type name##_system(type *address, type value)                                    \
    {                                                                                              \
        return name(address, value);                                                               \
    }

/* The operations that the compiler has. */
#define SOFT_ATOMIC_FETCH(name, type, operation)                                                   \
    SOFT_ATOMIC(name, type, type old = __atomic_##operation(address, value, __ATOMIC_RELAXED);     \
                soft_pause(); return old;)
/* The others. */
#define SOFT_ATOMIC_UPDATE(name, type, next)                                                       \
    SOFT_ATOMIC(name, type,                                                                        \
                return soft_atomic_update(address, [value](type old) -> type { return next; });)

#define SOFT_ATOMIC_INTEGER(type)                                                                  \
    SOFT_ATOMIC_FETCH(atomicAdd, type, fetch_add)                                                  \
    SOFT_ATOMIC_FETCH(atomicExch, type, exchange_n)                                                \
    SOFT_ATOMIC_FETCH(atomicAnd, type, fetch_and)                                                  \
    SOFT_ATOMIC_FETCH(atomicOr, type, fetch_or)                                                    \
    SOFT_ATOMIC_FETCH(atomicXor, type, fetch_xor)                                                  \
    SOFT_ATOMIC_UPDATE(atomicMin, type, old < value ? old : value)                                 \
    SOFT_ATOMIC_UPDATE(atomicMax, type, old > value ? old : value)

SOFT_ATOMIC_INTEGER(int)
SOFT_ATOMIC_INTEGER(unsigned)
SOFT_ATOMIC_INTEGER(unsigned long long)
SOFT_ATOMIC_UPDATE(atomicMin, long long, old < value ? old : value)
SOFT_ATOMIC_UPDATE(atomicMax, long long, old > value ? old : value)
SOFT_ATOMIC_FETCH(atomicSub, int, fetch_sub)
SOFT_ATOMIC_FETCH(atomicSub, unsigned, fetch_sub)
SOFT_ATOMIC_UPDATE(atomicAdd, float, old + value)
SOFT_ATOMIC_UPDATE(atomicAdd, double, old + value)
SOFT_ATOMIC_UPDATE(atomicExch, float, ((void)old, value))
SOFT_ATOMIC_UPDATE(atomicInc, unsigned, old >= value ? 0 : old + 1)
SOFT_ATOMIC_UPDATE(atomicDec, unsigned, old == 0 || old > value ? value : old - 1)

#define SOFT_ATOMIC_CAS(suffix, type)                                                              \
    static inline type atomicCAS##suffix(type *address, type expected, type value)                 \
    {                                                                                              \
        __atomic_compare_exchange_n(address, &expected, value, false, __ATOMIC_RELAXED,            \
                                    __ATOMIC_RELAXED);                                             \
        soft_pause();                                                                              \
        return expected;                                                                           \
    }
#define SOFT_ATOMIC_CAS_SCOPES(type)                                                               \
    SOFT_ATOMIC_CAS(, type)                                                                        \
    SOFT_ATOMIC_CAS(_block, type)                                                                  \
    SOFT_ATOMIC_CAS(_system, type)
SOFT_ATOMIC_CAS_SCOPES(int)
SOFT_ATOMIC_CAS_SCOPES(unsigned)
SOFT_ATOMIC_CAS_SCOPES(unsigned long long)

#endif
