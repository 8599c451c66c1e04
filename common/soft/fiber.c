/* fiber.c: see fiber.h. Boost.Context's two functions have a plain C interface; that is all of
 * Boost that is used (link with -lboost_context). */
#include "fiber.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#if __has_include(<valgrind/valgrind.h>)
#include <valgrind/valgrind.h>
#else
#define VALGRIND_STACK_REGISTER(start, end) ((void)(start), (void)(end), 0u)
#define VALGRIND_STACK_DEREGISTER(id)       ((void)(id))
#endif

void *make_fcontext(void *stack_top, size_t stack_bytes, void (*entry)(struct fiber_transfer));

#if defined(__SANITIZE_THREAD__)
/* Of the OS thread's own stack. */
static __thread void *thread_identity;

/* TSan takes what was done before a creation for ordered before what is created, so the OS thread
 * has to be the creator, not the CUDA thread that happened to run. A suspended fiber is always
 * inside of the scheduler, a new one too. */
static void *create_identity(void)
{
    void *self = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(thread_identity, TSAN_SWITCH_ORDERS_NOTHING);
    void *identity = __tsan_create_fiber(0);
    __tsan_switch_to_fiber(identity, TSAN_SWITCH_ORDERS_NOTHING);
    fiber_scheduler_enter();
    __tsan_switch_to_fiber(self, TSAN_SWITCH_ORDERS_NOTHING);
    return identity;
}

/* What the fiber did comes before whatever follows on this OS thread. */
static void destroy_identity(void *identity)
{
    void *self = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(identity, TSAN_SWITCH_ORDERS_NOTHING);
    fiber_scheduler_leave();
    __tsan_switch_to_fiber(self, 0);
    __tsan_destroy_fiber(identity);
}
#endif

/* Linux gives a process 65530 mappings by default, and a guarded stack takes two. Those beyond this
 * number have the same distance to the next stack, but it can be written to. */
enum { GUARDED_STACKS = 16384 };
static atomic_int stacks;

enum { GUARD_BYTES = 16 << 10, DEFAULT_STACK_BYTES = 64 << 10, COLOURS = 64, COLOUR_BYTES = 128 };

__thread struct fiber *fiber_arriving;

/* Stack bytes per fiber: SOFTGPU_STACK if it is a number of at least 16 KiB, in whole pages, plus
 * the room that the colours take. */
static size_t configured_stack_bytes(void)
{
    const char *text = getenv("SOFTGPU_STACK");
    size_t bytes = text ? strtoull(text, NULL, 10) : 0;
    if (bytes < (16 << 10) || bytes > (1u << 30))
        bytes = DEFAULT_STACK_BYTES;
    size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);
    return (bytes + COLOURS * COLOUR_BYTES + page_bytes - 1) / page_bytes * page_bytes;
}

static void enter(struct fiber_transfer from)
{
    struct fiber *self = fiber_arriving;
    fiber_arrive(self, from);
    self->main();
    abort();
}

bool fiber_create(struct fiber *fiber, unsigned number, void (*main)(void))
{
    size_t bytes = configured_stack_bytes();
    char *memory = mmap(NULL, GUARD_BYTES + bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return false;
    bool guarded = atomic_fetch_add(&stacks, 1) < GUARDED_STACKS;
    if (guarded && mprotect(memory, GUARD_BYTES, PROT_NONE)) {
        atomic_fetch_sub(&stacks, 1);
        munmap(memory, GUARD_BYTES + bytes);
        return false;
    }
    /* Stacks lie a multiple of a page apart. Without an offset the hot frames of all fibers would
     * compete for the same few cache sets. */
    *fiber = (struct fiber){.stack = memory + GUARD_BYTES,
                            .stack_bytes = bytes - number % COLOURS * COLOUR_BYTES,
                            .mapped_bytes = GUARD_BYTES + bytes,
                            .main = main,
                            .index = FIBER_IDLE};
    fiber->valgrind_stack = VALGRIND_STACK_REGISTER(fiber->stack, fiber->stack + bytes);
    fiber->context = make_fcontext(fiber->stack + fiber->stack_bytes, fiber->stack_bytes, enter);
#if defined(__SANITIZE_THREAD__)
    fiber->identity = create_identity();
#endif
    return true;
}

void fiber_adopt_thread(struct fiber *fiber)
{
    *fiber = (struct fiber){.index = FIBER_IDLE};
#if defined(__SANITIZE_THREAD__)
    fiber->identity = thread_identity = __tsan_get_current_fiber();
#endif
}

void fiber_restart(struct fiber *fiber)
{
#if defined(__SANITIZE_ADDRESS__)
    __asan_unpoison_memory_region(fiber->stack, fiber->stack_bytes);
    fiber->fake_stack = NULL;
#elif defined(__SANITIZE_THREAD__)
    destroy_identity(fiber->identity);
    fiber->identity = create_identity();
#endif
    fiber->index = FIBER_IDLE;
    fiber->context = make_fcontext(fiber->stack + fiber->stack_bytes, fiber->stack_bytes, enter);
}

void fiber_destroy(struct fiber *fiber)
{
#if defined(__SANITIZE_ADDRESS__)
    __asan_unpoison_memory_region(fiber->stack, fiber->stack_bytes);
#elif defined(__SANITIZE_THREAD__)
    destroy_identity(fiber->identity);
#endif
    atomic_fetch_sub(&stacks, 1);
    VALGRIND_STACK_DEREGISTER(fiber->valgrind_stack);
    munmap(fiber->stack - GUARD_BYTES, fiber->mapped_bytes);
}
