/* Functions and types of a C file that its kernels need in theirs. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "translate.h"

static size_t place_in(CXCursor cursor)
{
    size_t begin, end;
    source_range(cursor, &begin, &end);
    return begin;
}

static int by_place(const void *a, const void *b)
{
    size_t left = place_in(*(const CXCursor *)a), right = place_in(*(const CXCursor *)b);
    return (left > right) - (left < right);
}

/* Behind the words that say how a function is linked. */
static const char *without_linkage(const char *text)
{
    static const char *const words[] = {"static", "inline", "extern", "__inline", "__inline__"};
    for (size_t w = 0; w < sizeof words / sizeof *words;) {
        size_t length = strlen(words[w]);
        if (strncmp(text, words[w], length) == 0 && isspace((unsigned char)text[length])) {
            text += length;
            while (isspace((unsigned char)*text))
                text++;
            w = 0;
        } else {
            w++;
        }
    }
    return text;
}

static void emit_enumeration(CXCursor cursor, struct text *text)
{
    struct cursors constants = source_children(cursor);
    const char *name = keep_string(clang_getCursorSpelling(cursor));
    text_add(text, "enum %s {\n", strchr(name, '(') ? "" : name);
    for (int c = 0; c < constants.count; c++)
        text_add(text, "%s = %lld,\n", keep_string(clang_getCursorSpelling(constants.at[c])),
                 clang_getEnumConstantDeclValue(constants.at[c]));
    text_add(text, "};\n");
}

/* A definition that holds another one writes it as well. */
static bool is_within_another(const struct cursors *all, int index)
{
    for (int c = 0; c < all->count; c++)
        if (c != index && source_within(all->at[index], all->at[c]) &&
            place_in(all->at[c]) <= place_in(all->at[index]) &&
            !clang_equalCursors(all->at[c], all->at[index]))
            return true;
    return false;
}

void emit_declarations(const struct loop *loops, int count, struct text *text)
{
    struct cursors all = {0};
    for (int l = 0; l < count; l++) {
        for (int t = 0; t < loops[l].types.count; t++)
            source_add(&all, loops[l].types.at[t]);
        for (int f = 0; f < loops[l].functions.count; f++)
            source_add(&all, loops[l].functions.at[f]);
    }
    if (all.count)
        qsort(all.at, (size_t)all.count, sizeof *all.at, by_place);
    for (int c = 0; c < all.count; c++) {
        enum CXCursorKind kind = clang_getCursorKind(all.at[c]);
        if (is_within_another(&all, c))
            continue;
        if (kind == CXCursor_EnumDecl)
            emit_enumeration(all.at[c], text);
        else if (kind == CXCursor_FunctionDecl)
            text_add(text, "static __device__ %s\n",
                     without_linkage(source_text(loops[0].source, all.at[c])));
        else
            text_add(text, "%s;\n", source_text(loops[0].source, all.at[c]));
    }
}
