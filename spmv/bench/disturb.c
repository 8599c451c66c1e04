#include "disturb.h"

#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "common/clock.h"
#include "common/harness/exit.h"
#include "common/random.h"

static const double shortest_s = 2e-3, longest_s = 0.4;
/* How long a thread sleeps before it looks whether it is to end. */
static const double sleep_s = 10e-3;

struct taker {
    struct spmv_disturb *disturb;
    pthread_t thread;
    int core;
};

struct spmv_disturb {
    atomic_bool stop, disabled;
    uint64_t seed;
    double start_s;
    int count;
    struct taker takers[];
};

/* The plan: pause and burst number `index`, and whether a core is taken in it. */
static double duration_s(const struct spmv_disturb *disturb, uint64_t index)
{
    return shortest_s * pow(longest_s / shortest_s, random_uniform(disturb->seed, index));
}

static bool is_taken(const struct taker *taker, uint64_t burst)
{
    uint64_t seed = taker->disturb->seed;
    double share = random_uniform(seed + 1, burst);
    return random_uniform(seed + 2 + (uint64_t)taker->core, burst) < share;
}

static void sleep_for(double seconds)
{
    struct timespec time = {.tv_nsec = (long)(1e9 * fmin(seconds, sleep_s))};
    nanosleep(&time, NULL);
}

/* Sleeps, or computes, until that time. */
static void pass_until(struct spmv_disturb *disturb, double end_s, bool compute)
{
    for (double now_s = clock_now_s(); now_s < end_s && !atomic_load(&disturb->stop);
         now_s = clock_now_s())
        if (!compute)
            sleep_for(end_s - now_s);
        else if (atomic_load(&disturb->disabled))
            sleep_for(100e-6);
}

static void *take(void *context)
{
    struct taker *taker = context;
    struct spmv_disturb *disturb = taker->disturb;
    double time_s = disturb->start_s;
    for (uint64_t burst = 0; !atomic_load(&disturb->stop); burst++) {
        time_s += duration_s(disturb, 2 * burst);
        pass_until(disturb, time_s, false);
        time_s += duration_s(disturb, 2 * burst + 1);
        pass_until(disturb, time_s, is_taken(taker, burst));
    }
    return NULL;
}

static void start(struct taker *taker)
{
    pthread_attr_t attributes;
    cpu_set_t core;
    CPU_ZERO(&core);
    CPU_SET(taker->core, &core);
    if (pthread_attr_init(&attributes) != 0 ||
        pthread_attr_setaffinity_np(&attributes, sizeof core, &core) != 0 ||
        pthread_create(&taker->thread, &attributes, take, taker) != 0)
        fail("no thread could be started that disturbs core %d", taker->core);
    pthread_attr_destroy(&attributes);
}

struct spmv_disturb *spmv_disturb_start(uint64_t seed)
{
    cpu_set_t cores;
    check_errno(sched_getaffinity(0, sizeof cores, &cores) == 0);
    size_t count = (size_t)CPU_COUNT(&cores);
    struct spmv_disturb *disturb =
        allocate_or_fail(1, sizeof *disturb + count * sizeof disturb->takers[0]);
    *disturb = (struct spmv_disturb){.seed = seed, .start_s = clock_now_s()};
    for (int core = 0; core < CPU_SETSIZE; core++)
        if (CPU_ISSET(core, &cores)) {
            struct taker *taker = &disturb->takers[disturb->count++];
            *taker = (struct taker){.disturb = disturb, .core = core};
            start(taker);
        }
    return disturb;
}

void spmv_disturb_enable(struct spmv_disturb *disturb, bool enabled)
{
    atomic_store(&disturb->disabled, !enabled);
}

void spmv_disturb_stop(struct spmv_disturb *disturb)
{
    atomic_store(&disturb->stop, true);
    for (int i = 0; i < disturb->count; i++)
        pthread_join(disturb->takers[i].thread, NULL);
    free(disturb);
}
