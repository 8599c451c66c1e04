/* Sources and their syntax trees. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "translate.h"

static void read_file(struct source *source)
{
    FILE *file = fopen(source->path, "rb");
    char part[65536];
    size_t length;
    struct text text = {0};
    if (!file) {
        fprintf(stderr, "pipelinecc: error: %s cannot be read\n", source->path);
        exit(1);
    }
    text_add_bytes(&text, "", 0);
    while ((length = fread(part, 1, sizeof part, file)) > 0)
        text_add_bytes(&text, part, length);
    fclose(file);
    source->bytes = text.bytes;
    source->length = text.length;
}

/* The compiler's own errors, as it says them. */
static void stop_at_errors(const struct source *source)
{
    bool errors = false;
    for (unsigned d = 0; d < clang_getNumDiagnostics(source->unit); d++) {
        CXDiagnostic diagnostic = clang_getDiagnostic(source->unit, d);
        if (clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error) {
            CXString text = clang_formatDiagnostic(diagnostic, CXDiagnostic_DisplaySourceLocation |
                                                                   CXDiagnostic_DisplayColumn);
            fprintf(stderr, "%s\n", clang_getCString(text));
            clang_disposeString(text);
            errors = true;
        }
        clang_disposeDiagnostic(diagnostic);
    }
    if (errors)
        exit(1);
}

void source_open(struct source *source, const char *path, const char *language, int flag_count,
                 const char *const *flags)
{
    static CXIndex index;
    const char **all = keep(sizeof *all * (size_t)(flag_count + 3));
    if (!index)
        index = clang_createIndex(0, 0);
    source->path = path;
    read_file(source);
    all[0] = "-x";
    all[1] = language;
    all[2] = "-Wno-everything";
    for (int f = 0; f < flag_count; f++)
        all[3 + f] = flags[f];
    struct CXUnsavedFile contents = {path, source->bytes, source->length};
    enum CXErrorCode code = clang_parseTranslationUnit2(index, path, all, flag_count + 3, &contents,
                                                        1, CXTranslationUnit_None, &source->unit);
    if (code != CXError_Success) {
        fprintf(stderr, "%s: error: libclang cannot parse this file (code %d)\n", path, (int)code);
        exit(1);
    }
    source->file = clang_getFile(source->unit, path);
    stop_at_errors(source);
}

static size_t offset_of(CXSourceLocation location)
{
    unsigned offset;
    clang_getSpellingLocation(location, NULL, NULL, NULL, &offset);
    return offset;
}

void source_range(CXCursor cursor, size_t *begin, size_t *end)
{
    CXSourceRange range = clang_getCursorExtent(cursor);
    *begin = offset_of(clang_getRangeStart(range));
    *end = offset_of(clang_getRangeEnd(range));
}

char *source_text(const struct source *source, CXCursor cursor)
{
    size_t begin, end;
    source_range(cursor, &begin, &end);
    return keep_bytes(source->bytes + begin, end - begin);
}

char *source_type(CXType type)
{
    static const char *const words[] = {"const ", "volatile "};
    char *name = keep_string(clang_getTypeSpelling(clang_getCanonicalType(type)));
    for (int w = 0; w < 2; w++)
        for (char *at; (at = strstr(name, words[w])) == name;)
            name += strlen(words[w]);
    return name;
}

/* The offset where a line begins. */
static size_t line_begin(const struct source *source, unsigned line)
{
    size_t at = 0;
    while (line > 1 && at < source->length)
        line -= source->bytes[at++] == '\n';
    return at;
}

static size_t pass_blanks(const char *bytes, size_t at, size_t end)
{
    while (at < end && (bytes[at] == ' ' || bytes[at] == '\t'))
        at++;
    return at;
}

/* The column in the file as it was written: the preprocessor changes blanks, and where it expanded
 * a macro the column is the macro's. */
static unsigned written_column(const struct source *source, size_t offset, unsigned line)
{
    const struct source *written = source->written;
    size_t at = offset, to = line_begin(written, line), first = to;
    while (at > 0 && source->bytes[at - 1] != '\n')
        at--;
    while (at < offset && to < written->length && written->bytes[to] != '\n') {
        at = pass_blanks(source->bytes, at, offset);
        to = pass_blanks(written->bytes, to, written->length);
        if (at >= offset || source->bytes[at] != written->bytes[to])
            break;
        at++, to++;
    }
    to = pass_blanks(written->bytes, to, written->length);
    return (unsigned)(to - first) + 1;
}

struct place source_place(const struct source *source, CXCursor cursor)
{
    CXString file;
    struct place place;
    CXSourceLocation location = clang_getRangeStart(clang_getCursorExtent(cursor));
    clang_getPresumedLocation(location, &file, &place.line, &place.column);
    place.file = keep_string(file);
    if (source->written && strcmp(place.file, source->written->path) == 0)
        place.column = written_column(source, offset_of(location), place.line);
    return place;
}

static enum CXChildVisitResult collect(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct cursors *cursors = data;
    (void)parent;
    if (cursors->at)
        cursors->at[cursors->count] = cursor;
    cursors->count++;
    return CXChildVisit_Continue;
}

struct cursors source_children(CXCursor cursor)
{
    struct cursors children = {0};
    clang_visitChildren(cursor, collect, &children);
    children.at = keep(sizeof *children.at * (size_t)(children.count + 1));
    children.count = 0;
    clang_visitChildren(cursor, collect, &children);
    return children;
}

/* Unless it is there already. */
void source_add(struct cursors *cursors, CXCursor cursor)
{
    for (int c = 0; c < cursors->count; c++)
        if (clang_equalCursors(cursors->at[c], cursor))
            return;
    CXCursor *more = keep(sizeof *more * (size_t)(cursors->count + 1));
    if (cursors->count)
        memcpy(more, cursors->at, sizeof *more * (size_t)cursors->count);
    more[cursors->count++] = cursor;
    cursors->at = more;
}

bool source_within(CXCursor cursor, CXCursor outer)
{
    size_t begin, end, first, last;
    source_range(outer, &begin, &end);
    source_range(cursor, &first, &last);
    return first >= begin && last <= end;
}

CXCursor source_strip(CXCursor cursor)
{
    while (clang_getCursorKind(cursor) == CXCursor_UnexposedExpr ||
           clang_getCursorKind(cursor) == CXCursor_ParenExpr) {
        struct cursors children = source_children(cursor);
        if (children.count != 1)
            break;
        cursor = children.at[0];
    }
    return cursor;
}

char *source_operator(const struct source *source, CXCursor cursor)
{
    struct cursors children = source_children(cursor);
    size_t begin, end, unused;
    if (children.count < 2)
        return "";
    source_range(children.at[0], &unused, &begin);
    source_range(children.at[1], &end, &unused);
    while (begin < end && isspace((unsigned char)source->bytes[begin]))
        begin++;
    while (end > begin && isspace((unsigned char)source->bytes[end - 1]))
        end--;
    return keep_bytes(source->bytes + begin, end > begin ? end - begin : 0);
}
