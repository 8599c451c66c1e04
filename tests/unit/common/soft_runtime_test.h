/* soft_runtime_test.h: what the tests of the software GPU's runtime share: kernels written in C,
 * and a gate that keeps a stream (or a kernel) busy until the test opens it. */
#ifndef TESTS_UNIT_SOFT_RUNTIME_TEST_H
#define TESTS_UNIT_SOFT_RUNTIME_TEST_H

#include <cuda_runtime_api.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "softgpu/execution.h"
#include "tests/unit/test.h"

#define expect_error(expected, call)                                                               \
    do {                                                                                           \
        cudaError_t got_ = (call);                                                                 \
        if (got_ != (expected)) {                                                                  \
            test_failed_checks++;                                                                  \
            printf("# %s:%d: %s: %s instead of %s\n", __FILE__, __LINE__, #call,                   \
                   cudaGetErrorName(got_), cudaGetErrorName(expected));                            \
        }                                                                                          \
        (void)cudaGetLastError();                                                                  \
    } while (0)
#define expect_success(call) expect_error(cudaSuccess, call)

/* ---- kernels of one CUDA thread ---- */

struct call {
    void (*body)(void *data);
    void *data;
};
static atomic_int calls_alive; /* arguments that the runtime has not released */

static inline void run_call(void *arguments)
{
    struct call *call = arguments;

    call->body(call->data);
}

static inline void release_call(void *arguments)
{
    free(arguments);
    atomic_fetch_sub(&calls_alive, 1);
}

static inline struct soft_kernel kernel_of(void (*body)(void *), void *data)
{
    struct call *call = malloc(sizeof *call);

    if (!call)
        abort();
    *call = (struct call){body, data};
    atomic_fetch_add(&calls_alive, 1);
    return (struct soft_kernel){.name = "test",
                                .run_thread = run_call,
                                .release = release_call,
                                .arguments = call,
                                .grid = {1, 1, 1},
                                .block = {1, 1, 1}};
}

static inline cudaError_t launch_c(void (*body)(void *), void *data, cudaStream_t stream)
{
    struct soft_kernel kernel = kernel_of(body, data);

    return (cudaError_t)soft_launch(&kernel, stream);
}

/* ---- gates ---- */

struct gate {
    atomic_bool entered, open;
};

/* Waits for a flag, at most ten seconds. */
static inline bool wait_flag(atomic_bool *flag)
{
    for (int i = 0; i < 100000 && !atomic_load(flag); i++)
        usleep(100);
    return atomic_load(flag);
}

static inline void pass_gate(void *argument)
{
    struct gate *gate = argument;

    atomic_store(&gate->entered, true);
    wait_flag(&gate->open);
}

static inline void set_flag(void *flag)
{
    atomic_store((atomic_bool *)flag, true);
}

static inline bool soon(cudaError_t (*query)(cudaStream_t), cudaStream_t stream)
{
    for (int i = 0; i < 100000; i++) {
        cudaError_t error = query(stream);
        if (error != cudaErrorNotReady)
            return error == cudaSuccess;
        usleep(100);
    }
    return false;
}

/* ---- the same program again, with another environment ---- */

/* Runs this program with `check` as its argument and NAME=VALUE added to the environment; its
 * stderr goes to *errors (may be NULL). Returns the exit status, 128 + signal, or -1. */
static inline int run_again(const char *check, const char *name, const char *value, char *errors,
                            size_t errors_size)
{
    int ends[2], status;
    size_t length = 0;
    ssize_t got;

    if (pipe(ends) != 0)
        return -1;
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        setenv(name, value, 1);
        alarm(HANGS_AFTER_S);
        execl("/proc/self/exe", "again", check, (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    char drop[512];
    while ((got = read(ends[0], errors && length + 1 < errors_size ? errors + length : drop,
                       errors && length + 1 < errors_size ? errors_size - 1 - length
                                                          : sizeof drop)) > 0)
        if (errors && length + 1 < errors_size)
            length += (size_t)got;
    if (errors)
        errors[length] = '\0';
    close(ends[0]);
    if (child < 0 || waitpid(child, &status, 0) != child)
        return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

#endif
