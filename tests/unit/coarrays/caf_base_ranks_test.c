/* The base of the coarray library: images, sync all, sync images, start and end.
 * Run with any number of images on one node or several hosts of the virtual cluster (the clock is
 * compared between images, so the hosts must be of one machine). */
#include "coarrays/caf/runtime.h"
#include "coarrays/caf/shared.h"

#include "caf_ranks_test.h"

enum { ROUNDS = 2000, MAX_IMAGES = 16 };

static int me, images;

/* ---- when everybody came to a round and left it ---- */

static double came[ROUNDS], left[ROUNDS];
static double all_came[MAX_IMAGES][ROUNDS];

static void gather(int rounds)
{
    MPI_Allgather(came, rounds, MPI_DOUBLE, all_came, rounds, MPI_DOUBLE, MPI_COMM_WORLD);
}

static double came_of(int image, int round, int rounds)
{
    return (&all_came[0][0])[(size_t)(image - 1) * (size_t)rounds + (size_t)round];
}

/* Now and then an image is late. */
static void dawdle(uint64_t *own)
{
    uint32_t what = random_below(own, 100);
    for (volatile uint32_t i = 0; i < what; i++)
        ;
    if (what == 0)
        sleep_s(100e-6);
}

/* Fewer where every round is a message. */
static int rounds_here(void)
{
    return runtime.nodes > 1 ? ROUNDS / 10 : ROUNDS;
}

static void images_are_numbered(void)
{
    int rank, size, near = 0;
    char text[80];
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    expect(me == rank + 1 && images == size && images <= MAX_IMAGES);
    expect(caf_is_near(me));
    expect(!caf_is_near(0) && !caf_is_near(-1) && !caf_is_near(images + 1));
    for (int image = 1; image <= images; image++) {
        near += caf_is_near(image);
        bool stopped = true;
        expect_ok(caf_has_stopped(image, &stopped));
        expect(!stopped);
        expect(runtime.first_of[runtime.node_of[image]] <= image);
    }
    expect(near == runtime.near_count);
    for (int place = 0; place < near; place++)
        expect(runtime.place_of[runtime.near[place]] == place);
    bool ignored;
    expect_invalid(caf_has_stopped(0, &ignored), CAF_BAD_IMAGE, "IMAGE_STATUS: there is no image");
    expect_invalid(caf_has_stopped(images + 1, &ignored), CAF_BAD_IMAGE, "");
    snprintf(text, sizeof text, "IMAGE_STATUS: there is no image %d of %d", images + 1, images);
    expect(strcmp(dm_message(), text) == 0);
}

/* ---- sync all ---- */

static void nobody_leaves_sync_all_before_all_have_come(void)
{
    int rounds = rounds_here();
    uint64_t own = (uint64_t)me;
    for (int round = 0; round < rounds; round++) {
        dawdle(&own);
        came[round] = now_s();
        expect_ok(caf_sync_all());
        left[round] = now_s();
    }
    gather(rounds);
    for (int round = 0; round < rounds; round++)
        for (int image = 1; image <= images; image++)
            expect(came_of(image, round, rounds) <= left[round]);
}

/* Plain memory, so that the order of loads and stores counts too. */
static void memory_is_up_to_date_after_sync_all(void)
{
    struct shared shared;
    expect_ok(shared_create(&shared, 4096, SHARED_ANYWHERE));
    int *mine = shared.part[runtime.place_of[me]];
    for (int round = 1; round <= rounds_here(); round++) {
        for (int i = 0; i < 16; i++)
            mine[i] = round * me + i;
        expect_ok(caf_sync_all());
        for (int place = 0; place < runtime.near_count; place++)
            for (int i = 0; i < 16; i++)
                expect(((int *)shared.part[place])[i] == round * runtime.near[place] + i);
        expect_ok(caf_sync_all());
    }
    shared_destroy(&shared);
}

/* ---- sync images ---- */

/* Whether two images name one another in a round: the same for both. */
static bool are_partners(int round, int a, int b)
{
    int low = a < b ? a : b, high = a < b ? b : a;
    int shape = round % 4;
    if (shape == 0) /* pairs */
        return high == low + 1 && low % 2 == 1;
    if (shape == 1) /* a ring */
        return high == low + 1 || (low == 1 && high == images);
    if (shape == 2)
        return true;
    uint64_t seed = (uint64_t)round * 1000 + (uint64_t)low * 30 + (uint64_t)high;
    random_below(&seed, 2);
    return random_below(&seed, 2);
}

/* In random order, and now and then with the image itself. */
static int list_partners(int round, int *list, uint64_t *own)
{
    int count = 0;
    for (int image = 1; image <= images; image++)
        if (image == me ? random_below(own, 3) == 0 : are_partners(round, me, image)) {
            int at = (int)random_below(own, (uint32_t)++count);
            list[count - 1] = list[at];
            list[at] = image;
        }
    return count;
}

static void partners_wait_for_one_another(void)
{
    int rounds = rounds_here(), list[MAX_IMAGES];
    uint64_t own = (uint64_t)me + 100;
    for (int round = 0; round < rounds; round++) {
        int count = list_partners(round, list, &own);
        bool star = round % 4 == 2 && round % 8 == 2;
        dawdle(&own);
        came[round] = now_s();
        expect(caf_sync_images(star ? -1 : count, star ? NULL : list) == DM_OK);
        left[round] = now_s();
    }
    gather(rounds);
    for (int round = 0; round < rounds; round++)
        for (int image = 1; image <= images; image++)
            expect(image == me || !are_partners(round, me, image) ||
                   came_of(image, round, rounds) <= left[round]);
}

/* Image 1 may be ahead; what it named counts later. */
static void names_are_counted(void)
{
    for (int image = 2; image <= images; image++)
        for (int i = 0; i < 50; i++)
            if (me == 1)
                expect_ok(caf_sync_images(1, &image));
            else if (me == image)
                expect_ok(caf_sync_images(1, &(int){1}));
    expect_ok(caf_sync_all());
}

static void wrong_lists_are_told(void)
{
    char text[80];
    expect_invalid(caf_sync_images(1, &(int){0}), CAF_BAD_IMAGE, "");
    expect_invalid(caf_sync_images(1, &(int){-3}), CAF_BAD_IMAGE, "");
    expect_invalid(caf_sync_images(1, &(int){images + 1}), CAF_BAD_IMAGE, "");
    snprintf(text, sizeof text, "SYNC IMAGES: there is no image %d of %d", images + 1, images);
    expect(strcmp(dm_message(), text) == 0);
    expect_invalid(caf_sync_images(2, (int[]){me, me}), CAF_BAD_IMAGE, "");
    expect(strstr(dm_message(), "is named twice"));
    expect_invalid(caf_sync_images(2, (int[]){1, images + 1}), CAF_BAD_IMAGE, "");
    expect_invalid(caf_sync_images(-2, NULL), CAF_BAD_ARGUMENT, "");
    expect_invalid(caf_sync_images(1, NULL), CAF_BAD_ARGUMENT, "");
    /* Nobody was named by them. */
    expect_ok(caf_sync_images(0, NULL));
    expect_ok(caf_sync_images(1, &me));
    expect_ok(caf_sync_images(-1, NULL));
    expect_ok(caf_sync_all());
}

/* ---- start and end ---- */

static void it_starts_again_after_its_end(void)
{
    for (int i = 0; i < 10; i++) {
        expect_ok(caf_end());
        expect_ok(caf_end());
        int running;
        MPI_Finalized(&running);
        expect(!running); /* it was not the library that started MPI */
        program_start(NULL, NULL);
        program_start(NULL, NULL);
        expect(caf_this_image() == me && caf_num_images() == images);
        expect_ok(caf_sync_all());
        expect_ok(caf_sync_images(-1, NULL));
    }
}

/* Wrong on one image: all are told alike, and can start again. */
static void a_start_with_wrong_settings_fails_on_all_images(void)
{
    expect_ok(caf_end());
    expect(caf_this_image() == 0 && caf_num_images() == 0);
    const char *chosen = getenv("CAF_PATH");
    char *path = chosen ? strdup(chosen) : NULL;
    if (me == images)
        setenv("CAF_PATH", "somehow", 1);
    expect_invalid(caf_start(NULL, NULL), CAF_BAD_ARGUMENT,
                   "CAF_PATH is 'somehow', but must be direct or rma");
    expect(caf_this_image() == 0);
    if (path)
        setenv("CAF_PATH", path, 1);
    else
        unsetenv("CAF_PATH");
    free(path);
    expect_ok(caf_start(NULL, NULL));
    expect_ok(caf_sync_all());
}

int main(int argc, char **argv)
{
    static const struct step steps[] = {STEP(images_are_numbered),
                                        STEP(nobody_leaves_sync_all_before_all_have_come),
                                        STEP(memory_is_up_to_date_after_sync_all),
                                        STEP(partners_wait_for_one_another),
                                        STEP(names_are_counted),
                                        STEP(wrong_lists_are_told),
                                        STEP(it_starts_again_after_its_end),
                                        STEP(a_start_with_wrong_settings_fails_on_all_images),
                                        {0}};
    alarm(HANGS_AFTER_S);
    MPI_Init(&argc, &argv);
    program_start(&argc, &argv);
    me = caf_this_image();
    images = caf_num_images();
    run_steps(steps);
    expect_ok(caf_end());
    MPI_Finalize();
    test_failed_checks = 0;
    expect_invalid(caf_start(NULL, NULL), CAF_BAD_ARGUMENT, "after MPI_Finalize");
    return test_failures + test_failed_checks > 0;
}
