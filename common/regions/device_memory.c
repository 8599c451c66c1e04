#include "common/regions/device_memory.h"

#include <sys/wait.h>
#include <unistd.h>

#include "common/gpu.h"
#include "common/harness/exit.h"

enum { READ, WRITE };

/* The second process, or pid 0; pipes to it and from it. */
static struct {
    pid_t pid;
    int question[2], answer[2];
} second;

static bool before_known;
static size_t before_bytes;

size_t device_memory_in_use(void)
{
    size_t free_bytes, total_bytes;
    check_cuda(cudaMemGetInfo(&free_bytes, &total_bytes));
    return total_bytes - free_bytes;
}

bool device_memory_before(size_t *bytes)
{
    *bytes = before_bytes;
    return before_known;
}

/* The second process: waits for a device number, answers with the bytes in use there, its own
 * context included. Ends without a word when the first process has gone or CUDA refuses. */
static void answer(void)
{
    int device;
    size_t free_bytes, total_bytes;
    if (read(second.question[READ], &device, sizeof device) != sizeof device ||
        cudaSetDevice(device) != cudaSuccess ||
        cudaMemGetInfo(&free_bytes, &total_bytes) != cudaSuccess)
        _exit(1);
    size_t in_use = total_bytes - free_bytes;
    _exit(write(second.answer[WRITE], &in_use, sizeof in_use) != sizeof in_use);
}

void device_memory_start(void)
{
    if (pipe(second.question) != 0)
        return;
    if (pipe(second.answer) != 0) {
        close(second.question[READ]);
        close(second.question[WRITE]);
        return;
    }
    pid_t pid = fork();
    if (pid == 0) {
        close(second.question[WRITE]);
        close(second.answer[READ]);
        answer();
    }
    close(second.answer[WRITE]); /* so that reading ends when the second process does */
    second.pid = pid > 0 ? pid : 0;
}

void device_memory_measure(int device)
{
    size_t mine = device_memory_in_use(), both = 0;
    if (!second.pid)
        return;
    bool asked = write(second.question[WRITE], &device, sizeof device) == sizeof device;
    bool answered = asked && read(second.answer[READ], &both, sizeof both) == sizeof both;
    for (int end = READ; end <= WRITE; end++)
        close(second.question[end]);
    close(second.answer[READ]);
    waitpid(second.pid, NULL, 0);
    second.pid = 0;
    /* Contexts of one program are of one size: what was there before is what remains when two of
     * them are taken away. */
    size_t context = both - mine;
    before_known = answered && both >= mine && mine >= context;
    before_bytes = before_known ? mine - context : 0;
}
