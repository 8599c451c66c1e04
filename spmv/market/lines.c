#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "lines.h"

/* Deflate makes a text at most so many times shorter (zlib's documentation, "Maximum compression
 * factor"). */
static const double compression_max = 1032;
/* Of a comment; what counts is at most SPARSE_MARKET_LINE long. */
static const size_t line_bytes_max = (size_t)16 << 20;
/* Comments and empty lines between two that count. */
enum { COMMENTS_MAX = 1 << 20 };

enum dm_status sparse_market_open(struct sparse_market_lines *lines, const char *path)
{
    struct stat status;
    lines->name = path;
    errno = 0;
    lines->file = gzopen(path, "rb");
    if (!lines->file)
        return dm_fail(DM_FAILED, "%.150s: %s", path, errno ? strerror(errno) : "no memory");
    gzbuffer(lines->file, SPARSE_MARKET_BLOCK);
    lines->bytes_max = INFINITY;
    if (stat(path, &status) == 0 && S_ISREG(status.st_mode))
        lines->bytes_max =
            gzdirect(lines->file) ? (double)status.st_size : compression_max * status.st_size;
    return DM_OK;
}

void sparse_market_close(struct sparse_market_lines *lines)
{
    if (lines->file)
        gzclose(lines->file);
}

static enum dm_status unreadable(struct sparse_market_lines *lines)
{
    int code;
    int reason = errno;
    const char *words = gzerror(lines->file, &code);
    return dm_fail(DM_FAILED, "%.100s: line %ld: %s", lines->name, lines->number,
                   code == Z_ERRNO       ? strerror(reason)
                   : code == Z_BUF_ERROR ? "the compressed file ends too early"
                                         : words);
}

/* Nothing is filled at the end. */
static enum dm_status fill_block(struct sparse_market_lines *lines)
{
    lines->at = 0;
    if (!lines->file) {
        lines->filled =
            lines->memory_bytes < SPARSE_MARKET_BLOCK ? lines->memory_bytes : SPARSE_MARKET_BLOCK;
        memcpy(lines->block, lines->memory, lines->filled);
        lines->memory += lines->filled;
        lines->memory_bytes -= lines->filled;
        return DM_OK;
    }
    int code, got = gzread(lines->file, lines->block, SPARSE_MARKET_BLOCK);
    lines->filled = got > 0 ? (size_t)got : 0;
    if (got > 0)
        return DM_OK;
    gzerror(lines->file, &code);
    return code == Z_OK || code == Z_STREAM_END ? DM_OK : unreadable(lines);
}

/* Adds to the line what the block has of it; what does not fit is dropped. */
static void append(struct sparse_market_lines *lines, size_t *length, const char *bytes,
                   size_t count)
{
    size_t room = SPARSE_MARKET_LINE - *length;
    lines->is_too_long |= count > room;
    count = count > room ? room : count;
    memcpy(lines->line + *length, bytes, count);
    *length += count;
}

/* What is no text, or a line without end, such as a device's, is read no further. */
static enum dm_status check_text(struct sparse_market_lines *lines, const char *bytes, size_t count)
{
    lines->line_bytes += count;
    if (lines->line_bytes > line_bytes_max)
        return sparse_market_expected(lines, "a longer one", "a line of at most %zu bytes",
                                      line_bytes_max);
    return memchr(bytes, 0, count) ? sparse_market_expected(lines, "a zero byte", "text") : DM_OK;
}

enum dm_status sparse_market_any_line(struct sparse_market_lines *lines, bool *is_line)
{
    size_t length = 0;
    const char *newline = NULL;
    lines->line_bytes = 0;
    lines->number++;
    lines->is_too_long = false;
    *is_line = false;
    while (!newline) {
        if (lines->at == lines->filled)
            TRY(fill_block(lines));
        if (lines->filled == 0 && !*is_line)
            return DM_OK;
        if (lines->filled == 0)
            break; /* the last line need not end */
        *is_line = true;
        const char *from = lines->block + lines->at;
        newline = memchr(from, '\n', lines->filled - lines->at);
        size_t count = newline ? (size_t)(newline - from) : lines->filled - lines->at;
        TRY(check_text(lines, from, count));
        append(lines, &length, from, count);
        lines->at += count + (newline != NULL);
    }
    lines->line[length] = '\0';
    lines->next = lines->line;
    return DM_OK;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

static void skip_blanks(struct sparse_market_lines *lines)
{
    while (is_blank(*lines->next))
        lines->next++;
}

enum dm_status sparse_market_next_line(struct sparse_market_lines *lines, bool *is_line)
{
    for (int comments = 0;; comments++) {
        TRY(sparse_market_any_line(lines, is_line));
        if (!*is_line)
            return DM_OK;
        if (comments == COMMENTS_MAX)
            return sparse_market_expected(lines, "more", "at most %d comments and empty lines",
                                          COMMENTS_MAX);
        skip_blanks(lines);
        if (*lines->next == '%' || (*lines->next == '\0' && !lines->is_too_long))
            continue;
        if (!lines->is_too_long)
            return DM_OK;
        return sparse_market_expected(lines, "a longer one", "a line of at most %d characters",
                                      SPARSE_MARKET_LINE);
    }
}

char *sparse_market_word(struct sparse_market_lines *lines)
{
    skip_blanks(lines);
    char *word = lines->next;
    while (*lines->next && !is_blank(*lines->next))
        lines->next++;
    if (*lines->next)
        *lines->next++ = '\0';
    return word;
}

enum dm_status sparse_market_expected(struct sparse_market_lines *lines, const char *word,
                                      const char *what, ...)
{
    char expected[100], found[40];
    va_list arguments;
    va_start(arguments, what);
    vsnprintf(expected, sizeof expected, what, arguments);
    va_end(arguments);
    snprintf(found, sizeof found, "%s", *word ? word : "the end of the line");
    for (char *c = found; *c; c++)
        if (!isprint((unsigned char)*c))
            *c = '?';
    return dm_fail(DM_INVALID, "%.90s: line %ld: expected %s, found %s", lines->name, lines->number,
                   expected, found);
}

/* Whole numbers are the bulk of a file: strtoll would take twice the time. False: none, or too
 * large. */
static bool read_digits(const char *word, int64_t maximum, int64_t *number)
{
    int64_t value = 0;
    const char *c = word;
    for (; *c >= '0' && *c <= '9'; c++) {
        int digit = *c - '0';
        if (digit > maximum || value > (maximum - digit) / 10)
            return false;
        value = 10 * value + digit;
    }
    *number = value;
    return *c == '\0' && c > word;
}

enum dm_status sparse_market_index(struct sparse_market_lines *lines, const char *what,
                                   int64_t minimum, int64_t maximum, int64_t *number)
{
    const char *word = sparse_market_word(lines);
    if (read_digits(word, maximum, number) && *number >= minimum)
        return DM_OK;
    return sparse_market_expected(lines, word, "%s from %lld to %lld", what, (long long)minimum,
                                  (long long)maximum);
}

enum dm_status sparse_market_number(struct sparse_market_lines *lines, bool is_integer,
                                    double *number)
{
    const char *word = sparse_market_word(lines);
    const char *allowed = is_integer ? "+-0123456789" : "+-.0123456789eE";
    char *end;
    *number = strtod(word, &end); /* takes more, such as 0x10 and nan */
    if (end == word || *end != '\0' || word[strspn(word, allowed)] != '\0')
        return sparse_market_expected(lines, word, "%s",
                                      is_integer ? "a whole number" : "a number such as -1.25e3");
    if (!isfinite(*number))
        return sparse_market_expected(lines, word, "a number within 1.8e308");
    return DM_OK;
}

enum dm_status sparse_market_end_line(struct sparse_market_lines *lines)
{
    const char *word = sparse_market_word(lines);
    return *word == '\0' ? DM_OK : sparse_market_expected(lines, word, "the end of the line");
}
