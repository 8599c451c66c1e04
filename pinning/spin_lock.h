/* spin_lock.h: a lock for sections of some tens of nanoseconds.
 *
 * Its release is a plain store, so an uncontended pair costs one atomic operation instead of a
 * mutex's two. A waiter soon gives its time slice away, in case the holder was descheduled. */
#ifndef PINNING_SPIN_LOCK_H
#define PINNING_SPIN_LOCK_H

#include <sched.h>
#include <stdatomic.h>

struct spin_lock {
    _Atomic int taken;
};

static inline void spin_lock(struct spin_lock *lock)
{
    for (int tries = 1; atomic_exchange_explicit(&lock->taken, 1, memory_order_acquire); tries++)
        while (atomic_load_explicit(&lock->taken, memory_order_relaxed))
            if (tries++ % 64 == 0)
                sched_yield();
}

static inline void spin_unlock(struct spin_lock *lock)
{
    atomic_store_explicit(&lock->taken, 0, memory_order_release);
}

#endif
