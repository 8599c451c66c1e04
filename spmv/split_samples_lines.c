#include "split_samples_lines.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool split_lines_open(struct split_lines *lines, const char *path, struct sparse_error *error)
{
    lines->path = path;
    lines->error = error;
    lines->number = 0;
    errno = 0;
    lines->file = gzopen(path, "rb");
    return lines->file || sparse_refuse(error, "%.120s: %s", path,
                                        errno ? strerror(errno) : "there is no memory to read it");
}

void split_lines_close(struct split_lines *lines)
{
    if (lines->file)
        gzclose(lines->file);
}

bool split_lines_complain(struct split_lines *lines, const char *format, ...)
{
    char sentence[sizeof lines->error->text];
    va_list values;
    va_start(values, format);
    vsnprintf(sentence, sizeof sentence, format, values);
    va_end(values);
    return sparse_refuse(lines->error, "%.120s:%ld: %.110s", lines->path, lines->number, sentence);
}

/* Cuts the cell at `from` off, without its quotes; returns what follows its comma, NULL at the end
 * of the line. */
static char *cut_cell(char *from)
{
    char *to = from;
    bool quoted = *from == '"';
    from += quoted;
    while (*from && (quoted || *from != ',')) {
        if (quoted && *from == '"' && *++from != '"')
            quoted = false;
        else
            *to++ = *from++;
    }
    bool ends = *from == '\0';
    *to = '\0';
    return ends ? NULL : from + 1;
}

bool split_lines_next(struct split_lines *lines)
{
    lines->number++;
    lines->count = 0;
    errno = 0;
    bool at_end = !gzgets(lines->file, lines->text, sizeof lines->text);
    int code = Z_OK;
    const char *message = gzerror(lines->file, &code);
    if (code != Z_OK && code != Z_STREAM_END)
        return split_lines_complain(lines, "the file is damaged or cut off: %s",
                                    code == Z_ERRNO ? strerror(errno) : message);
    if (at_end)
        return true;
    char *end = strchr(lines->text, '\n');
    if (!end)
        return split_lines_complain(lines,
                                    "the line is longer than %d bytes, has a zero byte or no end",
                                    SPLIT_LINE_BYTES - 2);
    *end = '\0';
    if (end > lines->text && end[-1] == '\r')
        end[-1] = '\0';
    for (char *cell = lines->text; cell; lines->count++) {
        if (lines->count == SPLIT_MOST_CELLS)
            return split_lines_complain(lines, "there are more than %d cells", SPLIT_MOST_CELLS);
        char *next = cut_cell(cell);
        lines->cells[lines->count] = cell;
        cell = next;
    }
    return true;
}
