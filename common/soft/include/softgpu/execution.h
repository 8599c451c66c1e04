/* execution.h: what the two halves of the software GPU say to each other.
 *
 *   runtime half                                  executor half
 *   memory, streams, events, errors   -->  soft_execute()  -->  blocks on OS threads, fibers
 *   (memory.c, stream.c, event.c, ...)                    (execute.c, fiber.c, warp.c, ...)
 *
 * Programs never include this file; they include <cuda_runtime.h>. */
#ifndef SOFTGPU_EXECUTION_H
#define SOFTGPU_EXECUTION_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Where a launch is on a larger grid, in blocks: its kernels see blockIdx + offset and gridDim =
 * grid. grid[0] 0: the launch is the whole grid. first_thread, offset * blockDim, is there for
 * machine code that adds it to a thread index; the executor counts in blocks. */
struct soft_place {
    unsigned offset[3];
    unsigned grid[3];
    unsigned first_thread[3];
};

/* One kernel launch with its arguments bound. `run_thread(arguments)` executes the kernel's body
 * for the CUDA thread whose threadIdx, blockIdx, ... are current. `release(arguments)` frees them.
 */
struct soft_kernel {
    const char *name;
    void (*run_thread)(void *arguments);
    void (*release)(void *arguments);
    void *arguments;
    unsigned grid[3];
    unsigned block[3];
    size_t shared_bytes; /* dynamic shared memory per block */
    bool cooperative;    /* all blocks must be alive at the same time */
    struct soft_place place;
    void (*prepare)(void); /* NULL, or called by each OS thread before it runs a block's threads */
};

/* How a launch ended; the runtime half turns these into CUDA's error codes. */
enum soft_outcome {
    SOFT_OK,
    SOFT_TRAP,        /* __trap() or a failed device assertion: sticky */
    SOFT_BAD_ADDRESS, /* the kernel touched memory that is nobody's: sticky */
    SOFT_DEADLOCK,    /* every thread of a block waits at a barrier that cannot complete: sticky */
    SOFT_NO_RESOURCE  /* no OS thread or fiber stack could be had */
};

/* Executor half: runs the whole grid, returns when the last block has finished. Called by a
 * device's compute engine, one launch at a time per device, several devices concurrently. */
enum soft_outcome soft_execute(const struct soft_kernel *kernel);

/* Executor half: largest number of blocks that a cooperative launch may have on one device. */
unsigned soft_cooperative_limit(unsigned threads_per_block, size_t shared_bytes);

/* Executor half: true on a thread that is executing a kernel. */
bool soft_in_kernel(void);

/* Executor half: leaves the running kernel with the outcome; callable from a signal handler that
 * runs on a thread for which soft_in_kernel() is true. Does not return. */
void soft_abort_kernel(enum soft_outcome outcome) __attribute__((noreturn));

/* Executor half: installs the SIGSEGV and SIGBUS handler that asks soft_managed_fault(), ends a
 * kernel with SOFT_BAD_ADDRESS, and leaves every other fault to whoever handled it before.
 * soft_execute() calls it; the runtime half has to call it before it protects the first page of
 * managed memory. */
void soft_install_fault_handler(void);

/* Runtime half: enqueues the launch on a stream of the current device after checking its limits;
 * takes over kernel->arguments (releases them on every path). Errors are left for
 * cudaGetLastError() and returned as a cudaError_t. `stream` is a cudaStream_t. */
int soft_launch(const struct soft_kernel *kernel, void *stream);

/* Runtime half: the fault handler of managed memory and stray pointers asks here, on
 * SIGSEGV/SIGBUS, and returns true if the access can be retried (a managed page was migrated). */
bool soft_managed_fault(void *address, bool from_kernel);

#ifdef __cplusplus
}
#endif
#endif
