/* partition_map_text.c: memory that lives until the end, files, lines. */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "partition_map.h"

static struct block {
    struct block *next;
    max_align_t memory[];
} * blocks;

void map_fail(const char *format, ...)
{
    va_list arguments;
    fputs("partition-map: ", stderr);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    _Exit(1); /* what is still held needs no release */
}

void *map_allocate(size_t bytes)
{
    struct block *block = calloc(1, sizeof *block + bytes);
    if (!block)
        map_fail("there is no memory for %zu bytes", bytes);
    block->next = blocks;
    blocks = block;
    return block->memory;
}

void map_release(void)
{
    while (blocks) {
        struct block *next = blocks->next;
        free(blocks);
        blocks = next;
    }
}

char *map_format(const char *format, ...)
{
    va_list arguments;
    char *text;
    va_start(arguments, format);
    int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    if (length < 0)
        map_fail("there is no memory for a text");
    char *copy = map_copy(text, (size_t)length);
    free(text);
    return copy;
}

char *map_copy(const char *begin, size_t length)
{
    char *text = map_allocate(length + 1);
    memcpy(text, begin, length);
    return text;
}

void *map_grow(void *items, size_t count, size_t item_bytes)
{
    bool is_full = (count & (count - 1)) == 0; /* 0 or a power of two: the capacities */
    if (!is_full)
        return items;
    void *grown = map_allocate((count ? 2 * count : 1) * item_bytes);
    if (count)
        memcpy(grown, items, count * item_bytes);
    return grown;
}

/* Of a file; a device may have no end. */
enum { BYTES_MAX = 256 << 20 };

char *map_read_file(const char *path)
{
    FILE *file = fopen(path, "r");
    if (!file)
        map_fail("%s: %s", path, strerror(errno));
    char *text = map_allocate(1);
    size_t length = 0, capacity = 0, got;
    do {
        if (length == capacity) {
            char *larger = map_allocate((capacity = 2 * capacity + 65536) + 1);
            memcpy(larger, text, length);
            text = larger;
        }
        got = fread(text + length, 1, capacity - length, file);
        length += got;
    } while (got && length <= BYTES_MAX);
    if (length > BYTES_MAX)
        map_fail("%s has more than %d bytes", path, BYTES_MAX);
    bool is_bad = ferror(file);
    fclose(file);
    if (is_bad)
        map_fail("%s cannot be read", path);
    if (memchr(text, 0, length))
        map_fail("%s is not a text", path);
    return text;
}

static char *trim(char *line, char *end)
{
    while (line < end && isspace((unsigned char)*line))
        line++;
    while (end > line && isspace((unsigned char)end[-1]))
        end--;
    *end = 0;
    return line;
}

struct map_lines map_read_lines(const char *path)
{
    struct map_lines lines = {.path = path};
    char *next = map_read_file(path);
    while (*next) {
        char *end = next + strcspn(next, "\n");
        char *after = *end ? end + 1 : end;
        lines.items = map_grow(lines.items, lines.count, sizeof *lines.items);
        lines.items[lines.count++] = trim(next, end);
        next = after;
    }
    return lines;
}

bool map_starts(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

size_t map_name_length(const char *text)
{
    size_t length = 0;
    while (isalnum((unsigned char)text[length]) || (text[length] && strchr("_.$", text[length])))
        length++;
    return length;
}

char *map_isl_name(const char *name, size_t length)
{
    char *copy = map_copy(name, length);
    for (char *c = copy; *c; c++)
        if (!isalnum((unsigned char)*c))
            *c = '_';
    return copy;
}
