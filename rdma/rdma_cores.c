/* rdma_cores.c: whether a rank that waits may keep its core busy. */
#include "rdma_internal.h"

#include "ranks.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>

/* The software GPU copies and computes on threads of the host: one for a stream, one for a
 * kernel that stays. */
#if defined(SOFTGPU)
enum { CORES_OF_A_RANK = 3 };
#else
enum { CORES_OF_A_RANK = 1 };
#endif

/* One rank's view of its machine. */
struct view {
    char kernel[RDMA_KERNEL_NAME];
    cpu_set_t cores; /* where the rank may run */
};

/* Until it is known, cores are given away soon: that is never wrong, only slow. */
static bool crowded = true;

void rdma_kernel_name(char name[RDMA_KERNEL_NAME])
{
    memset(name, 0, RDMA_KERNEL_NAME);
    FILE *file = fopen("/proc/sys/kernel/random/boot_id", "r");
    if (!file)
        return;
    if (!fgets(name, RDMA_KERNEL_NAME, file))
        name[0] = '\0';
    fclose(file);
}

void rdma_learn_cores(const struct rdma_config *config)
{
    struct view mine, theirs;
    memset(&mine, 0, sizeof mine);
    rdma_kernel_name(mine.kernel);
    sched_getaffinity(0, sizeof mine.cores, &mine.cores);
    rdma_exchange(config, &mine, &theirs, sizeof mine);

    int here = ranks.local_count;
    if (strcmp(mine.kernel, theirs.kernel) == 0) {
        /* Ranks that are bound do not compete with those that may not run on their cores. */
        bool bound = !CPU_EQUAL(&mine.cores, &theirs.cores);
        here = bound || here < 2 ? 2 : here;
        CPU_OR(&mine.cores, &mine.cores, &theirs.cores);
    }
    crowded = here * CORES_OF_A_RANK > CPU_COUNT(&mine.cores);
}

bool rdma_cores_are_crowded(void)
{
    return crowded;
}
