/* Sections of arrays of any rank against a naive copy, element by element. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "coarrays/caf/section.h"
#include "common/random.h"
#include "tests/unit/test.h"

enum { SHAPES = 20000 };
static const size_t element_sizes[] = {1, 2, 3, 4, 8, 12, 16, 40};
static uint64_t draws;

static size_t below(size_t bound)
{
    return (size_t)random_below(61, draws++, bound);
}

/* The dimensions in the order in which their strides grow. */
static void shuffle(int *order, int rank)
{
    for (int d = 0; d < rank; d++) {
        int other = (int)below((size_t)d + 1);
        order[d] = order[other];
        order[other] = d;
    }
}

/* Strides without overlap, often without gaps, some negative. */
static struct caf_strides random_strides(const struct caf_shape *shape)
{
    struct caf_strides strides = {{0}};
    int order[CAF_MAX_RANK];
    size_t stride = shape->element_bytes;
    bool is_dense = below(3) == 0;
    shuffle(order, shape->rank);
    for (int i = 0; i < shape->rank; i++) {
        int d = is_dense ? i : order[i];
        if (!is_dense && below(2))
            stride += below(3) * (below(2) ? shape->element_bytes : 1);
        strides.stride[d] = below(4) == 0 ? -(ptrdiff_t)stride : (ptrdiff_t)stride;
        stride *= shape->count[d] ? shape->count[d] : 1;
    }
    return strides;
}

static struct caf_shape random_shape(int rank)
{
    struct caf_shape shape = {.rank = rank};
    size_t most = rank < 3 ? 40 : rank < 5 ? 6 : rank < 7 ? 4 : 3;
    shape.element_bytes = element_sizes[below(sizeof element_sizes / sizeof *element_sizes)];
    for (int d = 0; d < rank; d++)
        shape.count[d] = rank > 6 && d > 6 ? 1 : 1 + below(most);
    if (rank > 6) /* a few of the many have more than one element */
        for (int d = 0; d < rank; d++)
            shape.count[d] = below(3) ? 1 : 2;
    if (rank && below(50) == 0)
        shape.count[below((size_t)rank)] = 0;
    return shape;
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

/* Memory exactly as large as the section's extent between guards, so that the address sanitizer or
 * the guards see what is beyond. */
struct side {
    struct caf_strides strides;
    ptrdiff_t low, high;
    char *memory, *first;
};
enum { GUARD = 64 };

static bool prepare(struct side *side, const struct caf_shape *shape)
{
    side->strides = random_strides(shape);
    if (!section_extent(shape, &side->strides, &side->low, &side->high))
        return false;
    size_t bytes = (size_t)(side->high - side->low) + 2 * GUARD;
    side->memory = malloc(bytes);
    random_fill_bytes(side->memory, bytes, draws++);
    side->first = side->memory + GUARD - side->low;
    return true;
}

static bool copies_like_naive(int rank)
{
    struct caf_shape shape = random_shape(rank);
    struct side to, from;
    if (!prepare(&to, &shape) || !prepare(&from, &shape))
        return false;
    size_t bytes = (size_t)(to.high - to.low) + 2 * GUARD;
    char *expected = malloc(bytes);
    memcpy(expected, to.memory, bytes);
    copy_naively(&shape, shape.rank, &to.strides, &from.strides, expected + GUARD - to.low,
                 from.first);
    struct section section = section_simplify(&shape, &to.strides, &from.strides);
    section_copy(&section, to.first, from.first);
    bool same = memcmp(expected, to.memory, bytes) == 0;
    free(expected);
    free(to.memory);
    free(from.memory);
    return same;
}

static void random_sections(void)
{
    int wrong = 0;
    for (int i = 0; i < SHAPES; i++)
        wrong += !copies_like_naive(i % 100 == 99 ? 15 : i % 7);
    expect(wrong == 0);
}

/* A copy into packed memory and from there back is the section itself. */
static void packing(void)
{
    for (int i = 0; i < 1000; i++) {
        struct caf_shape shape = random_shape(i % 7);
        struct side side;
        expect(prepare(&side, &shape));
        struct caf_strides packed = section_packed(&shape);
        size_t bytes = section_bytes(&shape), all = (size_t)(side.high - side.low);
        char *buffer = malloc(bytes + 1), *before = malloc(all + 1);
        memcpy(before, side.memory + GUARD, all);
        struct section out = section_simplify(&shape, &packed, &side.strides);
        struct section back = section_simplify(&shape, &side.strides, &packed);
        section_copy(&out, buffer, side.first);
        for (size_t j = 0; j < bytes; j++) /* gaps stay, elements change */
            buffer[j] = (char)~buffer[j];
        section_copy(&back, side.first, buffer);
        size_t changed = 0;
        for (size_t j = 0; j < all; j++)
            changed += side.memory[GUARD + j] != before[j];
        expect(changed == bytes);
        free(buffer);
        free(before);
        free(side.memory);
    }
}

static struct section simplified(struct caf_shape shape, struct caf_strides to,
                                 struct caf_strides from)
{
    return section_simplify(&shape, &to, &from);
}

static void simple_forms(void)
{
    struct caf_strides dense = {{8, 80, 800}}, wide = {{8, 96, 960}}, gaps = {{16, 160, 1600}};
    struct section s = simplified((struct caf_shape){3, 8, {10, 10, 5}}, dense, dense);
    expect(s.rank == 0 && s.element_bytes == 4000);
    s = simplified((struct caf_shape){3, 8, {10, 10, 5}}, dense, wide);
    expect(s.rank == 1 && s.element_bytes == 80 && s.count[0] == 50 && s.to[0] == 80 &&
           s.from[0] == 96);
    s = simplified((struct caf_shape){3, 8, {10, 10, 5}}, gaps, dense);
    expect(s.rank == 1 && s.element_bytes == 8 && s.count[0] == 500 && s.to[0] == 16 &&
           s.from[0] == 8);
    s = simplified((struct caf_shape){3, 8, {10, 1, 5}}, dense, dense);
    expect(s.rank == 1 && s.element_bytes == 80 && s.count[0] == 5 && s.to[0] == 800);
    s = simplified((struct caf_shape){3, 8, {10, 0, 5}}, dense, dense);
    expect(s.rank == 1 && s.count[0] == 0);
    s = simplified((struct caf_shape){0, 8, {0}}, dense, dense);
    expect(s.rank == 0 && s.element_bytes == 8);
    /* The order of dimensions does not hide that both memories are the same. */
    struct caf_strides turned = {{800, 80, 8}};
    s = simplified((struct caf_shape){3, 8, {5, 10, 10}}, turned, turned);
    expect(s.rank == 0 && s.element_bytes == 4000);
    struct caf_strides backwards = {{-8}};
    s = simplified((struct caf_shape){1, 8, {10}}, dense, backwards);
    expect(s.rank == 1 && s.from[0] == -8 && s.count[0] == 10);
}

static bool extent(struct caf_shape shape, struct caf_strides strides, ptrdiff_t *low,
                   ptrdiff_t *high)
{
    return section_extent(&shape, &strides, low, high);
}

static void extents(void)
{
    ptrdiff_t low, high;
    expect(extent((struct caf_shape){0, 8, {0}}, (struct caf_strides){{0}}, &low, &high));
    expect(low == 0 && high == 8);
    expect(
        extent((struct caf_shape){2, 8, {10, 3}}, (struct caf_strides){{-16, 1000}}, &low, &high));
    expect(low == -144 && high == 2008);
    expect(
        extent((struct caf_shape){2, 8, {10, 0}}, (struct caf_strides){{-16, 1000}}, &low, &high));
    expect(low == 0 && high == 0);
    expect(
        extent((struct caf_shape){1, 8, {SIZE_MAX / 16}}, (struct caf_strides){{8}}, &low, &high));
    expect(high == PTRDIFF_MAX - 7);
}

static void impossible_extents(void)
{
    ptrdiff_t low, high;
    struct caf_strides eight = {{8, 8, 8}}, huge = {{PTRDIFF_MAX, PTRDIFF_MAX}};
    struct caf_strides least = {{PTRDIFF_MIN, -1}};
    expect(!extent((struct caf_shape){-1, 8, {1}}, eight, &low, &high));
    expect(!extent((struct caf_shape){16, 8, {1}}, eight, &low, &high));
    expect(!extent((struct caf_shape){1, 8, {SIZE_MAX / 8}}, eight, &low, &high));
    expect(!extent((struct caf_shape){1, SIZE_MAX, {1}}, eight, &low, &high));
    expect(!extent((struct caf_shape){1, 1, {SIZE_MAX}}, eight, &low, &high));
    expect(!extent((struct caf_shape){3, 1, {1ul << 31, 1ul << 31, 2}}, (struct caf_strides){{0}},
                   &low, &high));
    expect(!extent((struct caf_shape){2, 1, {2, 2}}, huge, &low, &high));
    expect(!extent((struct caf_shape){2, 1, {2, 2}}, least, &low, &high));
    expect(!extent((struct caf_shape){2, 8, {2, 1}}, huge, &low, &high));
    expect(extent((struct caf_shape){2, 8, {1, 1}}, huge, &low, &high));
}

int main(void)
{
    run_test(simple_forms);
    run_test(extents);
    run_test(impossible_extents);
    run_test(random_sections);
    run_test(packing);
    return end_tests();
}
