#include "csv.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tool.h"

enum { RECORD_BYTES_MAX = 1 << 20, FIELDS_MAX = 1000 };

void csv_open(struct csv *csv, const char *path)
{
    *csv = (struct csv){.path = path, .next_line = 1};
    errno = 0;
    csv->file = gzopen(path, "rb");
    if (!csv->file)
        tool_fail("%s: cannot be read: %s", path, errno ? strerror(errno) : "out of memory");
}

void csv_close(struct csv *csv)
{
    gzclose(csv->file);
    free(csv->text);
    free(csv->starts);
    free(csv->fields);
}

/* The next character, -1 at the end of the file. */
static int next_character(struct csv *csv)
{
    int character = gzgetc(csv->file);
    if (character >= 0)
        return character;
    int code;
    const char *message = gzerror(csv->file, &code);
    if (code != Z_OK && code != Z_STREAM_END)
        tool_fail_at(csv->path, csv->next_line, "the file is damaged or cut off: %s", message);
    return -1;
}

static void append(struct csv *csv, int character)
{
    if (csv->text_length == csv->text_capacity) {
        csv->text_capacity = csv->text_capacity ? 2 * csv->text_capacity : 1024;
        csv->text = tool_resize(csv->text, csv->text_capacity);
    }
    csv->text[csv->text_length++] = (char)character;
    if (csv->text_length > RECORD_BYTES_MAX)
        tool_fail_at(csv->path, csv->line, "the record is longer than 1 MiB");
}

static void start_field(struct csv *csv)
{
    if (csv->count == FIELDS_MAX)
        tool_fail_at(csv->path, csv->line, "the record has more than %d fields", FIELDS_MAX);
    if (csv->count == csv->starts_capacity) {
        csv->starts_capacity = csv->starts_capacity ? 2 * csv->starts_capacity : 32;
        csv->starts = tool_resize(csv->starts, csv->starts_capacity * sizeof *csv->starts);
    }
    csv->starts[csv->count++] = csv->text_length;
}

/* Reads a field in quotes after its first quote; returns the character after the last quote. */
static int read_quoted(struct csv *csv)
{
    for (;;) {
        int character = next_character(csv);
        if (character == '"') {
            character = next_character(csv);
            if (character != '"')
                return character;
        }
        if (character < 0)
            tool_fail_at(csv->path, csv->line, "a quote is opened and never closed");
        if (character == '\n')
            csv->next_line++;
        append(csv, character);
    }
}

/* Reads one field whose first character is given; returns the character that ended it: , \n or -1.
 */
static int read_field(struct csv *csv, int character)
{
    start_field(csv);
    if (character == '"') {
        character = read_quoted(csv);
        if (character >= 0 && character != ',' && character != '\n' && character != '\r')
            tool_fail_at(csv->path, csv->next_line, "text follows a closing quote");
    }
    while (character >= 0 && character != ',' && character != '\n' && character != '\r') {
        if (character == '"')
            tool_fail_at(csv->path, csv->next_line, "a quote stands inside a field without quotes");
        if (character == '\0')
            tool_fail_at(csv->path, csv->next_line, "there is a zero byte");
        append(csv, character);
        character = next_character(csv);
    }
    if (character == '\r' && (character = next_character(csv)) != '\n')
        tool_fail_at(csv->path, csv->next_line, "a carriage return does not end the line");
    append(csv, '\0');
    return character;
}

bool csv_read(struct csv *csv)
{
    csv->line = csv->next_line;
    csv->text_length = csv->count = 0;
    int character = next_character(csv);
    if (character < 0)
        return false;
    if (character == '\n')
        tool_fail_at(csv->path, csv->line, "the line is empty");
    int end = read_field(csv, character);
    while (end == ',')
        end = read_field(csv, next_character(csv));
    if (end < 0)
        tool_fail_at(csv->path, csv->next_line, "the last line has no end: the file was cut off");
    csv->next_line++;
    if (csv->columns == 0)
        csv->columns = csv->count;
    if (csv->count != csv->columns)
        tool_fail_at(csv->path, csv->line, "there are %zu fields, the header has %zu", csv->count,
                     csv->columns);
    csv->fields = tool_resize(csv->fields, csv->count * sizeof *csv->fields);
    for (size_t i = 0; i < csv->count; i++)
        csv->fields[i] = csv->text + csv->starts[i];
    return true;
}
