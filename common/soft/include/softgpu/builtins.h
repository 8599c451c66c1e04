/* builtins.h: the built-in variables of a CUDA thread, and the executor's services on which
 * device.h builds what kernels call. Shared by the executor (C) and the kernels (C++). */
#ifndef SOFT_BUILTINS_H
#define SOFT_BUILTINS_H

#include <vector_types.h>

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Kernels in shared objects reach these variables without a call, too: they belong to the program
 * or to a library that is loaded with it. */
#define SOFT_BUILTIN extern __thread __attribute__((tls_model("initial-exec")))

/* Of the CUDA thread that runs on this OS thread; the scheduler sets them on every switch. */
SOFT_BUILTIN uint3 threadIdx, blockIdx;
SOFT_BUILTIN dim3 blockDim, gridDim;

SOFT_BUILTIN unsigned soft_row_end;    /* threadIdx.x at which the scheduler has to be asked */
SOFT_BUILTIN int soft_patience;        /* atomics and fences until the next yield */
SOFT_BUILTIN void *soft_shared_memory; /* the block's dynamic shared memory */

#undef SOFT_BUILTIN

/* The current CUDA thread has finished: at the end of its row (threadIdx.x is soft_row_end then, or
 * that of the row's last CUDA thread), within it or after having waited. True if the same fiber
 * goes on with the next CUDA thread, which is then current; once false it stays false. */
bool soft_next_row(void);

/* Lets the other CUDA threads of the block run; does nothing outside of kernels. When all of them
 * only yield, the OS thread gives way too, after a while by sleeping for up to sleep_ns
 * nanoseconds. */
void soft_yield(unsigned sleep_ns);

/* Uses up one unit of soft_patience, and yields when there is none left. */
void soft_count_pause(void);

/* Waits at the barrier of the block (scope 0) or of the grid (1), and says how many threads came to
 * it and how many of them with a predicate that is not 0. Threads that have exited are not waited
 * for. */
struct soft_votes {
    unsigned yes, voters;
};
struct soft_votes soft_barrier(int scope, int predicate);

/* True in a launch whose blocks are all alive at the same time. In others a wait at the grid's
 * barrier ends the launch with the deadlock error. */
bool soft_is_cooperative(void);

/* Each waits for all lanes of the mask that have not exited; the caller has to be one of the mask.
 * The ballot has the bits of the lanes whose predicate is not 0. A shuffle returns the value that
 * lane `source` (0 to 31) gave, or the own one if that lane does not take part. */
void soft_warp_sync(unsigned mask);
unsigned soft_warp_ballot(unsigned mask, int predicate);
unsigned long long soft_warp_shuffle(unsigned mask, unsigned long long value, unsigned source);

/* __threadfence() in all its scopes; also orders for ThreadSanitizer. */
void soft_fence(void);

/* Nanoseconds of a clock that only goes forward. */
long long soft_clock_ns(void);

/* Ends the launch with a sticky error. */
void soft_trap(void) __attribute__((noreturn));

#ifdef __cplusplus
}
#endif
#endif
