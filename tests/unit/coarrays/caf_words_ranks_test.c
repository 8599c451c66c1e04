/* Started with mpirun by coarrays_words.bats: caf_words_ranks_test all|stop|alone|limit ROUNDS.
 * Atomics, locks and events of the coarray library. `all` is what works; in the others images stop
 * or let the others wait. */
#include <limits.h>

#include "caf_ranks_test.h"

enum { WORDS = 64 };

static struct caf_coarray *coarray, *other;
static int32_t *word, *data;
static int me, images, rounds;
static double limit_s; /* CAF_WAIT_LIMIT_S */

/* The sentence of the last error has this in it. */
static bool says(const char *part)
{
    if (strstr(dm_message(), part))
        return true;
    printf("# image %d says: %s\n", me, dm_message());
    return false;
}

static int next_image(void)
{
    return me % images + 1;
}

/* All words of all images are 0 again. */
static void clear(void)
{
    expect_ok(caf_sync_all());
    memset(word, 0, WORDS * sizeof *word);
    memset(data, 0, WORDS * sizeof *data);
    expect_ok(caf_sync_all());
}

static int32_t value_of(int image, size_t offset)
{
    int32_t value = -1;
    expect_ok(caf_atomic_ref(coarray, image, offset, &value));
    return value;
}

/* ---- atomics ---- */

static void adds_are_exact(void)
{
    int64_t seen = 0, all_seen;
    int64_t total = (int64_t)rounds * images;
    clear();
    for (int i = 0; i < rounds; i++) {
        int32_t old = -1;
        expect_ok(caf_atomic_operation(coarray, images, 8, CAF_ADD, 1, &old));
        seen += old;
    }
    expect_ok(caf_sync_all());
    /* Every value from 0 on was seen once. */
    MPI_Allreduce(&seen, &all_seen, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    expect(all_seen == total * (total - 1) / 2);
    expect(value_of(images, 8) == total);
}

static void adds_wrap_around(void)
{
    clear();
    if (me == images) {
        int32_t old;
        expect_ok(caf_atomic_define(coarray, 1, 0, INT32_MAX));
        expect_ok(caf_atomic_operation(coarray, 1, 0, CAF_ADD, 2, &old));
        expect(old == INT32_MAX && value_of(1, 0) == INT32_MIN + 1);
    }
}

/* Swaps until nobody was faster. */
static void add_by_swaps(int32_t value)
{
    int32_t found = 0, expected;
    do {
        expected = found;
        expect_ok(caf_atomic_cas(coarray, 1, 12, expected, (int32_t)((uint32_t)expected + value),
                                 &found));
    } while (found != expected);
}

/* Additions to the upper half of one word, and to the lower half a bit of each image's own that
 * nobody else may change. */
static void operations_mix(void)
{
    int32_t old, bit = 1 << (me - 1);
    clear();
    for (int i = 0; i < rounds; i++) {
        expect_ok(caf_atomic_operation(coarray, 1, 12, CAF_OR, bit, &old));
        expect((old & bit) == 0);
        expect_ok(caf_atomic_operation(coarray, 1, 12, CAF_ADD, 1 << 16, &old));
        expect((old & bit) == bit);
        expect_ok(caf_atomic_operation(coarray, 1, 12, CAF_XOR, bit, &old));
        expect((old & bit) == bit);
        add_by_swaps(1 << 16);
        expect_ok(caf_atomic_operation(coarray, 1, 12, CAF_XOR, bit, NULL));
        expect_ok(caf_atomic_operation(coarray, 1, 12, CAF_AND, ~bit, &old));
        expect((old & bit) == bit);
    }
    expect_ok(caf_sync_all());
    expect((uint32_t)value_of(1, 12) == (uint32_t)(2 * rounds * images) << 16);
}

static void operations_are_right(void)
{
    static const struct {
        enum caf_operation operation;
        int32_t value, result;
    } steps[] = {{CAF_ADD, -5, 0x0ff0 - 5},
                 {CAF_AND, 0x00ff, 0x00f0},
                 {CAF_OR, 0x1001, 0x1ff1},
                 {CAF_XOR, -1, ~0x0ff0}};
    size_t offset = 4 * (size_t)me;
    clear();
    for (int i = 0; i < 4; i++) {
        int32_t old = 1;
        expect_ok(caf_atomic_define(coarray, next_image(), offset, 0x0ff0));
        expect_ok(caf_atomic_operation(coarray, next_image(), offset, steps[i].operation,
                                       steps[i].value, &old));
        expect(old == 0x0ff0 && value_of(next_image(), offset) == steps[i].result);
    }
}

static void one_swap_wins(void)
{
    int32_t winner, old;
    clear();
    expect_ok(caf_atomic_cas(coarray, images, 0, 0, me, &old));
    expect_ok(caf_sync_all());
    winner = value_of(images, 0);
    expect(winner >= 1 && winner <= images && old == (winner == me ? 0 : winner));
    expect_ok(caf_atomic_cas(coarray, images, 0, -7, 99, NULL));
    expect(value_of(images, 0) == winner);
}

static void defined_words_arrive(void)
{
    clear();
    expect_ok(caf_atomic_define(coarray, next_image(), 20, 1000 + me));
    expect_ok(caf_sync_all());
    expect(word[5] == 1000 + (me + images - 2) % images + 1);
    expect(value_of(me, 20) == word[5]);
}

static void wrong_words(void)
{
    int32_t old = 5;
    size_t end = WORDS * sizeof *word;
    clear();
    expect_invalid(caf_atomic_define(coarray, 0, 0, 1), CAF_BAD_IMAGE, "");
    expect(says("ATOMIC_DEFINE: there is no image 0 of"));
    expect_invalid(caf_atomic_ref(coarray, images + 1, 0, &old), CAF_BAD_IMAGE, "");
    expect(says("ATOMIC_REF: there is no image"));
    expect_invalid(caf_atomic_operation(coarray, 1, 2, CAF_OR, 1, &old), CAF_BAD_ARGUMENT, "");
    expect(says("ATOMIC_OR: the offset 2 is not a multiple of 4"));
    expect_invalid(caf_atomic_operation(coarray, 1, 0, (enum caf_operation)4, 1, &old),
                   CAF_BAD_ARGUMENT, "");
    expect(says("ATOMIC_OP: there is no operation 4"));
    expect_invalid(caf_atomic_cas(coarray, 1, end, 0, 1, &old), CAF_BAD_RANGE, "");
    expect(says("ATOMIC_CAS: offset 256 is beyond the 256 bytes of the coarray"));
    expect_invalid(caf_atomic_ref(coarray, 1, SIZE_MAX - 3, &old), CAF_BAD_RANGE, "");
    expect_invalid(caf_lock(coarray, 1, end - 12, NULL), CAF_BAD_RANGE, "LOCK: ");
    expect_invalid(caf_unlock(coarray, -1, 0), CAF_BAD_IMAGE, "UNLOCK: there is no image -1");
    expect_invalid(caf_event_post(coarray, 1, 1), CAF_BAD_ARGUMENT, "EVENT POST: ");
    expect_invalid(caf_event_wait(coarray, end, 1), CAF_BAD_RANGE, "EVENT WAIT: ");
    expect_invalid(caf_event_query(coarray, end, &(int){0}), CAF_BAD_RANGE, "EVENT_QUERY: ");
    expect(old == 5 && value_of(1, 0) == 0);
}

/* ---- locks ---- */

static void locks_protect(void)
{
    clear();
    for (int i = 0; i < rounds; i++) {
        int32_t counters[2];
        expect_ok(caf_lock(coarray, images, 16, NULL));
        expect_ok(caf_get(counters, other, 1, 0, sizeof counters));
        expect(counters[0] == counters[1]);
        counters[0] += me;
        expect_ok(caf_put(other, 1, 0, &counters[0], sizeof *counters));
        expect_ok(caf_put(other, 1, 4, &counters[0], sizeof *counters));
        expect_ok(caf_unlock(coarray, images, 16));
    }
    expect_ok(caf_sync_all());
    if (me == 1)
        expect(data[0] == rounds * images * (images + 1) / 2 && data[1] == data[0]);
    expect(value_of(images, 16) == 0);
}

/* Several locks at a time, always in the same order. */
static void locks_nest(void)
{
    clear();
    for (int i = 0; i < rounds / 4; i++) {
        int32_t counter;
        for (int image = 1; image <= images; image++)
            expect_ok(caf_lock(coarray, image, 32, NULL));
        expect_ok(caf_get(&counter, other, images, 0, sizeof counter));
        counter++;
        expect_ok(caf_put(other, images, 0, &counter, sizeof counter));
        for (int image = images; image >= 1; image--)
            expect_ok(caf_unlock(coarray, image, 32));
    }
    expect_ok(caf_sync_all());
    if (me == images)
        expect(data[0] == rounds / 4 * images);
}

static void tried_locks_protect(void)
{
    int done = 0;
    clear();
    while (done < rounds / 2) {
        bool acquired;
        int32_t counter;
        expect_ok(caf_lock(coarray, 1, 0, &acquired));
        if (!acquired)
            continue;
        expect_ok(caf_get(&counter, other, 1, 0, sizeof counter));
        counter++;
        expect_ok(caf_put(other, 1, 0, &counter, sizeof counter));
        expect_ok(caf_unlock(coarray, 1, 0));
        done++;
    }
    expect_ok(caf_sync_all());
    if (me == 1)
        expect(data[0] == rounds / 2 * images);
}

static void wrong_locks(void)
{
    bool acquired = true;
    clear();
    if (me == 1) {
        expect_invalid(caf_unlock(coarray, images, 0), CAF_UNLOCKED, "");
        expect(says("UNLOCK: nobody holds the lock on image"));
        expect(caf_lock(coarray, images, 0, &acquired) == DM_OK && acquired);
        expect_invalid(caf_lock(coarray, images, 0, NULL), CAF_LOCKED, "");
        expect(says("LOCK: this image, 1, holds the lock on image") && says("already"));
        expect_invalid(caf_lock(coarray, images, 0, &acquired), CAF_LOCKED, "");
    }
    expect_ok(caf_sync_all());
    if (me > 1) {
        expect_invalid(caf_unlock(coarray, images, 0), CAF_LOCKED_OTHER_IMAGE, "");
        expect(says("UNLOCK: image 1 holds the lock on image") && says(", not this image, "));
        expect(caf_lock(coarray, images, 0, &acquired) == DM_OK && !acquired);
    }
    expect_ok(caf_sync_all());
    if (me == 1)
        expect_ok(caf_unlock(coarray, images, 0));
}

static void overwritten_lock(void)
{
    clear();
    if (me == 1)
        word[0] = images + 7;
    expect_ok(caf_sync_all());
    expect_invalid(caf_lock(coarray, 1, 0, NULL), CAF_BAD_ARGUMENT, "");
    expect(says("LOCK: the lock variable on image 1 was overwritten"));
}

/* ---- events ---- */

/* What was put before the post is there after the wait. */
static void events_go_round(void)
{
    clear();
    for (int i = 1; i <= rounds; i++) {
        int32_t value = 1000 * i + me;
        expect_ok(caf_put(other, next_image(), 0, &value, sizeof value));
        expect_ok(caf_event_post(coarray, next_image(), 0));
        expect_ok(caf_event_wait(coarray, 0, 1));
        expect(data[0] == 1000 * i + (me + images - 2) % images + 1);
        /* It may come again when this was read. */
        expect_ok(caf_event_post(coarray, (me + images - 2) % images + 1, 16));
        expect_ok(caf_event_wait(coarray, 16, 1));
    }
}

static void events_are_counted(void)
{
    int count = -1, posts = 3 * images;
    clear();
    expect(caf_event_query(coarray, 64, &count) == DM_OK && count == 0);
    expect_ok(caf_sync_all());
    for (int i = 0; i < posts; i++)
        expect_ok(caf_event_post(coarray, i % images + 1, 64));
    expect_ok(caf_sync_all());
    expect(caf_event_query(coarray, 64, &count) == DM_OK && count == posts);
    expect_ok(caf_event_wait(coarray, 64, 0));
    expect_ok(caf_event_wait(coarray, 64, -3));
    expect(caf_event_query(coarray, 64, &count) == DM_OK && count == posts - 2);
    expect_ok(caf_event_wait(coarray, 64, posts - 2));
    expect(caf_event_query(coarray, 64, &count) == DM_OK && count == 0);
}

/* Image 1 waits for its own posts too. */
static void semaphore(void)
{
    clear();
    for (int i = 0; i < rounds; i++)
        expect_ok(caf_event_post(coarray, 1, 0));
    if (me == 1)
        expect_ok(caf_event_wait(coarray, 0, rounds * images));
    expect_ok(caf_sync_all());
    int count;
    expect(caf_event_query(coarray, 0, &count) == DM_OK && count == 0);
}

static void counts_wrap_around(void)
{
    struct caf_event *event = (struct caf_event *)word;
    int count;
    clear();
    event->near = event->taken = INT32_MAX - 1;
    expect_ok(caf_sync_all());
    for (int i = 1; i <= images; i++) {
        expect_ok(caf_event_post(coarray, i, 0));
        expect_ok(caf_event_post(coarray, i, 0));
    }
    expect_ok(caf_sync_all());
    expect(caf_event_query(coarray, 0, &count) == DM_OK && count == 2 * images);
    expect_ok(caf_event_wait(coarray, 0, 2 * images));
    expect(caf_event_query(coarray, 0, &count) == DM_OK && count == 0);
    event->near = (int32_t)((uint32_t)event->taken + 0x80000005u);
    event->far = 0;
    expect(caf_event_query(coarray, 0, &count) == DM_OK && count == INT_MAX);
    expect_ok(caf_event_wait(coarray, 0, INT_MAX));
    expect(caf_event_query(coarray, 0, &count) == DM_OK && count == 6);
}

static void all(void)
{
    static const struct step steps[] = {STEP(adds_are_exact),
                                        STEP(adds_wrap_around),
                                        STEP(operations_mix),
                                        STEP(operations_are_right),
                                        STEP(one_swap_wins),
                                        STEP(defined_words_arrive),
                                        STEP(wrong_words),
                                        STEP(locks_protect),
                                        STEP(locks_nest),
                                        STEP(tried_locks_protect),
                                        STEP(wrong_locks),
                                        STEP(overwritten_lock),
                                        STEP(events_go_round),
                                        STEP(events_are_counted),
                                        STEP(semaphore),
                                        STEP(counts_wrap_around),
                                        {0}};
    run_steps(steps);
}

/* Where images stop, each speaks for itself. */
static void say(const char *name)
{
    printf("%sok image %d %s\n", test_failed_checks ? "not " : "", me, name);
    fflush(stdout);
}

/* ---- images that stop ---- */

static void holder_has_stopped(void)
{
    bool acquired = true;
    expect(caf_lock(coarray, 1, 0, NULL) == DM_LOST);
    expect(says("has stopped and still holds the lock on image 1"));
    expect(caf_lock(coarray, 1, 0, NULL) == DM_LOST);
    expect(caf_lock(coarray, 1, 0, &acquired) == DM_OK && !acquired);
    expect_invalid(caf_unlock(coarray, 1, 0), CAF_LOCKED_OTHER_IMAGE, "");
    expect(value_of(1, 0) == images);
}

static void free_locks_go_on(void)
{
    expect_ok(caf_lock(coarray, images, 16, NULL));
    expect_ok(caf_unlock(coarray, images, 16));
}

/* The last image stops while the others wait for a lock that it holds; another one it gave back. */
static void stop(void)
{
    clear();
    if (me == images) {
        expect_ok(caf_lock(coarray, 1, 0, NULL));
        expect_ok(caf_lock(coarray, images, 16, NULL));
        expect_ok(caf_unlock(coarray, images, 16));
    }
    expect_ok(caf_sync_all());
    if (me == images) {
        sleep_s(0.2);
    } else {
        holder_has_stopped();
        free_locks_go_on();
    }
    say("stop");
}

static void posts_of_the_stopped_count(void)
{
    expect_ok(caf_event_wait(coarray, 0, images - 1));
    expect(caf_event_wait(coarray, 0, 1) == DM_LOST);
    expect(says("EVENT WAIT: 0 of 1 posts have come and all other images have stopped"));
}

static void own_posts_count(void)
{
    expect_ok(caf_event_post(coarray, 1, 0));
    expect_ok(caf_event_wait(coarray, 0, 1));
}

/* All images but the first post to it and stop. */
static void alone(void)
{
    clear();
    if (me > 1) {
        sleep_s(0.05 * me);
        expect_ok(caf_event_post(coarray, 1, 0));
    } else {
        posts_of_the_stopped_count();
        own_posts_count();
    }
    say("alone");
}

/* With CAF_WAIT_LIMIT_S=1: nobody comes, and nobody ends before all have given up. */
static void limit(void)
{
    double usual_s = runtime.wait_limit_s;
    expect(limit_s == 1);
    clear();
    if (me == 1)
        expect_ok(caf_lock(coarray, images, 0, NULL));
    expect_ok(caf_sync_all());
    runtime.wait_limit_s = limit_s;
    if (me != 1)
        expect(caf_lock(coarray, images, 0, NULL) == DM_TIMEOUT && says("LOCK: image "));
    else
        expect(caf_event_wait(coarray, 0, 1) == DM_TIMEOUT &&
               says("EVENT WAIT: image 1 waited for 1 s, the limit CAF_WAIT_LIMIT_S"));
    runtime.wait_limit_s = usual_s;
    MPI_Barrier(MPI_COMM_WORLD);
    say("limit");
}

int main(int argc, char **argv)
{
    static const struct step scenarios[] = {STEP(all), STEP(stop), STEP(alone), STEP(limit), {0}};
    alarm(HANGS_AFTER_S); /* nothing hangs */
    program_start(&argc, &argv);
    limit_s = put_off_wait_limit();
    me = caf_this_image();
    images = caf_num_images();
    rounds = argc == 3 ? atoi(argv[2]) : 0;
    if (rounds < 4)
        stop_in_error(1, "usage: caf_words_ranks_test all|stop|alone|limit ROUNDS");
    if (caf_allocate(&coarray, WORDS * sizeof *word, CAF_DATA, (void **)&word) ||
        caf_allocate(&other, WORDS * sizeof *data, CAF_DATA, (void **)&data))
        stop_in_error(1, dm_message());
    for (const struct step *scenario = scenarios; scenario->run; scenario++)
        if (strcmp(argv[1], scenario->name) == 0)
            scenario->run();
    expect_ok(caf_end());
    return test_failures || test_failed_checks;
}
