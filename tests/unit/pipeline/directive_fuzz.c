/* directive_fuzz: the parser of the pipeline directive on broken directives.
 *
 *     directive_fuzz [--seconds N] [--seed N]
 *
 * Changes directives at random and checks what comes out: an error with a place and words, or a
 * description that prints as a directive with the same description, and whose region, where it can
 * be bound, makes sense. To be built with -fsanitize=address,undefined. */
#include <stdio.h>

#include "common/clock.h"
#include "common/harness/exit.h"
#include "pipeline/directive_internal.h"
#include "tests/unit/fuzz.h"

#define HEAD "#pragma omp target teams distribute "
static const char *const seeds[] = {
    HEAD "\\\n map(pipeline(k,1,3),to:a[k-1:3][0:ny-1][0:nx-1]) \\\n"
         " map(pipeline(k,1,3),from:b[k:1][0:ny-1][0:nx-1]) \\\n iterator(k = 1:nz-1)",
    HEAD "map(pipeline(i,to,4):a[i-1:3][0:ny][0:nx], pipeline(i,from,4):b[i:1][0:ny][0:nx]) "
         "iterator(i = 1:nz-1)",
    HEAD "map(to:pipeline(j,nx/3,2):m[0:8][j:2]) map(alloc:v[0:12]) iterator(j = 0:6:2)",
    HEAD "parallel for device(1) private(i, j) map(pipeline(k):v[2*(k+1)-2:2]) iterator(k = 0:ny)",
    HEAD "map(pipeline(k,to:2):v[k], m[k][0:6]) map(tofrom:a, b[0:nz][0:1][0:1]) iterator(k=0:8)",
};
static const char *const words[] = {"map",
                                    "iterator",
                                    "pipeline",
                                    "to",
                                    "from",
                                    "tofrom",
                                    "alloc",
                                    "nowait",
                                    "k",
                                    "i",
                                    "a",
                                    "b",
                                    "v",
                                    "nx",
                                    "ny",
                                    "nz",
                                    "#",
                                    "(",
                                    ")",
                                    "[",
                                    "]",
                                    ",",
                                    ":",
                                    "=",
                                    "+",
                                    "-",
                                    "*",
                                    "/",
                                    "%",
                                    "0",
                                    "1",
                                    "2",
                                    "3",
                                    "4096",
                                    "\\\n",
                                    "\n",
                                    "map(pipeline(k),to:v[k])",
                                    "[k:1]",
                                    "(k)",
                                    "9223372036854775807",
                                    "1099511627776"};
enum { SEEDS = sizeof seeds / sizeof *seeds, WORDS = sizeof words / sizeof *words };
enum { TEXT_MAX = DIRECTIVE_TEXT + 200 };

static char text[TEXT_MAX]; /* the one that is tried */

/* Replaces `removed` bytes at `at`. */
static void splice(size_t at, size_t removed, const char *bytes, size_t length)
{
    size_t rest = strlen(text) - at;
    removed = removed < rest ? removed : rest;
    if (at + length + rest - removed >= TEXT_MAX)
        return;
    memmove(text + at + length, text + at + removed, rest - removed + 1);
    memcpy(text + at, bytes, length);
}

static bool is_name_part(char c)
{
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* A word or sign at a random place. */
static size_t choose_token(size_t *length)
{
    size_t at = draw(strlen(text));
    while (at > 0 && is_name_part(text[at]) && is_name_part(text[at - 1]))
        at--;
    *length = text[at] != '\0';
    while (*length && is_name_part(text[at]) && is_name_part(text[at + *length]))
        ++*length;
    return at;
}

static void change_byte(void)
{
    char byte = (char)(draw(4) ? ' ' + draw(95) : 1 + draw(255));
    splice(draw(strlen(text)), draw(2), &byte, 1);
}

static void delete_token(void)
{
    size_t length, at = choose_token(&length);
    splice(at, length, "", 0);
}

static void insert_word(void)
{
    size_t length, at = choose_token(&length);
    const char *word = words[draw(WORDS)];
    splice(at, draw(2) ? length : 0, word, strlen(word));
}

/* A piece of any seed, or of the text itself many times. */
static void insert_piece(void)
{
    char piece[200];
    const char *from = draw(2) ? seeds[draw(SEEDS)] : text;
    size_t begin = draw(strlen(from)), length = draw(sizeof piece);
    length = length < strlen(from + begin) ? length : strlen(from + begin);
    memcpy(piece, from + begin, length);
    size_t at = draw(strlen(text) + 1);
    for (size_t times = draw(20) ? 1 : 1 + draw(100); times > 0; times--)
        splice(at, 0, piece, length);
}

static void swap_tokens(void)
{
    char token[64];
    size_t length, replaced, from = choose_token(&length);
    if (length > sizeof token)
        return;
    memcpy(token, text + from, length);
    size_t at = choose_token(&replaced);
    splice(at, replaced, token, length);
}

static void cut_off(void)
{
    text[draw(strlen(text) + 1)] = '\0';
}

static void mutate(void)
{
    static void (*const changes[])(void) = {change_byte, delete_token, insert_word,
                                            insert_word, insert_piece, cut_off,
                                            swap_tokens, swap_tokens,  swap_tokens};
    snprintf(text, sizeof text, "%s", seeds[draw(SEEDS)]);
    for (size_t times = draw(2) ? 1 : 1 + draw(5); times > 0; times--)
        changes[draw(sizeof changes / sizeof *changes)]();
}

/* ---- what must hold ---- */

static float memory[4][400];
static const struct pipeline_array arrays[] = {
    {"a", memory[0], sizeof(float), 3, {9, 5, 6}},
    {"b", memory[1], sizeof(float), 3, {9, 5, 6}},
    {"m", memory[2], sizeof(float), 2, {8, 6}},
    {"v", memory[3], sizeof(float), 1, {12}},
};
static const struct pipeline_constant constants[] = {{"nx", 6}, {"ny", 5}, {"nz", 9}, {"k", 3}};

static cudaError_t launch_nothing(const struct dm_region *region, const struct dm_slices *views,
                                  long begin, long end, cudaStream_t stream)
{
    (void)region, (void)views, (void)begin, (void)end, (void)stream;
    return cudaSuccess;
}

/* The message names a place within the text. */
static void check_message(void)
{
    int line = 1, column = 0, words = 0, lines = 1, length = 0;
    const char *message = dm_message();
    if (sscanf(message, "line %d, column %d: %n", &line, &column, &words) != 2)
        sscanf(message, "column %d: %n", &column, &words);
    for (const char *at = text; *at; at++) {
        length = lines == line && *at == '\n' ? length : length + (lines == line);
        lines += *at == '\n';
    }
    if (!words || !message[words])
        fail("an error without a place or words: %s", message);
    if (line < 1 || line > lines || column < 1 || column > length + 1)
        fail("an error beyond the text: %s", message);
}

static void check_print(const struct pipeline_directive *directive)
{
    static char printed[4 * DIRECTIVE_TEXT], twice[4 * DIRECTIVE_TEXT];
    struct pipeline_directive *again;
    if (pipeline_directive_print(directive, printed, sizeof printed) >= DIRECTIVE_TEXT)
        return;
    if (pipeline_directive_parse(&again, printed) != DM_OK)
        fail("%s, in what was printed: %s", dm_message(), printed);
    pipeline_directive_print(again, twice, sizeof twice);
    if (strcmp(printed, twice) != 0 || again->form != directive->form)
        fail("printed %s, then %s", printed, twice);
    pipeline_directive_free(again);
}

/* The arrays that the directive names, in any case those that are there. True if it binds. */
static bool check_binding(const struct pipeline_directive *directive)
{
    struct pipeline_loop loop;
    struct pipeline_array named[4];
    struct pipeline_names names = {constants, 4, named, 0};
    for (int a = 0; a < 4; a++)
        for (int i = 0; i < directive->item_count; i++)
            if (strcmp(directive->items[i].name, arrays[a].name) == 0)
                named[names.array_count++] = arrays[a];
    if (pipeline_directive_bind(directive, &names, launch_nothing, NULL, &loop) != DM_OK) {
        check_message();
        return false;
    }
    if (dm_region_check(&loop.region) != DM_OK || loop.chunk_size < 1 || loop.streams < 1)
        fail("a region that makes no sense");
    return true;
}

enum outcome { REFUSED, ACCEPTED, BOUND };

static enum outcome try_text(void)
{
    struct pipeline_directive *directive;
    /* An exact copy, so that a read beyond its end is seen. */
    char *copy = strdup(text);
    if (!copy)
        fail("no memory");
    const enum dm_status status = pipeline_directive_parse(&directive, copy);
    free(copy);
    if (status != DM_OK) {
        check_message();
        return REFUSED;
    }
    check_print(directive);
    const bool bound = check_binding(directive);
    pipeline_directive_free(directive);
    return bound ? BOUND : ACCEPTED;
}

static void show_text(void)
{
    fprintf(stderr, "---- the directive:\n%s\n----\n", text);
}

int main(int argc, char **argv)
{
    double seconds = read_options(argc, argv, NULL);
    begin_watch(show_text);
    size_t tried = 0, outcomes[3] = {0};
    for (double end_s = clock_now_s() + seconds; clock_now_s() < end_s; tried++) {
        mutate();
        outcomes[try_text()]++;
    }
    printf("%zu directives tried, %zu of them accepted, of these %zu bound; seed %llu\n", tried,
           outcomes[ACCEPTED] + outcomes[BOUND], outcomes[BOUND], (unsigned long long)random_seed);
    end_watch();
    return 0;
}
