/* Started with mpirun by coarrays_transfer.bats, once for each path of data and way of sections
 * (CAF_PATH, CAF_TRANSFER). Every image also keeps in a model what the coarray of another image
 * must hold, and that image works the same model out: both compare all bytes, so nothing beside
 * what was put may have changed. */
#include <stdbool.h>

#include "caf_ranks_test.h"

enum { COARRAY_BYTES = 96 * 1024, LOCAL_BYTES = 192 * 1024, OPERATIONS = 24, ROUNDS = 6 };

static struct caf_coarray *coarray;
static char *mine;
static char model[COARRAY_BYTES], local[LOCAL_BYTES], expected[LOCAL_BYTES];
static int me, images;

static void fill(char *bytes, size_t count, uint64_t seed)
{
    for (size_t i = 0; i < count; i++)
        bytes[i] = (char)random_below(&seed, 256);
}

/* ---- random sections ---- */

struct place {
    struct caf_strides strides;
    size_t offset; /* of the first element */
};

static struct caf_shape random_shape(uint64_t *seed)
{
    static const size_t sizes[] = {1, 2, 3, 4, 8, 12, 16, 40, 5000};
    struct caf_shape shape = {.rank = (int)random_below(seed, 6)};
    shape.element_bytes = sizes[random_below(seed, shape.rank < 3 ? 9 : 8)];
    for (int d = 0; d < shape.rank; d++)
        shape.count[d] = 1 + random_below(seed, shape.rank == 1 ? 300 : shape.rank == 2 ? 30 : 5);
    if (random_below(seed, 40) == 0 && shape.rank)
        shape.count[0] = 0;
    return shape;
}

/* Without overlap, dense or with gaps, in both directions, anywhere in `bytes`. False if the
 * section is too large for that. */
static bool random_place(uint64_t *seed, const struct caf_shape *shape, size_t bytes,
                         struct place *place)
{
    size_t stride = shape->element_bytes, low = 0, high = shape->element_bytes;
    int gaps = (int)random_below(seed, 3);
    for (int d = 0; d < shape->rank; d++) {
        if (gaps && random_below(seed, 2))
            stride += gaps * shape->element_bytes + random_below(seed, 2);
        size_t length = (shape->count[d] ? shape->count[d] - 1 : 0) * stride;
        bool backwards = random_below(seed, 4) == 0;
        place->strides.stride[d] = backwards ? -(ptrdiff_t)stride : (ptrdiff_t)stride;
        *(backwards ? &low : &high) += length;
        stride *= shape->count[d] ? shape->count[d] : 1;
    }
    if (low + high > bytes)
        return false;
    place->offset = low + random_below(seed, (uint32_t)(bytes - low - high + 1));
    return true;
}

static void copy_naively(const struct caf_shape *shape, int d, const struct caf_strides *to_strides,
                         const struct caf_strides *from_strides, char *to, const char *from)
{
    if (d == 0) {
        for (size_t i = 0; i < shape->element_bytes; i++)
            to[i] = from[i];
        return;
    }
    for (size_t i = 0; i < shape->count[d - 1]; i++)
        copy_naively(shape, d - 1, to_strides, from_strides,
                     to + (ptrdiff_t)i * to_strides->stride[d - 1],
                     from + (ptrdiff_t)i * from_strides->stride[d - 1]);
}

/* ---- one operation, on the model and, by the image whose turn it is, in truth ---- */

/* Half of those that can be told without a description. */
static bool is_line(const struct caf_shape *shape)
{
    return shape->rank == 1 && shape->count[0] % 2 == 1;
}

static void put_section(uint64_t *seed, int target, bool truly)
{
    struct place far, near;
    struct caf_shape shape = random_shape(seed);
    if (!random_place(seed, &shape, COARRAY_BYTES, &far) ||
        !random_place(seed, &shape, LOCAL_BYTES, &near))
        return;
    fill(local, LOCAL_BYTES, *seed);
    copy_naively(&shape, shape.rank, &far.strides, &near.strides, model + far.offset,
                 local + near.offset);
    if (!truly)
        return;
    if (is_line(&shape))
        expect_ok(caf_put_line(coarray, target, far.offset, far.strides.stride[0],
                               local + near.offset, near.strides.stride[0], shape.count[0],
                               shape.element_bytes));
    else
        expect_ok(caf_put_section(coarray, target, far.offset, &far.strides, local + near.offset,
                                  &near.strides, &shape));
    memset(local, 0x55, LOCAL_BYTES); /* it was taken */
}

static void get_section(uint64_t *seed, int target, bool truly)
{
    struct place far, near;
    struct caf_shape shape = random_shape(seed);
    if (!random_place(seed, &shape, COARRAY_BYTES, &far) ||
        !random_place(seed, &shape, LOCAL_BYTES, &near) || !truly)
        return;
    fill(local, LOCAL_BYTES, *seed);
    memcpy(expected, local, LOCAL_BYTES);
    copy_naively(&shape, shape.rank, &near.strides, &far.strides, expected + near.offset,
                 model + far.offset);
    if (is_line(&shape))
        expect_ok(caf_get_line(local + near.offset, near.strides.stride[0], coarray, target,
                               far.offset, far.strides.stride[0], shape.count[0],
                               shape.element_bytes));
    else
        expect_ok(caf_get_section(local + near.offset, &near.strides, coarray, target, far.offset,
                                  &far.strides, &shape));
    expect(memcmp(local, expected, LOCAL_BYTES) == 0);
}

static size_t random_bytes(uint64_t *seed)
{
    static const size_t sizes[] = {0, 1, 2, 3, 4, 8, 8, 8, 13, 16, 1000, 8192, 20000, 65536};
    return sizes[random_below(seed, sizeof sizes / sizeof *sizes)];
}

static void put_bytes(uint64_t *seed, int target, bool truly)
{
    size_t bytes = random_bytes(seed);
    size_t offset = random_below(seed, (uint32_t)(COARRAY_BYTES - bytes + 1));
    fill(local, bytes, *seed);
    memcpy(model + offset, local, bytes);
    if (!truly)
        return;
    expect_ok(caf_put(coarray, target, offset, local, bytes));
    memset(local, 0x55, bytes);
}

static void get_bytes(uint64_t *seed, int target, bool truly)
{
    size_t bytes = random_bytes(seed);
    size_t offset = random_below(seed, (uint32_t)(COARRAY_BYTES - bytes + 1));
    if (!truly)
        return;
    memset(local, 0x55, bytes + 8);
    expect_ok(caf_get(local + 4, coarray, target, offset, bytes));
    expect(memcmp(local + 4, model + offset, bytes) == 0);
    expect(memcmp(local, "UUUU", 4) == 0 && memcmp(local + 4 + bytes, "UUUU", 4) == 0);
}

/* CAF_TRANSFER, "block" if nothing is said. */
static bool sections_travel_as(const char *transfer)
{
    const char *chosen = getenv("CAF_TRANSFER");
    return strcmp(chosen ? chosen : "block", transfer) == 0;
}

/* What is done so many times, or a third of that where a message per element takes its time. */
static int as_often(int times)
{
    return sections_travel_as("element") ? times / 3 : times;
}

/* Puts and gets of one image to another in turn, often to the same bytes: each must see those
 * before it without any synchronisation. */
static void operate(int target, uint64_t seed, bool truly)
{
    static void (*const operations[])(uint64_t *, int, bool) = {put_section, get_section, put_bytes,
                                                                get_bytes};
    for (int i = 0; i < as_often(OPERATIONS); i++) {
        uint64_t own = seed + 1000u * (uint64_t)i;
        random_below(&own, 2);
        operations[random_below(&own, 4)](&own, target, truly);
    }
}

static void initialise(int image, uint64_t seed, char *bytes)
{
    fill(bytes, COARRAY_BYTES, seed + (uint64_t)image);
}

static void round_of_pairs(int shift, uint64_t seed)
{
    int target = (me - 1 + shift) % images + 1, writer = (me - 1 - shift + images) % images + 1;
    initialise(me, seed, mine);
    expect_ok(caf_sync_all());
    initialise(target, seed, model);
    operate(target, seed + 77u * (uint64_t)me, true);
    expect_ok(caf_sync_all());
    initialise(me, seed, model);
    operate(me, seed + 77u * (uint64_t)writer, false);
    expect(memcmp(mine, model, COARRAY_BYTES) == 0);
    expect_ok(caf_sync_all());
}

static void pairs_of_images(void)
{
    /* A message per element takes its time. */
    int rounds = images > 4 || sections_travel_as("element") ? 1 : ROUNDS;
    for (int round = 0; round < rounds; round++)
        for (int shift = 0; shift < images; shift++)
            round_of_pairs(shift, 100000u * (uint64_t)round + 5u * (uint64_t)shift);
}

/* ---- particular cases ---- */

static void next_image_gets(size_t elements, ptrdiff_t stride)
{
    struct caf_coarray *big;
    double *own, *got = malloc(elements * sizeof *got);
    size_t bytes = elements * (size_t)stride * sizeof *own;
    struct caf_shape shape = {1, sizeof *own, {elements}};
    struct caf_strides far = {{stride * (ptrdiff_t)sizeof *own}}, near = {{sizeof *own}};
    int next = me % images + 1, before = (me + images - 2) % images + 1;
    size_t wrong = 0, at = (elements - 1) * (size_t)stride;
    expect_ok(caf_allocate(&big, bytes, CAF_DATA, (void **)&own));
    for (size_t i = 0; i < elements; i++)
        got[i] = (double)i + me;
    expect_ok(caf_put_section(big, next, 0, &far, got, &near, &shape));
    expect_ok(caf_sync_all());
    for (size_t i = 0; i < elements * (size_t)stride; i++)
        wrong += own[i] != (i % (size_t)stride ? 0 : (double)(i / (size_t)stride) + before);
    far.stride[0] = -far.stride[0];
    expect_ok(caf_get_section(got, &near, big, next, at * sizeof *own, &far, &shape));
    for (size_t i = 0; i < elements; i++)
        wrong += got[i] != (double)(elements - 1 - i) + me;
    expect(wrong == 0);
    expect_ok(caf_free(big));
    free(got);
}

/* More than one message each. */
static void large_sections(void)
{
    bool is_block = sections_travel_as("block");
    next_image_gets(is_block ? 300000 : 2000, 2);
    next_image_gets(is_block ? 1000 : 100, 40);
}

/* More puts than are remembered, in any order, and a barrier. */
static void many_small_puts(void)
{
    int next = me % images + 1, before = (me + images - 2) % images + 1, wrong = 0;
    memset(mine, 0, COARRAY_BYTES);
    expect_ok(caf_sync_all());
    for (int64_t i = 0; i < 3000; i++) {
        int64_t value = i * me;
        expect_ok(caf_put(coarray, next, (size_t)(i * 7 % 3000) * 8, &value, 8));
    }
    expect_ok(caf_sync_all());
    for (int64_t i = 0; i < 3000; i++)
        wrong += ((int64_t *)mine)[i * 7 % 3000] != i * before;
    expect(wrong == 0);
    expect_ok(caf_sync_all());
}

/* The last of many puts to the same bytes is the one that stays, and a get sees the one before it,
 * whichever ways they travel. */
static void repeated_puts(void)
{
    int next = me % images + 1;
    struct caf_strides wide = {{24}}, dense = {{8}};
    struct caf_shape shape = {1, 8, {50}};
    int64_t values[50], got[50];
    int wrong = 0, times = as_often(400);
    for (int64_t i = 0; i < times; i++) {
        int64_t value = 1000 * me + i;
        for (int e = 0; e < 50; e++)
            values[e] = value + 1;
        expect_ok(caf_put(coarray, next, 240, &value, 8));
        if (i % 7 == 0) {
            expect_ok(caf_get(got, coarray, next, 240, 8));
            wrong += got[0] != value;
        }
        if (i % 3)
            expect_ok(caf_put_section(coarray, next, 0, &wide, values, &dense, &shape));
        if (i % 5 == 0) {
            expect_ok(caf_get_section(got, &dense, coarray, next, 0, &wide, &shape));
            wrong += got[10] != value + (i % 3 != 0);
        }
    }
    expect_ok(caf_sync_all());
    int64_t before = (me + images - 2) % images + 1;
    wrong += ((int64_t *)mine)[30] != 1000 * before + times - 1;
    wrong += ((int64_t *)mine)[27] != 1000 * before + times - 1;
    expect(wrong == 0);
    expect_ok(caf_sync_all());
}

/* Each image moves a stripe of its own from every image to every other. */
static void from_image_to_image(void)
{
    size_t stripe = COARRAY_BYTES / 2 / (size_t)images, half = COARRAY_BYTES / 2;
    size_t at = (size_t)(me - 1) * stripe;
    for (int shift = 0; shift < images; shift++) {
        int from = (me + shift - 1) % images + 1, to = (me + 2 * shift) % images + 1;
        initialise(me, 9, mine);
        expect_ok(caf_sync_all());
        expect_ok(caf_send_get(coarray, to, half + at, coarray, from, at, stripe));
        expect_ok(caf_send_get(coarray, to, half + at, coarray, from, at, 0));
        expect_ok(caf_sync_all());
        initialise(me, 9, local);
        memcpy(model, local, COARRAY_BYTES);
        for (int other = 1; other <= images; other++)
            if ((other + 2 * shift) % images + 1 == me) {
                size_t place = (size_t)(other - 1) * stripe;
                initialise((other + shift - 1) % images + 1, 9, local);
                memcpy(model + half + place, local + place, stripe);
            }
        expect(memcmp(mine, model, COARRAY_BYTES) == 0);
        expect_ok(caf_sync_all());
    }
}

/* Within the last image's coarray, by image 1, up and down, more than the buffer on the way. */
static void overlapping_moves(void)
{
    enum { BYTES = 2600000, DISTANCE = 1001 };
    struct caf_coarray *big;
    char *own, *right = malloc(BYTES);
    size_t bytes = sections_travel_as("element") ? 3003 : BYTES, moved = bytes - DISTANCE;
    expect_ok(caf_allocate(&big, BYTES, CAF_DATA, (void **)&own));
    for (int up = 0; up < 2; up++) {
        size_t to = up ? DISTANCE : 0, from = up ? 0 : DISTANCE;
        fill(own, BYTES, 3);
        expect_ok(caf_sync_all());
        if (me == 1)
            expect_ok(caf_send_get(big, images, to, big, images, from, moved));
        expect_ok(caf_sync_all());
        fill(right, BYTES, 3);
        if (me == images)
            memmove(right + to, right + from, moved);
        expect(memcmp(own, right, BYTES) == 0);
    }
    expect_ok(caf_free(big));
    free(right);
}

/* ---- what is wrong ---- */

static void bad_images(void)
{
    char byte = 0;
    struct caf_strides one = {{1}};
    struct caf_shape shape = {1, 1, {1}};
    char text[100];
    for (int i = 0; i < 4; i++) {
        int bad = (int[]){0, -1, images + 1, INT32_MAX}[i];
        snprintf(text, sizeof text, "there is no image %d of %d", bad, images);
        expect_invalid(caf_put(coarray, bad, 0, &byte, 1), CAF_BAD_IMAGE, text);
        expect_invalid(caf_get(&byte, coarray, bad, 0, 1), CAF_BAD_IMAGE, text);
        expect_invalid(caf_send_get(coarray, 1, 0, coarray, bad, 0, 1), CAF_BAD_IMAGE, text);
        expect_invalid(caf_send_get(coarray, bad, 0, coarray, 1, 0, 1), CAF_BAD_IMAGE, text);
        expect_invalid(caf_put_section(coarray, bad, 0, &one, &byte, &one, &shape), CAF_BAD_IMAGE,
                       text);
        expect_invalid(caf_get_section(&byte, &one, coarray, bad, 0, &one, &shape), CAF_BAD_IMAGE,
                       text);
        expect_invalid(caf_put_line(coarray, bad, 0, 1, &byte, 1, 1, 1), CAF_BAD_IMAGE, text);
        expect_invalid(caf_get_line(&byte, 1, coarray, bad, 0, 1, 1, 1), CAF_BAD_IMAGE, text);
    }
}

static enum dm_status put_range(size_t offset, ptrdiff_t stride, size_t count)
{
    struct caf_strides far = {{stride}}, near = {{0}};
    struct caf_shape shape = {1, 8, {count}};
    double value = 0;
    return caf_put_section(coarray, images, offset, &far, &value, &near, &shape);
}

static void bad_lines(void)
{
    size_t end = COARRAY_BYTES;
    double value = 0;
    expect_invalid(caf_put_line(coarray, images, end - 8, 8, &value, 0, 2, 8), CAF_BAD_RANGE,
                   "PUT: bytes");
    expect_invalid(caf_get_line(&value, 0, coarray, 1, 8, -8, 3, 8), CAF_BAD_RANGE,
                   "GET: bytes -8 to 16");
    expect_invalid(caf_put_line(coarray, 1, 64, 8, &value, 0, SIZE_MAX, 8), CAF_BAD_ARGUMENT,
                   "PUT: a section");
    expect_invalid(caf_put_line(NULL, 1, 0, 8, &value, 0, 1, 8), CAF_BAD_ARGUMENT,
                   "PUT: there is no coarray");
    expect_ok(caf_put_line(coarray, 1, end, 8, &value, 0, 0, 8));
}

static void bad_sections(void)
{
    char text[100];
    size_t end = COARRAY_BYTES;
    snprintf(text, sizeof text, "PUT: bytes %zu to %zu of a coarray of %zu bytes on image %d",
             end - 8, end + 8, end, images);
    expect_invalid(put_range(end - 8, 8, 2), CAF_BAD_RANGE, text);
    expect_invalid(put_range(end, 8, 1), CAF_BAD_RANGE, "PUT: bytes");
    expect_invalid(put_range(8, -8, 3), CAF_BAD_RANGE, "PUT: bytes -8 to 16");
    expect_invalid(put_range(SIZE_MAX - 7, 8, 2), CAF_BAD_RANGE, "PUT: bytes");
    expect_invalid(put_range(PTRDIFF_MAX, 8, 1), CAF_BAD_RANGE, "PUT: bytes");
    expect_invalid(put_range(0, PTRDIFF_MAX, 3), CAF_BAD_ARGUMENT, "PUT: a section");
    expect_invalid(put_range(0, 8, SIZE_MAX / 2), CAF_BAD_ARGUMENT, "PUT: a section");
    struct caf_strides none = {{0}};
    struct caf_shape shape = {16, 8, {1}};
    expect_invalid(caf_get_section(local, &none, coarray, 1, 0, &none, &shape), CAF_BAD_ARGUMENT,
                   "GET: a section of rank 16");
    expect_ok(put_range(end, 8, 0));
    shape.rank = 0;
    expect_invalid(caf_put_section(NULL, 1, 0, &none, local, &none, &shape), CAF_BAD_ARGUMENT,
                   "PUT: there is no coarray");
}

/* Only with CAF_DEBUG=1. */
static void bad_ranges(void)
{
    char byte = 0;
    if (!getenv("CAF_DEBUG"))
        return;
    expect_invalid(caf_put(coarray, 1, COARRAY_BYTES, &byte, 1), CAF_BAD_RANGE, "PUT: bytes");
    expect_invalid(caf_get(&byte, coarray, images, SIZE_MAX, 1), CAF_BAD_RANGE, "GET: bytes");
    expect_invalid(caf_get(&byte, coarray, images, 1, SIZE_MAX), CAF_BAD_RANGE, "GET: bytes");
    expect_invalid(caf_send_get(coarray, 1, COARRAY_BYTES - 1, coarray, 1, 0, 2), CAF_BAD_RANGE,
                   "PUT: bytes");
    expect_ok(caf_put(coarray, 1, COARRAY_BYTES, &byte, 0));
}

static void bad_requests_change_nothing(void)
{
    memset(mine, 7, COARRAY_BYTES);
    expect_ok(caf_sync_all());
    bad_images();
    bad_sections();
    bad_lines();
    bad_ranges();
    expect_ok(caf_sync_all());
    for (int i = 0; i < COARRAY_BYTES; i++)
        if (mine[i] != 7) {
            expect(mine[i] == 7);
            break;
        }
}

int main(int argc, char **argv)
{
    static const struct step steps[] = {STEP(pairs_of_images),
                                        STEP(large_sections),
                                        STEP(many_small_puts),
                                        STEP(repeated_puts),
                                        STEP(from_image_to_image),
                                        STEP(overlapping_moves),
                                        STEP(bad_requests_change_nothing),
                                        {0}};
    alarm(HANGS_AFTER_S);
    MPI_Init(&argc, &argv);
    program_start(&argc, &argv);
    me = caf_this_image();
    images = caf_num_images();
    if (caf_allocate(&coarray, COARRAY_BYTES, CAF_DATA, (void **)&mine))
        stop_in_error(1, dm_message());
    run_steps(steps);
    expect_ok(caf_end());
    MPI_Finalize();
    return test_failures > 0;
}
