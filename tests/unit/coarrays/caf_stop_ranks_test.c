/* How images end: early, all together, at the wait limit, and with an error stop.
 *
 *     caf_stop_ranks_test SCENARIO ARGUMENTS...   every image prints `ok image N SCENARIO` */
#include "caf_ranks_test.h"

#include "coarrays/gfortran/abi.h"

static int me, images, arguments;
static char **argument;
static double limit_s; /* CAF_WAIT_LIMIT_S */

static void say(const char *scenario)
{
    printf("%sok image %d %s\n", test_failed_checks ? "not " : "", me, scenario);
    fflush(stdout);
}

static bool stopped(int image)
{
    bool has = false;
    expect_ok(caf_has_stopped(image, &has));
    return has;
}

/* ---- images stop one after another ---- */

static bool has_stopped(int image, int phase)
{
    for (int p = 0; p < phase; p++)
        if (atoi(argument[p]) == image)
            return true;
    return false;
}

static void expect_code(enum dm_status status, enum dm_status expected, const char *text)
{
    expect(status == expected);
    if (expected != DM_OK)
        expect(strstr(dm_message(), text));
}

/* What those that run see when `phase` images have stopped. */
static void sync_with_the_rest(int phase)
{
    int running[64], count = 0, expected = phase > 0 ? DM_LOST : DM_OK;
    for (int image = images; image >= 1; image--)
        if (!has_stopped(image, phase))
            running[count++] = image;
    for (int round = 0; round < 20; round++) {
        expect_code(caf_sync_all(), expected, "SYNC ALL: ");
        expect_ok(caf_sync_images(count, running));
        expect_code(caf_sync_images(-1, NULL), expected, "SYNC IMAGES: image ");
        if (phase > 0)
            expect_error(caf_sync_images(1, &(int){atoi(argument[phase - 1])}), DM_LOST,
                         "has stopped");
    }
    for (int image = 1; image <= images; image++)
        expect(stopped(image) == has_stopped(image, phase));
    expect_ok(caf_sync_images(count, running)); /* nobody stops before that */
}

/* stopping IMAGE...: they stop in that order, the last one with code 7, and the others end. */
static void stopping(void)
{
    for (int phase = 0; phase < arguments; phase++) {
        sync_with_the_rest(phase);
        if (atoi(argument[phase]) == me) {
            say("stopping");
            _gfortran_caf_stop_numeric(phase == arguments - 1 ? 7 : 0, true);
        }
    }
    sync_with_the_rest(arguments);
    say("stopping");
}

/* stop_at_random SEED: each image does its own number of sync alls and then ends, and nobody waits
 * for that. So the first as many as the smallest number are complete, for everybody. */
static void stop_at_random(void)
{
    uint64_t seed = (uint64_t)atoi(argument[0]);
    uint32_t mine = 0, fewest = UINT32_MAX;
    for (int image = 1; image <= images; image++) {
        uint32_t rounds = 50 + random_below(&seed, 8) * (image % 2 ? 1 : 40);
        fewest = rounds < fewest ? rounds : fewest;
        mine = image == me ? rounds : mine;
    }
    for (uint32_t round = 1; round <= mine; round++)
        expect(caf_sync_all() == (round <= fewest ? DM_OK : DM_LOST));
    say("stop_at_random");
}

/* What an image did before it stopped counts. */
static void names_before_stopping_count(void)
{
    int partner = images;
    if (me == images) {
        for (int i = 0; i < 10; i++)
            expect_ok(caf_sync_images(1, &(int){1}));
        say("names_before_stopping_count");
        _gfortran_caf_stop_numeric(0, true);
    }
    if (me == 1) {
        for (int i = 0; i < 10; i++) {
            sleep_s(0.005);
            expect_ok(caf_sync_images(1, &partner));
        }
        expect(caf_sync_images(1, &partner) == DM_LOST);
    }
    say("names_before_stopping_count");
}

/* ---- the wait limit: CAF_WAIT_LIMIT_S=1 ---- */

static void expect_limit(enum dm_status status, double started_s, const char *text)
{
    double waited_s = now_s() - started_s;
    expect(status == DM_TIMEOUT);
    expect(strcmp(dm_message(), text) == 0);
    expect(waited_s > 0.99 && waited_s < 20);
}

static void limit(void)
{
    int last = images;
    double usual_s = runtime.wait_limit_s;
    expect(limit_s == 1);
    if (me == 1) {
        runtime.wait_limit_s = limit_s;
        double start = now_s();
        expect_limit(caf_sync_all(), start,
                     "SYNC ALL: image 1 waited for 1 s, the limit CAF_WAIT_LIMIT_S");
        start = now_s();
        expect_limit(caf_sync_images(1, &last), start,
                     "SYNC IMAGES: image 1 waited for 1 s, the limit CAF_WAIT_LIMIT_S");
        runtime.wait_limit_s = usual_s;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    /* Image 1 came to these long ago. */
    if (me != 1)
        expect_ok(caf_sync_all());
    if (me != 1 && me == last)
        expect_ok(caf_sync_images(1, &(int){1}));
    for (int i = 0; i < 100; i++)
        expect_ok(caf_sync_all());
    say("limit");
}

/* Image 1 ends, the others do not come. */
static void limit_of_the_end(void)
{
    if (me == 1) {
        say("limit_of_the_end");
        runtime.wait_limit_s = limit_s;
        _gfortran_caf_finalize();
    }
    sleep_s(20);
}

/* ---- error stop CODE: by the last image, while the others wait ---- */

static void error_stop(void)
{
    if (me == images) {
        sleep_s(0.1);
        printf("this was printed before\n");
        stop_in_error(atoi(argument[0]), arguments > 1 ? argument[1] : NULL);
    }
    caf_sync_all();
    say("not reached");
}

/* MPI may be ended by the program first; then there is nothing left to do. */
static void finalized(void)
{
    expect_ok(caf_sync_all());
    MPI_Finalize();
    expect_ok(caf_end());
    say("finalized");
    _gfortran_caf_stop_numeric(0, true);
}

static void end(void)
{
    say("end");
}

int main(int argc, char **argv)
{
    static const struct step scenarios[] = {STEP(stopping),
                                            STEP(stop_at_random),
                                            STEP(names_before_stopping_count),
                                            STEP(limit),
                                            STEP(limit_of_the_end),
                                            STEP(error_stop),
                                            STEP(finalized),
                                            STEP(end),
                                            {0}};
    alarm(HANGS_AFTER_S);
    if (argc > 2 && strcmp(argv[1], "error_stop_before_start") == 0)
        stop_in_error(atoi(argv[2]), "too early");
    if (argc > 2 && strcmp(argv[1], "stop_before_start") == 0)
        _gfortran_caf_stop_numeric(atoi(argv[2]), true);
    program_start(&argc, &argv);
    limit_s = put_off_wait_limit();
    me = caf_this_image();
    images = caf_num_images();
    argument = argv + 2;
    arguments = argc - 2;
    for (const struct step *scenario = scenarios; argc > 1 && scenario->run; scenario++)
        if (strcmp(scenario->name, argv[1]) == 0)
            scenario->run();
    expect_ok(caf_end());
    return test_failed_checks > 0;
}
