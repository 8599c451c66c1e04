/* Started with mpirun by coarrays_summa.bats: coarrays in memory that the GPU
 * computes on, of every kind, between near images and, with
 * CAF_ACCELERATED=staged, as if all were far. */
#include <limits.h>

#include "coarrays/hetero/accelerated.h"
#include "common/gpu.h"
#include "common/harness/exit.h"

#include "caf_ranks_test.h"

/* The last is beyond all buffers between the network and the device: where these are used. */
static const size_t sizes[] = {1, 100, 70000, (8 << 20) + 13};
enum { SIZES = 3, SIZES_STAGED = 4, WAYS = 2 };

static int me, images;

/* Runs a check with every kind of memory and both ways. */
static void all_ways(void (*check)(enum accelerated_kind kind, bool staged))
{
    for (int staged = 0; staged < WAYS; staged++) {
        setenv("CAF_ACCELERATED", staged ? "staged" : "direct", 1);
        for (int kind = 0; kind < ACCELERATED_KINDS; kind++)
            check((enum accelerated_kind)kind, staged);
    }
    unsetenv("CAF_ACCELERATED");
}

static struct accelerated *allocate(size_t bytes, enum accelerated_kind kind)
{
    struct accelerated *coarray = NULL;
    enum dm_status status = accelerated_allocate(&coarray, bytes, kind);
    if (status != DM_OK) {
        printf("# kind %d, %zu bytes: %s\n", (int)kind, bytes, dm_message());
        stop_in_error(1, "no coarray to test with");
    }
    return coarray;
}

static unsigned char byte_of(int image, size_t i)
{
    return (unsigned char)((unsigned)image * 37u + (unsigned)i * 7u + (unsigned)(i >> 12));
}

static unsigned char *values_of(int image, size_t bytes)
{
    unsigned char *values = malloc(bytes + 1);
    for (size_t i = 0; i < bytes; i++)
        values[i] = byte_of(image, i);
    return values;
}

static void fill_own(const struct accelerated *coarray, size_t bytes)
{
    unsigned char *values = values_of(me, bytes);
    expect(cudaMemcpy(accelerated_memory(coarray), values, bytes, cudaMemcpyDefault) ==
           cudaSuccess);
    free(values);
}

/* Whether memory of the GPU is what `image` filled it with. */
static bool is_of(int image, const void *memory, size_t bytes)
{
    unsigned char *values = values_of(image, bytes), *there = malloc(bytes + 1);
    bool same = cudaMemcpy(there, memory, bytes, cudaMemcpyDefault) == cudaSuccess &&
                memcmp(there, values, bytes) == 0;
    free(values);
    free(there);
    return same;
}

static void check_zero(enum accelerated_kind kind, bool staged)
{
    (void)staged;
    for (int s = 0; s < SIZES; s++) {
        unsigned char *there = malloc(sizes[s]);
        struct accelerated *coarray = allocate(sizes[s], kind);
        expect(cudaMemcpy(there, accelerated_memory(coarray), sizes[s], cudaMemcpyDefault) ==
               cudaSuccess);
        expect(there[0] == 0 && memcmp(there, there + 1, sizes[s] - 1) == 0);
        /* Freed memory that comes again must be zero, too. */
        fill_own(coarray, sizes[s]);
        expect_ok(accelerated_free(coarray));
        free(there);
    }
}

static void memory_is_zero(void)
{
    all_ways(check_zero);
}

static void check_get(enum accelerated_kind kind, bool staged)
{
    for (int s = 0; s < (staged ? SIZES_STAGED : SIZES); s++) {
        size_t bytes = sizes[s];
        void *target;
        struct accelerated *coarray = allocate(bytes, kind);
        fill_own(coarray, bytes);
        expect_ok(accelerated_sync(1, &coarray));
        expect(cudaMalloc(&target, bytes) == cudaSuccess);
        for (int image = 1; image <= images; image++) {
            expect_ok(accelerated_get(target, coarray, image, 0, bytes, 0));
            expect(is_of(image, target, bytes));
        }
        expect(cudaFree(target) == cudaSuccess);
        expect_ok(accelerated_free(coarray));
    }
}

static void gets_from_every_image(void)
{
    all_ways(check_get);
}

/* Every image puts the middle of its values to the next; the rest stays the
 * owner's. */
static void check_put(enum accelerated_kind kind, bool staged)
{
    int next = me % images + 1, previous = (me + images - 2) % images + 1;
    for (int s = 0; s < (staged ? SIZES_STAGED : SIZES); s++) {
        size_t bytes = sizes[s], begin = bytes / 3, count = bytes / 2;
        unsigned char *values = values_of(me, bytes), *there = malloc(bytes);
        struct accelerated *coarray = allocate(bytes, kind);
        fill_own(coarray, bytes);
        expect_ok(accelerated_sync(1, &coarray));
        expect_ok(accelerated_put(coarray, next, begin, values + begin, count, 0));
        expect_ok(accelerated_sync(1, &coarray));
        /* Here, and as the next image sees it. */
        for (int seen = 0; seen < 2; seen++) {
            int owner = seen ? next : me, writer = seen ? me : previous;
            long wrong = 0;
            expect_ok(accelerated_get(there, coarray, owner, 0, bytes, 0));
            expect(cudaDeviceSynchronize() == cudaSuccess);
            for (size_t i = 0; i < bytes; i++) {
                bool is_put = i >= begin && i < begin + count;
                wrong += there[i] != byte_of(is_put ? writer : owner, i);
            }
            expect(wrong == 0);
        }
        expect_ok(accelerated_free(coarray));
        free(values);
        free(there);
    }
}

static void puts_to_the_next_image(void)
{
    all_ways(check_put);
}

/* A list that is full is told; after a synchronisation there is room again. */
static void check_many(enum accelerated_kind kind, bool staged)
{
    unsigned char values[ACCELERATED_PUTS + 1], there[ACCELERATED_PUTS + 1];
    struct accelerated *coarray = allocate(sizeof values, kind);
    int next = me % images + 1, previous = (me + images - 2) % images + 1;
    bool is_far = staged || !caf_is_near(next);
    bool has_list =
        images > 1 && (kind == ACCELERATED_MANAGED || (kind == ACCELERATED_DEVICE && is_far));
    memset(values, me, sizeof values);
    for (int round = 0; round < 2; round++) {
        for (size_t i = 0; i < ACCELERATED_PUTS; i++)
            expect_ok(accelerated_put(coarray, next, i, values + i, 1, 0));
        enum dm_status status = accelerated_put(coarray, next, ACCELERATED_PUTS, values, 1, 0);
        expect(status == (has_list ? DM_NO_MEMORY : DM_OK));
        expect(!has_list || strstr(dm_message(), "1024 puts"));
        expect_ok(accelerated_sync(1, &coarray));
    }
    expect_ok(accelerated_get(there, coarray, me, 0, sizeof there, 0));
    expect(cudaDeviceSynchronize() == cudaSuccess);
    memset(values, previous, sizeof values);
    expect(memcmp(there, values, ACCELERATED_PUTS) == 0);
    expect(there[ACCELERATED_PUTS] == (has_list ? 0 : previous));
    expect_ok(accelerated_free(coarray));
}

static void many_puts(void)
{
    all_ways(check_many);
}

static void check_refused(enum accelerated_kind kind, bool staged)
{
    (void)staged;
    char byte = 0;
    struct accelerated *coarray = allocate(100, kind);
    expect_invalid(accelerated_get(&byte, coarray, 0, 0, 1, 0), CAF_BAD_IMAGE, "");
    expect_invalid(accelerated_get(&byte, coarray, images + 1, 0, 1, 0), CAF_BAD_IMAGE, "");
    expect(strstr(dm_message(), "GET: there is no image"));
    expect_invalid(accelerated_put(coarray, INT_MIN, 0, &byte, 1, 0), CAF_BAD_IMAGE, "");
    expect_invalid(accelerated_get(&byte, coarray, 1, 100, 1, 0), CAF_BAD_RANGE, "");
    expect_invalid(accelerated_put(coarray, 1, SIZE_MAX, &byte, 2, 0), CAF_BAD_RANGE, "");
    expect_invalid(accelerated_put(coarray, 1, 50, &byte, SIZE_MAX - 10, 0), CAF_BAD_RANGE, "");
    expect_ok(accelerated_get(&byte, coarray, 1, 100, 0, 0));
    expect_ok(accelerated_free(coarray));
}

static void bad_targets_are_refused(void)
{
    all_ways(check_refused);
}

static void expect_no_coarray(size_t bytes, int kind, enum dm_status right)
{
    struct accelerated *coarray = NULL;
    enum dm_status status = accelerated_allocate(&coarray, bytes, (enum accelerated_kind)kind);
    expect(status == right);
    expect(status != DM_INVALID || caf_reason() == CAF_BAD_ARGUMENT);
    expect(coarray == NULL);
    expect(strstr(dm_message(), "ALLOCATE") || strstr(dm_message(), "CAF_ACCELERATED"));
}

/* All images are refused alike, whichever has the reason, and can go on. */
static void bad_allocations_are_refused(void)
{
    expect_no_coarray(100, ACCELERATED_KINDS, DM_INVALID);
    expect_no_coarray(SIZE_MAX, ACCELERATED_DEVICE, DM_NO_MEMORY);
    for (int kind = 0; kind < ACCELERATED_KINDS; kind++)
        if (images > 1)
            expect_no_coarray(me == images ? 200 : 100, kind, DM_INVALID);
    /* 4 TiB are more than there are. */
    expect_no_coarray((size_t)1 << 42, ACCELERATED_DEVICE, DM_NO_MEMORY);
    expect_no_coarray((size_t)1 << 42, ACCELERATED_MAPPED, DM_NO_MEMORY);
    if (me == images)
        setenv("CAF_ACCELERATED", "somehow", 1);
    expect_no_coarray(100, ACCELERATED_MAPPED, DM_INVALID);
    expect(strstr(dm_message(), "'somehow'"));
    setenv("CAF_ACCELERATED", me == images ? "staged" : "direct", 1);
    for (int kind = 0; kind < ACCELERATED_KINDS && images > 1; kind++)
        expect_no_coarray(100, kind, DM_INVALID);
    unsetenv("CAF_ACCELERATED");
    check_get(ACCELERATED_DEVICE, false);
}

static void check_returned(enum accelerated_kind kind, bool staged)
{
    (void)staged;
    size_t before, after, total;
    expect_ok(accelerated_free(allocate(1 << 20, kind)));
    expect(cudaMemGetInfo(&before, &total) == cudaSuccess);
    for (int i = 0; i < 5; i++)
        expect_ok(accelerated_free(allocate(1 << 20, kind)));
    expect(cudaMemGetInfo(&after, &total) == cudaSuccess);
    /* Other images may use the same device. */
    expect(images > 1 || after == before);
}

static void memory_is_returned(void)
{
    all_ways(check_returned);
}

int main(int argc, char **argv)
{
    static const struct step steps[] = {
        STEP(memory_is_zero),          STEP(gets_from_every_image),
        STEP(puts_to_the_next_image),  STEP(many_puts),
        STEP(bad_targets_are_refused), STEP(bad_allocations_are_refused),
        STEP(memory_is_returned),      {0}};
    int devices;
    program_start(&argc, &argv);
    me = caf_this_image();
    images = caf_num_images();
    alarm(HANGS_AFTER_S);
    check_cuda(cudaGetDeviceCount(&devices));
    check_cuda(cudaSetDevice((me - 1) % devices));
    run_steps(steps);
    expect_ok(caf_end());
    return me == 1 ? end_tests() : 0;
}
