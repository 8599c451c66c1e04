#include "shell_word.h"

#include <string.h>

#include "common/error.h"

void shell_place_step(struct shell_place *place, char letter)
{
    const bool escaped = place->escaped, single = place->quote == '\'';
    place->escaped = !escaped && !single && letter == '\\';
    if (!escaped && !single && (letter == '`' || (letter == '(' && place->before == '$')))
        place->nested = true;
    if (!escaped && (letter == '\'' || letter == '"')) {
        if (place->quote == letter)
            place->quote = '\0';
        else if (!place->quote)
            place->quote = letter;
    }
    place->before = escaped ? '\0' : letter;
}

static bool needs_quotes(const char *value, size_t length)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "%+,-./:=@^_";
    return length == 0 || strspn(value, plain) < length;
}

/* One letter of a value within quotes of this kind. */
static void write_quoted(FILE *out, char quote, char letter)
{
    if (quote == '\'' && letter == '\'') {
        fputs("'\\''", out);
        return;
    }
    if (quote == '"' && strchr("\\\"$`", letter))
        fputc('\\', out);
    fputc(letter, out);
}

static enum dm_status write_word(FILE *out, const struct shell_place *place, const char *value,
                                 size_t length)
{
    if (!needs_quotes(value, length)) {
        fwrite(value, 1, length, out);
        return DM_OK;
    }
    if (place->nested)
        return dm_fail(DM_INVALID,
                       "the value '%.*s' cannot be quoted behind $( or `: put the command into a "
                       "script and give it the value as an argument",
                       (int)length, value);
    const char quote = place->quote ? place->quote : '\'';
    if (!place->quote)
        fputc(quote, out);
    for (size_t i = 0; i < length; i++)
        write_quoted(out, quote, value[i]);
    if (!place->quote)
        fputc(quote, out);
    return DM_OK;
}

enum dm_status shell_word_write(FILE *out, const struct shell_place *place, const char *value)
{
    return write_word(out, place, value, strlen(value));
}

enum dm_status shell_words_write(FILE *out, const struct shell_place *place, const char *value)
{
    static const char blanks[] = " \t\n";
    if (place->quote)
        return shell_word_write(out, place, value);
    for (value += strspn(value, blanks); *value;) {
        const size_t length = strcspn(value, blanks);
        TRY(write_word(out, place, value, length));
        value += length + strspn(value + length, blanks);
        if (*value)
            fputc(' ', out);
    }
    return DM_OK;
}
