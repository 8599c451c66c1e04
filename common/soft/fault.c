/* fault.c: what happens when a kernel touches an address that is nobody's, or an assertion fails.
 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "execute.h"

enum { ALTERNATE_STACK_BYTES = 128 << 10 };

static struct sigaction previous_segv, previous_bus;
static pthread_once_t install_once = PTHREAD_ONCE_INIT;

/* A fault inside the handler is not the kernel's. Atomic because ThreadSanitizer takes the fibers
 * of one OS thread for threads, which share this variable. */
static __thread _Atomic int handling;

/* A kernel is left out of the handler by a switch to another stack, so the mask of the interrupted
 * code has to be put back here (TSan blocks everything while a handler runs). SA_NODEFER lets a
 * fault inside the handler come here at once instead of killing the program without a word.
 * Returning without a change of the cause makes the access fault again, then in the previous
 * handler's hands. */
static void on_fault(int signal_number, siginfo_t *information, void *context)
{
    bool in_kernel = soft_in_kernel();
    if (!atomic_load_explicit(&handling, memory_order_relaxed)) {
        atomic_store_explicit(&handling, 1, memory_order_relaxed);
        bool retry = soft_managed_fault(information->si_addr, in_kernel);
        atomic_store_explicit(&handling, 0, memory_order_relaxed);
        if (retry)
            return;
        if (in_kernel) {
            const ucontext_t *interrupted = context;
            pthread_sigmask(SIG_SETMASK, &interrupted->uc_sigmask, NULL);
            soft_abort_kernel(SOFT_BAD_ADDRESS);
        }
    }
    sigaction(signal_number, signal_number == SIGSEGV ? &previous_segv : &previous_bus, NULL);
}

static void install(void)
{
    struct sigaction action = {.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    action.sa_sigaction = on_fault;
    sigemptyset(&action.sa_mask);
    sigaction(SIGSEGV, &action, &previous_segv);
    sigaction(SIGBUS, &action, &previous_bus);
}

void soft_install_fault_handler(void)
{
    pthread_once(&install_once, install);
}

/* An alternate stack that is already there (ASan's) is left in place; NULL then, too. */
bool fault_stack_create(void **stack)
{
    stack_t present;
    *stack = NULL;
    if (sigaltstack(NULL, &present) == 0 && !(present.ss_flags & SS_DISABLE))
        return true;
    void *memory = mmap(NULL, ALTERNATE_STACK_BYTES, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (memory == MAP_FAILED)
        return false;
    sigaltstack(&(stack_t){.ss_sp = memory, .ss_size = ALTERNATE_STACK_BYTES}, NULL);
    *stack = memory;
    return true;
}

void fault_stack_clean(void)
{
#if defined(__SANITIZE_ADDRESS__)
    stack_t present;
    if (sigaltstack(NULL, &present) == 0 && !(present.ss_flags & SS_DISABLE))
        __asan_unpoison_memory_region(present.ss_sp, present.ss_size);
#endif
}

void fault_stack_destroy(void *stack)
{
    if (!stack)
        return;
    sigaltstack(&(stack_t){.ss_flags = SS_DISABLE}, NULL);
    munmap(stack, ALTERNATE_STACK_BYTES);
}

/* glibc and musl call this for a failed assert(). In a kernel it ends the launch like __trap();
 * elsewhere the program, as usual. */
void __assert_fail(const char *expression, const char *file, unsigned line, const char *function)
{
    fflush(stdout);
    fprintf(stderr, "%s:%u: %s: Assertion `%s' failed.\n", file, line, function, expression);
    if (soft_in_kernel())
        soft_abort_kernel(SOFT_TRAP);
    abort();
}
