/* partition_database_test: data bases as they should be, and every way to be broken. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <datamotion/partition.h>

#include "tests/unit/test_status.h"

static const char *const good_lines[] = {
    "datamotion-partition 1",
    "kernel scale",
    " source scale.cu",
    " coordinates gx",
    " split x",
    " invalid [N] -> { : N >= 1000 }",
    " define p_1 = 2 * (N + launch_block_x) - 1",
    " argument 0",
    "  name data",
    "  type float*",
    "  bits 0",
    "  element_bits 32",
    "  fundamental f",
    "  dims 2",
    "  level 1",
    "  sizes [p_1] -> { [] -> [(p_1)] }",
    "  read [N] -> { [gx] -> data[0, gx] : 0 <= gx < N }",
    "  read_access [N] -> { [gx] -> data[0, gx] : 0 <= gx < N }",
    "  read_pattern N",
    "  write { [gx] -> data[1, gx] : 0 <= gx }",
    "  write_access { [gx] -> data[1, gx] : 0 <= gx }",
    "  write_pattern -",
    "  injective yes",
    " argument 1",
    "  name N",
    "  type i32",
    "  bits 32",
    "  element_bits 0",
    "  fundamental i",
    "  dims 0",
    "  level 0",
    " end",
    "refused histogram atomic function atomicAdd: concurrent writes",
};
enum { LINES = sizeof good_lines / sizeof *good_lines };

/* NULL: see dm_message(). */
static struct partition_database *load_text(const char *text, size_t length)
{
    struct partition_database *database;
    char path[64];
    int file = memfd_create("database", MFD_CLOEXEC);
    expect(file >= 0 && write(file, text, length) == (ssize_t)length);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    enum dm_status status = partition_database_load(&database, path);
    expect(status == DM_OK || (status == DM_INVALID && !database));
    close(file);
    return database;
}

/* The good file with line `number` (from 1) replaced; NULL: left out. */
static struct partition_database *load_changed(int number, const char *line)
{
    char text[4096] = "";
    for (int i = 0; i < LINES; i++) {
        const char *used = i + 1 == number ? line : good_lines[i];
        if (used)
            snprintf(text + strlen(text), sizeof text - strlen(text), "%s\n", used);
    }
    return load_text(text, strlen(text));
}

static void every_field_is_read(void)
{
    struct partition_database *database = load_changed(0, NULL);
    expect(database && database->kernel_count == 2);
    struct partition_kernel *kernel = database ? partition_database_find(database, "scale") : NULL;
    if (kernel) {
        expect(strcmp(kernel->source, "scale.cu") == 0 && kernel->split == 'x');
        expect(!kernel->refusal && kernel->argument_count == 2);
        const struct partition_argument *data = &kernel->arguments[0], *n = &kernel->arguments[1];
        expect(strcmp(data->name, "data") == 0 && strcmp(data->type, "float*") == 0);
        expect(data->bits == 0 && data->element_bits == 32 && data->fundamental == 'f');
        expect(data->dims == 2 && data->level == 1 && data->injective);
        expect(data->reads && data->writes && !data->reads_whole);
        expect(strncmp(data->read, "[N] -> { [gx]", 13) == 0);
        expect(strcmp(data->read_pattern, "N") == 0 && strcmp(data->write_pattern, "") == 0);
        expect(!*data->read_domain_dims && !*data->write_domain_dims);
        expect(n->bits == 32 && n->level == 0 && !n->reads && !n->writes && !n->read);
        expect(strcmp(partition_database_find(database, "histogram")->refusal,
                      "atomic function atomicAdd: concurrent writes") == 0);
        expect(!partition_database_find(database, "scal"));
    }
    partition_database_free(database);
}

static void what_it_belongs_to_is_checked(void)
{
    static const char image[] = "// PTX of a module";
    struct partition_database *database = load_changed(
        1, "datamotion-partition 1\nsource_hash 0123456789abcdef\nmodule 0000000000000001\n"
           "module 77de42289cfeb601"); /* FNV-1a of 64 bits */
    expect(database && database->module_count == 2);
    if (database) {
        expect_ok(partition_database_check(database, image, sizeof image)); /* with its 0 */
        expect_ok(partition_database_check(database, image, sizeof image - 1));
        expect_error(partition_database_check(database, image, sizeof image - 2), DM_INVALID,
                     "of another module");
        expect_error(partition_database_check(database, "\177ELF", 5), DM_INVALID,
                     "of another module");
    }
    partition_database_free(database);
    database = load_changed(0, NULL);
    expect_error(partition_database_check(database, image, sizeof image), DM_INVALID,
                 "does not say of which module");
    partition_database_free(database);
}

static void what_is_touched_is_read(void)
{
    struct partition_database *database = load_changed(
        33, "touches scale w-\nnumbers scale -i\nrefused histogram why\ntouches histogram rw");
    expect(database && strcmp(partition_database_find(database, "scale")->numbers, "-i") == 0);
    expect(database && strcmp(partition_database_find(database, "scale")->touches, "w-") == 0);
    expect(database && strcmp(partition_database_find(database, "histogram")->touches, "rw") == 0);
    partition_database_free(database);
}

/* Of one set in several lines: by constraints, and by isl where they are not affine. */
static void every_assumption_counts(void)
{
    static const struct {
        int64_t n;
        enum dm_status status;
    } launches[] = {{1000, DM_UNAVAILABLE}, {500, DM_OK},         {7, DM_UNAVAILABLE},
                    {-1, DM_UNAVAILABLE},   {60, DM_UNAVAILABLE}, {62, DM_OK}};
    struct partition_database *database =
        load_changed(6, " invalid [N] -> { : N >= 1000 }\n invalid [N] -> { : N = 7 or N < 0 }\n"
                        " invalid [N] -> { : exists (e0: N = 10e0 and 50 < N < 80) }");
    const struct partition_shape shape = {{1, 1, 1}, {32, 1, 1}};

    expect(database);
    for (size_t i = 0; database && i < sizeof launches / sizeof *launches; i++) {
        const int64_t scalars[] = {0, launches[i].n};
        const struct partition_launch launch = {partition_database_find(database, "scale"), scalars,
                                                &shape};
        expect(partition_check_launch(&launch) == launches[i].status);
    }
    partition_database_free(database);
}

static void harmless_changes(void)
{
    static const struct {
        int line;
        const char *text;
    } changes[] = {
        {1, "datamotion-partition 1\r"},
        {5, "split x"},
        {28, "\n  element_bits 0\n"},
        {19, "  read_domain_dims 3\n  read_pattern N"},
        {33, NULL},
        {23, "  injective yes\n  may_write yes"},
    };
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        struct partition_database *database = load_changed(changes[i].line, changes[i].text);
        expect(database);
        partition_database_free(database);
    }
}

static const struct {
    int line;
    const char *text;
    int named; /* line of the message; 0: none */
    const char *why;
} broken[] = {
    {1, "datamotion-partition 2", 0, "is no data base"},
    {1, NULL, 0, "is no data base"},
    {2, "kernel", 2, "nothing follows kernel"},
    {2, "kernel two words", 2, "one word"},
    {2, NULL, 2, "source is not expected"},
    {3, NULL, 31, "has no source"},
    {4, " coordinates qx", 4, "a coordinate is"},
    {4, " coordinates gx gx", 4, "one too many"},
    {4, " coordinates gx tx", 4, "one too many"},
    {4, " coordinates gw", 4, "a coordinate is"},
    {4, " coordinates gxy", 4, "a coordinate is"},
    {4, NULL, 7, "coordinates must come"},
    {5, " split w", 5, "split is"},
    {5, " split x\n split x", 6, "a second split"},
    {6, " invalid { [a] : a > 1 }", 6, "no set of parameters"},
    {6, " invalid { : ", 6, "no set of parameters"},
    {6, " invalid [M] -> { : M > 1 }", 32, "M is neither"},
    {7, " define p_1 2", 7, "define takes"},
    {7, " define p_1 = 2 *", 32, "a number or a name"},
    {7, " define p_1 = (2", 32, "')' expected"},
    {7, " define p_1 = 2 2", 32, "an operator expected"},
    {7, " define p_1 = M", 32, "M is neither"},
    {7, " define p_1 = launch_size_w", 32, "neither"},
    {7, " define p_1 = p_1", 32, "p_1 is neither"},
    {7, " define p_1 = 99999999999999999999", 32, "too large"},
    {7, " define p_1 = 9223372036854775807 * 2", 32, "overflow"},
    {7, NULL, 31, "p_1 is neither"},
    {8, " argument 1", 8, "argument 0 expected"},
    {9, NULL, 23, "has no name"},
    {9, "  name data\n  name data", 10, "a second name"},
    {11, "  bits many", 11, "a number from 0"},
    {11, "  bits -1", 11, "a number from 0"},
    {11, "  bits 99999999999999999999", 11, "a number from 0"},
    {12, "  element_bits 31", 24, "whole bytes"},
    {12, "  element_bits 0", 24, "no size"},
    {13, "  fundamental q", 13, "fundamental is"},
    {14, "  dims 9", 14, "from 0 to 8"},
    {14, "  dims 1", 16, "more sizes"},
    {14, "  dims 3", 17, "3 dimensions"},
    {15, "  level 0", 24, "no pointer"},
    {16, NULL, 23, "2 dimensions and 0 sizes"},
    {16, "  sizes [p_1] -> { [a] -> [(p_1)] }", 16, "a size is"},
    {17, "  read [N] -> { [gx] -> data[0, gx] : 0 <= gx < }", 17, "no map"},
    {17, "  read [N] -> { [gx] -> data[0, gx] } rest", 17, "no map"},
    {17, "  read [N] -> { [gy] -> data[0, gy] }", 17, "coordinates"},
    {17, "  read { [gx, gy] -> data[0, gy] }", 17, "coordinates"},
    {17, "  read { [gx] -> data[0] }", 17, "2 dimensions"},
    {17, "  read [M] -> { [gx] -> data[M, gx] }", 32, "M is neither"},
    {17, "  read whole why", 24, "single accesses without read"},
    {18, NULL, 23, "read without its single"},
    {20, NULL, 23, "single accesses without write"},
    {19, "  read_domain_dims 1,2", 24, "1 accesses and 2 iteration spaces"},
    {22, "  write_domain_dims 0", 24, "iteration spaces of 0 dimensions"},
    {22, "  write_domain_dims 1,", 24, "iteration spaces of 1, dimensions"},
    {22, "  write_domain_dims 1;2", 24, "iteration spaces of 1;2 dimensions"},
    {19, "  read_domain_dims 1\n  read_domain_dims 1", 20, "a second read_domain_dims"},
    {26, "  type i32\n  read_domain_dims 1", 33, "0 accesses and 1 iteration spaces"},
    {23, "  injective perhaps", 23, "injective is"},
    {23, "  may_write no", 23, "may_write is"},
    {33, "module 12", 33, "16 hexadecimal digits"},
    {33, "source_hash 0123456789abcdeg", 33, "16 hexadecimal digits"},
    {33, "touches scale", 33, "a letter for each argument"},
    {33, "touches other rw", 33, "no kernel other"},
    {33, "touches scale rx", 33, "letters of -rw"},
    {33, "touches scale r", 33, "1 letters, but scale has 2 arguments"},
    {33, "numbers scale rw", 33, "letters of -i"},
    {23, "  reduces mul", 23, "an atomic operation expected"},
    {23, "  reduces add_32", 24, "is reduced, and something else"},
    {31, "  level 0\n  member 0 4", 32, "argument 0 is no structure"},
    {31, "  level 0\n  member 0", 32, "an earlier argument and a byte"},
    {24, " argument 2", 24, "argument 1 expected"},
    {25, "  name data", 25, "a second argument"},
    {29, "  fundamental f", 32, "N is neither"},
    {30, "  colour 3", 30, "colour is not expected"},
    {32, NULL, 32, "refused is not expected"},
    {32, " end now", 32, "stands alone"},
    {33, "refused histogram", 33, "a kernel and a reason"},
    {33, "refused scale why", 33, "a second kernel"},
    {33, "kernel again", 33, "has no end"},
};

static void broken_lines_are_named(void)
{
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        char place[32] = "is no data base";
        if (broken[i].named)
            snprintf(place, sizeof place, "line %d: ", broken[i].named);
        struct partition_database *database = load_changed(broken[i].line, broken[i].text);
        bool good = !database && strstr(dm_message(), place) && strstr(dm_message(), broken[i].why);
        if (!good)
            printf("# line %d as '%s': %s\n", broken[i].line,
                   broken[i].text ? broken[i].text : "(left out)", database ? "ok" : dm_message());
        expect(good);
        partition_database_free(database);
    }
}

static void a_file_that_is_cut_off(void)
{
    char text[4096] = "";
    for (int i = 0; i < LINES - 1; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s\n", good_lines[i]);
    size_t first = strlen(good_lines[0]) + 1, last = strlen(text) - strlen(" end\n");
    for (size_t length = 0; length < last; length += 7) {
        struct partition_database *database = load_text(text, length);
        expect(!database || length <= first);
        partition_database_free(database);
    }
}

static void files_that_are_none(void)
{
    struct partition_database *database;
    expect_error(partition_database_load(&database, "/nowhere/at/all.db"), DM_INVALID,
                 "/nowhere/at/all.db cannot be opened: No such file");
    expect(!database);
    expect_error(partition_database_load(&database, "/"), DM_INVALID, "not a regular file");
    expect(!load_text("", 0) && strstr(dm_message(), "is no data base"));
    expect(!load_text("datamotion-partition 1\nker\0nel\n", 31));
    expect(strstr(dm_message(), "line 2: a zero byte"));
}

/* isl's parser calls itself for each parenthesis. */
static void deeply_nested_maps(void)
{
    enum { DEPTH = 100000 };
    char *line = malloc(3 * DEPTH + 100);
    expect(line);
    if (!line)
        return;
    snprintf(line, 100, "datamotion-partition 1\nkernel k\n invalid { : ");
    size_t length = strlen(line);
    memset(line + length, '(', DEPTH);
    memset(line + length + DEPTH, ')', DEPTH);
    length += 2 * (size_t)DEPTH;
    memcpy(line + length, " }\n", 3);
    expect(!load_text(line, length + 3));
    expect(strstr(dm_message(), "line 3: no set"));
    free(line);
}

int main(void)
{
    run_test(every_field_is_read);
    run_test(what_it_belongs_to_is_checked);
    run_test(what_is_touched_is_read);
    run_test(every_assumption_counts);
    run_test(harmless_changes);
    run_test(broken_lines_are_named);
    run_test(a_file_that_is_cut_off);
    run_test(files_that_are_none);
    run_test(deeply_nested_maps);
    return end_tests();
}
