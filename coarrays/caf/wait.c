#include "wait.h"

#include <sched.h>
#include <time.h>

#include "error.h"
#include "messages.h"
#include "runtime.h"
#include "sync.h"
#include "watch.h"

enum {
    EAGER_TURNS = 64,    /* without a pause, which costs as much as a cache line's way */
    SPIN_TURNS = 2000,   /* then the core is offered to others */
    MESSAGE_TURNS = 100, /* the same when each turn also looks after messages */
    CROWDED_TURNS = 16,  /* the same when images share cores */
    CLOCK_TURNS = 8,     /* after spinning the clock is read this rarely */
};

static const double SLEEP_AFTER_S = 1e-3, LONGEST_SLEEP_S = 100e-6;

static uint64_t spin_turns;

void wait_start_policy(int cores)
{
    runtime.crowded = runtime.near_count > cores;
    spin_turns = runtime.crowded ? CROWDED_TURNS : runtime.windows ? MESSAGE_TURNS : SPIN_TURNS;
}

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void relax(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

struct wait wait_start(const char *statement)
{
    return (struct wait){.statement = statement};
}

/* Who has waited long will not be much later for a short sleep, and others get the core. */
static void sleep_for(double waited_s)
{
    double seconds = waited_s / 10 < LONGEST_SLEEP_S ? waited_s / 10 : LONGEST_SLEEP_S;
    nanosleep(&(struct timespec){.tv_nsec = (long)(1e9 * seconds)}, NULL);
}

static enum dm_status read_clock(struct wait *wait)
{
    double now = now_s();
    if (wait->started_s == 0)
        wait->started_s = now;
    wait->waited_s = now - wait->started_s;
    if (runtime.wait_limit_s > 0 && wait->waited_s > runtime.wait_limit_s)
        return dm_fail(DM_TIMEOUT, "%s: image %d waited for %g s, the limit CAF_WAIT_LIMIT_S",
                       wait->statement, runtime.image, runtime.wait_limit_s);
    return DM_OK;
}

static void idle(const struct wait *wait, bool sleeping)
{
    if (wait->turns < EAGER_TURNS && wait->turns < spin_turns)
        return;
    if (wait->turns < spin_turns)
        relax();
    else if (sleeping)
        sleep_for(wait->waited_s);
    else
        sched_yield();
}

enum dm_status wait_turn(struct wait *wait)
{
    bool sleeping = runtime.crowded && wait->waited_s > SLEEP_AFTER_S, found = false;
    if (runtime.windows) {
        TRY(messages_progress(&found));
        if (runtime.by_mpi)
            TRY(sync_nodes_serve());
    }
    if (!found) /* else it may be what is waited for */
        idle(wait, sleeping);
    wait->turns++;
    bool look = wait->turns >= spin_turns && wait->turns % CLOCK_TURNS == 0;
    if (!sleeping && !look)
        return DM_OK;
    watch_images(false);
    return read_clock(wait);
}
