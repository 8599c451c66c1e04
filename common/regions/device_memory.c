#include "common/regions/device_memory.h"

#include <sys/wait.h>
#include <unistd.h>

#include "common/gpu.h"
#include "common/harness/exit.h"

enum { READ, WRITE };

/* The second process, or pid 0; pipes to it and from it. */
static struct {
    pid_t pid;
    int request[2], reply[2];
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

/* The second process: waits for a device number, replies with the bytes in use there, its own
 * context included. Ends silently when the first process has gone or CUDA refuses. */
static void reply(void)
{
    int device;
    size_t free_bytes, total_bytes;
    if (read(second.request[READ], &device, sizeof device) != sizeof device ||
        cudaSetDevice(device) != cudaSuccess ||
        cudaMemGetInfo(&free_bytes, &total_bytes) != cudaSuccess)
        _exit(1);
    size_t in_use = total_bytes - free_bytes;
    _exit(write(second.reply[WRITE], &in_use, sizeof in_use) != sizeof in_use);
}

void device_memory_start(void)
{
    if (pipe(second.request) != 0)
        return;
    if (pipe(second.reply) != 0) {
        close(second.request[READ]);
        close(second.request[WRITE]);
        return;
    }
    pid_t pid = fork();
    if (pid == 0) {
        close(second.request[WRITE]);
        close(second.reply[READ]);
        reply();
    }
    close(second.reply[WRITE]); /* so that reading ends when the second process does */
    second.pid = pid > 0 ? pid : 0;
}

void device_memory_measure(int device)
{
    size_t mine = device_memory_in_use(), both = 0;
    if (!second.pid)
        return;
    bool requested = write(second.request[WRITE], &device, sizeof device) == sizeof device;
    bool replied = requested && read(second.reply[READ], &both, sizeof both) == sizeof both;
    for (int end = READ; end <= WRITE; end++)
        close(second.request[end]);
    close(second.reply[READ]);
    waitpid(second.pid, NULL, 0);
    second.pid = 0;
    /* Contexts of one program are of one size: what was there before is what remains when two of
     * them are taken away. */
    size_t context = both - mine;
    before_known = replied && both >= mine && mine >= context;
    before_bytes = before_known ? mine - context : 0;
}
