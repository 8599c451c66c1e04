/* Memory that the images of a node share: all of them get it, or none. */
#include <sys/resource.h>

#include "coarrays/caf/runtime.h"
#include "coarrays/caf/shared.h"

#include "caf_ranks_test.h"

static int me;

static void expect_all_or_none(size_t bytes, bool fails_here)
{
    struct shared shared;
    const char *reason = "not set";
    expect(!shared_create(&shared, bytes, &reason));
    expect(fails_here ? reason && reason[0] : !reason);
    expect(caf_sync_all() == CAF_OK);
}

static void absurd_sizes_are_refused_on_all_images(void)
{
    /* On one image of each node. */
    bool odd = me == runtime.near[runtime.near_count - 1];
    expect_all_or_none(odd ? SIZE_MAX : 4096, odd);
    expect_all_or_none(odd ? SIZE_MAX / 2 - 4096 : 4096, odd);
    expect_all_or_none(odd ? (size_t)1 << 50 : 4096, odd);
    expect_all_or_none(SIZE_MAX, true);
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
    const char *reason;
    expect(!shared_create(&shared, 4096, &reason));
    setrlimit(RLIMIT_NOFILE, &limit);
    expect(odd ? reason && strstr(reason, "Too many open files") : !reason);
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
        const char *reason;
        expect(shared_create(&shared, 1 + i * 137, &reason));
        expect(shared.bytes % 4096 == 0 && shared.bytes > i * 137);
        size_t last = shared.bytes - 1;
        for (int other = 0; other < runtime.near_count; other++)
            expect(((char *)shared.part[other])[last] == 0);
        expect(caf_sync_all() == CAF_OK);
        ((char *)shared.part[next])[last] = 7;
        expect(caf_sync_all() == CAF_OK);
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
    caf_start(&argc, &argv);
    me = caf_this_image();
    run_steps(steps);
    caf_end();
    MPI_Finalize();
    return test_failures > 0;
}
