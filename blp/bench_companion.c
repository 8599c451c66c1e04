#include "bench_companion.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <time.h>

#include "common/clock.h"
#include "common/gpu.h"
#include "common/harness/exit.h"
#include "common/regions/device_memory.h"

/* What the two threads share. */
struct companion {
    atomic_bool started, stop;
    int device;
    double free_share;
    size_t peak;
};

static void work_beside(void *(*beside)(void *), struct companion *companion,
                        const pthread_attr_t *attributes, companion_work *work, void *context)
{
    pthread_t thread;
    check_cuda(cudaGetDevice(&companion->device));
    if (pthread_create(&thread, attributes, beside, companion))
        fail("no thread could be started");
    while (!atomic_load(&companion->started))
        sched_yield();
    work(context);
    atomic_store(&companion->stop, true);
    pthread_join(thread, NULL);
}

/* ---- the core ---- */

static double thread_cpu_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void *compute(void *shared)
{
    struct companion *companion = shared;
    double start_s = clock_now_s(), cpu_s = thread_cpu_s();
    atomic_store(&companion->started, true);
    while (!atomic_load_explicit(&companion->stop, memory_order_relaxed))
        ;
    cpu_s = thread_cpu_s() - cpu_s;
    companion->free_share = cpu_s / (clock_now_s() - start_s);
    return NULL;
}

double companion_free_share(companion_work *work, void *context)
{
    struct companion companion = {0};
    cpu_set_t usual, core;
    pthread_attr_t attributes;
    check_errno(sched_getaffinity(0, sizeof usual, &usual) == 0);
    CPU_ZERO(&core);
    CPU_SET(sched_getcpu(), &core);
    pthread_attr_init(&attributes);
    pthread_attr_setaffinity_np(&attributes, sizeof core, &core);
    check_errno(sched_setaffinity(0, sizeof core, &core) == 0);
    work_beside(compute, &companion, &attributes, work, context);
    check_errno(sched_setaffinity(0, sizeof usual, &usual) == 0);
    pthread_attr_destroy(&attributes);
    return companion.free_share;
}

/* ---- the device's memory ---- */

static void look(struct companion *companion)
{
    const size_t now = device_memory_in_use();
    companion->peak = now > companion->peak ? now : companion->peak;
}

static void *watch(void *shared)
{
    static const struct timespec pause = {.tv_nsec = 200000};
    struct companion *companion = shared;
    check_cuda(cudaSetDevice(companion->device));
    look(companion);
    atomic_store(&companion->started, true);
    while (!atomic_load(&companion->stop)) {
        nanosleep(&pause, NULL);
        look(companion);
    }
    look(companion); /* the last may have been before the work */
    return NULL;
}

size_t companion_peak_in_use(companion_work *work, void *context)
{
    struct companion companion = {0};
    work_beside(watch, &companion, NULL, work, context);
    return companion.peak;
}
