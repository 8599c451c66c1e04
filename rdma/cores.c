/* cores.c: whether a rank that waits may keep its core busy. */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contact.h"

/* The software GPU copies and computes on threads of the host: one for a stream, one for a
 * kernel that stays. */
#if defined(SOFTGPU)
enum { CORES_OF_A_RANK = 3 };
#else
enum { CORES_OF_A_RANK = 1 };
#endif

/* One rank's view of its machine. */
struct view {
    char kernel[KERNEL_NAME_BYTES];
    cpu_set_t cores; /* where the rank may run */
};

void kernel_name(char name[KERNEL_NAME_BYTES])
{
    memset(name, 0, KERNEL_NAME_BYTES);
    FILE *file = fopen("/proc/sys/kernel/random/boot_id", "r");
    if (!file)
        return;
    if (!fgets(name, KERNEL_NAME_BYTES, file))
        name[0] = '\0';
    fclose(file);
}

/* Ranks of the job on this host, as Open MPI and MPICH tell each of them; 0: not known. */
static int count_local_ranks(void)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS"};
    int count = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names && count < 1; i++)
        count = getenv(names[i]) ? atoi(getenv(names[i])) : 0;
    return count > 0 ? count : 0;
}

enum dm_status contact_learn_cores(struct contact *contact, enum dm_status status)
{
    struct view mine, theirs;
    memset(&mine, 0, sizeof mine);
    kernel_name(mine.kernel);
    sched_getaffinity(0, sizeof mine.cores, &mine.cores);
    status = contact_exchange(contact, status, &mine, &theirs, sizeof mine);
    if (status != DM_OK)
        return status;

    const int local = count_local_ranks();
    int here = local;
    if (strcmp(mine.kernel, theirs.kernel) == 0) {
        /* Ranks that are bound do not compete with those that may not run on their cores. */
        bool is_bound = !CPU_EQUAL(&mine.cores, &theirs.cores);
        here = is_bound || here < 2 ? 2 : here;
        CPU_OR(&mine.cores, &mine.cores, &theirs.cores);
    }
    contact->is_crowded = local == 0 || here * CORES_OF_A_RANK > CPU_COUNT(&mine.cores);
    return DM_OK;
}
