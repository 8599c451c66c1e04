/* Started alone and with mpirun -np 3 by ranks.bats. With the argument `error` an MPI call fails on
 * rank 1, and all ranks must leave; `nodes` N: consecutive ranks are on N nodes, each with as many.
 */
#include <stdlib.h>
#include <string.h>
#include <mpi.h>

#include "common/harness/ranks.h"
#include "tests/unit/test.h"

int main(int argc, char **argv)
{
    ranks_start(&argc, &argv);
    alarm(HANGS_AFTER_S);
    if (argc > 1 && strcmp(argv[1], "error") == 0) {
        if (ranks.rank == 1)
            check_mpi(MPI_Send(NULL, 1, MPI_INT, 99, 0, MPI_COMM_WORLD));
        ranks.barrier();
    }
    expect(ranks.rank >= 0 && ranks.rank < ranks.count);
    const int on_node =
        ranks.count / (argc > 2 && strcmp(argv[1], "nodes") == 0 ? atoi(argv[2]) : 1);
    expect(ranks.local_count == on_node && ranks.local_rank == ranks.rank % on_node);
    expect(ranks.max(ranks.rank) == ranks.count - 1);
    ranks.barrier();
    int failed = (int)ranks.max(test_failed_checks);
    if (ranks.rank == 0)
        printf("%sok ranks of %d\n", failed ? "not " : "", ranks.count);
    ranks.stop();
    return failed ? 1 : 0;
}
