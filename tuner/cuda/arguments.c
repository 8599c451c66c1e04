#include "arguments.h"

#include <stdio.h>
#include <string.h>

#include "common/error.h"

/* Steps over this word, if it is the next one. */
static bool take_name(struct source_line *line, const char *name)
{
    size_t length = line_name_length(line);

    if (length != strlen(name) || memcmp(line->at, name, length) != 0)
        return false;
    line->at += length;
    return true;
}

static enum dm_status read_path(struct source_line *line, char path[TUNER_NAME_BYTES])
{
    if (!line_ended(line) && *line->at == '"')
        return line_quoted(line, path);
    size_t length = line_ended(line) ? 0 : strcspn(line->at, " ,");
    if (length == 0)
        return line_expected(line, "a path");
    if (length >= TUNER_NAME_BYTES)
        return line_error(line, "a path has at most %d bytes: use another name or a link",
                          TUNER_NAME_BYTES - 1);
    snprintf(path, TUNER_NAME_BYTES, "%.*s", (int)length, line->at);
    line->at += length;
    return DM_OK;
}

static enum dm_status read_contents(struct source_line *line, struct argument *argument)
{
    for (int kind = 0; kind < CONTENTS_KINDS; kind++)
        if (take_name(line, contents_names[kind])) {
            argument->contents = (enum contents)kind;
            break;
        }
    if (argument->contents == CONTENTS_FILE)
        TRY(read_path(line, argument->path));
    if (!take_name(line, "against"))
        return DM_OK;
    if (!argument->written)
        return line_error(line, "only what a kernel writes (out, inout) has a reference");
    return read_path(line, argument->against);
}

static enum dm_status read_scalar(struct source_line *line, struct argument *argument,
                                  const struct tuner_space *space)
{
    struct source_line start = *line;

    argument->is_real = argument->element->kind == ELEMENT_REAL;
    double sign = argument->is_real && line_take(line, "-") ? -1.0 : 1.0;
    if (argument->is_real && line_take_real(line, &argument->real)) {
        argument->real *= sign;
        return DM_OK;
    }
    *line = start;
    argument->is_real = false;
    return formula_read(&argument->number, line, space);
}

static enum dm_status read_argument(struct source_line *line, struct argument *argument,
                                    const struct tuner_space *space)
{
    bool in = take_name(line, "in"), inout = !in && take_name(line, "inout"),
         out = !in && !inout && take_name(line, "out");
    size_t length = line_name_length(line);

    argument->element = element_of(line->at, length);
    if (!argument->element)
        return line_expected(line, "a type: float, double, int, unsigned, long, size_t, short, "
                                   "ushort, char or uchar");
    line->at += length;
    argument->array = line_take(line, "[");
    if (!argument->array && (in || inout || out))
        return line_expected(line, "[ and the number of elements");
    if (!argument->array)
        return read_scalar(line, argument, space);
    argument->written = out || inout;
    argument->contents = out ? CONTENTS_UNSET : CONTENTS_RANDOM;
    TRY(formula_read(&argument->number, line, space));
    if (!line_take(line, "]"))
        return line_expected(line, "]");
    return read_contents(line, argument);
}

enum dm_status arguments_read(struct arguments *arguments, const char *text,
                              const struct tuner_space *space)
{
    struct source_line line = {text, text + strlen(text), "--args", 1};
    bool checked = false;

    arguments->count = 0;
    do {
        struct argument *argument = &arguments->argument[arguments->count];
        if (arguments->count == ARGUMENTS_MAX)
            return line_error(&line, "a kernel has at most %d arguments", ARGUMENTS_MAX);
        memset(argument, 0, sizeof *argument);
        TRY(read_argument(&line, argument, space));
        arguments->count++;
        checked = checked || argument->written;
    } while (line_take(&line, ","));
    if (!line_ended(&line))
        return line_expected(&line, "a comma");
    return checked ? DM_OK
                   : line_error(&line, "no array is out or inout, so that no result can be "
                                       "checked");
}
