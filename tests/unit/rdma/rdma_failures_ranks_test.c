/* What fails at one rank, and what the other learns of it; ends that were left in the middle of
 * something. Started by rdma.bats: rdma_failures_ranks_test all|automatic. */
#include "rdma/path.h"

#include "rdma_test.h"

/* ---- starts ---- */

static void a_refused_start_changes_nothing(void)
{
    for (int p = 0; p < PATHS; p++) {
        struct rdma_config config = config_for(paths[p]);
        if (!is_here(paths[p]))
            continue;
        struct rdma_end *end = open_end(&config);
        expect_error(rdma_start_send(end, BYTES_MAX + 1), DM_INVALID,
                     "a send of 3145734 bytes was started at an end for 3145733");
        for (int i = 0; i < WINDOW; i++)
            expect_ok(rdma_start_receive(end, 1));
        expect_error(rdma_start_receive(end, 1), DM_INVALID,
                     "a receive was started beyond the window of 8: rdma_wait first");
        for (int i = 0; i < WINDOW; i++)
            expect_ok(rdma_start_send(end, 1));
        expect_ok(rdma_wait(end));
        go(end, (struct traffic){1000, {1, 1}}, 1);
        rdma_close(end);
    }
    say("a refused start changes nothing");
}

/* ---- opening ---- */

/* Of a block that is too large for rank 1 both hear, and the next end opens. */
static void too_little_memory(void)
{
    char words[80];
    static char mine[1];
    for (int p = 0; p < PATHS; p++) {
        bool is_mapped = paths[p] >= RDMA_PIPELINED_SHARED;
        struct rdma_end *end;
        struct rdma_config config = config_for(paths[p]);
        if (!is_here(paths[p]))
            continue;
        config.bytes = (size_t)1 << 50;
        config.window = 1;
        config.chunk_bytes = 1000;
        if (rank == 0 && !is_mapped)
            config.send_buffer = config.receive_buffer = mine;
        snprintf(words, sizeof words, "%zu bytes of ", config.bytes);
        expect_error(rdma_open(&end, &config), DM_NO_MEMORY,
                     is_mapped ? "are not available" : words);
        expect((strncmp(dm_message(), "rank 1: ", 8) == 0) == !is_mapped);
        expect(end == NULL);
        config = config_for(paths[p]);
        end = open_end(&config);
        go(end, (struct traffic){1000, {1, 1}}, 1);
        rdma_close(end);
    }
    say("too little memory");
}

static void a_device_that_is_not_there(void)
{
    struct rdma_end *end;
    struct rdma_config config = config_for(RDMA_STAGED);
    config.device = rank == 0 ? gpu : 99;
    expect_error(rdma_open(&end, &config), DM_FAILED, "rank 1: cudaSetDevice");
    expect(end == NULL);
    (void)cudaGetLastError();
    say("a device that is not there");
}

/* Nobody waits for ever, not even for a rank that has not come. */
static void a_rank_that_does_not_come(void)
{
    struct rdma_config config = config_for(RDMA_STAGED);
    check_mpi(MPI_Comm_dup(MPI_COMM_WORLD, &config.ranks)); /* on which none can be opened later */
    config.wait_limit_s = 0.1;
    struct rdma_end *end;
    if (rank == 0)
        expect_error(rdma_open(&end, &config), DM_TIMEOUT,
                     "rank 0 waited 0.1 s for a reply from rank 1 (path staged)");
    ranks.barrier();
    say("a rank that does not come");
}

static void own_buffers(void)
{
    for (int p = 0; p < PATHS && paths[p] < RDMA_PIPELINED_SHARED; p++) {
        struct rdma_config config = config_for(paths[p]);
        enum memory_kind kind = paths[p] == RDMA_HOST ? MEMORY_PAGEABLE : MEMORY_DEVICE;
        void *mine = memory_allocate(kind, BYTES_MAX);
        config.receive_buffer = rank == 0 ? mine : NULL;
        config.send_buffer = rank == 1 ? mine : NULL;
        struct rdma_end *end = open_end(&config);
        expect((rank == 0 ? rdma_receive_buffer(end) : rdma_send_buffer(end)) == mine);
        go(end, (struct traffic){BYTES_MAX, {1, 1}}, p);
        rdma_close(end);
        put(mine, scratch, BYTES_MAX); /* it is still there */
        memory_release(kind, mine);
    }
    say("own buffers");
}

/* The software GPU has peer-copy, and no MPI that takes its pointers. */
static void automatic(void)
{
    static const struct {
        enum rdma_place places[2];
        bool is_own;
        enum rdma_path path;
    } cases[] = {{{RDMA_PAGEABLE, RDMA_PINNED}, false, RDMA_HOST},
                 {{RDMA_PAGEABLE, RDMA_PAGEABLE}, true, RDMA_HOST},
                 {{RDMA_DEVICE, RDMA_DEVICE}, false, RDMA_PEER_COPY},
                 {{RDMA_PINNED, RDMA_DEVICE}, false, RDMA_PEER_COPY},
                 {{RDMA_DEVICE, RDMA_PAGEABLE}, false, RDMA_PIPELINED_SHARED},
                 {{RDMA_PAGEABLE, RDMA_DEVICE}, true, RDMA_PIPELINED}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct rdma_config config =
            config_of(RDMA_AUTOMATIC, (int)cases[i].places[0], (int)cases[i].places[1]);
        static char mine[BYTES_MAX];
        if (cases[i].is_own && rank == 0)
            config.send_buffer = mine;
        expect_ok(rdma_check(&config));
        struct rdma_end *end = open_end(&config);
        expect(rdma_end_path(end) == cases[i].path);
        go(end, (struct traffic){1000, {1, 1}}, (int)i);
        rdma_close(end);
    }
    struct rdma_config wrong = config_of(RDMA_AUTOMATIC, RDMA_DEVICE, RDMA_PLACES);
    expect_error(rdma_check(&wrong), DM_INVALID, "choose H, P or D");
    say("automatic");
}

/* ---- closing ---- */

/* Receives that nothing was sent for, then sends that nobody receives, small and large. */
static void ends_can_be_closed_at_any_time(void)
{
    static const size_t sizes[] = {100, BYTES_MAX};
    for (int p = 0; p < PATHS; p++)
        for (int i = 0; i < 4 && is_here(paths[p]); i++) {
            struct rdma_config config = config_for(paths[p]);
            struct rdma_end *end = open_end(&config);
            go(end, (struct traffic){1000, {1, 1}}, 1);
            end->contact.wait_limit_s = 0.02;
            if (rank == 0 && i < 2)
                expect_error(rdma_receive(end, sizes[i]), DM_TIMEOUT, "rank 0 waited 0.02 s for");
            if (rank == 1 && i >= 2) {
                enum dm_status status = rdma_send(end, sizes[i - 2]);
                expect(status == DM_OK || status == DM_TIMEOUT);
            }
            end->contact.wait_limit_s = 20;
            rdma_close(end);
        }
    say("ends can be closed at any time");
}

static void all(void)
{
    a_refused_start_changes_nothing();
    too_little_memory();
    a_device_that_is_not_there();
    a_rank_that_does_not_come();
    own_buffers();
    ends_can_be_closed_at_any_time();
}

int main(int argc, char **argv)
{
    static const struct scenario scenarios[] = {{"all", all}, {"automatic", automatic}, {0}};
    return run_scenario(argc, argv, scenarios);
}
