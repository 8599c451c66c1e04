/* execute.c: a launch as a whole. Blocks are dealt to OS threads in order; the thread that calls
 * soft_execute() is one of them, so that a small launch needs no hand-over. The others are kept in
 * a pool that all devices share and that grows when a launch needs more of them at the same time.
 */
#include "execute.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

enum {
    SM_THREADS = 2048,
    SM_BLOCKS = 4,
    SM_SHARED_BYTES = 100 << 10,
    DEFAULT_SMS = 8,
    GROWTH_NS = 1000000 /* how long blocks may spin while others have not been dealt */
};

struct launch {
    const struct soft_kernel *kernel;
    uint64_t blocks;
    atomic_ullong dealt;
    atomic_int outcome;
    unsigned resident_limit;
    unsigned helpers;      /* pool threads hired for it; guarded by pool_lock like the next two */
    struct helper *hired;  /* those that have not begun yet */
    pthread_cond_t helped; /* helpers has become 0 */

    pthread_mutex_t grid_lock; /* guards the rest */
    pthread_cond_t grid_open;
    uint64_t unfinished; /* blocks */
    uint64_t at_grid_barrier;
    unsigned grid_generation;
};

struct helper {
    pthread_cond_t wake;
    struct launch *launch; /* NULL while idle */
    struct helper *next;   /* among the idle ones, or among those that have not begun */
};

static pthread_mutex_t pool_lock = PTHREAD_MUTEX_INITIALIZER;
static struct helper *idle_helpers;
static unsigned idle_count;

/* ---- limits ---- */

/* A whole number from the environment, or the given one if it is missing or out of [1, 1024]. */
static unsigned configured(const char *name, unsigned otherwise)
{
    const char *text = getenv(name);
    unsigned long value = text ? strtoul(text, NULL, 10) : 0;
    return value >= 1 && value <= 1024 ? (unsigned)value : otherwise;
}

/* Blocks that are resident at the same time: SOFTGPU_SMS multiprocessors (default 8), each with
 * 2048 threads (in whole warps), 4 blocks and 100 KiB of shared memory; 0 if not even one block
 * fits. */
unsigned soft_cooperative_limit(unsigned threads_per_block, size_t shared_bytes)
{
    if (threads_per_block == 0 || threads_per_block > MAX_BLOCK_THREADS)
        return 0;
    unsigned whole_warps = (threads_per_block + WARP_LANES - 1) / WARP_LANES * WARP_LANES;
    size_t blocks = SM_THREADS / whole_warps;
    if (blocks > SM_BLOCKS)
        blocks = SM_BLOCKS;
    if (shared_bytes && blocks > SM_SHARED_BYTES / shared_bytes)
        blocks = SM_SHARED_BYTES / shared_bytes;
    return (unsigned)blocks * configured("SOFTGPU_SMS", DEFAULT_SMS);
}

/* ---- work ---- */

void launch_fail(struct launch *launch, enum soft_outcome outcome)
{
    int none = SOFT_OK;
    atomic_compare_exchange_strong(&launch->outcome, &none, outcome);
}

bool launch_failed(const struct launch *launch)
{
    return atomic_load_explicit(&launch->outcome, memory_order_relaxed) != SOFT_OK;
}

static void open_grid_barrier(struct launch *launch)
{
    launch->at_grid_barrier = 0;
    launch->grid_generation++;
    pthread_cond_broadcast(&launch->grid_open);
}

void launch_grid_barrier(struct launch *launch)
{
    pthread_mutex_lock(&launch->grid_lock);
    unsigned generation = launch->grid_generation;
    if (++launch->at_grid_barrier == launch->unfinished)
        open_grid_barrier(launch);
    while (generation == launch->grid_generation && !launch_failed(launch))
        pthread_cond_wait(&launch->grid_open, &launch->grid_lock);
    pthread_mutex_unlock(&launch->grid_lock);
}

/* A finished block counts as having come to the grid barrier; a failed one lets the others go. */
static void leave_grid(struct launch *launch)
{
    pthread_mutex_lock(&launch->grid_lock);
    launch->unfinished--;
    if (launch_failed(launch) ||
        (launch->at_grid_barrier && launch->at_grid_barrier == launch->unfinished))
        open_grid_barrier(launch);
    pthread_mutex_unlock(&launch->grid_lock);
}

static void work_on(struct launch *launch)
{
    struct block *block = block_of_thread();
    if (!block)
        launch_fail(launch, SOFT_NO_RESOURCE);
    while (!launch_failed(launch)) {
        uint64_t index = atomic_fetch_add_explicit(&launch->dealt, 1, memory_order_relaxed);
        if (index >= launch->blocks)
            break;
        block_run(block, launch, launch->kernel, index);
        if (launch->kernel->cooperative)
            leave_grid(launch);
    }
}

/* ---- the pool ---- */

static void make_helper_idle(struct helper *helper)
{
    helper->launch = NULL;
    helper->next = idle_helpers;
    idle_helpers = helper;
    idle_count++;
}

static void begin_help(struct helper *self)
{
    struct helper **link = &self->launch->hired;
    while (*link != self)
        link = &(*link)->next;
    *link = self->next;
}

static void *helper_main(void *argument)
{
    struct helper *self = argument;
    pthread_mutex_lock(&pool_lock);
    for (;;) {
        while (!self->launch)
            pthread_cond_wait(&self->wake, &pool_lock);
        struct launch *launch = self->launch;
        begin_help(self);
        pthread_mutex_unlock(&pool_lock);
        work_on(launch);
        pthread_mutex_lock(&pool_lock);
        make_helper_idle(self);
        if (--launch->helpers == 0)
            pthread_cond_signal(&launch->helped);
    }
    return NULL;
}

/* Starts one more pool thread, with all signals blocked that are not faults. Needs pool_lock. */
static bool add_helper(void)
{
    struct helper *helper = calloc(1, sizeof *helper);
    if (!helper)
        return false;
    pthread_cond_init(&helper->wake, NULL);
    sigset_t blocked, before;
    sigfillset(&blocked);
    sigdelset(&blocked, SIGSEGV);
    sigdelset(&blocked, SIGBUS);
    pthread_sigmask(SIG_SETMASK, &blocked, &before);
    pthread_t thread;
    int error = pthread_create(&thread, NULL, helper_main, helper);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (error) {
        pthread_cond_destroy(&helper->wake);
        free(helper);
        return false;
    }
    pthread_detach(thread);
    make_helper_idle(helper);
    return true;
}

/* Puts `count` pool threads to work on the launch, or none if they cannot be had. */
static bool recruit(struct launch *launch, unsigned count)
{
    bool enough = true;
    pthread_mutex_lock(&pool_lock);
    while (enough && idle_count < count)
        enough = add_helper();
    for (unsigned i = 0; enough && i < count; i++) {
        struct helper *helper = idle_helpers;
        idle_helpers = helper->next;
        idle_count--;
        helper->launch = launch;
        helper->next = launch->hired;
        launch->hired = helper;
        launch->helpers++;
        pthread_cond_signal(&helper->wake);
    }
    pthread_mutex_unlock(&pool_lock);
    return enough;
}

void launch_consider_growth(struct launch *launch, struct block *block)
{
    uint64_t dealt = atomic_load_explicit(&launch->dealt, memory_order_relaxed);
    if (dealt >= launch->blocks)
        return;
    uint64_t now = (uint64_t)soft_clock_ns();
    if (dealt != block->dealt_seen) {
        block->dealt_seen = dealt;
        block->dealt_seen_ns = now;
    } else if (now - block->dealt_seen_ns >= GROWTH_NS) {
        block->dealt_seen_ns = now;
        pthread_mutex_lock(&pool_lock);
        bool may_grow = launch->helpers + 1 < launch->resident_limit;
        pthread_mutex_unlock(&pool_lock);
        if (may_grow)
            recruit(launch, 1);
    }
}

/* ---- launch ---- */

/* OS threads for an ordinary launch: SOFTGPU_THREADS, default one per online core. Asked for once,
 * because counting the cores reads a file. */
static unsigned os_threads;
static pthread_once_t count_once = PTHREAD_ONCE_INIT;

static void count_os_threads(void)
{
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    os_threads = configured("SOFTGPU_THREADS", online > 0 ? (unsigned)online : 1);
}

static bool fits(const struct soft_kernel *kernel, uint64_t blocks, uint64_t limit)
{
    return blocks > 0 && limit > 0 && (!kernel->cooperative || blocks <= limit);
}

/* All blocks have been dealt: those that have not begun need not; to wait until they have woken up
 * would cost a small launch more than its blocks. */
static void wait_for_helpers(struct launch *launch)
{
    pthread_mutex_lock(&pool_lock);
    while (launch->hired) {
        struct helper *helper = launch->hired;
        launch->hired = helper->next;
        launch->helpers--;
        make_helper_idle(helper);
    }
    while (launch->helpers)
        pthread_cond_wait(&launch->helped, &pool_lock);
    pthread_mutex_unlock(&pool_lock);
}

enum soft_outcome soft_execute(const struct soft_kernel *kernel)
{
    const unsigned *grid = kernel->grid, *block = kernel->block;
    uint64_t blocks = (uint64_t)grid[0] * grid[1] * grid[2];
    uint64_t threads = (uint64_t)block[0] * block[1] * block[2];
    unsigned limit = threads > MAX_BLOCK_THREADS
                         ? 0
                         : soft_cooperative_limit((unsigned)threads, kernel->shared_bytes);
    if (!fits(kernel, blocks, limit))
        return SOFT_NO_RESOURCE;
    soft_install_fault_handler();
    pthread_once(&count_once, count_os_threads);

    struct launch launch = {.kernel = kernel,
                            .blocks = blocks,
                            .resident_limit = limit,
                            .helped = PTHREAD_COND_INITIALIZER,
                            .grid_lock = PTHREAD_MUTEX_INITIALIZER,
                            .grid_open = PTHREAD_COND_INITIALIZER,
                            .unfinished = blocks};
    uint64_t wanted = kernel->cooperative ? blocks : os_threads;
    if (wanted > blocks)
        wanted = blocks;
    if (!recruit(&launch, (unsigned)wanted - 1) && kernel->cooperative)
        return SOFT_NO_RESOURCE;
    work_on(&launch);
    wait_for_helpers(&launch);
    pthread_cond_destroy(&launch.helped);
    pthread_cond_destroy(&launch.grid_open);
    pthread_mutex_destroy(&launch.grid_lock);
    return atomic_load(&launch.outcome);
}
