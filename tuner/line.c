#include "line.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "common/error.h"

#include "csv.h"

enum dm_status line_error(const struct source_line *line, const char *format, ...)
{
    char sentence[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    return dm_fail(DM_INVALID, "%.400s:%zu: %s", line->name, line->number, sentence);
}

enum dm_status line_expected(struct source_line *line, const char *wanted)
{
    enum { SHOWN = 24 };
    if (line_ended(line))
        return line_error(line, "%s is missing at the end of the line", wanted);
    size_t left = (size_t)(line->end - line->at);
    return line_error(line, "expected %s, not `%.*s%s`", wanted, (int)(left < SHOWN ? left : SHOWN),
                      line->at, left > SHOWN ? "..." : "");
}

static bool is_blank(char letter)
{
    return letter == ' ' || letter == '\t' || letter == '\r';
}

static bool is_digit(char letter)
{
    return letter >= '0' && letter <= '9';
}

/* isalpha() would depend on the locale. */
static bool is_letter(char letter)
{
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || letter == '_';
}

bool line_ended(struct source_line *line)
{
    while (line->at < line->end && is_blank(*line->at))
        line->at++;
    return line->at == line->end || *line->at == '#';
}

bool line_take(struct source_line *line, const char *sign)
{
    size_t length = strlen(sign);
    if (line_ended(line) || (size_t)(line->end - line->at) < length ||
        memcmp(line->at, sign, length) != 0)
        return false;
    line->at += length;
    return true;
}

size_t line_name_length(struct source_line *line)
{
    if (line_ended(line) || !is_letter(*line->at))
        return 0;
    const char *at = line->at;
    while (at < line->end && (is_letter(*at) || is_digit(*at)))
        at++;
    return (size_t)(at - line->at);
}

/* Steps over `length` bytes and copies them. */
static enum dm_status take_bytes(struct source_line *line, size_t length,
                                 char word[TUNER_NAME_BYTES])
{
    if (length >= TUNER_NAME_BYTES)
        return line_error(line, "`%.16s...` has more than %d bytes", line->at,
                          TUNER_NAME_BYTES - 1);
    memcpy(word, line->at, length);
    word[length] = 0;
    line->at += length;
    return DM_OK;
}

enum dm_status line_name(struct source_line *line, char name[TUNER_NAME_BYTES])
{
    size_t length = line_name_length(line);
    return length ? take_bytes(line, length, name) : line_expected(line, "a name");
}

enum dm_status line_quoted(struct source_line *line, char word[TUNER_NAME_BYTES])
{
    if (!line_take(line, "\""))
        return line_expected(line, "a word in quotes");
    const char *end = memchr(line->at, '"', (size_t)(line->end - line->at));
    if (!end)
        return line_error(line, "a quotation mark does not close");
    TRY(take_bytes(line, (size_t)(end - line->at), word));
    line->at++;
    return DM_OK;
}

enum dm_status line_word(struct source_line *line, char word[TUNER_NAME_BYTES])
{
    if (line_ended(line))
        return line_expected(line, "a word");
    if (*line->at == '"')
        return line_quoted(line, word);
    const char *end = line->at;
    while (end < line->end && !is_blank(*end) && *end != '#' && *end != '"')
        end++;
    return take_bytes(line, (size_t)(end - line->at), word);
}

enum dm_status line_number(struct source_line *line, bool negative, int64_t *number)
{
    const char *start = line_ended(line) ? line->end : line->at;
    bool minus = negative && line_take(line, "-");
    if (line->at == line->end || !is_digit(*line->at)) {
        line->at = start;
        return line_expected(line, "a whole number");
    }
    /* Counted down, as there is one number more below zero than above. */
    *number = 0;
    for (; line->at < line->end && is_digit(*line->at); line->at++)
        if (__builtin_mul_overflow(*number, 10, number) ||
            __builtin_sub_overflow(*number, *line->at - '0', number))
            return line_error(line, "a number does not fit 64 bits");
    if (!minus && __builtin_sub_overflow(0, *number, number))
        return line_error(line, "a number does not fit 64 bits");
    if (line->at < line->end && is_letter(*line->at)) {
        line->at = start;
        return line_expected(line, "a whole number");
    }
    return DM_OK;
}

enum dm_status line_real(struct source_line *line, char word[TUNER_NAME_BYTES], double *real)
{
    const char *start = line_ended(line) ? line->end : line->at;

    if (start == line->end || *start == '#')
        return line_expected(line, "a number");
    TRY(line_word(line, word));
    if (csv_number(word, real))
        return DM_OK;
    line->at = start;
    return line_expected(line, "a number");
}

bool line_take_real(struct source_line *line, double *real)
{
    static const char digits[] = "0123456789";
    char word[TUNER_NAME_BYTES];

    if (line_ended(line) || !is_digit(*line->at))
        return false;
    size_t left = (size_t)(line->end - line->at);
    snprintf(word, sizeof word, "%.*s", (int)(left < sizeof word ? left : sizeof word - 1),
             line->at);
    size_t whole = strspn(word, digits), length = whole;
    if (word[length] == '.')
        length += 1 + strspn(word + length + 1, digits);
    if (word[length] == 'e' || word[length] == 'E') {
        size_t sign = word[length + 1] == '-' || word[length + 1] == '+';
        size_t exponent = strspn(word + length + 1 + sign, digits);
        length += exponent ? 1 + sign + exponent : 0;
    }
    if (length == whole || length + 1 >= sizeof word || is_letter(word[length]))
        return false;
    word[length] = 0;
    line->at += length;
    return csv_number(word, real);
}
