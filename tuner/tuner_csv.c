#include "tuner_csv.h"
#include "tuner_complain.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { FIRST_BYTES = 1 << 16, MOST_BYTES = 1 << 30 };

/* ---- reading a file ---- */

static const char *error_of(gzFile file)
{
    int code = Z_OK;
    const char *text = gzerror(file, &code);
    return code == Z_ERRNO ? strerror(errno) : text;
}

/* All of the file behind *text, with room for one byte more. NULL, or what is wrong. */
static const char *read_all(gzFile file, char **text, size_t *length)
{
    size_t room = FIRST_BYTES;

    *text = malloc(room);
    for (*length = 0; *text;) {
        int bytes = gzread(file, *text + *length, (unsigned)(room - *length - 1));
        if (bytes < 0)
            return error_of(file);
        *length += (size_t)bytes;
        if (bytes == 0)
            return NULL;
        if (*length + 1 < room)
            continue;
        if (room >= MOST_BYTES)
            return "it has more than 1 GiB";
        room *= 2;
        char *larger = realloc(*text, room);
        if (!larger)
            free(*text);
        *text = larger;
    }
    return "there is no memory for it";
}

bool tuner_csv_load(struct tuner_csv *csv, const char *path, const char **complaint)
{
    *csv = (struct tuner_csv){.next_line = 1};
    errno = 0;
    gzFile file = gzopen(path, "rb");
    if (!file) {
        tuner_complain(complaint, "%s: %s", path, errno ? strerror(errno) : "no memory");
        return false;
    }
    const char *wrong = read_all(file, &csv->text, &csv->length);
    if (wrong)
        tuner_complain(complaint, "%s cannot be read: %s", path, wrong);
    if (gzclose_r(file) != Z_OK && !wrong)
        tuner_complain(complaint, "%s %s", path, wrong = "ends within compressed data");
    if (!wrong && memchr(csv->text, 0, csv->length))
        tuner_complain(complaint, "%s %s", path, wrong = "is no text: it has a zero byte");
    if (wrong) {
        tuner_csv_release(csv);
        return false;
    }
    csv->text[csv->length] = '\0';
    return true;
}

void tuner_csv_release(struct tuner_csv *csv)
{
    free(csv->text);
    csv->text = NULL;
}

/* ---- rows ---- */

/* Moves a quoted cell to `to`, without its quotes, and returns what follows it; its end in *end. */
static char *read_quoted(struct tuner_csv *csv, char *from, char **end)
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
static char read_cell(struct tuner_csv *csv)
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

enum tuner_csv_row tuner_csv_next(struct tuner_csv *csv)
{
    char last = ',';

    if (csv->next == csv->length)
        return TUNER_CSV_END;
    csv->begin = csv->next;
    csv->line = csv->next_line;
    for (csv->count = 0; last == ',';) {
        if (csv->count == TUNER_CSV_CELLS)
            return TUNER_CSV_BROKEN;
        last = read_cell(csv);
    }
    return last == '\n' ? TUNER_CSV_ROW : last ? TUNER_CSV_BROKEN : TUNER_CSV_CUT;
}

size_t tuner_csv_find(const struct tuner_csv *csv, const char *text)
{
    size_t cell = 0;

    while (cell < csv->count && strcmp(csv->cells[cell], text) != 0)
        cell++;
    return cell;
}

bool tuner_csv_number(const char *text, double *number)
{
    char *end;

    *number = strtod(text, &end);
    /* strtod alone would also take blanks, hexadecimal numbers, inf and nan. */
    return *text && text[strspn(text, "0123456789.eE+-")] == '\0' && *end == '\0' &&
           isfinite(*number);
}

void tuner_csv_write(FILE *out, const char *cell, char before)
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
