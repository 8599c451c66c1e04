#include "prefetch/sip/patience.h"

#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <mpi.h>

#include "common/clock.h"
#include "common/error.h"

/* Looking again at once, then giving the core away, until these times have passed. */
static const double look_s = 2e-3, yield_s = 20e-3;
static const double crowded_look_s = 2e-6, crowded_yield_s = 200e-6;
static const struct timespec nap = {.tv_nsec = 30000};

/* One rank's view of its machine. */
struct view {
    uint64_t machine; /* equal for all ranks under one kernel */
    cpu_set_t cores;  /* where it may run */
};

/* Virtual hosts have names of their own, but one kernel and its cores. */
static uint64_t machine_number(void)
{
    char name[256] = "";
    FILE *file = fopen("/proc/sys/kernel/random/boot_id", "r");
    if (!file || !fgets(name, sizeof name, file))
        gethostname(name, sizeof name - 1);
    if (file)
        fclose(file);
    uint64_t number = 14695981039346656037u; /* FNV-1a */
    for (const char *at = name; *at; at++)
        number = (number ^ (unsigned char)*at) * 1099511628211u;
    return number;
}

enum dm_status patience_look_around(MPI_Comm ranks, bool *crowded)
{
    int count, here = 0;
    cpu_set_t cores;
    struct view mine = {.machine = machine_number()};
    sched_getaffinity(0, sizeof mine.cores, &mine.cores);
    TRY_MPI(MPI_Comm_size(ranks, &count));
    struct view *views = calloc((size_t)count, sizeof *views);
    if (!views)
        return error_no_memory((size_t)count * sizeof *views);
    enum dm_status status = status_of_mpi(
        MPI_Allgather(&mine, sizeof mine, MPI_BYTE, views, sizeof mine, MPI_BYTE, ranks));
    CPU_ZERO(&cores);
    for (int i = 0; i < count; i++) {
        if (views[i].machine != mine.machine)
            continue;
        here++;
        CPU_OR(&cores, &cores, &views[i].cores);
    }
    free(views);
    *crowded = here > CPU_COUNT(&cores);
    return status;
}

struct patience patience_begin(double limit_s, bool crowded)
{
    return (struct patience){.start_s = clock_now_s(), .limit_s = limit_s, .crowded = crowded};
}

bool patience_pause(const struct patience *patience)
{
    double waited_s = clock_now_s() - patience->start_s;
    if (waited_s > patience->limit_s)
        return false;
    if (waited_s < (patience->crowded ? crowded_look_s : look_s))
        return true;
    if (waited_s < (patience->crowded ? crowded_yield_s : yield_s))
        sched_yield();
    else
        nanosleep(&nap, NULL);
    return true;
}
