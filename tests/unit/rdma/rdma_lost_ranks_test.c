/* What ends a program: rdma.bats looks at how. rdma_lost_ranks_test SCENARIO PATH, where rank 1 is
 * killed or stopped. */
#include <signal.h>

#include "rdma/path.h"

#include "rdma_test.h"

static struct rdma_end *open_for_trouble(void)
{
    int path = 0;
    while (path < RDMA_PATHS && !wants(path))
        path++;
    if (path == RDMA_PATHS)
        fail("there is no path %s", only_path);
    int place = path == RDMA_HOST ? RDMA_PAGEABLE : RDMA_DEVICE;
    struct rdma_config config = config_of(path, place, place);
    struct rdma_end *end = open_end(&config);
    go(end, (struct traffic){100000, {WINDOW, 1}}, 1);
    return end;
}

/* In the middle: a receive was started, and no block comes. */
static void wait_for_the_other(struct rdma_end *end)
{
    start_receive(end, BYTES_MAX);
    wait_for_blocks(end);
    say("a block of nobody");
}

static int processes[2]; /* of both ranks */

static void kill_if_waited_for(int signal)
{
    (void)signal;
    if (status_activity)
        kill((pid_t)processes[1], SIGKILL);
}

/* Rank 1 ends only when rank 0 waits for it: then mpirun ends rank 0 too, which has to say what it
 * was doing. */
static void die(void)
{
    struct rdma_end *end = open_for_trouble();
    int self = (int)getpid();
    signal(SIGUSR1, kill_if_waited_for);
    check_mpi(MPI_Allgather(&self, 1, MPI_INT, processes, 1, MPI_INT, MPI_COMM_WORLD));
    while (rank == 1) {
        kill((pid_t)processes[0], SIGUSR1);
        usleep(10000);
    }
    wait_for_the_other(end);
}

static void stop(void)
{
    struct rdma_end *end = open_for_trouble();
    end->contact.wait_limit_s = 0.5; /* what must arrive has done so */
    ranks.barrier();
    if (rank == 1)
        raise(SIGSTOP);
    wait_for_the_other(end);
}

int main(int argc, char **argv)
{
    static const struct scenario scenarios[] = {{"die", die}, {"stop", stop}, {0}};
    return run_scenario(argc, argv, scenarios);
}
