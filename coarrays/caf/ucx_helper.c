/* What other images want while the program is outside of this library: it computes, or waits in MPI
 * calls of its own. UCX serves them within its own calls only, over TCP also puts, gets and atomic
 * operations. Where the program's thread has not called it for a while another thread does. */
#if HAVE_UCX
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>

#include "error.h"
#include "ucx_peers.h"

enum {
    PAUSE_US = 1000,      /* between two looks; as long the program's thread may stay away */
    SHORT_PAUSE_US = 100, /* the same after there was something to do */
    BURST_TURNS = 256 /* of UCX at a time: it may find something each time, when an image ends */
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
    bool moved = true, any = false;
    for (int turn = 0; moved && turn < BURST_TURNS; turn++) {
        messages_hold();
        moved = ucx.ucp_worker_progress(ucx_worker) > 0;
        messages_release();
        any |= moved;
    }
    return any;
}

static void *help(void *unused)
{
    bool busy = false;
    unsigned long seen = turns;
    is_helper = true;
    while (!ends) {
        const struct timespec pause = {.tv_nsec = 1000L * (busy ? SHORT_PAUSE_US : PAUSE_US)};
        nanosleep(&pause, NULL);
        unsigned long now = turns;
        busy = now == seen && serve();
        seen = now;
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
