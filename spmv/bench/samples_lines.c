#include "samples_lines.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum dm_status split_lines_open(struct split_lines *lines, const char *path)
{
    lines->path = path;
    lines->number = 0;
    errno = 0;
    lines->file = gzopen(path, "rb");
    return lines->file ? DM_OK
                       : dm_fail(DM_FAILED, "%.120s: %s", path,
                                 errno ? strerror(errno) : "there is no memory to read it");
}

void split_lines_close(struct split_lines *lines)
{
    if (lines->file)
        gzclose(lines->file);
}

enum dm_status split_lines_invalid(struct split_lines *lines, const char *format, ...)
{
    char sentence[128];
    va_list values;
    va_start(values, format);
    vsnprintf(sentence, sizeof sentence, format, values);
    va_end(values);
    return dm_fail(DM_INVALID, "%.120s:%ld: %.110s", lines->path, lines->number, sentence);
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

enum dm_status split_lines_next(struct split_lines *lines)
{
    lines->number++;
    lines->count = 0;
    errno = 0;
    bool at_end = !gzgets(lines->file, lines->text, sizeof lines->text);
    int code = Z_OK;
    const char *message = gzerror(lines->file, &code);
    if (code != Z_OK && code != Z_STREAM_END)
        return split_lines_invalid(lines, "the file is damaged or cut off: %s",
                                   code == Z_ERRNO ? strerror(errno) : message);
    if (at_end)
        return DM_OK;
    char *end = strchr(lines->text, '\n');
    if (!end)
        return split_lines_invalid(lines,
                                   "the line is longer than %d bytes, has a zero byte or no end",
                                   SPLIT_LINE_BYTES - 2);
    *end = '\0';
    if (end > lines->text && end[-1] == '\r')
        end[-1] = '\0';
    for (char *cell = lines->text; cell; lines->count++) {
        if (lines->count == SPLIT_CELLS_MAX)
            return split_lines_invalid(lines, "there are more than %d cells", SPLIT_CELLS_MAX);
        char *next = cut_cell(cell);
        lines->cells[lines->count] = cell;
        cell = next;
    }
    return DM_OK;
}
