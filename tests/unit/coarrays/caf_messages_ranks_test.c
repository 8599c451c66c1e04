/* Messages between images: any size, order kept, and all handled before the end. Run with several
 * nodes or CAF_PATH=rma, else there is nothing to test. */
#include "coarrays/caf/messages.h"
#include "coarrays/caf/runtime.h"
#include "coarrays/caf/wait.h"

#include "caf_ranks_test.h"

enum { MESSAGES = 120, LARGE = 5 << 20, MAX_IMAGES = 16 };

static int me, images;
static uint32_t heard[MAX_IMAGES + 1], replies[MAX_IMAGES + 1];

/* What number `number` from one image to another holds follows from these three. */
static size_t size_of(int from, int to, uint32_t number)
{
    uint64_t seed = (uint64_t)from * 7919 + (uint64_t)to * 104729 + number;
    random_below(&seed, 2);
    switch (random_below(&seed, 12)) {
    case 0:
        return 0;
    case 1:
        return 1 + random_below(&seed, 3);
    case 2:
    case 3:
        return 1900 + random_below(&seed, 300); /* about the limit of small ones */
    case 4:
        return random_below(&seed, 200000);
    case 5: /* rare, for a link of 1 Gbit/s */
        return random_below(&seed, 10) == 0 ? LARGE : 70000;
    default:
        return random_below(&seed, 500);
    }
}

static unsigned char byte_of(int from, int to, uint32_t number, size_t i)
{
    return (unsigned char)(from * 37 + to * 101 + (int)number * 11 + (int)(i * 7 % 251));
}

static enum dm_status hear(int from, const void *body, size_t bytes)
{
    const unsigned char *got = body;
    uint32_t number = heard[from]++;
    expect(bytes == size_of(from, me, number));
    expect((uintptr_t)body % 16 == 0);
    size_t wrong = 0;
    for (size_t i = 0; i < bytes; i++)
        wrong += got[i] != byte_of(from, me, number, i);
    expect(wrong == 0);
    /* A handler may send; to whom does not matter. */
    return messages_send(from, MESSAGE_GET_DONE, &number, sizeof number);
}

static enum dm_status hear_reply(int from, const void *body, size_t bytes)
{
    expect(bytes == sizeof(uint32_t) && *(const uint32_t *)body == replies[from]);
    replies[from]++;
    return DM_OK;
}

static void send_number(int to, uint32_t number)
{
    static unsigned char body[LARGE];
    size_t bytes = size_of(me, to, number);
    for (size_t i = 0; i < bytes; i++)
        body[i] = byte_of(me, to, number, i);
    expect_ok(messages_send(to, MESSAGE_GET, body, bytes));
    memset(body, 0, bytes); /* it was copied */
}

/* Each image sends to all, itself too, in an order of its own, and looks after what comes only now
 * and then. Not all has come when it goes on: caf_end sees to that. */
static void send_to_everybody(void)
{
    uint32_t sent[MAX_IMAGES + 1] = {0}, left = (uint32_t)(MESSAGES * images);
    uint64_t own = (uint64_t)me;
    messages_handle(MESSAGE_GET, hear);
    messages_handle(MESSAGE_GET_DONE, hear_reply);
    expect_ok(caf_sync_all());
    while (left > 0) {
        int to = 1 + (int)random_below(&own, (uint32_t)images);
        if (sent[to] == MESSAGES)
            continue;
        send_number(to, sent[to]++);
        left--;
        if (random_below(&own, 10) == 0)
            expect_ok(messages_progress(NULL));
    }
}

static void nothing_is_lost_at_the_end(void)
{
    send_to_everybody();
    expect_ok(caf_end());
    for (int image = 1; image <= images; image++)
        expect(heard[image] == MESSAGES && replies[image] == MESSAGES);
}

static void everything_comes_while_waiting(void)
{
    memset(heard, 0, sizeof heard);
    memset(replies, 0, sizeof replies);
    program_start(NULL, NULL);
    send_to_everybody();
    struct wait wait = wait_start("test");
    for (int image = 1; image <= images; image++)
        while (heard[image] < MESSAGES || replies[image] < MESSAGES)
            if (wait_turn(&wait) != DM_OK) {
                expect(!"come in time");
                break;
            }
    expect_ok(caf_sync_all());
    expect_ok(caf_end());
}

/* Connections are made anew at each start, and who speaks first is a matter of chance. */
static void images_connect_in_any_order(void)
{
    enum { STARTS = 20 };
    uint64_t own = (uint64_t)me;
    for (int start = 0; start < STARTS; start++) {
        program_start(NULL, NULL);
        if (random_below(&own, 3) > 0)
            sleep_s(1e-6 * random_below(&own, 1000));
        expect_ok(caf_sync_all());
        expect_ok(caf_end());
    }
}

int main(int argc, char **argv)
{
    static const struct step steps[] = {STEP(nothing_is_lost_at_the_end),
                                        STEP(everything_comes_while_waiting),
                                        STEP(images_connect_in_any_order),
                                        {0}};
    alarm(HANGS_AFTER_S);
    MPI_Init(&argc, &argv);
    program_start(&argc, &argv);
    me = caf_this_image();
    images = caf_num_images();
    if (!runtime.windows)
        stop_in_error(1, "there are no messages: use several nodes or CAF_PATH=rma");
    run_steps(steps);
    MPI_Finalize();
    return test_failures > 0;
}
