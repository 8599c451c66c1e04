#include "flush.h"

#include <pthread.h>
#include <stddef.h>
#include <time.h>

/* libgfortran's FLUSH; NULL means all units. A C program that uses this library has none. */
void _gfortran_flush_i4(int *unit) __attribute__((weak));

/* Statements hold the lock of their unit, for which FLUSH waits, in vain where the thread that
 * holds it is the one that flushes. So another one does, and this one waits so long at most. */
enum { LIMIT_S = 2 };

static void *flush(void *unused)
{
    (void)unused;
    _gfortran_flush_i4(NULL);
    return NULL;
}

bool flush_units(void)
{
    pthread_t thread;
    struct timespec end;
    if (!_gfortran_flush_i4)
        return true;
    if (clock_gettime(CLOCK_REALTIME, &end) != 0 || pthread_create(&thread, NULL, flush, NULL) != 0)
        return false;
    end.tv_sec += LIMIT_S;
    return pthread_timedjoin_np(thread, NULL, &end) == 0;
}
