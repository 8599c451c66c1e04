/* What ends the program: rdma.bats looks at how. rdma_lost_ranks_test SCENARIO PATH, where rank
 * 1 is killed or stopped, or more is asked of an end than it was opened for. */
#include "rdma_test.h"

#include <signal.h>

static struct rdma_end *open_for_trouble(double wait_limit_s)
{
    int path = 0;
    while (path < RDMA_PATHS && !wants(path))
        path++;
    if (path == RDMA_PATHS)
        fail("there is no path %s", only_path);
    int place = path == RDMA_HOST ? RDMA_PAGEABLE : RDMA_DEVICE;
    struct rdma_config config = config_of(path, place, place);
    config.wait_limit_s = wait_limit_s;
    struct rdma_end *end = rdma_open(&config);
    go(end, (struct traffic){100000, {WINDOW, 1}}, 1);
    return end;
}

/* In the middle: a block has been asked for, and does not come. */
static void lose_the_other(int signal_of_loss, double wait_limit_s)
{
    struct rdma_end *end = open_for_trouble(wait_limit_s);
    ranks.barrier();
    if (rank == 1)
        raise(signal_of_loss);
    rdma_start_receive(end, MOST_BYTES);
    rdma_wait(end);
    say("a block of nobody");
}

static void die(void)
{
    lose_the_other(SIGKILL, 20);
}

static void stop(void)
{
    lose_the_other(SIGSTOP, 0.5);
}

static void too_long(void)
{
    rdma_start_send(open_for_trouble(20), MOST_BYTES + 1);
}

static void too_many(void)
{
    struct rdma_end *end = open_for_trouble(20);
    for (int i = 0; i <= WINDOW; i++)
        rdma_start_receive(end, 1);
}

static void too_much(void)
{
    struct rdma_config config = config_of(RDMA_HOST, RDMA_PINNED, RDMA_PINNED);
    config.bytes = (size_t)1 << 50;
    rdma_open(&config);
}

int main(int argc, char **argv)
{
    static const struct scenario scenarios[] = {{"die", die},           {"stop", stop},
                                                {"too-long", too_long}, {"too-many", too_many},
                                                {"too-much", too_much}, {0}};
    return run_scenario(argc, argv, scenarios);
}
