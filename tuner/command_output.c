#include "command_output.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_word_part(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Whether a number begins at `at`. strtod also takes nan and inf, which count as numbers that are
 * no time, but not if they are the beginning of a word. */
static bool is_number(const char *at, double *number, const char **end)
{
    char *after;

    *number = strtod(at, &after);
    *end = after;
    return after > at && !(isalpha((unsigned char)after[-1]) && is_word_part(*after));
}

/* The unit at `at`, or after blanks; steps over it. A word that is no unit is none of ours if it
 * stands apart (3 times). */
static double unit_at(const char **at, double otherwise)
{
    static const struct {
        const char *name;
        double seconds;
    } units[] = {{"s", 1.0}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}};
    const char *word = *at + strspn(*at, " \t");

    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        size_t length = strlen(units[i].name);
        if (strncmp(word, units[i].name, length) == 0 && !is_word_part(word[length])) {
            *at = word + length;
            return units[i].seconds;
        }
    }
    return otherwise;
}

/* The time in a line behind its prefix; 0 if there is none. */
static double time_in(const char *text, double unit_s)
{
    for (const char *at = text; *at; at++) {
        double number;
        const char *end;
        if (at > text && is_word_part(at[-1]))
            continue;
        if (!is_number(at, &number, &end))
            continue;
        number *= unit_at(&end, unit_s > 0.0 ? unit_s : 1.0);
        return isfinite(number) && number > 0.0 && !is_word_part(*end) ? number : 0.0;
    }
    return 0.0;
}

static bool has_prefix(const struct command_output *output, const char *prefix)
{
    return strncmp(output->line, prefix, strlen(prefix)) == 0;
}

static void end_line(struct command_output *output)
{
    output->line[output->length] = '\0';
    output->length = 0;
    if (output->prefix && has_prefix(output, output->prefix))
        output->time_s = time_in(output->line + strlen(output->prefix), output->unit_s);
    for (size_t f = 0; output->further && f < TUNER_FURTHER_MAX; f++)
        if (output->further[f] && has_prefix(output, output->further[f]))
            output->more[f] = time_in(output->line + strlen(output->further[f]), 1.0);
}

void command_output_take(void *context, const char *bytes, size_t count)
{
    struct command_output *output = context;

    for (size_t i = 0; i < count; i++)
        if (bytes[i] == '\n')
            end_line(output);
        else if (output->length < sizeof output->line - 1)
            output->line[output->length++] = bytes[i];
}

void command_output_end(struct command_output *output)
{
    if (output->length)
        end_line(output);
}

bool command_output_time(struct command_output *output, double *time_s)
{
    command_output_end(output);
    *time_s = output->time_s;
    return output->time_s > 0.0;
}
