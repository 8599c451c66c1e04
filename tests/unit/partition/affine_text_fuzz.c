/* affine_text_fuzz: texts in isl's notation, changed at random.
 *
 *     affine_text_fuzz [--seconds N] [--seed N] [FILE.db]...
 *
 * What is read without isl must be what isl reads. To be built with -fsanitize=address,undefined.
 */
#include "common/clock.h"
#define FUZZ_MOST_BYTES (1 << 13)
#include "tests/unit/fuzz_text.h"

#include "affine_text_test.h"

#include <stdio.h>

enum { SEEDS_MAX = 512 };

static const char *const builtin[] = {
    "[N] -> { [gy, gx] -> in[gy, 1 + gx] : 0 < gy < N and gy <= -2 + N and gx >= 0 }",
    "[N] -> { [bx, tx] -> in[o0] : (-1 - 4tx + o0) mod 8 = 0 and (4tx < o0 or o0 <= 3 - 4N) }",
    "[N] -> { [tx] -> in[o0] : (2*floor((-4tx + o0)/5) < N - tx) or (o0 >= 0 and tx = 3) }",
    "[a, b] -> { : a > 0 and 16*floor((-1 + a)/16) >= 2147483649 - b or a < -3 }",
    "[N] -> { [y = 0, x] -> A[0, x, -x] : 0 <= x < N; [y, x] -> A[y, (x), 2y - 3x] : x >= N > 1 }",
};
static const char *const words[] = {
    "and",   "or", "mod", "floor(", "exists", "not",        "true",
    "false", "(",  ")",   "((",     "[",      "]",          "{",
    "}",     ";",  ":",   "->",     "<",      "<=",         ">",
    ">=",    "=",  "!=",  "-",      "+",      "*",          "/",
    "/3)",   "0",  "1",   "2",      "7",      "2147483648", "9223372036854775807",
    "N",     "x",  "gy",  "o0",     ",",
};
enum { WORDS = sizeof words / sizeof *words };

/* isl's parser loses words of texts that it refuses, see partition_database_fuzz.c. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:isl_malloc_or_die\n";
}

static char *seeds[SEEDS_MAX];
static size_t seed_count;

static void change_word(void)
{
    replace_word(words[draw(WORDS)], " ,");
}

static void insert_piece(void)
{
    const char *from = seeds[draw(seed_count)];
    size_t begin = draw(strlen(from)), rest = strlen(from) - begin;
    splice(draw(length + 1), 0, from + begin, draw(rest < 60 ? rest : 60));
}

static void mutate(void)
{
    static void (*const changes[])(void) = {change_byte, change_word, change_word, insert_piece};
    const char *seed = seeds[draw(seed_count)];
    length = strlen(seed);
    memcpy(bytes, seed, length);
    for (size_t times = draw(2) ? 1 : draw(6); times > 0; times--)
        changes[draw(sizeof changes / sizeof *changes)]();
    length = length < FUZZ_MOST_BYTES ? length : FUZZ_MOST_BYTES - 1;
    bytes[length] = 0;
}

static void show_bytes(void)
{
    fprintf(stderr, "---- the text:\n%s\n----\n", bytes);
}

/* Whether a tuple follows the brace, as in maps. */
static bool is_map(void)
{
    const char *brace = strchr(bytes, '{');

    return brace && strchr(brace, '[');
}

static bool try_text(isl_ctx *ctx)
{
    const enum reading reading = compare_readings(ctx, bytes, is_map());

    if (reading == DIFFERENT)
        fail("it is read otherwise than by isl: %s", bytes);
    return reading == SAME;
}

static void add_seed(const char *path)
{
    FILE *file = fopen(path, "re");
    char *line = NULL;
    size_t capacity = 0;

    if (!file)
        fail("%s: no such file", path);
    while (getline(&line, &capacity, file) >= 0) {
        const char *text = strpbrk(line, "[{");
        if (text && seed_count < SEEDS_MAX && strlen(text) < FUZZ_MOST_BYTES / 2)
            seeds[seed_count++] = strdup(text);
    }
    free(line);
    fclose(file);
}

int main(int argc, char **argv)
{
    for (size_t i = 0; i < sizeof builtin / sizeof *builtin; i++)
        seeds[seed_count++] = strdup(builtin[i]);
    double seconds = read_options(argc, argv, add_seed);
    size_t tried = 0, same = 0;
    isl_ctx *ctx = reading_context();
    begin_watch(show_bytes);
    for (double end_s = clock_now_s() + seconds; clock_now_s() < end_s; tried++) {
        mutate();
        same += try_text(ctx);
    }
    printf("%zu texts tried, %zu of them read without isl; seed %llu\n", tried, same,
           (unsigned long long)random_seed);
    end_watch();
    isl_ctx_free(ctx);
    for (size_t i = 0; i < seed_count; i++)
        free(seeds[i]);
    return 0;
}
