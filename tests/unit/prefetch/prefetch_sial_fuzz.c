/* prefetch_sial_fuzz: the SIAL compiler on broken programs.
 *
 *     prefetch_sial_fuzz [--seconds N] [--seed N] PROGRAM...
 *
 * Changes the programs at random, compiles each, and checks what comes out: bytecode that can be
 * executed, or an error with words. To be built with -fsanitize=address,undefined. */
#include "common/clock.h"
#include "common/harness/exit.h"
#include "tests/unit/fuzz.h"

#include "prefetch_sial_verify.h"

enum { SEEDS_MAX = 64, TEXT_MAX = 1 << 16 };

struct text {
    char bytes[TEXT_MAX];
    size_t length;
};

static struct text seeds[SEEDS_MAX];
static struct text text; /* the one that is tried */
static size_t seed_count;

static void read_seed(const char *path)
{
    FILE *file = fopen(path, "r");
    if (!file)
        fail("cannot open %s", path);
    if (seed_count == SEEDS_MAX)
        fail("at most %d programs", SEEDS_MAX);
    struct text *seed = &seeds[seed_count++];
    seed->length = fread(seed->bytes, 1, TEXT_MAX / 4, file);
    fclose(file);
}

/* Replaces `removed` bytes at `at` by others. */
static void splice(struct text *text, size_t at, size_t removed, const char *bytes, size_t length)
{
    if (removed > text->length - at)
        removed = text->length - at;
    if (text->length - removed + length > TEXT_MAX)
        return;
    memmove(text->bytes + at + length, text->bytes + at + removed, text->length - at - removed);
    memcpy(text->bytes + at, bytes, length);
    text->length += length - removed;
}

static bool is_word(char c)
{
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* A word or sign at or after a random place. */
static size_t choose_token(const struct text *text, size_t *length)
{
    size_t at = draw(text->length);
    while (at < text->length && text->bytes[at] == ' ')
        at++;
    while (at > 0 && at < text->length && is_word(text->bytes[at]) && is_word(text->bytes[at - 1]))
        at--;
    *length = at < text->length;
    while (at + *length < text->length && is_word(text->bytes[at]) &&
           is_word(text->bytes[at + *length]))
        ++*length;
    return at;
}

static void change_byte(struct text *text)
{
    size_t at = draw(text->length);
    char byte = draw(2) ? (char)draw(256) : (char)(' ' + draw(95));
    splice(text, at, 1, &byte, 1);
}

static void delete_token(struct text *text)
{
    size_t length, at = choose_token(text, &length);
    splice(text, at, length, "", 0);
}

/* A word or sign of any seed beside or instead of one of this text. */
static void insert_token(struct text *text)
{
    const struct text *other = &seeds[draw(seed_count)];
    size_t replaced, from_length, at = choose_token(text, &replaced);
    size_t from = choose_token(other, &from_length);
    splice(text, at, draw(2) ? replaced : 0, other->bytes + from, from_length);
}

/* One of this text's own words or signs for another one: often still a program, to the parser at
 * least. */
static void exchange_tokens(struct text *text)
{
    char token[64];
    size_t length, replaced, from = choose_token(text, &length);
    if (length > sizeof token)
        return;
    memcpy(token, text->bytes + from, length);
    size_t at = choose_token(text, &replaced);
    splice(text, at, replaced, token, length);
}

static void repeat_token(struct text *text)
{
    char token[64];
    size_t length, at = choose_token(text, &length);
    if (length > sizeof token)
        return;
    memcpy(token, text->bytes + at, length);
    for (size_t times = 1 + (draw(8) ? 0 : draw(300)); times > 0; times--)
        splice(text, at, 0, token, length);
}

static size_t line_start(const struct text *text, size_t at)
{
    while (at > 0 && text->bytes[at - 1] != '\n')
        at--;
    return at;
}

/* Some lines of any seed, or nothing, in place of some lines. */
static void exchange_lines(struct text *text)
{
    const struct text *other = &seeds[draw(seed_count)];
    size_t at = line_start(text, draw(text->length)), end = line_start(text, draw(text->length));
    size_t from = line_start(other, draw(other->length));
    size_t length = line_start(other, draw(other->length));
    length = length > from ? length - from : 0;
    splice(text, at, end > at && draw(2) ? end - at : 0, other->bytes + from, length);
}

static void cut_off(struct text *text)
{
    text->length = draw(text->length + 1);
}

static void insert_number(struct text *text)
{
    static const char *const numbers[] = {"0",
                                          "-1",
                                          "1e308",
                                          "2147483647",
                                          "2147483648",
                                          "9007199254740992",
                                          "9007199254740993",
                                          "0.5",
                                          "1000000000",
                                          "norb*norb",
                                          "1/0"};
    const char *number = numbers[draw(sizeof numbers / sizeof *numbers)];
    size_t replaced, at = choose_token(text, &replaced);
    splice(text, at, replaced, number, strlen(number));
}

static void mutate(struct text *text)
{
    static void (*const changes[])(struct text *) = {
        change_byte, delete_token,  insert_token,    repeat_token,    exchange_lines,
        cut_off,     insert_number, exchange_tokens, exchange_tokens, exchange_tokens,
    };
    for (size_t times = draw(2) ? 1 : 1 + draw(4); times > 0; times--)
        changes[draw(sizeof changes / sizeof *changes)](text);
}

/* Everything that a user of the program would call. */
static void use(const struct prefetch_program *program, FILE *nowhere)
{
    char text[SIAL_DESCRIPTION_BYTES];
    int segments[SIAL_INDEX_KINDS] = {3, 4, 5, 6, 7, 8};
    if (!verify_program(program))
        fail("bytecode that cannot be executed");
    for (int i = 0; i < program->instruction_count; i++)
        sial_describe(program, i, text, sizeof text);
    for (int i = 0; i < program->array_count; i++) {
        sial_block_elements(program, i, segments, NULL);
        if (sial_block_count(program, i) < 0)
            fail("a negative number of blocks");
    }
    prefetch_disassemble(program, nowhere);
}

/* True if the text is a program. */
static bool try_text(const struct text *text, FILE *nowhere)
{
    static const struct prefetch_definition definitions[] = {{"norb", 4}};
    /* An exact copy, so that a read beyond its end is seen. */
    char *copy = malloc(text->length + (text->length == 0));
    if (!copy)
        fail("no memory");
    memcpy(copy, text->bytes, text->length);
    struct prefetch_program *program;
    enum dm_status status =
        prefetch_compile_text(&program, "fuzz", copy, text->length, definitions, draw(2));
    free(copy);
    if (status != DM_OK && (program || !dm_message()[0]))
        fail("an error without words, or with a program");
    if (program)
        use(program, nowhere);
    prefetch_free(program);
    return program != NULL;
}

static void show_text(void)
{
    fprintf(stderr, "---- the program:\n%.*s\n----\n", (int)text.length, text.bytes);
}

int main(int argc, char **argv)
{
    double seconds = read_options(argc, argv, read_seed);
    if (seed_count == 0)
        fail(
            "say which programs to change: prefetch_sial_fuzz [--seconds N] [--seed N] PROGRAM...");
    begin_watch(show_text);
    FILE *nowhere = fopen("/dev/null", "w");
    if (!nowhere)
        fail("cannot open /dev/null");
    size_t tried = 0, good = 0;
    for (double end_s = clock_now_s() + seconds; clock_now_s() < end_s; tried++) {
        text = seeds[draw(seed_count)];
        mutate(&text);
        good += try_text(&text, nowhere);
    }
    fclose(nowhere);
    printf("%zu programs tried, %zu of them compile; seed %llu\n", tried, good,
           (unsigned long long)random_seed);
    end_watch();
    return 0;
}
