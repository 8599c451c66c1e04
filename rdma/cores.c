/* cores.c: whether a rank that waits may keep its core busy. */
#include <sched.h>
#include <stdio.h>
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

/* Ranks of the job on this node; 0: not known. One that has no others but these two can tell by
 * itself; in others, only all ranks together could count (MPI_Comm_split_type), and they are not
 * here.
 */
static int count_local_ranks(const struct contact *contact, bool is_one_node)
{
    int all = 0;
    if (contact->local_ranks > 0)
        return contact->local_ranks;
    return MPI_Comm_size(MPI_COMM_WORLD, &all) == MPI_SUCCESS && all == 2 ? 1 + is_one_node : 0;
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

    const bool is_one_node = strcmp(mine.kernel, theirs.kernel) == 0;
    const int local = count_local_ranks(contact, is_one_node);
    int here = local;
    if (is_one_node) {
        /* Ranks that are bound do not compete with those that may not run on their cores. */
        bool is_bound = !CPU_EQUAL(&mine.cores, &theirs.cores);
        here = is_bound || here < 2 ? 2 : here;
        CPU_OR(&mine.cores, &mine.cores, &theirs.cores);
    }
    contact->is_crowded = local == 0 || here * CORES_OF_A_RANK > CPU_COUNT(&mine.cores);
    return DM_OK;
}
