/* Texts that grow, memory that is kept, and diagnostics. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "translate.h"

/* All that is kept, so that it is still reachable at the end. */
static struct kept {
    struct kept *before;
    max_align_t bytes[];
} * last_kept;

static void fail_no_memory(void) __attribute__((noreturn));
static void fail_no_memory(void)
{
    fputs("pipelinecc: error: out of memory\n", stderr);
    exit(1);
}

void *keep(size_t bytes)
{
    struct kept *kept = calloc(1, sizeof *kept + bytes);
    if (!kept)
        fail_no_memory();
    kept->before = last_kept;
    last_kept = kept;
    return kept->bytes;
}

char *keep_bytes(const char *bytes, size_t length)
{
    char *copy = keep(length + 1);
    memcpy(copy, bytes, length);
    return copy;
}

char *keep_format(const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    size_t length = (size_t)vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    char *text = keep(length + 1);
    vsnprintf(text, length + 1, format, again);
    va_end(again);
    return text;
}

char *keep_string(CXString string)
{
    const char *bytes = clang_getCString(string);
    char *copy = keep_bytes(bytes ? bytes : "", bytes ? strlen(bytes) : 0);
    clang_disposeString(string);
    return copy;
}

void text_add_bytes(struct text *text, const char *bytes, size_t length)
{
    if (text->length + length + 1 > text->room) {
        size_t room = 2 * (text->length + length + 1);
        char *larger = keep(room);
        if (text->length)
            memcpy(larger, text->bytes, text->length);
        text->bytes = larger;
        text->room = room;
    }
    memcpy(text->bytes + text->length, bytes, length);
    text->length += length;
    text->bytes[text->length] = 0;
}

void text_add(struct text *text, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    size_t length = (size_t)vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    char *bytes = malloc(length + 1);
    if (!bytes)
        fail_no_memory();
    vsnprintf(bytes, length + 1, format, again);
    va_end(again);
    text_add_bytes(text, bytes, length);
    free(bytes);
}

static void say(struct place place, const char *kind, const char *format, va_list arguments)
{
    fprintf(stderr, "%s:%u:%u: %s: ", place.file, place.line, place.column, kind);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
}

void error_at(struct place place, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say(place, "error", format, arguments);
    va_end(arguments);
    exit(1);
}

void warn_at(struct place place, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say(place, "warning", format, arguments);
    va_end(arguments);
}
