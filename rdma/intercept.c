/* intercept.c: replaces the C library's functions that move data, and counts what they move for a
 * thread that is in MPI. Linked into rdma_copies alone, which exports these names, so that the MPI
 * library finds them before those of the C library. What an MPI library copies by loads and stores
 * of its own is not seen; rdma_copies checks whether this one is.
 *
 * A sanitizer replaces the same functions: then nothing is counted. */
#undef _FORTIFY_SOURCE /* its inline functions have the names that are defined here */

#include "count.h"

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

#include <dlfcn.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

/* ---- by the CPU ---- */

typedef void *copier(void *to, const void *from, size_t bytes);

/* Until main's constructors have run: libraries that are started before it copy, too. The
 * compiler must not recognise a memmove. */
static void *copy_slowly(void *to, const void *from, size_t bytes)
{
    volatile char *target = to;
    const volatile char *source = from;

    if ((size_t)to - (size_t)from >= bytes)
        for (size_t i = 0; i < bytes; i++)
            target[i] = source[i];
    else
        for (size_t i = bytes; i-- > 0;)
            target[i] = source[i];
    return to;
}

static copier *true_memcpy = copy_slowly, *true_memmove = copy_slowly;

__attribute__((constructor)) static void find_true_ones(void)
{
    void *found_memcpy = dlsym(RTLD_NEXT, "memcpy"), *found_memmove = dlsym(RTLD_NEXT, "memmove");

    if (found_memcpy)
        *(void **)&true_memcpy = found_memcpy;
    if (found_memmove)
        *(void **)&true_memmove = found_memmove;
}

static void *counted(copier *copy, void *to, const void *from, size_t bytes)
{
    if (copies_see_mpi())
        copies_add(COPIER_CPU, bytes);
    return copy(to, from, bytes);
}

void *memcpy(void *restrict to, const void *restrict from, size_t bytes)
{
    return counted(true_memcpy, to, from, bytes);
}

void *memmove(void *to, const void *from, size_t bytes)
{
    return counted(true_memmove, to, from, bytes);
}

/* What a library calls that was compiled with _FORTIFY_SOURCE. */
void *__memcpy_chk(void *restrict to, const void *restrict from, size_t bytes, size_t room);
void *__memcpy_chk(void *restrict to, const void *restrict from, size_t bytes, size_t room)
{
    if (bytes > room)
        __builtin_trap();
    return memcpy(to, from, bytes);
}

void *__memmove_chk(void *to, const void *from, size_t bytes, size_t room);
void *__memmove_chk(void *to, const void *from, size_t bytes, size_t room)
{
    if (bytes > room)
        __builtin_trap();
    return memmove(to, from, bytes);
}

/* ---- by the system: one copy per call, between processes or between a process and a socket ----
 */

static ssize_t moved(ssize_t bytes)
{
    if (bytes > 0 && copies_see_mpi())
        copies_add(COPIER_SYSTEM, (size_t)bytes);
    return bytes;
}

ssize_t read(int file, void *buffer, size_t bytes)
{
    return moved(syscall(SYS_read, file, buffer, bytes));
}

ssize_t write(int file, const void *buffer, size_t bytes)
{
    return moved(syscall(SYS_write, file, buffer, bytes));
}

ssize_t readv(int file, const struct iovec *pieces, int count)
{
    return moved(syscall(SYS_readv, file, pieces, count));
}

ssize_t writev(int file, const struct iovec *pieces, int count)
{
    return moved(syscall(SYS_writev, file, pieces, count));
}

ssize_t send(int socket, const void *buffer, size_t bytes, int flags)
{
    return moved(syscall(SYS_sendto, socket, buffer, bytes, flags, NULL, 0));
}

ssize_t recv(int socket, void *buffer, size_t bytes, int flags)
{
    return moved(syscall(SYS_recvfrom, socket, buffer, bytes, flags, NULL, NULL));
}

ssize_t sendmsg(int socket, const struct msghdr *message, int flags)
{
    return moved(syscall(SYS_sendmsg, socket, message, flags));
}

ssize_t recvmsg(int socket, struct msghdr *message, int flags)
{
    return moved(syscall(SYS_recvmsg, socket, message, flags));
}

ssize_t process_vm_readv(pid_t process, const struct iovec *mine, unsigned long my_count,
                         const struct iovec *theirs, unsigned long their_count, unsigned long flags)
{
    return moved(
        syscall(SYS_process_vm_readv, process, mine, my_count, theirs, their_count, flags));
}

ssize_t process_vm_writev(pid_t process, const struct iovec *mine, unsigned long my_count,
                          const struct iovec *theirs, unsigned long their_count,
                          unsigned long flags)
{
    return moved(
        syscall(SYS_process_vm_writev, process, mine, my_count, theirs, their_count, flags));
}

ssize_t copy_file_range(int from, off64_t *from_offset, int to, off64_t *to_offset, size_t bytes,
                        unsigned int flags)
{
    return moved(syscall(SYS_copy_file_range, from, from_offset, to, to_offset, bytes, flags));
}

#endif
