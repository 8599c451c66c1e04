/* tuner_space_fuzz: the reader of spaces on broken texts.
 *
 *     tuner_space_fuzz [--seconds N] [--seed N]
 *
 * Changes texts at random and checks what comes out: a sentence with a place, or a space whose
 * configurations are in order and are those that pass the constraints one by one. To be built with
 * -fsanitize=address,undefined. */
#include <stdio.h>

#include "common/clock.h"
#include "common/harness/exit.h"
#include "tests/unit/fuzz.h"
#include "tuner/space_internal.h"

static const char *const seeds[] = {
    "integer bx 1 64\ninteger by 1 64\nrequire bx * by <= 128\n",
    "power2 u 1 16\nvalues v 48 16 -100 0\ncategory flags -O2 \"-O3 -g\" \"\"\n"
    "require flags != \"-O2\" || u < 8 # comment\nrequire min(u, v) % 3 != max(-v, 2) / 7\n",
    "integer a -3 3\ninteger b -3 3\ninteger c -3 3\nrequire (a + b) * c >= 2 && !(a / b == c)\n"
    "require a % b == 0 || b == 0\r\n\nrequire a != b",
    "real r -1 1 0.25\nvalues v 0.5 1e-3 7\ninteger a -3 3\nrequire r * 1.5 + a / 2 < v || a % r > 0.1\n",
    "category flags -O2 -O3\nvalues v 4 2 1\nreal r 0 1 0.5\nonly v if flags == \"-O3\"\nonly r if v > 1\n",
    "integer n 0 1000000 1000\nrequire n % 7000 == 0 && n * 9223372036854775807 > -1\n",
};
static const char *const words[] = {"integer",
                                    "power2",
                                    "values",
                                    "category",
                                    "require",
                                    "a",
                                    "b",
                                    "bx",
                                    "u",
                                    "flags",
                                    "min(",
                                    "max(",
                                    "(",
                                    ")",
                                    ",",
                                    "||",
                                    "&&",
                                    "==",
                                    "!=",
                                    "<",
                                    "<=",
                                    ">",
                                    ">=",
                                    "+",
                                    "-",
                                    "*",
                                    "/",
                                    "%",
                                    "!",
                                    "\"-O2\"",
                                    "\"",
                                    "#",
                                    "\n",
                                    " ",
                                    "0",
                                    "real",
                                    "0.5",
                                    "1e-9",
                                    "1e308",
                                    ".",
                                    "only",
                                    "if",
                                    "1",
                                    "-1",
                                    "4096",
                                    "16777216",
                                    "9223372036854775807"};
enum { SEEDS = sizeof seeds / sizeof *seeds, WORDS = sizeof words / sizeof *words };
enum { TEXT_MAX = 4096, EFFORT = 200000, PRODUCT_MAX = 100000 };

static char text[TEXT_MAX]; /* the one that is tried */
static size_t text_length;

/* Replaces `removed` bytes at `at`. */
static void splice(size_t at, size_t removed, const char *bytes, size_t length)
{
    size_t rest = text_length - at;
    removed = removed < rest ? removed : rest;
    if (text_length + length - removed > TEXT_MAX)
        return;
    memmove(text + at + length, text + at + removed, rest - removed);
    memcpy(text + at, bytes, length);
    text_length += length - removed;
}

static void change_byte(void)
{
    char byte = (char)(draw(4) ? ' ' + draw(95) : draw(256));
    splice(draw(text_length + 1), draw(2), &byte, 1);
}

static void insert_word(void)
{
    const char *word = words[draw(WORDS)];
    splice(draw(text_length + 1), draw(4), word, strlen(word));
}

/* A piece of any seed, or of the text itself, once or many times. */
static void insert_piece(void)
{
    char piece[100];
    const char *seed = seeds[draw(SEEDS)], *from = draw(2) ? seed : text;
    size_t available = from == text ? text_length : strlen(seed), begin = draw(available);
    size_t length = draw(sizeof piece), at = draw(text_length + 1);
    length = length < available - begin ? length : available - begin;
    memcpy(piece, from + begin, length);
    for (size_t times = draw(10) ? 1 : draw(100); times > 0; times--)
        splice(at, 0, piece, length);
}

static void copy_bytes(void)
{
    char bytes[8];
    size_t length = 1 + draw(sizeof bytes), from = draw(text_length + 1);
    length = length < text_length - from ? length : text_length - from;
    memcpy(bytes, text + from, length);
    splice(draw(text_length + 1), length, bytes, length);
}

static void cut_out(void)
{
    size_t at = draw(text_length + 1);
    splice(at, draw(4) ? draw(8) : text_length, "", 0);
}

static void mutate(void)
{
    static void (*const changes[])(void) = {change_byte,  insert_word, insert_word,
                                            insert_piece, copy_bytes,  cut_out};
    text_length = 0;
    const char *seed = seeds[draw(SEEDS)];
    splice(0, 0, seed, strlen(seed));
    for (size_t times = draw(3) ? 1 : 1 + draw(6); times > 0; times--)
        changes[draw(sizeof changes / sizeof *changes)]();
}

/* ---- what must hold ---- */

static void check_sentence(const char *sentence)
{
    size_t lines = 1;
    for (size_t i = 0; i < text_length; i++)
        lines += text[i] == '\n';
    char *end;
    if (strncmp(sentence, "fuzz:", 5) != 0 || strlen(sentence) < 10)
        fail("a sentence without a place or words: %s", sentence);
    if (sentence[5] == ' ')
        return;
    unsigned long line = strtoul(sentence + 5, &end, 10);
    if (*end != ':' || line < 1 || line > lines)
        fail("a sentence about a line beyond the text: %s", sentence);
}

static bool passes_all(const struct constraints *constraints, const struct range *values)
{
    for (size_t i = 0; i < constraints->count; i++)
        if (!range_always(expression_range(&constraints->constraint[i].expression, values)))
            return false;
    return true;
}

/* Goes through the product one by one, which the reader does not. */
static void check_configurations(const struct tuner_space *space,
                                 const struct constraints *constraints)
{
    size_t indices[TUNER_PARAMETERS_MAX] = {0}, next = 0, found;
    for (;;) {
        struct range values[TUNER_PARAMETERS_MAX];
        for (size_t d = 0; d < space->dimensions; d++) {
            int64_t value = space->parameters[d].values[indices[d]];
            values[d] = (struct range){.low = value, .high = value};
        }
        bool passes = passes_all(constraints, values);
        if (passes != tuner_space_find(space, indices, &found) || (passes && found != next++))
            fail("not the configurations that pass");
        size_t d = space->dimensions;
        while (d > 0 && ++indices[d - 1] == space->parameters[d - 1].count)
            indices[--d] = 0;
        if (d == 0)
            break;
    }
    if (next != tuner_space_size(space))
        fail("%zu configurations, of which %zu pass", tuner_space_size(space), next);
}

static void check_matrix(const struct tuner_space *space)
{
    float *matrix;
    check_status(tuner_space_matrix(space, TUNER_SCALED, &matrix));
    size_t columns = tuner_space_features(space, TUNER_SCALED);
    for (size_t i = 0; i < tuner_space_size(space) * columns; i++)
        if (!(matrix[i] >= 0 && matrix[i] <= 1))
            fail("a scaled feature of %g", matrix[i]);
    free(matrix);
}

static bool is_small(const struct tuner_space *space)
{
    size_t product = 1;
    for (size_t d = 0; d < space->dimensions && product <= PRODUCT_MAX; d++)
        product *= space->parameters[d].count;
    return product <= PRODUCT_MAX;
}

enum outcome { REFUSED, ACCEPTED, CHECKED };

static enum outcome check_space(const struct tuner_space *space, const char *copy)
{
    static struct constraints constraints;
    struct tuner_space *again = allocate_or_fail(1, sizeof *again);
    char description[200];
    tuner_space_describe(space, tuner_space_size(space) - 1, description, sizeof description);
    check_matrix(space);
    bool small = is_small(space);
    memset(&constraints, 0, sizeof constraints);
    if (small) {
        if (space_parse(again, &constraints, copy, text_length, "fuzz") != DM_OK)
            fail("read once, but not twice: %s", dm_message());
        check_configurations(space, &constraints);
    }
    tuner_space_free(again);
    return small ? CHECKED : ACCEPTED;
}

static enum outcome try_text(void)
{
    struct tuner_space *space;
    /* An exact copy, so that a read beyond its end is seen. */
    char *copy = allocate_or_fail(text_length, 1);
    memcpy(copy, text, text_length);
    dm_fail(DM_OK, "%s", ""); /* no sentence of another text */
    enum dm_status status = space_read_within(&space, copy, text_length, "fuzz", EFFORT);
    enum outcome outcome = REFUSED;
    if ((status == DM_OK) != (space != NULL))
        fail("status %s, and %s space", dm_status_name(status), space ? "a" : "no");
    if (space)
        outcome = check_space(space, copy);
    else
        check_sentence(dm_message());
    tuner_space_free(space);
    free(copy);
    return outcome;
}

static void show_text(void)
{
    fprintf(stderr, "---- the space:\n%.*s\n----\n", (int)text_length, text);
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
    printf("%zu spaces tried, %zu of them accepted, of these %zu checked one by one; seed %llu\n",
           tried, outcomes[ACCEPTED] + outcomes[CHECKED], outcomes[CHECKED],
           (unsigned long long)random_seed);
    end_watch();
    return 0;
}
