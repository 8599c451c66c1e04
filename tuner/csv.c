#include "csv.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "common/error.h"

enum { FIRST_BYTES = 1 << 16, BYTES_MAX = 1 << 30 };

/* ---- reading a file ---- */

static enum dm_status read_error(gzFile file, const char *path)
{
    int code = Z_OK;
    const char *text = gzerror(file, &code);
    if (code == Z_ERRNO)
        return error_errno("%s cannot be read", path);
    return dm_fail(DM_FAILED, "%s cannot be read: %s", path, text);
}

static enum dm_status make_room(struct csv *csv, const char *path, size_t *room)
{
    if (*room >= BYTES_MAX)
        return dm_fail(DM_INVALID, "%s cannot be read: it has more than 1 GiB", path);
    size_t bytes = *room ? 2 * *room : FIRST_BYTES;
    char *larger = realloc(csv->text, bytes);
    if (!larger)
        return error_no_memory(bytes);
    csv->text = larger;
    *room = bytes;
    return DM_OK;
}

/* All of the file, with room for one byte more. */
static enum dm_status read_all(struct csv *csv, gzFile file, const char *path)
{
    for (size_t room = 0;;) {
        if (csv->length + 1 >= room)
            TRY(make_room(csv, path, &room));
        int bytes = gzread(file, csv->text + csv->length, (unsigned)(room - csv->length - 1));
        if (bytes < 0)
            return read_error(file, path);
        if (bytes == 0)
            return DM_OK;
        /* At once: a device full of them has no end. */
        if (memchr(csv->text + csv->length, 0, (size_t)bytes))
            return dm_fail(DM_INVALID, "%s is not a text file: it has a zero byte", path);
        csv->length += (size_t)bytes;
    }
}

enum dm_status csv_load(struct csv *csv, const char *path)
{
    *csv = (struct csv){.next_line = 1};
    errno = 0;
    gzFile file = gzopen(path, "rb");
    if (!file)
        return errno ? error_errno("%s", path) : error_no_memory(FIRST_BYTES);
    enum dm_status status = read_all(csv, file, path);
    if (gzclose_r(file) != Z_OK && status == DM_OK)
        status = dm_fail(DM_INVALID, "%s ends within compressed data", path);
    if (status != DM_OK) {
        csv_release(csv);
        return status;
    }
    csv->text[csv->length] = '\0';
    return DM_OK;
}

void csv_release(struct csv *csv)
{
    free(csv->text);
    csv->text = NULL;
}

/* ---- rows ---- */

/* Moves a quoted cell to `to`, without its quotes, and returns what follows it; its end in *end. */
static char *read_quoted(struct csv *csv, char *from, char **end)
{
    char *to = from++;

    for (; *from && !(from[0] == '"' && from[1] != '"'); *to++ = *from++) {
        from += *from == '"';
        csv->next_line += *from == '\n';
    }
    *end = to;
    return *from ? from + 1 : from;
}

/* Reads one cell and returns the character that ends it: a comma, an end of line, 0 at the end of
 * the file, or another one that has no place there. */
static char read_cell(struct csv *csv)
{
    char *from = csv->text + csv->next, *end;

    csv->cells[csv->count++] = from;
    if (*from == '"')
        from = read_quoted(csv, from, &end);
    else
        end = from += strcspn(from, ",\"\n");
    if (end > csv->text + csv->next && end == from && *from == '\n' && end[-1] == '\r')
        end--;
    from += from[0] == '\r' && from[1] == '\n';
    char last = *from;
    *end = '\0';
    csv->next = (size_t)(from - csv->text) + (last != '\0');
    csv->next_line += last == '\n';
    return last;
}

enum csv_row csv_next(struct csv *csv)
{
    char last = ',';

    if (csv->next == csv->length)
        return CSV_END;
    csv->begin = csv->next;
    csv->line = csv->next_line;
    for (csv->count = 0; last == ',';) {
        if (csv->count == CSV_CELLS_MAX)
            return CSV_BROKEN;
        last = read_cell(csv);
    }
    return last == '\n' ? CSV_ROW : last ? CSV_BROKEN : CSV_CUT;
}

size_t csv_find(const struct csv *csv, const char *text)
{
    size_t cell = 0;

    while (cell < csv->count && strcmp(csv->cells[cell], text) != 0)
        cell++;
    return cell;
}

bool csv_number(const char *text, double *number)
{
    char *end;

    *number = strtod(text, &end);
    /* strtod alone would also take blanks, hexadecimal numbers, inf and nan. */
    return *text && text[strspn(text, "0123456789.eE+-")] == '\0' && *end == '\0' &&
           isfinite(*number);
}

void csv_write(FILE *out, const char *cell, char before)
{
    bool quoted = strpbrk(cell, ",\"\r\n") != NULL;

    if (before)
        fputc(before, out);
    if (quoted)
        fputc('"', out);
    for (; *cell; cell++) {
        if (*cell == '"')
            fputc('"', out);
        fputc(*cell, out);
    }
    if (quoted)
        fputc('"', out);
}
