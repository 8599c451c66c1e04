#include "magazine.h"

#include <linux/membarrier.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

_Thread_local struct magazine *magazine_current;
bool magazine_full_barrier;

/* All magazines of this thread, those of caches that are gone too: they are used again. */
static _Thread_local struct magazine *of_this_thread;

/* Guards which magazine belongs to which owner, and the owners' lists. */
static pthread_mutex_t registry = PTHREAD_MUTEX_INITIALIZER;
static pthread_key_t thread_end;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool started;

/* ---- barriers ---- */

static long membarrier(int command)
{
    return syscall(SYS_membarrier, command, 0, 0);
}

static void barrier_on_all_cores(void)
{
    if (!magazine_full_barrier)
        membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED);
}

void magazine_wait(struct magazine *magazine)
{
    magazine_leave(magazine);
    while (atomic_load(&magazine->claimed))
        sched_yield();
}

/* ---- threads that end ---- */

static void add(struct magazine_counters *sum, struct magazine_counters *more)
{
    sum->allocations += more->allocations;
    sum->releases += more->releases;
    sum->live_bytes += more->live_bytes;
    sum->peak_live_bytes += more->peak_live_bytes;
}

static void take_out(struct magazine *magazine)
{
    struct magazine **at = &magazine->owner->magazines;
    while (*at != magazine)
        at = &(*at)->next_of_cache;
    *at = magazine->next_of_cache;
}

static void end_thread(void *first)
{
    pthread_mutex_lock(&registry);
    for (struct magazine *magazine = first; magazine;) {
        struct magazine *next = magazine->next_of_thread;
        if (magazine->owner) {
            magazine->owner->take_back(magazine->owner, magazine_empty_own(magazine));
            add(&magazine->owner->retired, &magazine->counters);
            take_out(magazine);
        }
        free(magazine);
        magazine = next;
    }
    pthread_mutex_unlock(&registry);
    magazine_current = of_this_thread = NULL;
}

static void start(void)
{
    magazine_full_barrier = membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) != 0;
    started = pthread_key_create(&thread_end, end_thread) == 0;
}

/* ---- a thread's magazine ---- */

static struct magazine *adopt_or_make(struct magazine_owner *owner)
{
    struct magazine *magazine = of_this_thread;
    while (magazine && magazine->owner)
        magazine = magazine->next_of_thread;
    if (!magazine) {
        magazine = calloc(1, sizeof *magazine);
        if (!magazine || pthread_setspecific(thread_end, magazine)) {
            free(magazine);
            return NULL;
        }
        magazine->next_of_thread = of_this_thread;
        of_this_thread = magazine;
    }
    magazine->counters = (struct magazine_counters){0};
    magazine->owner = owner;
    magazine->next_of_cache = owner->magazines;
    owner->magazines = magazine;
    magazine->cache_id = owner->id;
    return magazine;
}

struct magazine *magazine_find(struct magazine_owner *owner)
{
    struct magazine *magazine = of_this_thread;
    while (magazine && magazine->cache_id != owner->id)
        magazine = magazine->next_of_thread;
    if (!magazine) {
        pthread_mutex_lock(&registry);
        magazine = adopt_or_make(owner);
        pthread_mutex_unlock(&registry);
    }
    if (magazine)
        magazine_current = magazine;
    return magazine;
}

struct extent *magazine_empty(struct magazine *magazine)
{
    struct extent *chain = NULL;
    for (unsigned octave = 0; octave < MAGAZINE_OCTAVES; octave++) {
        while (magazine->filled[octave]) {
            unsigned split = (unsigned)__builtin_ctz(magazine->filled[octave]);
            struct extent *extent = magazine_take(magazine, (octave << HEAP_SPLIT_BITS) + split);
            extent->next = chain;
            chain = extent;
        }
    }
    return chain;
}

struct extent *magazine_empty_own(struct magazine *magazine)
{
    magazine_enter(magazine);
    struct extent *chain = magazine_empty(magazine);
    magazine_leave(magazine);
    return chain;
}

/* ---- owners ---- */

bool magazine_owner_init(struct magazine_owner *owner,
                         void (*take_back)(struct magazine_owner *, struct extent *))
{
    static _Atomic uint64_t last_id;
    pthread_once(&once, start);
    *owner = (struct magazine_owner){.id = ++last_id, .take_back = take_back};
    return started;
}

static void collect(struct magazine_owner *owner)
{
    if (!owner->magazines)
        return;
    for (struct magazine *magazine = owner->magazines; magazine; magazine = magazine->next_of_cache)
        atomic_exchange(&magazine->claimed, 1);
    barrier_on_all_cores();
    for (struct magazine *magazine = owner->magazines; magazine;
         magazine = magazine->next_of_cache) {
        while (atomic_load(&magazine->inside))
            sched_yield();
        struct extent *chain = magazine_empty(magazine);
        atomic_store(&magazine->claimed, 0);
        owner->take_back(owner, chain);
    }
}

void magazine_collect(struct magazine_owner *owner)
{
    pthread_mutex_lock(&registry);
    collect(owner);
    pthread_mutex_unlock(&registry);
}

void magazine_owner_close(struct magazine_owner *owner)
{
    pthread_mutex_lock(&registry);
    collect(owner);
    for (struct magazine *magazine = owner->magazines; magazine;
         magazine = magazine->next_of_cache) {
        magazine->cache_id = 0;
        magazine->owner = NULL;
    }
    owner->magazines = NULL;
    pthread_mutex_unlock(&registry);
}

struct magazine_sums magazine_sum(struct magazine_owner *owner)
{
    pthread_mutex_lock(&registry);
    struct magazine_counters sum = {0};
    add(&sum, &owner->retired);
    for (struct magazine *magazine = owner->magazines; magazine; magazine = magazine->next_of_cache)
        add(&sum, &magazine->counters);
    pthread_mutex_unlock(&registry);
    /* Threads go on counting meanwhile: a release may be seen without its allocation. */
    int64_t live_bytes = sum.live_bytes > 0 ? sum.live_bytes : 0;
    return (struct magazine_sums){sum.allocations, sum.releases, live_bytes, sum.peak_live_bytes};
}
