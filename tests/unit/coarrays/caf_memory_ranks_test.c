/* Started with mpirun by coarrays_transfer.bats: caf_memory_ranks_test SCENARIO. `all` is about
 * allocation that works or that no image gets; in `limit` the second image has a CAF_MEMORY of its
 * own, which the others must notice; in `stopped` the last image stops. */
#include <dirent.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/resource.h>

#include "caf_ranks_test.h"

#include "coarrays/gfortran/abi.h"

enum { LIVE = 24, LIMIT = 3000000 };

/* Random allocations; the second argument says fewer, as each costs more between nodes. */
static int allocations = 2000;

static int me, images, refused;

static enum dm_status allocate(struct caf_coarray **coarray, size_t bytes, unsigned char **memory)
{
    return caf_allocate(coarray, bytes, CAF_DATA, (void **)memory);
}

/* ---- allocation and release in any order ---- */

struct live {
    struct caf_coarray *coarray;
    unsigned char *memory;
    size_t bytes;
    unsigned char mark;
} live[LIVE];

static bool is_filled(const unsigned char *memory, size_t bytes, unsigned char value)
{
    return bytes == 0 ||
           (memory[0] == value && (bytes == 1 || memcmp(memory, memory + 1, bytes - 1) == 0));
}

static size_t random_size(uint64_t *seed)
{
    static const size_t sizes[] = {0,    1,     8,     64,    65,    100,    4000,
                                   5000, 20000, 65536, 65537, 65536, 300000, 40};
    return sizes[random_below(seed, sizeof sizes / sizeof *sizes)];
}

static bool overlaps_another(const struct live *new)
{
    for (int i = 0; i < LIVE; i++)
        if (&live[i] != new &&live[i].coarray &&new->memory < live[i].memory + live[i].bytes &&
            live[i].memory < new->memory + new->bytes)
            return true;
    return false;
}

static void take(struct live *place, uint64_t *seed, enum dm_status right)
{
    struct live new = {.bytes = random_size(seed), .mark = (unsigned char)random_below(seed, 255)};
    enum dm_status status = allocate(&new.coarray, new.bytes, &new.memory);
    expect(status == DM_OK || status == right);
    refused += status != DM_OK;
    if (status != DM_OK)
        return;
    new.mark = (unsigned char)(new.mark + me);
    *place = new;
    expect((uintptr_t) new.memory % 64 == 0);
    expect(is_filled(new.memory, new.bytes, 0));
    expect(!overlaps_another(place));
    expect(caf_size(new.coarray) == new.bytes &&caf_memory(new.coarray) == new.memory);
    memset(new.memory, new.mark, new.bytes);
}

/* Its content, here and on the next image, is what was written there. */
static void give(struct live *place)
{
    int next = me % images + 1;
    unsigned char byte, mark = (unsigned char)(place->mark - me + next);
    expect(is_filled(place->memory, place->bytes, place->mark));
    expect_ok(caf_sync_all());
    if (place->bytes) {
        expect_ok(caf_get(&byte, place->coarray, next, place->bytes - 1, 1));
        expect(byte == mark);
        const unsigned char *near = caf_pointer(place->coarray, next);
        expect(!near || near[place->bytes / 2] == mark);
    }
    expect_ok(caf_free(place->coarray));
    *place = (struct live){0};
}

static void run_random(uint64_t seed, int steps, enum dm_status right)
{
    for (int i = 0; i < steps; i++) {
        struct live *place = &live[random_below(&seed, LIVE)];
        if (place->coarray)
            give(place);
        else
            take(place, &seed, right);
    }
    for (int i = 0; i < LIVE; i++)
        if (live[i].coarray)
            give(&live[i]);
}

static void any_order(void)
{
    run_random(5, allocations, DM_OK);
}

static int count_entries(const char *folder)
{
    int count = 0;
    DIR *directory = opendir(folder);
    while (directory && readdir(directory))
        count++;
    if (directory)
        closedir(directory);
    return count;
}

static int count_mappings(void)
{
    int count = 0;
    FILE *maps = fopen("/proc/self/maps", "re");
    for (int c; maps && (c = fgetc(maps)) != EOF;)
        count += c == '\n';
    if (maps)
        fclose(maps);
    return count;
}

/* Descriptors and mappings are what they were. */
static void nothing_leaks(void)
{
    int descriptors = count_entries("/proc/self/fd"), mappings = count_mappings();
    run_random(6, allocations / 4, DM_OK);
    expect(count_entries("/proc/self/fd") == descriptors);
    expect(count_mappings() <= mappings + 8); /* the heap of C may have grown */
}

/* The lowest room that suffices is taken, and neighbours that are free are one. */
static void room_is_used_again(void)
{
    struct caf_coarray *coarray[8], *large;
    unsigned char *memory[8], *address;
    for (int i = 0; i < 8; i++)
        expect_ok(allocate(&coarray[i], 1000, &memory[i]));
    expect(memory[1] == memory[0] + 1024);
    expect(caf_free(coarray[2]) == DM_OK && caf_free(coarray[4]) == DM_OK);
    expect(allocate(&coarray[2], 500, &address) == DM_OK && address == memory[2]);
    expect_ok(caf_free(coarray[3]));
    expect(allocate(&large, 2048 + 512, &address) == DM_OK && address == memory[2] + 512);
    expect_ok(caf_free(large));
    for (int i = 0; i < 8; i++)
        if (i != 3 && i != 4)
            expect_ok(caf_free(coarray[i]));
}

static void pointers(void)
{
    struct caf_coarray *coarray;
    unsigned char *memory;
    expect_ok(allocate(&coarray, 10, &memory));
    expect(caf_pointer(coarray, me) == memory && caf_memory(coarray) == memory);
    expect(caf_owner(coarray) == NULL);
    caf_set_owner(coarray, &memory);
    expect(caf_owner(coarray) == &memory);
    expect(!caf_pointer(coarray, 0) && !caf_pointer(coarray, images + 1));
    for (int image = 1; image <= images; image++)
        expect((caf_pointer(coarray, image) != NULL) == caf_is_near(image));
    expect_ok(caf_free(coarray));
}

/* ---- what cannot be had ---- */

static void huge_sizes(void)
{
    struct caf_coarray *coarray = NULL;
    unsigned char *memory;
    size_t sizes[] = {(size_t)1 << 50, (size_t)1 << 62, SIZE_MAX - 100, SIZE_MAX};
    for (int i = 0; i < 4; i++)
        expect_error(allocate(&coarray, sizes[i], &memory), DM_NO_MEMORY, "ALLOCATE: image 1");
    expect(!coarray);
}

static void different_sizes(void)
{
    struct caf_coarray *coarray;
    unsigned char *memory;
    char text[100];
    for (int odd = 1; odd <= images && images > 1; odd++) {
        snprintf(text, sizeof text, "ALLOCATE: image %d requests %d bytes, image 1 %d",
                 odd == 1 ? 2 : odd, odd == 1 ? 400 : 800, odd == 1 ? 800 : 400);
        expect_invalid(allocate(&coarray, me == odd ? 800 : 400, &memory), CAF_BAD_ARGUMENT, text);
    }
    expect_ok(allocate(&coarray, 400, &memory));
    expect_ok(caf_free(coarray));
}

static void bad_arguments(void)
{
    struct caf_coarray *one, *other;
    unsigned char *memory;
    expect_invalid(caf_allocate(&one, 8, (enum caf_kind)7, (void **)&memory), CAF_BAD_ARGUMENT,
                   "ALLOCATE: image 1 requests the unknown kind 7");
    expect(allocate(&one, 400, &memory) == DM_OK && allocate(&other, 400, &memory) == DM_OK);
    expect_invalid(caf_free(me == images ? NULL : one), CAF_BAD_ARGUMENT, "names no coarray");
    if (images > 1)
        expect_invalid(caf_free(me == 1 ? other : one), CAF_BAD_ARGUMENT,
                       "DEALLOCATE: not all images name the same coarray");
    expect(caf_free(other) == DM_OK && caf_free(one) == DM_OK);
}

/* A file size limit stands for whatever else one image alone may run out of. */
static void one_image_fails(void)
{
    struct caf_coarray *coarray;
    unsigned char *memory;
    char text[100];
    struct rlimit before, limit;
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before);
    limit = before;
    limit.rlim_cur = 1 << 20;
    snprintf(text, sizeof text, "ALLOCATE: image %d cannot have 4000000 bytes", images);
    if (me == images)
        setrlimit(RLIMIT_FSIZE, &limit);
    expect_error(allocate(&coarray, 4000000, &memory), DM_NO_MEMORY, text);
    setrlimit(RLIMIT_FSIZE, &before);
    expect_ok(allocate(&coarray, 4000000, &memory));
    expect_ok(caf_free(coarray));
}

static void one_image_has_a_limit(void)
{
    struct caf_coarray *large, *coarray;
    unsigned char *memory;
    expect_ok(allocate(&large, LIMIT - 1000, &memory));
    expect_error(allocate(&coarray, 1001, &memory), DM_NO_MEMORY,
                 "ALLOCATE: image 2 cannot have 1001 bytes: CAF_MEMORY allows 3000000, 2999000 are "
                 "taken");
    expect_ok(allocate(&coarray, 1000, &memory));
    expect(caf_free(coarray) == DM_OK && caf_free(large) == DM_OK);
}

static void any_order_with_failures(void)
{
    struct caf_coarray *large;
    unsigned char *memory;
    expect_ok(allocate(&large, LIMIT - 400000, &memory));
    refused = 0;
    run_random(7, allocations / 2, DM_NO_MEMORY);
    expect(refused > allocations / 100);
    expect(is_filled(memory, LIMIT - 400000, 0));
    expect_ok(caf_free(large));
}

static void an_image_has_stopped(void)
{
    struct caf_coarray *coarray, *other = NULL;
    unsigned char *memory;
    expect_ok(allocate(&coarray, 100, &memory));
    if (me == images)
        _gfortran_caf_stop_numeric(0, true);
    expect(allocate(&other, 100, &memory) == DM_LOST);
    expect(!other);
    expect(caf_free(coarray) == DM_LOST);
    expect(caf_size(coarray) == 100);
    if (me == 1)
        printf("%sok an_image_has_stopped\n", test_failed_checks ? "not " : "");
}

int main(int argc, char **argv)
{
    static const struct step all[] = {
        STEP(any_order),     STEP(nothing_leaks),   STEP(room_is_used_again),
        STEP(pointers),      STEP(huge_sizes),      STEP(different_sizes),
        STEP(bad_arguments), STEP(one_image_fails), {0}};
    static const struct step limit[] = {
        STEP(one_image_has_a_limit), STEP(any_order_with_failures), {0}};
    const char *scenario = argc > 1 ? argv[1] : "all", *rank = getenv("OMPI_COMM_WORLD_RANK");
    if (argc > 2)
        allocations = atoi(argv[2]);
    alarm(HANGS_AFTER_S);
    if (strcmp(scenario, "limit") == 0 && rank && strcmp(rank, "1") == 0)
        setenv("CAF_MEMORY", "3000000", 1);
    MPI_Init(&argc, &argv);
    program_start(&argc, &argv);
    me = caf_this_image();
    images = caf_num_images();
    if (strcmp(scenario, "stopped") == 0)
        an_image_has_stopped();
    else
        run_steps(strcmp(scenario, "limit") == 0 ? limit : all);
    expect_ok(caf_end());
    MPI_Finalize();
    return test_failures + test_failed_checks > 0;
}
