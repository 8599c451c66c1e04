#include "traffic.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <mpi.h>

#include "common/clock.h"
#include "common/harness/exit.h"
#include "common/harness/ranks.h"

enum {
    BUFFER_BYTES = 64 << 20, /* two of them per thread: more than its share of any cache */
    PIECE_BYTES = 1 << 20    /* copied between two looks at `stop` */
};

struct copier {
    struct traffic *traffic;
    pthread_t thread;
    double bytes; /* copied, set when it ends */
};

struct traffic {
    int threads;
    cpu_set_t cores;
    pthread_barrier_t filled;
    atomic_bool stop;
    double start_s;
    struct copier copiers[];
};

/* Every core the system allows; the binding by mpirun narrows that of this thread only. */
static cpu_set_t allowed_cores(const cpu_set_t *bound)
{
    cpu_set_t all;
    memset(&all, 0xff, sizeof all);
    if (sched_setaffinity(0, sizeof all, &all) != 0)
        return *bound;
    check_errno(sched_getaffinity(0, sizeof all, &all) == 0);
    check_errno(sched_setaffinity(0, sizeof *bound, bound) == 0);
    return all;
}

static cpu_set_t cores_for_traffic(void)
{
    cpu_set_t bound, used, spare;
    check_errno(sched_getaffinity(0, sizeof bound, &bound) == 0);
    check_mpi(MPI_Allreduce(&bound, &used, sizeof used, MPI_BYTE, MPI_BOR, MPI_COMM_WORLD));
    cpu_set_t all = allowed_cores(&bound);
    CPU_AND(&used, &used, &all);
    CPU_XOR(&spare, &all, &used);
    return CPU_COUNT(&spare) > 0 ? spare : bound;
}

static void *copy(void *context)
{
    struct copier *copier = context;
    struct traffic *traffic = copier->traffic;
    check_errno(sched_setaffinity(0, sizeof traffic->cores, &traffic->cores) == 0);
    char *from = allocate_or_fail(BUFFER_BYTES, 1);
    char *to = allocate_or_fail(BUFFER_BYTES, 1);
    memset(from, 1, BUFFER_BYTES); /* pages of zeros that nobody wrote are one page */
    memset(to, 2, BUFFER_BYTES);
    pthread_barrier_wait(&traffic->filled);

    double bytes = 0;
    for (size_t at = 0; !atomic_load_explicit(&traffic->stop, memory_order_relaxed);
         at = (at + PIECE_BYTES) % BUFFER_BYTES) {
        memcpy(to + at, from + at, PIECE_BYTES);
        bytes += PIECE_BYTES;
    }
    copier->bytes = bytes;
    free(from);
    free(to);
    return NULL;
}

struct traffic *traffic_start(int threads)
{
    if (threads == 0)
        return NULL;
    struct traffic *traffic =
        allocate_or_fail(1, sizeof *traffic + (size_t)threads * sizeof traffic->copiers[0]);
    traffic->threads = threads;
    traffic->cores = cores_for_traffic();
    atomic_init(&traffic->stop, false);
    if (pthread_barrier_init(&traffic->filled, NULL, (unsigned)threads + 1) != 0)
        fail("no barrier for %d threads that copy", threads);
    for (int i = 0; i < threads; i++) {
        traffic->copiers[i].traffic = traffic;
        if (pthread_create(&traffic->copiers[i].thread, NULL, copy, &traffic->copiers[i]) != 0)
            fail("thread %d of %d that copy cannot be started: choose fewer", i + 1, threads);
    }
    pthread_barrier_wait(&traffic->filled);
    traffic->start_s = clock_now_s();
    return traffic;
}

double traffic_stop(struct traffic *traffic)
{
    if (!traffic)
        return 0;
    double bytes = 0;
    atomic_store(&traffic->stop, true);
    double time_s = clock_now_s() - traffic->start_s;
    for (int i = 0; i < traffic->threads; i++) {
        pthread_join(traffic->copiers[i].thread, NULL);
        bytes += traffic->copiers[i].bytes;
    }
    pthread_barrier_destroy(&traffic->filled);
    free(traffic);
    return bytes / time_s;
}
