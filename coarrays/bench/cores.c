#include "cores.h"

#include <omp.h>
#include <stdlib.h>
#include <unistd.h>
#include <mpi.h>

#include "common/harness/exit.h"
#include "common/harness/ranks.h"

cpu_set_t cores_share(void)
{
    cpu_set_t before, all;
    MPI_Comm node;
    check_errno(sched_getaffinity(0, sizeof before, &before) == 0);
    check_mpi(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node));
    check_mpi(MPI_Allreduce(&before, &all, sizeof all, MPI_BYTE, MPI_BOR, node));
    check_mpi(MPI_Comm_free(&node));
    check_errno(sched_setaffinity(0, sizeof all, &all) == 0);
    return before;
}

int cores_usable(int threads)
{
    int cores = CPU_SETSIZE;
#pragma omp parallel num_threads(threads) reduction(min : cores)
    {
        cpu_set_t set;
        check_errno(sched_getaffinity(0, sizeof set, &set) == 0);
        cores = CPU_COUNT(&set);
    }
    return cores;
}

void cores_let_threads_sleep(char **argv)
{
    if (getenv("OMP_WAIT_POLICY"))
        return;
    check_errno(setenv("OMP_WAIT_POLICY", "passive", 1) == 0);
    check_errno(execv("/proc/self/exe", argv) == 0);
}
