/* What other images want while the program is outside of this library: it computes, or waits in MPI
 * calls of its own. UCX serves them within its own calls only, over TCP also puts, gets and atomic
 * operations. Where the program's thread has not called it for a while another thread does. */
#if HAVE_UCX
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <time.h>

#include "error.h"
#include "ucx_peers.h"

enum {
    PAUSE_US = 1000,   /* between two looks; as long the program's thread may stay away */
    EAGER_TURNS = 2000 /* without anything to do, after there was something */
};

static pthread_t thread;
static bool runs;
static _Atomic bool ends;
static _Atomic unsigned long turns;
static _Thread_local bool is_helper;

bool ucx_is_helper(void)
{
    return is_helper;
}

void ucx_note_turn(void)
{
    turns++;
}

static bool serve(void)
{
    messages_hold();
    bool moved = ucx.ucp_worker_progress(ucx_worker) > 0;
    messages_release();
    return moved;
}

static void *help(void *unused)
{
    const struct timespec pause = {.tv_nsec = 1000L * PAUSE_US};
    unsigned long seen = turns;
    is_helper = true;
    while (!ends) {
        nanosleep(&pause, NULL);
        unsigned long now = turns;
        if (now != seen) {
            seen = now;
            continue;
        }
        for (int idle = serve() ? 0 : EAGER_TURNS; idle < EAGER_TURNS && turns == now; idle++) {
            if (serve())
                idle = 0;
            sched_yield();
        }
    }
    return unused;
}

/* Signals are the program's own thread's. */
enum dm_status ucx_helper_start(void)
{
    sigset_t all, before;
    ends = false;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = pthread_create(&thread, NULL, help, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    runs = error == 0;
    errno = error;
    return runs ? DM_OK : error_errno("a thread");
}

void ucx_helper_end(void)
{
    ends = true;
    if (runs)
        pthread_join(thread, NULL);
    runs = false;
}
#else
typedef int ucx_is_missing;
#endif
