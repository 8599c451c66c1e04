/* access_direct_test: the boxes of random maps, for random parts of random launches, beside what
 * isl says that the part's threads access; and which maps are left to isl. */
#include <isl/ctx.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "common/random.h"
#include "partition/access_internal.h"
#include "tests/unit/test_status.h"

enum { TRIALS = 3000, TEXT = 2048 };

static uint64_t drawn;

static int draw(int below)
{
    return (int)random_below(11, drawn++, (unsigned)below);
}

/* ---- random maps ---- */

static const char *const spaces[][5] = {
    {"gx"},       {"gy", "gx"},       {"bx", "tx"},       {"by", "ty", "bx", "tx"},
    {"ox", "tx"}, {"oy", "ty", "gx"}, {"bx", "ox", "tx"},
};
enum { SPACES = sizeof spaces / sizeof *spaces };

static char text[TEXT];

static void add(const char *format, ...)
{
    const size_t length = strlen(text);
    va_list values;

    va_start(values, format);
    vsnprintf(text + length, TEXT - length, format, values);
    va_end(values);
}

static const char *coordinate(int space)
{
    int count = 0;

    while (spaces[space][count])
        count++;
    return spaces[space][draw(count)];
}

static void add_tuple(int space)
{
    add("[");
    for (int i = 0; spaces[space][i]; i++)
        add("%s%s", i ? ", " : "", spaces[space][i]);
    add("]");
}

/* o<index>, by a value, bounds, or bounds and a remainder. */
static void add_index(int space, int index)
{
    static const int factors[] = {1, 1, 1, 2, 3, 4, 6, 8, -1};

    switch (draw(5)) {
    case 0:
        add("o%d = %d%s + %d", index, factors[draw(9)], coordinate(space), draw(9));
        break;
    case 1:
        add("o%d = %d%s + %d%s", index, factors[draw(9)], coordinate(space), factors[draw(8)],
            coordinate(space));
        break;
    case 2:
        add("%d%s <= o%d <= %d + %d%s", index, coordinate(space), index, draw(4), index,
            coordinate(space));
        break;
    case 3:
        add("%d <= o%d < N - %d", draw(3), index, draw(3));
        break;
    default:
        add("(o%d - %s) mod %d = 0 and %s <= o%d <= %d + N", index, coordinate(space), 1 + draw(8),
            coordinate(space), index, draw(5));
    }
}

static void add_condition(int space)
{
    switch (draw(6)) {
    case 0:
        add(" and %d <= %s", draw(4) - 1, coordinate(space));
        break;
    case 1:
        add(" and %d%s < N", 1 + draw(3), coordinate(space));
        break;
    case 2:
        add(" and %s = %d", coordinate(space), draw(4));
        break;
    case 3:
        add(" and %s + %d%s < N + %d", coordinate(space), draw(4), coordinate(space), draw(20));
        break;
    case 4:
        add(" and o0 >= %d and o0 <= M", draw(5));
        break;
    default:
        add(" and N > %d", draw(6));
    }
}

static void add_map(int space, int indices)
{
    const int pieces = 1 + draw(2);

    add("[N, M] -> { ");
    for (int p = 0; p < pieces; p++) {
        add(p ? "; " : "");
        add_tuple(space);
        add(indices == 2 ? " -> a[o0, o1] : " : " -> a[o0] : ");
        for (int i = 0; i < indices; i++) {
            add(i ? " and " : "");
            add_index(space, i);
        }
        for (int times = draw(4); times > 0; times--)
            add_condition(space);
    }
    add(" }\n");
}

/* The written argument is the first one. */
static void write_database(int space, int indices)
{
    static const char map_head[] = "  write_access ";

    *text = 0;
    add("datamotion-partition 1\nkernel k\n source k.cu\n coordinates");
    for (int i = 0; spaces[space][i]; i++)
        add(" %s", spaces[space][i]);
    add("\n split x\n invalid { : false }\n argument 0\n  name a\n  type float*\n  bits 0\n"
        "  element_bits 32\n  fundamental f\n  dims %d\n  level 1\n%s%s",
        indices, indices == 2 ? "  sizes { [] -> [(1000)] }\n" : "", map_head);
    const size_t begin = strlen(text) - strlen(map_head);
    add_map(space, indices);
    char line[TEXT];
    strcpy(line, text + begin + strlen(map_head));
    add("  write %s  injective yes\n argument 1\n  name N\n  type i32\n  bits 32\n  element_bits 0\n"
        "  fundamental i\n  dims 0\n  level 0\n argument 2\n  name M\n  type i32\n  bits 32\n"
        "  element_bits 0\n  fundamental i\n  dims 0\n  level 0\n end\n",
        line);
}

static struct partition_database *load_text(void)
{
    struct partition_database *database;
    char path[64];
    const int file = memfd_create("database", MFD_CLOEXEC);

    expect(file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text));
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    expect_ok(partition_database_load(&database, path));
    close(file);
    return database;
}

/* ---- what both say ---- */

static isl_set *set_of_box(isl_ctx *isl, const struct access_box *box, int indices)
{
    char line[400] = "";

    snprintf(line, sizeof line, "{ a[%s] : ", indices == 2 ? "i, j" : "i");
    for (int i = 0; i < indices; i++)
        snprintf(line + strlen(line), sizeof line - strlen(line),
                 "%s%lld <= %c <= %lld and (%c - %lld) mod %lld = 0", i ? " and " : "",
                 (long long)box->lower[i], "ij"[i], (long long)box -> upper[i], "ij"[i],
                 (long long)box -> lower[i], (long long)box -> stride[i]);
    strcat(line, " }");
    return isl_set_read_from_str(isl, line);
}

static isl_set *set_of_boxes(isl_ctx *isl, const struct access_box_list *boxes, int indices)
{
    isl_set *all =
        isl_set_read_from_str(isl, indices == 2 ? "{ a[i, j] : false }" : "{ a[i] : false }");

    for (size_t i = 0; i < boxes->count; i++)
        all = isl_set_union(all, set_of_box(isl, &boxes->items[i], indices));
    return all;
}

static bool compare(const struct partition_launch *launch, const struct partition_part *part,
                    const struct access_map *map, const struct access_box_list *boxes, bool write,
                    int indices)
{
    isl_map *restricted;

    expect_ok(access_restrict(launch, part, map->map, &restricted));
    isl_set *image = isl_map_range(restricted);
    isl_set *found = set_of_boxes(launch->kernel->space->isl, boxes, indices);
    const bool good = write ? isl_set_is_equal(found, image) == isl_bool_true
                            : isl_set_is_subset(image, found) == isl_bool_true;
    isl_set_free(image);
    isl_set_free(found);
    return good;
}

static int tried, taken, empty;

static void try_map(void)
{
    const int space = draw(SPACES), indices = 1 + draw(2);
    struct partition_shape shape = {{1 + (unsigned)draw(6), 1 + (unsigned)draw(4), 1},
                                    {1 + (unsigned)draw(8), 1 + (unsigned)draw(5), 1}};
    struct partition_part part = {.blocks = {1, 1, 1}};
    const int64_t scalars[] = {0, draw(40), draw(30)};

    for (int d = 0; d < 2; d++) {
        part.offset[d] = (unsigned)draw((int)shape.grid[d]);
        part.blocks[d] = 1 + (unsigned)draw((int)(shape.grid[d] - part.offset[d]));
    }
    write_database(space, indices);
    struct partition_database *database = load_text();
    if (!database)
        return;
    const struct partition_launch launch = {&database->kernels[0], scalars, &shape};
    const struct access_map *map = &database->kernels[0].arguments[0].maps->of[1].each[0];
    const bool write = draw(3) > 0;
    struct access_box_list boxes = {0};
    bool found;
    expect(map->form);
    expect_ok(access_direct(&launch, &part, map->form, write, &boxes, &found));
    expect(found || boxes.count == 0);
    const bool good = !found || compare(&launch, &part, map, &boxes, write, indices);
    if (!good)
        printf("# grid %u %u block %u %u part %u+%u %u+%u N %d M %d\\n# %s\n", shape.grid[0],
               shape.grid[1], shape.block[0], shape.block[1], part.offset[0], part.blocks[0],
               part.offset[1], part.blocks[1], (int)scalars[1], (int)scalars[2], text);
    expect(good);
    tried++;
    taken += found;
    empty += found && boxes.count == 0;
    free(boxes.items);
    partition_database_free(database);
}

static void boxes_are_what_isl_says(void)
{
    for (int i = 0; i < TRIALS && !test_failed_checks; i++)
        try_map();
    printf("# %d maps, %d of them taken, %d of these empty\n", tried, taken, empty);
    expect(taken > tried / 5 && empty < taken / 2);
}

int main(void)
{
    run_test(boxes_are_what_isl_says);
    return end_tests();
}
