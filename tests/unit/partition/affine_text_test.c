/* affine_text_test: what is read is what isl reads, and what is left to isl. */
#include "affine_text_test.h"

#include <stdio.h>
#include <stdlib.h>

#include "tests/unit/test.h"

static const char *const maps[] = {
    "{ [gx] -> out[gx] }",
    "{ [gx] -> out[gx]; [gx] -> out[1 + gx] }",
    "{ [gx] -> out[-1 + gx] : gx > 0 }",
    "[N] -> { [gy, gx] -> in[gy, 1 + gx] : 0 < gy < N and gy <= -2 + N and gx >= 0 }",
    "[N] -> { [gy = 0, gx] -> in[0, gx] : 0 <= gx < N; [gy = -1 + N, gx] -> in[-1 + N, gx] : gx < N }",
    "[N, M] -> { [gx] -> in[o0, o1] : (o0 = 2gx and N > 3) or (M < 4 and 0 <= o1 <= 9) }",
    "[N] -> { [bx, tx] -> in[512bx + 4tx] : 0 <= tx < N - 128bx }",
    "[N] -> { [bx, tx] -> in[o0] : (-1 - 4tx + o0) mod 512 = 0 and 4tx < o0 <= -3 + 4N }",
    "[N] -> { [tx] -> in[o0] : 128*floor((-4tx + o0)/512) < N - tx and o0 >= 0 }",
    "[N] -> { [tx] -> in[2*floor((tx)/2)] : ((tx) mod 3 = 1 and tx > N) or tx < 0 }",
    "[param_2] -> { [] -> [(param_2)] }",
    "[a, b] -> { [x] -> A[3x - (a - b)] : x = a or (b > 2 and x >= 9223372036854775807) }",
    "{ S[i, i1] -> [i1, 2, i] : 1 > i }",
    "[N] -> { [x] -> A[x] : 3 <= x <= N < 17 }",
};
static const char *const parameters[] = {
    "[N] -> { : N >= 1000 }",
    "[a, b, c] -> {  : a < 0 or b >= 2147483648 or (c > 0 and a > b) }",
    "[a, b] -> { : a > 0 and 16*floor((-1 + a)/16) >= 2147483649 - b }",
};
static const char *const left_to_isl[] = {
    "",
    "{",
    "{ }",
    "{ : false }",
    "{ [x] -> A[x] : false }",
    "{ [x] -> A[y, z",
    "{ [x] -> A[x] : exists (e0: x = 2e0) }",
    "{ [x] -> A[x] : not x > 3 }",
    "{ [x] -> A[x] : x != 3 }",
    "{ [x] -> A[x] : x, y > 3 }",
    "{ [x] -> A[x] : x > z }",
    "{ [x] -> A[x] : x > 3 } x",
    "{ [x] -> A[x] : (x > 3 or x < 1) and x < 7 }",
    "{ [x] -> A[max(x, 1)] }",
    "{ [x] -> A[x * x] }",
    "{ [x] -> A[x mod 2] }",
    "{ [x] -> A[floor((x)/0)] }",
    "{ [x] -> [A[x] -> B[x]] }",
    "{ [x] -> A[x]; [x] -> B[x] }",
    "{ [x] -> A[x]; [x, y] -> A[x] }",
    "[N, N] -> { [x] -> A[x] }",
    "[mod] -> { [x] -> A[x] }",
    "{ [x] -> A[x] : x >= 9223372036854775808 }",
    "{ [x] -> A[9223372036854775807x + 9223372036854775807x] }",
    "{ [x] -> A[((((((((((((((((((((x))))))))))))))))))))] }",
};

static isl_ctx *ctx;
static char **files;

#define COUNT(list) (sizeof(list) / sizeof *(list))

static void fail_test(const char *text)
{
    printf("# %s\n", text);
    test_failed_checks++;
}

/* A line of a data base: its notation begins with the first bracket or brace. */
static void compare_line(char *line, size_t counts[3])
{
    char *text = strpbrk(line, "[{");

    line += strspn(line, " ");
    line[strcspn(line, "\n")] = 0;
    const bool is_map = strncmp(line, "read", 4) == 0 || strncmp(line, "write", 5) == 0 ||
                        strncmp(line, "sizes", 5) == 0;
    if (!text || (!is_map && strncmp(line, "invalid", 7) != 0))
        return;
    const enum reading reading = compare_readings(ctx, text, is_map);
    counts[reading]++;
    if (reading == DIFFERENT)
        printf("# read otherwise than by isl: %s\n", text);
}

/* Whether all lines of the data base are read by isl in the same way, or by isl alone. */
static bool compare_file(const char *path)
{
    FILE *file = fopen(path, "re");
    char *line = NULL;
    size_t capacity = 0, counts[3] = {0};

    if (!file)
        return false;
    while (getline(&line, &capacity, file) >= 0)
        compare_line(line, counts);
    free(line);
    fclose(file);
    printf("# %s: %zu lines the same, %zu different, %zu left to isl\n", path, counts[SAME],
           counts[DIFFERENT], counts[NOT_READ]);
    return counts[SAME] > 0 && counts[DIFFERENT] == 0;
}

static void what_is_affine_is_read_as_isl_does(void)
{
    for (size_t i = 0; i < COUNT(maps); i++)
        if (compare_readings(ctx, maps[i], true) != SAME)
            fail_test(maps[i]);
    for (size_t i = 0; i < COUNT(parameters); i++)
        if (compare_readings(ctx, parameters[i], false) != SAME)
            fail_test(parameters[i]);
}

static void the_rest_is_left_to_isl(void)
{
    for (size_t i = 0; i < COUNT(left_to_isl); i++)
        if (affine_text_map(ctx, left_to_isl[i], NULL) ||
            affine_text_parameters(ctx, left_to_isl[i]))
            fail_test(left_to_isl[i]);
}

static void data_bases_are_read_as_isl_does(void)
{
    if (!compare_file("tests/partition/access.db"))
        fail_test("tests/partition/access.db");
    for (char **file = files; *file; file++)
        if (!compare_file(*file))
            fail_test(*file);
}

/* More data bases may be named. */
int main(int argc, char **argv)
{
    (void)argc;
    files = argv + 1;
    ctx = reading_context();
    run_test(what_is_affine_is_read_as_isl_does);
    run_test(the_rest_is_left_to_isl);
    run_test(data_bases_are_read_as_isl_does);
    isl_ctx_free(ctx);
    return end_tests();
}
