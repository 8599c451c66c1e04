/* The one error of a compilation: where, what, the line of the source with a mark, and memory that
 * fails loudly. */
#include <stdarg.h>
#include <string.h>

#include "prefetch/sial/compiler.h"

enum { EXCERPT = 90, FILE_NAME_MAX = 200 };

/* The window of a line that holds the column, which may be just behind the end. */
static void choose_window(size_t length, size_t column, size_t *begin, size_t *end)
{
    *begin = column > EXCERPT * 3 / 4 ? column - EXCERPT * 3 / 4 : 0;
    *end = length - *begin > EXCERPT ? *begin + EXCERPT : length;
}

static bool continues_character(char c)
{
    return ((unsigned char)c & 0xc0) == 0x80;
}

/* Appends the source line and a mark under the column. */
static void append_excerpt(char *text, size_t bytes, const struct sial_file *file,
                           struct place place)
{
    const char *line = file->text + file->line_starts[place.line - 1];
    size_t length = strcspn(line, "\r\n"), column = (size_t)place.column - 1, begin, end;
    if (column > length)
        column = length;
    choose_window(length, column, &begin, &end);
    char shown[EXCERPT + 1], mark[EXCERPT + 1];
    size_t marks = 0;
    for (size_t i = begin; i < end; i++) {
        unsigned char c = (unsigned char)line[i];
        shown[i - begin] = (c < ' ' && c != '\t') || c == 0x7f ? '?' : line[i];
        if (i < column && !continues_character(line[i]))
            mark[marks++] = c == '\t' ? '\t' : ' ';
    }
    shown[end - begin] = mark[marks] = '\0';
    size_t used = strlen(text);
    snprintf(text + used, bytes - used, "\n%5d | %s\n      | %s^", place.line, shown, mark);
}

void sial_fail(struct compiler *compiler, struct place place, const char *format, ...)
{
    const struct sial_file *file = &compiler->program->files[place.file];
    char message[512], text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    size_t length = strlen(file->name);
    snprintf(text, sizeof text, "%s:%d:%d: %s",
             file->name + (length > FILE_NAME_MAX ? length - FILE_NAME_MAX : 0), place.line,
             place.column, message);
    append_excerpt(text, sizeof text, file, place);
    compiler->status = dm_fail(DM_INVALID, "%s", text);
    longjmp(compiler->failed, 1);
}

void sial_fail_nowhere(struct compiler *compiler, enum dm_status status, const char *format, ...)
{
    char message[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    compiler->status = dm_fail(status, "%s", message);
    longjmp(compiler->failed, 1);
}

static void *check_memory(struct compiler *compiler, void *taken)
{
    if (!taken)
        sial_fail_nowhere(compiler, DM_NO_MEMORY, "no memory is left for the compilation");
    return taken;
}

void *sial_take(struct compiler *compiler, size_t bytes)
{
    return check_memory(compiler, arena_take(&compiler->scratch, bytes));
}

void *sial_keep(struct compiler *compiler, size_t bytes)
{
    return check_memory(compiler, arena_take(compiler->lasting, bytes));
}

char *sial_keep_text(struct compiler *compiler, const char *text, size_t length)
{
    char *kept = sial_keep(compiler, length + 1);
    memcpy(kept, text, length);
    return kept;
}

/* A table has room for a power of 2, so that its capacity follows from its count. */
void *sial_room(struct compiler *compiler, void *table, int count, size_t bytes_each)
{
    enum { FIRST = 8 };
    if (count == 0)
        return sial_keep(compiler, FIRST * bytes_each);
    if (count < FIRST || (count & (count - 1)) != 0)
        return table;
    void *larger = sial_keep(compiler, 2 * (size_t)count * bytes_each);
    return memcpy(larger, table, (size_t)count * bytes_each);
}
