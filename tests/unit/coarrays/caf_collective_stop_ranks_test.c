/* Started with mpirun by coarrays_words.bats: images that stop before, between and within
 * collectives of teams. Who does not need the image that is missing may succeed; then its result is
 * right.
 *
 *     caf_collective_stop_ranks_test SCENARIO ARGUMENTS...   every image prints `ok image N
 * SCENARIO`
 */
#include "coarrays/caf/team.h"

#include "caf_ranks_test.h"

static int me, images, argument[2];
static bool lost_before; /* this image has been told that one has stopped */

/* ---- one collective of the current team, and whether it was right ---- */

enum kind { SUM, SUM_FOR_ONE, BROADCAST, COMPOSE, MEDIUM_SUM, LARGE_SUM, LARGE_BROADCAST, KINDS };

enum { MEDIUM = 1000, LARGE = 5000 }; /* doubles */

static double value_of(int index, int round, size_t i)
{
    return index * 3 + round % 100 + (double)(i % 7);
}

static bool is_sum(const double *data, size_t count, int round)
{
    for (size_t i = 0; i < count; i++) {
        double sum = 0;
        for (int index = 1; index <= current_team->images; index++)
            sum += value_of(index, round, i);
        if (data[i] != sum)
            return false;
    }
    return true;
}

static enum dm_status sum(size_t count, int round, int result, bool *right)
{
    static double data[LARGE];
    for (size_t i = 0; i < count; i++)
        data[i] = value_of(current_team->index, round, i);
    enum dm_status status = caf_sum(data, count, CAF_DOUBLE, result);
    *right = (result != 0 && result != current_team->index) || is_sum(data, count, round);
    return status;
}

static enum dm_status broadcast(size_t count, int round, int source, bool *right)
{
    static double data[LARGE];
    for (size_t i = 0; i < count; i++)
        data[i] = value_of(current_team->index, round, i);
    enum dm_status status = caf_broadcast(data, count * sizeof *data, source);
    *right = true;
    for (size_t i = 0; i < count; i++)
        *right = *right && data[i] == value_of(source, round, i);
    return status;
}

/* x -> a x + b: the order counts. */
static void compose_maps(const void *in, void *inout, size_t count, void *context)
{
    const uint32_t(*left)[2] = in;
    uint32_t(*right)[2] = inout;
    (void)context;
    for (size_t i = 0; i < count; i++) {
        right[i][1] = left[i][0] * right[i][1] + left[i][1];
        right[i][0] = left[i][0] * right[i][0];
    }
}

static enum dm_status compose(int round, bool *right)
{
    uint32_t map[2] = {(uint32_t)current_team->index + 2, (uint32_t)round}, all[2] = {1, 0};
    for (int index = current_team->images; index >= 1; index--)
        compose_maps(&(uint32_t[2]){(uint32_t)index + 2, (uint32_t)round}, all, 1, NULL);
    enum dm_status status = caf_reduce(map, 1, sizeof map, compose_maps, NULL, 0);
    *right = map[0] == all[0] && map[1] == all[1];
    return status;
}

static enum dm_status collective(enum kind kind, int image, int round, bool *right)
{
    switch (kind) {
    case SUM_FOR_ONE:
        return sum(1, round, image, right);
    case BROADCAST:
        return broadcast(1, round, image, right);
    case COMPOSE:
        return compose(round, right);
    case MEDIUM_SUM:
        return sum(MEDIUM, round, 0, right);
    case LARGE_SUM:
        return sum(LARGE, round, 0, right);
    case LARGE_BROADCAST:
        return broadcast(LARGE, round, image, right);
    default:
        return sum(1, round, 0, right);
    }
}

static void succeeds(enum kind kind, int image, int round)
{
    bool right = false;
    expect_ok(collective(kind, image, round, &right));
    expect(right);
}

/* Whether this image cannot do without that one. */
static bool needs(enum kind kind, int image, int missing)
{
    if (kind == SUM_FOR_ONE)
        return image == current_team->index;
    return kind != BROADCAST || image == missing;
}

/* That image is missing; 0: some. */
static void misses(enum kind kind, int image, int round, int missing)
{
    bool right = false;
    enum dm_status status = collective(kind, image, round, &right);
    if (status == DM_LOST)
        expect(caf_reason() == CAF_STOPPED_IMAGE && strstr(dm_message(), " has stopped"));
    else
        expect(status == DM_OK && right && !lost_before && !needs(kind, image, missing));
    lost_before = lost_before || status == DM_LOST;
}

static void all_miss(int missing)
{
    misses(SUM, 0, 0, missing);
    expect(lost_before);
    for (int kind = 0; kind < KINDS; kind++)
        for (int image = 1; image <= current_team->images; image++)
            misses((enum kind)kind, image, kind, missing);
}

/* ---- scenarios ---- */

static void say(const char *name)
{
    printf("%sok image %d %s\n", test_failed_checks ? "not " : "", me, name);
    fflush(stdout);
}

/* gone IMAGE: it has stopped, and the others know it, before there is any collective. So a source
 * that waits for nobody is told, too. */
static void gone(void)
{
    for (bool stopped = false; me != argument[0] && !stopped;)
        expect_ok(caf_has_stopped(argument[0], &stopped));
    if (me != argument[0]) {
        bool right;
        expect(collective(BROADCAST, current_team->index, 0, &right) == DM_LOST);
        lost_before = true;
        all_miss(argument[0]);
    }
    say("gone");
}

static int other_than(int image)
{
    return image % images + 1;
}

/* waiting IMAGE KIND: it stops without having come, while the others wait for it. */
static void waiting(void)
{
    enum kind kind = (enum kind)argument[1];
    succeeds(kind, 1, 1);
    if (me != argument[0]) {
        misses(kind, other_than(argument[0]), 2, argument[0]);
        misses(kind, argument[0], 3, argument[0]);
        all_miss(argument[0]);
    } else {
        sleep_s(0.05);
    }
    say("waiting");
}

/* after IMAGE KIND: it stops as soon as it has taken part; some of the others come later. */
static void after(void)
{
    enum kind kind = (enum kind)argument[1];
    for (int round = 1; round < 10; round++)
        succeeds(kind, argument[0], round);
    if (me != argument[0] && me % 2)
        sleep_s(0.1);
    succeeds(kind, argument[0], 10);
    if (me != argument[0])
        all_miss(argument[0]);
    say("after");
}

static uint32_t rounds_of(int image)
{
    uint64_t seed = (uint64_t)argument[0] * 1000 + (uint64_t)image;
    random_below(&seed, 2);
    return 100 + random_below(&seed, 900);
}

/* Each image of the current team does its own number of collectives; that with the index `lasting`
 * goes on until it is told that one has stopped. */
static void stop_at_random(int lasting)
{
    uint64_t common = (uint64_t)argument[0] + 77, own = (uint64_t)me;
    uint32_t fewest = UINT32_MAX, mine = 0;
    for (int index = 1; index <= current_team->images; index++) {
        uint32_t rounds = index == lasting ? UINT32_MAX : rounds_of(current_team->member[index]);
        fewest = rounds < fewest ? rounds : fewest;
        mine = index == current_team->index ? rounds : mine;
    }
    for (uint32_t round = 1; round <= mine && !(mine == UINT32_MAX && lost_before); round++) {
        enum kind kind = (enum kind)random_below(&common, random_below(&common, 20) ? 4 : KINDS);
        int image = 1 + (int)random_below(&common, (uint32_t)current_team->images);
        if (random_below(&own, 200) == 0)
            sleep_s(1e-3);
        if (round <= fewest)
            succeeds(kind, image, (int)round);
        else
            misses(kind, image, (int)round, 0);
    }
}

/* at_random SEED: nobody waits for who stops. */
static void at_random(void)
{
    stop_at_random(0);
    say("at_random");
}

/* in_teams SEED: the same in two teams of teams, in which all but the last images stop. */
static void in_teams(void)
{
    struct team *outer, *inner;
    expect_ok(team_form(1 + me % 2, 0, &outer));
    expect_ok(team_enter(outer));
    for (int round = 1; round < 20; round++)
        succeeds((enum kind)(round % KINDS), 1, round);
    expect_ok(team_form(7, 0, &inner));
    expect_ok(team_enter(inner));
    stop_at_random(inner->images);
    if (inner->index == inner->images) {
        expect(team_leave() == DM_LOST);
        all_miss(0);
        expect(team_leave() == DM_LOST);
        all_miss(0);
    }
    say("in_teams");
}

int main(int argc, char **argv)
{
    static const struct step scenarios[] = {STEP(gone),      STEP(waiting),  STEP(after),
                                            STEP(at_random), STEP(in_teams), {0}};
    alarm(HANGS_AFTER_S);
    program_start(&argc, &argv);
    put_off_wait_limit();
    me = caf_this_image();
    images = caf_num_images();
    for (int i = 2; i < argc && i < 4; i++)
        argument[i - 2] = atoi(argv[i]);
    for (const struct step *scenario = scenarios; argc > 1 && scenario->run; scenario++)
        if (strcmp(scenario->name, argv[1]) == 0)
            scenario->run();
    expect_ok(caf_end());
    return test_failures || test_failed_checks;
}
