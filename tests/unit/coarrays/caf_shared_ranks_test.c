/* Memory that the images of a node share: all of them get it, or none. */
#include <sys/resource.h>

#include "coarrays/caf/runtime.h"
#include "coarrays/caf/shared.h"

#include "caf_ranks_test.h"

static int me;

/* The first image of those that fail. */
static void expect_none(size_t bytes, int first)
{
    struct shared shared;
    char words[40];
    snprintf(words, sizeof words, "image %d cannot have ", first);
    expect_error(shared_create(&shared, bytes, SHARED_ANYWHERE), DM_NO_MEMORY, words);
    expect(!shared.part && shared.descriptor == -1);
    expect_ok(caf_sync_all());
}

static void absurd_sizes_are_refused_on_all_images(void)
{
    /* On one image of each node. */
    bool odd = me == runtime.near[runtime.near_count - 1];
    int first = runtime.near[runtime.near_count - 1];
    expect_none(odd ? SIZE_MAX : 4096, first);
    expect_none(odd ? SIZE_MAX / 2 - 4096 : 4096, first);
    expect_none(odd ? (size_t)1 << 50 : 4096, first);
    expect_none(SIZE_MAX, runtime.near[0]);
}

static void a_lack_of_descriptors_is_told_on_all_images(void)
{
    struct rlimit limit, none;
    bool odd = me == runtime.near[0];
    getrlimit(RLIMIT_NOFILE, &limit);
    none = limit;
    none.rlim_cur = 3;
    if (odd)
        setrlimit(RLIMIT_NOFILE, &none);
    struct shared shared;
    expect_error(shared_create(&shared, 4096, SHARED_ANYWHERE), DM_NO_MEMORY,
                 "Too many open files");
    setrlimit(RLIMIT_NOFILE, &limit);
}

/* Not one descriptor is left over: there are fewer than parts are made. */
static void shared_memory_comes_and_goes(void)
{
    struct rlimit limit, few;
    int place = runtime.place_of[me], next = (place + 1) % runtime.near_count;
    getrlimit(RLIMIT_NOFILE, &limit);
    few = limit;
    few.rlim_cur = 250;
    setrlimit(RLIMIT_NOFILE, &few);
    for (size_t i = 0; i < 300; i++) {
        struct shared shared;
        expect_ok(shared_create(&shared, 1 + i * 137, SHARED_ANYWHERE));
        expect(shared.bytes % 4096 == 0 && shared.bytes > i * 137);
        size_t last = shared.bytes - 1;
        for (int other = 0; other < runtime.near_count; other++)
            expect(((char *)shared.part[other])[last] == 0);
        expect_ok(caf_sync_all());
        ((char *)shared.part[next])[last] = 7;
        expect_ok(caf_sync_all());
        expect(((char *)shared.part[place])[last] == 7);
        shared_destroy(&shared);
    }
    setrlimit(RLIMIT_NOFILE, &limit);
}

int main(int argc, char **argv)
{
    static const struct step steps[] = {STEP(absurd_sizes_are_refused_on_all_images),
                                        STEP(a_lack_of_descriptors_is_told_on_all_images),
                                        STEP(shared_memory_comes_and_goes),
                                        {0}};
    alarm(HANGS_AFTER_S);
    MPI_Init(&argc, &argv);
    program_start(&argc, &argv);
    me = caf_this_image();
    run_steps(steps);
    expect_ok(caf_end());
    MPI_Finalize();
    return test_failures > 0;
}
