#include "limit.h"

#include <errno.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

#include "program.h"

enum { LIMIT_GRACE_S = 4 };

static struct timespec deadline;

/* A thread of its own: the program's may be in a kernel, or wait for another rank. */
static void *keep_at_deadline(void *context)
{
    struct run *run = context;
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &deadline, NULL) == EINTR)
        continue;
    enum record_kept kept = record_keep(run);
    if (kept == RECORD_NOTHING)
        status_end_at_limit();
    if (kept == RECORD_WRITTEN)
        _exit(EXIT_TIMEOUT);
    if (kept == RECORD_WRONG)
        _exit(EXIT_FAIL);
    return NULL; /* the program is ending by itself */
}

static void set_deadline(double seconds)
{
    clock_gettime(CLOCK_MONOTONIC, &deadline);
    deadline.tv_sec += (time_t)seconds;
    deadline.tv_nsec += (long)((seconds - (double)(time_t)seconds) * 1e9);
    if (deadline.tv_nsec >= 1000000000) {
        deadline.tv_sec++;
        deadline.tv_nsec -= 1000000000;
    }
}

void limit_start(struct run *run)
{
    double seconds = run->settings.time_limit_s;
    pthread_t thread;
    set_deadline(seconds);
    bool watched = ranks.rank == 0 && pthread_create(&thread, NULL, keep_at_deadline, run) == 0;
    if (watched)
        pthread_detach(thread);
    status_start_limit(watched || ranks.rank != 0 ? seconds + LIMIT_GRACE_S : seconds);
}
