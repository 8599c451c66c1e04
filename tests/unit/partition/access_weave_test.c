/* access_weave_test: woven boxes have the elements of the boxes that they are made of, and no
 * others. */
#include <string.h>

#include "common/random.h"
#include "partition/access_internal.h"
#include "tests/unit/test.h"

enum { SIDE = 40, BOXES = 24, TRIALS = 3000 };

static uint64_t drawn;

static int64_t draw(unsigned below)
{
    return (int64_t)random_below(15, drawn++, below);
}

typedef unsigned char cells[SIDE][SIDE];

static void mark(cells marked, const struct access_box *box)
{
    for (int64_t y = box->lower[0]; y <= box->upper[0]; y += box->stride[0])
        for (int64_t x = box->lower[1]; x <= box->upper[1]; x += box->stride[1])
            marked[y][x] = 1;
}

static void mark_all(cells marked, const struct access_box *boxes, size_t count)
{
    memset(marked, 0, sizeof(cells));
    for (size_t i = 0; i < count; i++)
        mark(marked, &boxes[i]);
}

/* `stride` boxes one after the other along a dimension, some of them moved, shorter or left out. */
static size_t draw_family(struct access_box *boxes)
{
    int along = (int)draw(2);
    int64_t stride = 1 + draw(5), count = 1 + draw(4), first = draw(8);
    int64_t other = draw(20), end = other + draw(6);
    size_t made = 0;
    for (int64_t i = 0; i < stride; i++) {
        struct access_box *box = &boxes[made];
        *box = (struct access_box){.stride = {1, 1}};
        box->lower[1 - along] = other;
        box->upper[1 - along] = end;
        box->lower[along] = first + i + (draw(9) == 0);
        box->upper[along] = box->lower[along] + stride * (count - 1 + (draw(9) == 0));
        box->stride[along] = stride;
        made += draw(9) != 0;
    }
    return made;
}

static void shuffle(struct access_box *boxes, size_t count)
{
    for (size_t i = count; i > 1; i--) {
        size_t other = (size_t)draw((unsigned)i);
        struct access_box box = boxes[i - 1];
        boxes[i - 1] = boxes[other];
        boxes[other] = box;
    }
}

static void no_element_is_lost_or_added(void)
{
    static cells before, after;
    long fewer = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        struct access_box boxes[BOXES];
        size_t count = 0;
        while (count + 5 < BOXES && draw(6) != 0)
            count += draw_family(&boxes[count]);
        shuffle(boxes, count);
        mark_all(before, boxes, count);
        size_t woven = access_weave(boxes, count, 2);
        mark_all(after, boxes, woven);
        expect(woven <= count && memcmp(before, after, sizeof before) == 0);
        fewer += woven < count;
    }
    expect(fewer > TRIALS / 4);
}

static void rows_of_different_length_are_woven(void)
{
    struct access_box boxes[3] = {{{2}, {11}, {3}}, {{0}, {9}, {3}}, {{1}, {10}, {3}}};
    expect(access_weave(boxes, 3, 1) == 1);
    expect(boxes[0].lower[0] == 0 && boxes[0].upper[0] == 11 && boxes[0].stride[0] == 1);
    struct access_box shorter[3] = {{{0}, {12}, {3}}, {{1}, {10}, {3}}, {{2}, {11}, {3}}};
    expect(access_weave(shorter, 3, 1) == 1);
    expect(shorter[0].lower[0] == 0 && shorter[0].upper[0] == 12);
    struct access_box gap[3] = {{{0}, {12}, {3}}, {{1}, {7}, {3}}, {{2}, {11}, {3}}};
    expect(access_weave(gap, 3, 1) == 3);
}

int main(void)
{
    run_test(no_element_is_lost_or_added);
    run_test(rows_of_different_length_are_woven);
    return end_tests();
}
