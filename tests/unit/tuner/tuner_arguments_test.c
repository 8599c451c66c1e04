/* What a kernel's arguments are, what its arrays hold, and when results are wrong. */
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/test_status.h"
#include "tuner/cuda/arguments.h"
#include "tuner/cuda/compile.h"

static struct tuner_space *space;

static enum dm_status read_list(struct arguments *arguments, const char *text)
{
    return arguments_read(arguments, text, space);
}

static void argument_lists(void)
{
    static struct arguments read;
    int64_t number;

    expect_ok(read_list(&read, "in float[n*2] index, inout  double[n] file \"a b\" against c , "
                               "out int[3], int bx + 1, float -1.5, double 2"));
    expect(read.count == 6);
    expect(!read.argument[0].written && read.argument[0].contents == CONTENTS_INDEX);
    expect_ok(formula_value(&read.argument[0].number, space, 0, &number));
    expect(number == 20);
    expect(read.argument[1].written && strcmp(read.argument[1].path, "a b") == 0 &&
           strcmp(read.argument[1].against, "c") == 0);
    expect(read.argument[2].contents == CONTENTS_UNSET);
    expect(read.argument[4].is_real && read.argument[4].real == -1.5);
    expect(!read.argument[5].is_real);
    expect_error(read_list(&read, "int 1"), DM_INVALID, "no array is out or inout");
    expect_error(read_list(&read, ""), DM_INVALID, "a type");
    expect_error(read_list(&read, "out"), DM_INVALID, "a type");
    expect_error(read_list(&read, "out float[n] file"), DM_INVALID, "a path");
    expect_error(read_list(&read, "out float[n] index zero"), DM_INVALID, "a comma");
    expect_error(read_list(&read, "out float[1.5]"), DM_INVALID, "whole numbers");
    expect_error(read_list(&read, "out float[n],"), DM_INVALID, "a type");
}

static void too_many(void)
{
    static struct arguments read;
    char text[40 * 16] = "out int[1]";

    for (int i = 1; i < ARGUMENTS_MAX; i++)
        strcat(text, ", int 1");
    expect_ok(read_list(&read, text));
    expect_error(read_list(&read, strcat(text, ", int 1")), DM_INVALID, "at most 32");
}

static void formulas(void)
{
    struct formula formulas[3];
    int64_t value;
    size_t count;

    expect_ok(formula_read_list(formulas, &count, 3, "min(bx, n), (n + 2) / bx", "--grid", space));
    expect(count == 2);
    expect_ok(formula_value(&formulas[1], space, 1, &value));
    expect(value == 12 / 5);
    expect_ok(formula_read_list(formulas, &count, 3, "n / (bx - 5)", "--grid", space));
    expect_error(formula_value(&formulas[0], space, 1, &value), DM_INVALID, "division by zero");
    expect_error(formula_read_list(formulas, &count, 1, "1, 2", "--flops", space), DM_INVALID,
                 "more than 1");
    expect_error(formula_read_list(formulas, &count, 1, "n 2", "--flops", space), DM_INVALID,
                 "a comma");
}

static void single_elements(void)
{
    char value[8], array[64];

    for (const struct element *at = elements; at->name; at++) {
        element_set(at, array, 3, 100.0);
        expect(element_get(at, array, 3) == 100.0);
        expect(element_read(at, "7", value) && element_get(at, value, 0) == 7.0);
    }
    expect(!element_read(element_of("char", 4), "128", value));
    expect(element_read(element_of("char", 4), "-128", value));
    expect(!element_read(element_of("unsigned", 8), "-1", value));
    expect(!element_read(element_of("int", 3), "1x", value));
    expect(!element_read(element_of("float", 5), "nan", value));
    expect(element_of("in", 2) == NULL);
}

static void comparison(void)
{
    const struct element *real = element_of("float", 5), *whole = element_of("int", 3);
    const struct contents_margin margin = {1e-3, 2.0};
    float right[4] = {1.0f, 1000.0f, NAN, 0.0f}, close[4] = {1.001f, 1000.9f, NAN, 0.001f},
          wrong[4] = {1.0f, 1002.0f, 3.0f, 0.003f};
    int numbers[3] = {1, 2, 3}, others[3] = {1, 2, 4};
    size_t first = 9;

    expect(contents_differ(close, right, real, 4, margin, &first) == 0);
    expect(contents_differ(wrong, right, real, 4, margin, &first) == 3 && first == 1);
    expect(contents_differ(others, numbers, whole, 3, margin, &first) == 1 && first == 2);
    expect(contents_scale(numbers, whole, 2) == sqrt(2.5));
}

static void contents(void)
{
    const struct element *real = element_of("double", 6);
    double a[64], b[64], c[64];
    bool inside = true;

    expect_ok(contents_fill(a, real, 64, CONTENTS_RANDOM, NULL, 7));
    expect_ok(contents_fill(b, real, 64, CONTENTS_RANDOM, NULL, 7));
    expect_ok(contents_fill(c, real, 64, CONTENTS_RANDOM, NULL, 8));
    for (int i = 0; i < 64; i++)
        inside = inside && a[i] >= 0.0 && a[i] < 1.0;
    expect(inside && memcmp(a, b, sizeof a) == 0);
    expect(memcmp(a, c, sizeof a) != 0);
    expect_ok(contents_fill(a, real, 64, CONTENTS_UNSET, NULL, 7));
    expect(isnan(a[63]));
    expect_error(contents_fill(a, real, 64, CONTENTS_FILE, "/no/such", 7), DM_FAILED, "/no/such");
    expect_error(contents_fill(a, real, 64, CONTENTS_FILE, "/dev/zero", 7), DM_INVALID,
                 "/dev/zero");
}

static void sources(void)
{
    struct compile_options options = {.source = "/k.cu", .name = "a::f<{bx}, float>"};
    char text[512] = "", base[TUNER_NAME_BYTES];
    FILE *out = fmemopen(text, sizeof text, "w");

    expect_ok(compile_write_source(out, &options, space, 1));
    fclose(out);
    expect(strcmp(text, "#define n 10\n#include \"/k.cu\"\ntemplate __global__ "
                        "decltype(a::f<5, float>) a::f<5, float>;\n") == 0);
    compile_base_name(options.name, base, sizeof base);
    expect(strcmp(base, "f") == 0);
    options.name = "f<{z}>";
    out = fmemopen(text, sizeof text, "w");
    expect_error(compile_write_source(out, &options, space, 0), DM_INVALID, "{z}");
    fclose(out);
}

int main(void)
{
    static const char text[] = "values n 10\nvalues bx 4 5\n";

    if (tuner_space_read(&space, text, strlen(text), "a space") != DM_OK)
        return 1;
    run_test(argument_lists);
    run_test(too_many);
    run_test(formulas);
    run_test(single_elements);
    run_test(comparison);
    run_test(contents);
    run_test(sources);
    tuner_space_free(space);
    return end_tests();
}
