/* trace_read.c: the strict reader of trace.h. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "common/error.h"

#include "trace.h"

enum { LINE_BYTES = 256 };

struct reader {
    struct trace *trace;
    const char *file_name;
    unsigned long line;
    bool header_seen;
    unsigned char *live; /* bit per ID */
};

static enum dm_status wrong_line(struct reader *reader, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static enum dm_status wrong_line(struct reader *reader, const char *format, ...)
{
    char what[160];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    return dm_fail(DM_INVALID, "%s:%lu: %s", reader->file_name, reader->line, what);
}

/* Splits at single blanks, in place. Returns the number of words, most + 1 if there are more or an
 * empty one. */
static int split(char *line, char **words, int most)
{
    int count = 0;
    for (char *at = line; at; count++) {
        if (count == most || *at == ' ' || *at == '\0')
            return most + 1;
        words[count] = at;
        at = strchr(at, ' ');
        if (at)
            *at++ = '\0';
    }
    return count;
}

static bool read_number(const char *word, uint64_t most, uint64_t *number)
{
    *number = 0;
    if (!*word)
        return false;
    for (; *word; word++) {
        if (*word < '0' || *word > '9')
            return false;
        uint64_t digit = (uint64_t)(*word - '0');
        if (*number > (most - digit) / 10)
            return false;
        *number = *number * 10 + digit;
    }
    return *number <= most;
}

static enum dm_status read_header(struct reader *reader, char **words, int count)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    if (count != 4 || strcmp(words[0], "trace") != 0)
        return wrong_line(reader, "a trace begins with the line: trace 1 NAME SEED");
    if (strcmp(words[1], "1") != 0)
        return wrong_line(reader, "format version %.20s is unknown; this program reads 1",
                          words[1]);
    size_t length = strlen(words[2]);
    if (length >= TRACE_NAME_BYTES || strspn(words[2], allowed) != length)
        return wrong_line(reader, "a name has at most %d letters, digits and underscores",
                          TRACE_NAME_BYTES - 1);
    memcpy(reader->trace->name, words[2], length + 1);
    if (!read_number(words[3], UINT64_MAX, &reader->trace->seed))
        return wrong_line(reader, "the seed is not a number: %.40s", words[3]);
    reader->header_seen = true;
    return DM_OK;
}

static bool is_live(const struct reader *reader, uint64_t id)
{
    return reader->live[id / 8] >> id % 8 & 1;
}

static enum dm_status read_event(struct reader *reader, char **words, int count)
{
    static const char kinds[] = "afruw";
    const char *kind = strlen(words[0]) == 1 ? strchr(kinds, words[0][0]) : NULL;
    if (!kind)
        return wrong_line(reader, "unknown event %.40s: a, f, r, u or w is expected", words[0]);
    struct trace_event event = {.kind = (uint8_t)(kind - kinds)};
    bool allocates = event.kind == TRACE_ALLOCATE, releases = event.kind == TRACE_RELEASE;
    if (count != (releases ? 2 : 3))
        return wrong_line(reader, "%c has %s", *kind,
                          releases    ? "one number: ID"
                          : allocates ? "two numbers: ID ELEMENTS"
                                      : "two numbers: ID DEVICE");
    uint64_t id, number = 0;
    if (!read_number(words[1], TRACE_IDS_MAX - 1, &id))
        return wrong_line(reader, "%.40s is not an ID: a number below %d is expected", words[1],
                          TRACE_IDS_MAX);
    if (allocates && (!read_number(words[2], (uint64_t)1 << 40, &number) || number == 0))
        return wrong_line(reader, "%.40s is not a number of elements from 1 to 2^40", words[2]);
    if (!allocates && !releases && !read_number(words[2], TRACE_DEVICES_MAX - 1, &number))
        return wrong_line(reader, "%.40s is not a device from 0 to %d", words[2],
                          TRACE_DEVICES_MAX - 1);
    if (is_live(reader, id) == allocates)
        return wrong_line(reader, "block %llu is %s", (unsigned long long)id,
                          allocates ? "allocated already" : "not allocated");
    if (allocates || releases)
        reader->live[id / 8] ^= (unsigned char)(1u << id % 8);
    event.id = (uint32_t)id;
    if (allocates)
        event.elements = number;
    else
        event.device = (uint8_t)number;
    return trace_add(reader->trace, event);
}

static enum dm_status read_line(struct reader *reader, FILE *file, char *line, bool *end)
{
    size_t length = 0;
    int c;
    reader->line++;
    while ((c = getc(file)) != EOF && c != '\n') {
        if (c == '\0' || length == LINE_BYTES - 1)
            return wrong_line(reader,
                              c ? "the line is longer than %d characters"
                                : "there is a zero byte within the first %d characters",
                              LINE_BYTES - 1);
        line[length++] = (char)c;
    }
    line[length] = '\0';
    *end = c == EOF && length == 0;
    if (c == EOF && ferror(file))
        return error_errno("%s cannot be read", reader->file_name);
    if (c == EOF && length > 0)
        return wrong_line(reader, "the last line has no end: the file was cut off");
    return DM_OK;
}

static enum dm_status read_lines(struct reader *reader, FILE *file)
{
    char line[LINE_BYTES];
    char *words[4] = {0};
    for (;;) {
        bool end = false;
        TRY(read_line(reader, file, line, &end));
        if (end)
            return reader->header_seen ? DM_OK : wrong_line(reader, "the file holds no trace");
        if (line[0] == '#')
            continue;
        int count = split(line, words, 4);
        if (count > 4)
            return wrong_line(reader, "one to four words separated by single blanks are expected");
        TRY(reader->header_seen ? read_event(reader, words, count)
                                : read_header(reader, words, count));
    }
}

enum dm_status trace_read(struct trace *trace, FILE *file, const char *file_name)
{
    *trace = (struct trace){0};
    struct reader reader = {
        .trace = trace, .file_name = file_name, .live = calloc(TRACE_IDS_MAX / 8, 1)};
    enum dm_status status =
        reader.live ? read_lines(&reader, file) : error_no_memory(TRACE_IDS_MAX / 8);
    free(reader.live);
    if (status != DM_OK)
        trace_free(trace);
    return status;
}
