/* Several instances of the coarray library in one process, as shared objects of their own:
 *
 *     caf_instances_ranks_test FILE FILE...   each is a copy of the library with its own settings
 */
#include <dlfcn.h>

#include "caf_ranks_test.h"

enum { MAX_INSTANCES = 4, ROUNDS = 300 };

static struct instance {
    enum dm_status (*start)(int *, char ***);
    enum dm_status (*end)(void);
    enum dm_status (*sync_all)(void);
    enum dm_status (*sync_images)(int, const int *);
    int (*this_image)(void);
    int (*num_images)(void);
    enum caf_reason (*reason)(void);
    const char *(*message)(void);
} instance[MAX_INSTANCES];
static int instances;

static void find(void *library, const char *name, void *function)
{
    *(void **)function = dlsym(library, name);
    if (!*(void **)function)
        stop_in_error(1, dlerror());
}

static void load(const char *file)
{
    struct instance *loaded = &instance[instances++];
    void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        stop_in_error(1, dlerror());
    find(library, "caf_start", &loaded->start);
    find(library, "caf_end", &loaded->end);
    find(library, "caf_sync_all", &loaded->sync_all);
    find(library, "caf_sync_images", &loaded->sync_images);
    find(library, "caf_this_image", &loaded->this_image);
    find(library, "caf_num_images", &loaded->num_images);
    find(library, "caf_reason", &loaded->reason);
    find(library, "dm_message", &loaded->message);
}

static void instances_start(void)
{
    static const char *const paths[] = {"direct", "rma"};
    for (int i = 0; i < instances; i++) {
        setenv("CAF_PATH", paths[i % 2], 1);
        expect_ok(instance[i].start(NULL, NULL));
        expect(instance[i].num_images() == instance[0].num_images());
        expect(instance[i].this_image() == instance[0].this_image());
    }
    unsetenv("CAF_PATH");
}

/* Image i + 1 names its neighbours in the instance that has the turn; the order of the instances is
 * the same everywhere. */
static void instances_take_turns(void)
{
    uint64_t seed = 5;
    int me = instance[0].this_image(), images = instance[0].num_images();
    for (int round = 0; round < ROUNDS; round++) {
        struct instance *now = &instance[random_below(&seed, (uint32_t)instances)];
        int neighbours[2] = {me % images + 1, (me + images - 2) % images + 1};
        expect(now->sync_images(neighbours[0] == neighbours[1] ? 1 : 2, neighbours) == DM_OK);
        expect_ok(now->sync_all());
    }
}

static void their_errors_are_their_own(void)
{
    expect(instance[0].sync_images(1, &(int){0}) == DM_INVALID);
    expect(instance[0].reason() == CAF_BAD_IMAGE);
    expect(strstr(instance[0].message(), "there is no image 0"));
    for (int i = 1; i < instances; i++)
        expect(instance[i].message()[0] == '\0');
}

/* An instance that has ended does not end the others. */
static void they_end_one_by_one(void)
{
    for (int i = 0; i < instances; i++) {
        expect_ok(instance[i].end());
        for (int other = i + 1; other < instances; other++)
            expect_ok(instance[other].sync_all());
    }
}

int main(int argc, char **argv)
{
    static const struct step steps[] = {STEP(instances_start),
                                        STEP(instances_take_turns),
                                        STEP(their_errors_are_their_own),
                                        STEP(they_end_one_by_one),
                                        {0}};
    alarm(HANGS_AFTER_S);
    MPI_Init(&argc, &argv);
    for (int i = 1; i < argc && i <= MAX_INSTANCES; i++)
        load(argv[i]);
    if (instances < 2)
        stop_in_error(1, "name at least two libraries");
    run_steps(steps);
    MPI_Finalize();
    return test_failures > 0;
}
