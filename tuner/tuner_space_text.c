/* The words, numbers and signs of one line of a space's text. */
#include "tuner_space_text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "tuner_space_private.h"

bool tuner_text_refuse(struct tuner_text *text, const char *format, ...)
{
    char sentence[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    text->complaint = tuner_space_complain(text->name, text->line, "%s", sentence);
    return false;
}

bool tuner_text_refuse_next(struct tuner_text *text, const char *wanted)
{
    enum { SHOWN = 24 };
    if (tuner_text_ended(text))
        return tuner_text_refuse(text, "%s is missing at the end of the line", wanted);
    size_t left = (size_t)(text->end - text->at);
    return tuner_text_refuse(text, "there must be %s, not `%.*s%s`", wanted,
                             (int)(left < SHOWN ? left : SHOWN), text->at,
                             left > SHOWN ? "..." : "");
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

bool tuner_text_ended(struct tuner_text *text)
{
    while (text->at < text->end && is_blank(*text->at))
        text->at++;
    return text->at == text->end || *text->at == '#';
}

bool tuner_text_take(struct tuner_text *text, const char *sign)
{
    size_t length = strlen(sign);
    if (tuner_text_ended(text) || (size_t)(text->end - text->at) < length ||
        memcmp(text->at, sign, length) != 0)
        return false;
    text->at += length;
    return true;
}

size_t tuner_text_name_length(struct tuner_text *text)
{
    if (tuner_text_ended(text) || !is_letter(*text->at))
        return 0;
    const char *at = text->at;
    while (at < text->end && (is_letter(*at) || is_digit(*at)))
        at++;
    return (size_t)(at - text->at);
}

/* Steps over `length` bytes and copies them. */
static bool keep(struct tuner_text *text, size_t length, char word[TUNER_NAME])
{
    if (length >= TUNER_NAME)
        return tuner_text_refuse(text, "`%.16s...` has more than %d bytes", text->at,
                                 TUNER_NAME - 1);
    memcpy(word, text->at, length);
    word[length] = 0;
    text->at += length;
    return true;
}

bool tuner_text_name(struct tuner_text *text, char name[TUNER_NAME])
{
    size_t length = tuner_text_name_length(text);
    return length ? keep(text, length, name) : tuner_text_refuse_next(text, "a name");
}

bool tuner_text_quoted(struct tuner_text *text, char word[TUNER_NAME])
{
    if (!tuner_text_take(text, "\""))
        return tuner_text_refuse_next(text, "a word in quotes");
    const char *end = memchr(text->at, '"', (size_t)(text->end - text->at));
    if (!end)
        return tuner_text_refuse(text, "a quotation mark does not close");
    return keep(text, (size_t)(end - text->at), word) && tuner_text_take(text, "\"");
}

bool tuner_text_word(struct tuner_text *text, char word[TUNER_NAME])
{
    if (tuner_text_ended(text))
        return tuner_text_refuse_next(text, "a word");
    if (*text->at == '"')
        return tuner_text_quoted(text, word);
    const char *end = text->at;
    while (end < text->end && !is_blank(*end) && *end != '#' && *end != '"')
        end++;
    return keep(text, (size_t)(end - text->at), word);
}

bool tuner_text_number(struct tuner_text *text, bool negative, int64_t *number)
{
    const char *start = tuner_text_ended(text) ? text->end : text->at;
    bool minus = negative && tuner_text_take(text, "-");
    if (text->at == text->end || !is_digit(*text->at)) {
        text->at = start;
        return tuner_text_refuse_next(text, "a whole number");
    }
    /* Counted down, as there is one number more below zero than above. */
    *number = 0;
    for (; text->at < text->end && is_digit(*text->at); text->at++)
        if (__builtin_mul_overflow(*number, 10, number) ||
            __builtin_sub_overflow(*number, *text->at - '0', number))
            return tuner_text_refuse(text, "a number does not fit 64 bits");
    if (!minus && __builtin_sub_overflow(0, *number, number))
        return tuner_text_refuse(text, "a number does not fit 64 bits");
    if (text->at < text->end && is_letter(*text->at)) {
        text->at = start;
        return tuner_text_refuse_next(text, "a whole number");
    }
    return true;
}
