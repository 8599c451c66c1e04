/* Spaces: their text, their order, rows and features, and what is refused. */
#include <math.h>

#include "tuner_space_test.h"

/* ---- texts ---- */

static void statements(void)
{
    struct tuner_space *space = read_text("# comment\r\n"
                                          "\n"
                                          "integer n -2 8 3  # -2 1 4 7\n"
                                          "\tpower2 u 1 16\n"
                                          "values v 48 16 -100\n"
                                          "category flags -O2 \"-O3 -g\" \"\" a#b\n"
                                          "require n>0&&v!=16");
    expect(space != NULL);
    if (!space)
        return;
    expect(tuner_space_dimensions(space) == 4);
    expect(tuner_space_size(space) == 3 * 5 * 2 * 4);
    static const int64_t numbers[] = {-2, 1, 4, 7}, powers[] = {1, 2, 4, 8, 16},
                         listed[] = {48, 16, -100};
    static const char *const words[] = {"-O2", "-O3 -g", "", "a"};
    const struct tuner_parameter *n = tuner_space_parameter(space, 0),
                                 *u = tuner_space_parameter(space, 1),
                                 *v = tuner_space_parameter(space, 2),
                                 *flags = tuner_space_parameter(space, 3);
    expect(n->count == 4 && memcmp(n->values, numbers, sizeof numbers) == 0);
    expect(u->count == 5 && memcmp(u->values, powers, sizeof powers) == 0);
    expect(v->count == 3 && memcmp(v->values, listed, sizeof listed) == 0);
    expect(n->kind == TUNER_INTEGER && u->kind == TUNER_POWER2 && v->kind == TUNER_VALUES);
    expect(flags->kind == TUNER_CATEGORY && flags->count == 4 && !n->words);
    for (size_t i = 0; i < 4; i++)
        expect(strcmp(flags->words[i], words[i]) == 0 && flags->values[i] == (int64_t)i);
    size_t dimension = 9;
    expect(tuner_space_dimension_of(space, "flags", &dimension) && dimension == 3);
    expect(!tuner_space_dimension_of(space, "flag", &dimension));
    expect(in_order(space));
    char text[64];
    tuner_space_describe(space, 0, text, sizeof text);
    expect(strcmp(text, "n=1 u=1 v=48 flags=-O2") == 0);
    tuner_space_describe(space, 1, text, 9);
    expect(strcmp(text, "n=1 u=1 ") == 0);
    tuner_space_describe(space, 1, text, sizeof text);
    expect(strcmp(text, "n=1 u=1 v=48 flags=-O3 -g") == 0);
    size_t absent[] = {0, 0, 0, 0};
    expect(!tuner_space_find(space, absent, &dimension));
    tuner_space_free(space);
    tuner_space_free(NULL);
}

static void ends_of_numbers(void)
{
    struct tuner_space *space =
        read_text("integer a -9223372036854775808 9223372036854775807 9223372036854775807\n"
                  "values b -9223372036854775808 9223372036854775807\n"
                  "power2 c 4611686018427387904 4611686018427387904\n");
    expect(space && tuner_space_size(space) == 3 * 2);
    expect(space && tuner_space_value(space, 0, 0) == INT64_MIN);
    expect(space && tuner_space_value(space, 5, 0) == INT64_MAX - 1);
    expect(space && tuner_space_value(space, 5, 1) == INT64_MAX);
    tuner_space_free(space);
}

static void files(void)
{
    static const struct {
        const char *path;
        size_t size;
    } known[] = {{"tuner/spaces/thread_block.space", 7262},
                 {"tuner/spaces/thread_block_512.space", 1524},
                 {"tuner/spaces/gemm_example.space", 1872}};
    struct tuner_space *space;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        expect_ok(tuner_space_load(&space, known[i].path));
        expect(space && tuner_space_size(space) == known[i].size);
        expect(space && in_order(space));
        tuner_space_free(space);
    }
    expect_error(tuner_space_load(&space, "tuner/spaces/none.space"), DM_FAILED,
                 "tuner/spaces/none.space cannot be read: No such file or directory");
    expect(!space);
    expect_error(tuner_space_load(&space, "tuner/spaces"), DM_FAILED,
                 "tuner/spaces cannot be read: Is a directory");
    expect_error(tuner_space_load(&space, "/dev/zero"), DM_INVALID,
                 "/dev/zero has more than 1048575 bytes");
    expect_error(tuner_space_load(&space, "/dev/null"), DM_INVALID,
                 "/dev/null: it has no parameters");
    expect(!space);
}

static void bad_statements(void)
{
    static const struct {
        const char *text, *why;
    } bad[] = {
        {"", "a.space: it has no parameters"},
        {"# only this", "a.space: it has no parameters"},
        {"integer a 1 4\nfloat b 1 2", "a.space:2: expected integer, power2, values, real, "
                                       "category, require or only, not `float`"},
        {"real a 1 2", "a.space:1: a number is missing at the end of the line"},
        {"real a 1 2 0", "a.space:1: a step must be above 0"},
        {"real a 2 1 0.5", "a.space:1: a has no values: the first is above the last"},
        {"real a 1 2 1e-4", "a.space:1: a has more than 4096 values"},
        {"real a 1 2 nan", "a.space:1: expected a number, not `nan`"},
        {"real a 1e15 1000000000000001 0.1", "a.space:1: a step of 0.1 is too small beside 1e+15"},
        {"values a 0.5 x", "a.space:1: expected a number, not `x`"},
        {"values a 0.5 1 0.50", "a.space:1: a has the value 0.50 twice"},
        {"\n\n7",
         "a.space:3: expected integer, power2, values, real, category, require or only, not `7`"},
        {"integer", "a.space:1: a name is missing at the end of the line"},
        {"integer 2a 1 4", "a.space:1: expected a name, not `2a 1 4`"},
        {"integer a", "a.space:1: a whole number is missing at the end of the line"},
        {"integer a 1 # 4", "a.space:1: a whole number is missing at the end of the line"},
        {"integer a 1.5 4", "a.space:1: expected a whole number, not `.5 4`"},
        {"integer a 1 4k", "a.space:1: expected a whole number, not `4k`"},
        {"integer a 1 4 0", "a.space:1: a step must be at least 1"},
        {"integer a 4 1", "a.space:1: a has no values: the first is above the last"},
        {"integer a 1 4 1 1", "a.space:1: expected the end of the line, not `1`"},
        {"integer a 1 9223372036854775808", "a.space:1: a number does not fit 64 bits"},
        {"integer a -9223372036854775809 0", "a.space:1: a number does not fit 64 bits"},
        {"integer a 1 1048577", "a.space:1: a has more than 1048576 values"},
        {"integer a 1 4\ninteger a 1 4", "a.space:2: there is a parameter a already"},
        {"integer min 1 4", "a.space:1: min is a function: a parameter needs another name"},
        {"power2 a 0 4", "a.space:1: 0 is not a power of two"},
        {"power2 a 1 12", "a.space:1: 12 is not a power of two"},
        {"power2 a 8 4", "a.space:1: a has no values: the first is above the last"},
        {"values a", "a.space:1: a whole number is missing at the end of the line"},
        {"values a 1 2 1", "a.space:1: a has the value 1 twice"},
        {"category a", "a.space:1: a word is missing at the end of the line"},
        {"category a x \"x\"", "a.space:1: a has the word \"x\" twice"},
        {"category a \"x", "a.space:1: a quotation mark does not close"},
        {"integer a 1 4\x01", "a.space:1: there is a control character"},
        {"integer a 1 4096\ninteger b 1 4097", "a.space: there are more than 16777216 "
                                               "configurations"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        expect(refused(bad[i].text, bad[i].why));
}

/* Text with `count` times the piece, in which %d is the number of the copy. */
static const char *repeated(const char *head, const char *piece, int count)
{
    static char text[1 << 16];
    size_t used = (size_t)snprintf(text, sizeof text, "%s", head);
    for (int i = 0; i < count; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, piece, i);
    return text;
}

static void limits(void)
{
    expect(size_of(repeated("", "integer a%d 1 1\n", 32)) == 1);
    expect(refused(repeated("", "integer a%d 1 1\n", 33),
                   "a.space:33: a space has at most 32 parameters"));
    expect(size_of(repeated("integer a 1 9\n", "require a > %d - 60\n", 64)) == 6);
    expect(refused(repeated("integer a 1 9\n", "require a > %d\n", 65),
                   "a.space:66: a space has at most 64 constraints"));
    expect(size_of(repeated("category a", " w%d", 64)) == 64);
    expect(
        refused(repeated("category a", " w%d", 65), "a.space:1: a category has at most 64 words"));
    expect(size_of(repeated("values a", " %d", 4096)) == 4096);
    expect(refused(repeated("values a", " %d", 4097), "a.space:1: a list has at most 4096 values"));
    expect(size_of(repeated("integer a 1 9\nrequire a", "+ %d", 127)) == 9);
    expect(refused(repeated("integer a 1 9\nrequire a", "+ %d", 128),
                   "a.space:2: a constraint has at most 256 names, numbers and operators"));
    expect(size_of("integer a23456789_123456789_123456789_123456789_123456789_123456789_123 "
                   "1 2") == 2);
    expect(refused("integer a23456789_123456789_123456789_123456789_123456789_123456789_1234 1 2",
                   "a.space:1: `a23456789_123456...` has more than 63 bytes"));
}

/* ---- rows ---- */

static int64_t listed_values[] = {30, 10, 20};
static char listed_words[][TUNER_NAME_BYTES] = {"x", "y"};
static int64_t word_numbers[] = {0, 1};
static const struct tuner_parameter two[] = {
    {.name = "v", .kind = TUNER_VALUES, .count = 3, .values = listed_values},
    {.name = "w",
     .kind = TUNER_CATEGORY,
     .count = 2,
     .values = word_numbers,
     .words = listed_words}};

static void rows(void)
{
    static const int64_t four[] = {20, 1, 30, 1, 20, 0, 10, 0};
    struct tuner_space *space;
    expect_ok(tuner_space_of_rows(&space, two, 2, four, 4));
    if (!space)
        return;
    expect(tuner_space_size(space) == 4);
    expect(in_order(space));
    static const char *const descriptions[] = {"v=30 w=y", "v=10 w=x", "v=20 w=x", "v=20 w=y"};
    for (size_t i = 0; i < 4; i++) {
        char text[64];
        tuner_space_describe(space, i, text, sizeof text);
        expect(strcmp(text, descriptions[i]) == 0);
    }
    expect(tuner_space_parameter(space, 0)->values != listed_values);
    size_t absent[] = {1, 1}, found;
    expect(!tuner_space_find(space, absent, &found));
    tuner_space_free(space);
}

static void bad_rows(void)
{
    static const int64_t twice[] = {20, 1, 30, 1, 20, 1}, unknown[] = {20, 1, 25, 0};
    struct tuner_space *space;
    expect_error(tuner_space_of_rows(&space, two, 2, twice, 3), DM_INVALID,
                 "there are two rows for v=20 w=y");
    expect(!space);
    expect_error(tuner_space_of_rows(&space, two, 2, unknown, 2), DM_INVALID,
                 "25 is not among the values of v");
    expect_error(tuner_space_of_rows(&space, two, 2, NULL, 0), DM_INVALID,
                 "a space has 1 to 16777216 configurations, not 0");
    expect_error(tuner_space_of_rows(&space, two, 0, twice, 1), DM_INVALID,
                 "a space has 1 to 32 parameters, not 0");
    expect(!space);
}

/* ---- features ---- */

static void features(void)
{
    struct tuner_space *space = read_text("integer n 3 5 2\npower2 u 2 8\ncategory f x y z\n"
                                          "values one 7\nrequire f != \"z\" || n == 5");
    expect(space && tuner_space_size(space) == 15);
    if (!space)
        return;
    expect(tuner_space_features(space, TUNER_PLAIN) == 6);
    expect(tuner_space_features(space, TUNER_SCALED) == 6);
    float *plain, *scaled;
    expect_ok(tuner_space_matrix(space, TUNER_PLAIN, &plain));
    expect_ok(tuner_space_matrix(space, TUNER_SCALED, &scaled));
    static const float first[] = {3, 1, 1, 0, 0, 7}, last[] = {5, 3, 0, 0, 1, 7},
                       scaled_first[] = {0, 0, 1, 0, 0, 0}, scaled_last[] = {1, 1, 0, 0, 1, 0};
    expect(memcmp(plain, first, sizeof first) == 0);
    expect(memcmp(plain + (size_t)14 * 6, last, sizeof last) == 0);
    expect(memcmp(scaled, scaled_first, sizeof first) == 0);
    expect(memcmp(scaled + (size_t)14 * 6, scaled_last, sizeof last) == 0);
    for (size_t i = 0; i < 15; i++) {
        expect(plain[6 * i + 1] == log2f((float)tuner_space_value(space, i, 1)));
        expect(scaled[6 * i + 1] == (plain[6 * i + 1] - 1) / 2);
    }
    free(plain);
    free(scaled);
    tuner_space_free(space);
}

static void alignment(void)
{
    struct tuner_space *space =
        read_text("values n -12 0 1 64 256 40\npower2 u 2 4\ncategory f x y");
    static const float halvings[] = {2, 6, 0, 6, 6, 3};

    expect(space != NULL);
    if (!space)
        return;
    expect(tuner_space_features(space, TUNER_ALIGNED) == 5);
    float *matrix;
    expect_ok(tuner_space_matrix(space, TUNER_ALIGNED, &matrix));
    for (size_t i = 0; i < tuner_space_size(space); i++) {
        expect(matrix[5 * i] == (float)tuner_space_value(space, i, 0));
        expect(matrix[5 * i + 1] == halvings[tuner_space_index(space, i, 0)]);
        expect(matrix[5 * i + 2] == (float)tuner_space_index(space, i, 1) + 1);
        expect(matrix[5 * i + 3] + matrix[5 * i + 4] == 1);
    }
    free(matrix);
    tuner_space_free(space);
}

int main(void)
{
    run_test(statements);
    run_test(ends_of_numbers);
    run_test(files);
    run_test(bad_statements);
    run_test(limits);
    run_test(rows);
    run_test(bad_rows);
    run_test(features);
    run_test(alignment);
    return end_tests();
}
