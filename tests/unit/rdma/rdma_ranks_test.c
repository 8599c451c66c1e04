/* Blocks between all places along all paths, as far as this machine has them. Started by rdma.bats:
 * rdma_ranks_test pairs|server|together [PATH]. */
#include "rdma_test.h"

/* A window of blocks of which each is shorter than the one before: what is in the buffer then
 * are the first bytes of the longest. */
static void go_with_all_sizes(struct rdma_end *end, const size_t *sizes, int count, int round)
{
    prepare(end, sizes[count - 1], round);
    for (int i = count - 1; i >= 0; i--) {
        start_receive(end, sizes[i]);
        start_send(end, sizes[i]);
    }
    wait_for_blocks(end);
    verify(end, sizes[count - 1], round);
}

static void go_all(struct rdma_end *end)
{
    static const size_t sizes[] = {0, 1, 13, 4096, (64 << 10) + 1, BYTES_MAX};
    enum { SIZES = sizeof sizes / sizeof *sizes };
    int round = 0;
    for (int s = 0; s < SIZES; s++) {
        go(end, (struct traffic){sizes[s], {1, 1}}, round++);
        go(end, (struct traffic){sizes[s], {1, 0}}, round++);
        go(end, (struct traffic){sizes[s], {0, 1}}, round++);
        if (s < SIZES - 1)
            go(end, (struct traffic){sizes[s], {WINDOW, WINDOW}}, round++);
    }
    go(end, (struct traffic){BYTES_MAX, {2, 3}}, round++);
    go(end, (struct traffic){1000, {WINDOW, 3}}, round++);
    go_with_all_sizes(end, sizes, SIZES, round++);
    wait_for_blocks(end); /* for nothing */
}

static bool can_be_opened(const struct rdma_config *config, const char *name)
{
    enum dm_status status = rdma_check(config);
    expect(status == DM_OK || status == DM_UNAVAILABLE);
    if (status != DM_OK && rank == 0)
        printf("ok %s # skip %s\n", name, dm_message());
    return status == DM_OK;
}

static bool goes(int path, int place_0, int place_1)
{
    return rdma_path_goes((enum rdma_path)path, (enum rdma_place)place_0, (enum rdma_place)place_1);
}

static void try_pair(int path, int place_0, int place_1)
{
    char name[80];
    struct rdma_config config = config_of(path, place_0, place_1);
    snprintf(name, sizeof name, "%s %c %c", rdma_path_name(config.path),
             rdma_place_letter((enum rdma_place)place_0),
             rdma_place_letter((enum rdma_place)place_1));
    if (!can_be_opened(&config, name))
        return;
    struct rdma_end *end = open_end(&config);
    go_all(end);
    rdma_close(end);
    say(name);
}

static void pairs(void)
{
    for (int path = 0; path < RDMA_PATHS; path++)
        for (int place_0 = 0; place_0 < RDMA_PLACES; place_0++)
            for (int place_1 = 0; place_1 < RDMA_PLACES; place_1++)
                if (wants(path) && goes(path, place_0, place_1))
                    try_pair(path, place_0, place_1);
}

/* Rank 1 is a server that has no GPU at all, so that a call of CUDA would fail. */
static void server(void)
{
    expect(rank == 0 || gpu < 0);
    for (int path = 0; path < RDMA_PATHS; path++)
        for (int place_0 = 0; place_0 < RDMA_PLACES; place_0++)
            for (int place_1 = 0; place_1 < RDMA_DEVICE; place_1++)
                if (wants(path) && goes(path, place_0, place_1))
                    try_pair(path, place_0, place_1);
    struct rdma_config config = config_of(RDMA_STAGED, RDMA_DEVICE, RDMA_DEVICE);
    expect_error(rdma_check(&config), DM_INVALID,
                 "rank 1: the buffers are to be in GPU memory, but this rank has no GPU");
    say("a server without a GPU");
}

/* ---- several ends ---- */

/* The resident kernel of peer-store must not meet allocations of others, so it opens last. */
static int nth_path(int n)
{
    return n == RDMA_PATHS - 1 ? RDMA_PEER_STORE : n < RDMA_PEER_STORE ? n : n + 1;
}

static int open_all(struct rdma_end **ends)
{
    int count = 0;
    for (int n = 0; n < RDMA_PATHS; n++) {
        int place = nth_path(n) == RDMA_HOST ? RDMA_PAGEABLE : RDMA_DEVICE;
        struct rdma_config config = config_of(nth_path(n), place, place);
        if (wants(nth_path(n)) && rdma_check(&config) == DM_OK)
            ends[count++] = open_end(&config);
    }
    return count;
}

/* The ranks start the ends in different orders; messages must find their ends. */
static void ends_at_the_same_time(void)
{
    static const struct traffic traffic = {70000, {3, 2}};
    struct rdma_end *ends[RDMA_PATHS];
    int count = open_all(ends);
    for (int round = 0; round < 3; round++) {
        for (int e = 0; e < count; e++)
            prepare(ends[e], traffic.bytes, 100 * e + round);
        for (int e = 0; e < count; e++)
            start(ends[rank == 0 ? e : count - 1 - e], &traffic);
        for (int e = 0; e < count; e++)
            wait_for_blocks(ends[e]);
        for (int e = 0; e < count; e++)
            verify(ends[e], traffic.bytes, 100 * e + round);
    }
    while (count > 0)
        rdma_close(ends[--count]);
    rdma_close(NULL);
    say("several ends at the same time");
}

int main(int argc, char **argv)
{
    static const struct scenario scenarios[] = {
        {"pairs", pairs}, {"server", server}, {"together", ends_at_the_same_time}, {0}};
    return run_scenario(argc, argv, scenarios);
}
