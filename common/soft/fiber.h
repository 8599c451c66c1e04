/* fiber.h: stacks that take turns on one OS thread (Boost.Context's fcontext underneath), and what
 * the sanitizers have to be told about them. */
#ifndef SOFT_FIBER_H
#define SOFT_FIBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <vector_types.h>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

/* What a CUDA thread asks of the other lanes of its warp (warp.c). */
struct warp_request {
    unsigned mask; /* lanes that take part */
    int kind;
    unsigned source; /* shuffle: the lane whose value is wanted */
    uint64_t value;  /* what this lane gives */
    uint64_t result; /* what it gets */
};

/* A fiber and the CUDA thread that it is in the middle of. */
struct fiber {
    void *context;       /* where it goes on; valid while it is suspended */
    char *stack;         /* lowest usable byte; for an OS thread's own stack only known to ASan */
    size_t stack_bytes;  /* usable bytes */
    size_t mapped_bytes; /* with the guard area and what the offset took */
    unsigned valgrind_stack;
    void (*main)(void);
    struct fiber *next; /* in the queue in which it waits */
    unsigned index;     /* linear index of its CUDA thread, or FIBER_IDLE */
    uint3 thread;       /* threadIdx of its CUDA thread */
    struct warp_request request;
    void *fake_stack; /* ASan's shadow frames while suspended */
    void *identity;   /* TSan's view of this fiber */
};

#define FIBER_IDLE (~0u)

/* Gives the fiber a stack of SOFTGPU_STACK bytes (default 64 KiB) with a guard area below it (while
 * there are fewer than 16384); `main` must not return. `number` spreads the fibers' first frames
 * over the cache sets. Returns false if the memory could not be had. */
bool fiber_create(struct fiber *fiber, unsigned number, void (*main)(void));

/* Makes the calling OS thread's own stack a fiber. */
void fiber_adopt_thread(struct fiber *fiber);

/* Forgets what a suspended fiber was doing: its next switch enters `main` again. */
void fiber_restart(struct fiber *fiber);

void fiber_destroy(struct fiber *fiber);

/* ThreadSanitizer sees every fiber as a thread of its own, and a switch orders nothing: only what
 * CUDA orders (barriers, warp operations, fences, begin and end of a block) is announced, so that a
 * missing barrier is reported. The scheduler's own data is shared by all fibers of an OS thread and
 * is hidden from it between fiber_scheduler_enter() and fiber_scheduler_leave(). */
#if defined(__SANITIZE_THREAD__)
void *__tsan_get_current_fiber(void);
void *__tsan_create_fiber(unsigned flags);
void __tsan_destroy_fiber(void *fiber);
void __tsan_switch_to_fiber(void *fiber, unsigned flags);
enum { TSAN_SWITCH_ORDERS_NOTHING = 1 };
void __tsan_acquire(void *address);
void __tsan_release(void *address);
void AnnotateIgnoreReadsBegin(const char *file, int line);
void AnnotateIgnoreReadsEnd(const char *file, int line);
void AnnotateIgnoreWritesBegin(const char *file, int line);
void AnnotateIgnoreWritesEnd(const char *file, int line);

enum { FIBER_PER_THREAD = 1 }; /* every CUDA thread of a block has a fiber of its own */

static inline void fiber_acquire(void *object)
{
    __tsan_acquire(object);
}
static inline void fiber_release(void *object)
{
    __tsan_release(object);
}
static inline void fiber_scheduler_enter(void)
{
    AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
    AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
}
static inline void fiber_scheduler_leave(void)
{
    AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
    AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
}
#else
enum { FIBER_PER_THREAD = 0 };

static inline void fiber_acquire(void *object)
{
    (void)object;
}
static inline void fiber_release(void *object)
{
    (void)object;
}
static inline void fiber_scheduler_enter(void)
{
}
static inline void fiber_scheduler_leave(void)
{
}
#endif

/* ---- the switch ----
 *
 * Inline, because every return after it is mispredicted: the processor's stack of return addresses
 * is off by one when a function is left by a jump. */

struct fiber_transfer {
    void *context; /* of the fiber that has just been left */
    void *data;    /* that fiber */
};
struct fiber_transfer jump_fcontext(void *context, void *data);

/* The fiber that a switch is on its way to; a fiber that starts learns here who it is. */
extern __thread struct fiber *fiber_arriving;

/* Runs on `self` right after a switch: keeps the context of the fiber that was left. */
static inline void fiber_arrive(struct fiber *self, struct fiber_transfer from)
{
    struct fiber *previous = from.data;
    previous->context = from.context;
#if defined(__SANITIZE_ADDRESS__)
    const void *bottom;
    size_t bytes;
    __sanitizer_finish_switch_fiber(self->fake_stack, &bottom, &bytes);
    if (!previous->main) {
        previous->stack = (char *)bottom;
        previous->stack_bytes = bytes;
    }
#else
    (void)self;
#endif
}

/* Suspends `from`, which is the running fiber, and goes on with `to`, on the same OS thread. Both
 * are inside of fiber_scheduler_enter() then; a fiber that starts begins there. */
static inline __attribute__((always_inline)) void fiber_switch(struct fiber *from, struct fiber *to)
{
    fiber_arriving = to;
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_start_switch_fiber(&from->fake_stack, to->stack, to->stack_bytes);
#elif defined(__SANITIZE_THREAD__)
    __tsan_switch_to_fiber(to->identity, TSAN_SWITCH_ORDERS_NOTHING);
#endif
    fiber_arrive(from, jump_fcontext(to->context, from));
}

#endif
