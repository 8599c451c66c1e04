/* patient_yield.c: a library that tests/run puts in front of libc (LD_PRELOAD).
 *
 * A rank that waits looks and yields its core, again and again. Where other tests run beside it,
 * it gets the core back each time and takes from them what it has no use for. Here, who has yielded
 * many times in a row sleeps between its looks. */
#include <sched.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Fewer yields in a row are a short wait; who works longer between two of them does not wait. */
enum { MANY = 100, WORK_NS = 20000, NAP_NS = 50000 };

static _Thread_local struct timespec last;
static _Thread_local int in_a_row;

static bool has_worked(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec - last.tv_sec > 1 ||
           1000000000L * (now.tv_sec - last.tv_sec) + now.tv_nsec - last.tv_nsec > WORK_NS;
}

int sched_yield(void)
{
    in_a_row = has_worked() ? 0 : in_a_row + 1;
    if (in_a_row < MANY) {
        syscall(SYS_sched_yield);
    } else {
        nanosleep(&(struct timespec){.tv_nsec = NAP_NS}, NULL);
        in_a_row = MANY; /* must not overflow */
    }
    clock_gettime(CLOCK_MONOTONIC, &last);
    return 0;
}
