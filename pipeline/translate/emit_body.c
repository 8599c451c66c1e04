/* The body of a loop as text of a kernel: accesses to mapped arrays become those to slots. */
#include <string.h>

#include "translate.h"

/* ---- one access ---- */

/* An index as it was written, with the accesses within it. */
static char *index_text(const struct loop *loop, CXCursor index)
{
    struct text text = {0};
    emit_cursor(loop, index, &text);
    return text.bytes;
}

/* Of the dimensions but the split one: as one number. */
static char *linear_text(const struct loop *loop, const struct access *access)
{
    struct text text = {0};
    bool first = true;
    for (int d = 0; d < access->array->dimensions; d++) {
        if (d == access->array->split)
            continue;
        struct text more = {0};
        if (first)
            text_add(&more, "(%s)", index_text(loop, access->indices[d]));
        else
            text_add(&more, "(%s * (%s) + (%s))", text.bytes,
                     expression_text(loop, &access->array->extents[d]),
                     index_text(loop, access->indices[d]));
        text = more;
        first = false;
    }
    return text.bytes ? text.bytes : "0";
}

static void emit_pointer(const struct loop *loop, const struct access *access, int number,
                         struct text *text)
{
    const struct array *array = access->array;
    char *slice = expression_text(loop, &access->at), *inner = expression_text(loop, &array->inner);
    struct polynomial one = polynomial_number(1);
    const char *index = index_text(loop, access->indices[0]);
    if (array->split < 0) {
        text_add(text, "((%s *)dm_arrays[%d].base)[%s]", array->element, number, index);
        return;
    }
    if (!expression_is_plain(loop, &access->at))
        error_at(source_place(loop->source, access->cursor),
                 "this index of `%s` is not supported: write `%s` and constants, or declare it as "
                 "`(*%s)[columns]`",
                 array->name, loop->counter->name, array->name);
    const char *rest = expression_is_plain(loop, &access->rest)
                           ? expression_text(loop, &access->rest)
                           : keep_format("(%s) - (%s) * (%s)", index, slice, inner);
    if (polynomial_equal(&array->unit, &one)) {
        text_add(text, "dm_slice<%s>(dm_arrays[%d], %s)[%s]", array->element, number, slice, rest);
        return;
    }
    char *unit = expression_text(loop, &array->unit);
    text_add(text, "dm_slice<%s>(dm_arrays[%d], (%s) / (%s))[(%s) %% (%s) * (%s) + %s]",
             array->element, number, slice, unit, slice, unit, inner, rest);
}

static void emit_access(const struct loop *loop, const struct access *access, struct text *text)
{
    const struct array *array = access->array;
    const int number = (int)(array - loop->arrays);
    struct polynomial one = polynomial_number(1);
    if (access->index_count == 1 && array->pointer) {
        emit_pointer(loop, access, number, text);
        return;
    }
    const char *linear = linear_text(loop, access);
    if (array->split < 0) {
        text_add(text, "((%s *)dm_arrays[%d].base)[%s]", array->element, number, linear);
        return;
    }
    const char *at = index_text(loop, access->indices[array->split]);
    const char *slice = at, *within = "0";
    if (!polynomial_equal(&array->unit, &one)) {
        const char *unit = expression_text(loop, &array->unit);
        slice = keep_format("(%s) / (%s)", at, unit);
        within = keep_format("(long)((%s) %% (%s))", at, unit);
    }
    text_add(text, "dm_slice<%s>(dm_arrays[%d], %s)[", array->element, number, slice);
    if (array->split == 0) {
        text_add(text, "%s * (%s) + %s]", within, expression_text(loop, &array->inner), linear);
        return;
    }
    struct polynomial inner = array->inner;
    const char *size = expression_text(loop, &inner);
    if (polynomial_equal(&inner, &one))
        text_add(text, "%s * dm_pitch<%s>(dm_arrays[%d]) + %s]", linear, array->element, number,
                 within);
    else
        text_add(text, "%s / (%s) * dm_pitch<%s>(dm_arrays[%d]) + %s * (%s) + %s %% (%s)]", linear,
                 size, array->element, number, within, size, linear, size);
}

/* A sum over all iterations: threads of any of them add to it. */
static void emit_addition(const struct loop *loop, const struct access *access, struct text *text)
{
    struct cursors children = source_children(access->assignment);
    text_add(text, "pipeline_add(&");
    emit_access(loop, access, text);
    text_add(text, ", (%s)(", access->array->element);
    emit_cursor(loop, children.at[1], text);
    text_add(text, "))");
}

/* ---- text ---- */

/* The first access in [begin, end), and where what it replaces ends; of those that begin at the
 * same place the longest. */
static const struct access *next_access(const struct loop *loop, size_t begin, size_t end,
                                        size_t *first, size_t *last)
{
    const struct access *next = NULL;
    for (int a = 0; a < loop->access_count; a++) {
        const struct access *access = &loop->accesses[a];
        size_t from, to;
        source_range(access->array->sums && access->adds ? access->assignment : access->cursor,
                     &from, &to);
        if (from < begin || to > end ||
            (next && (from > *first || (from == *first && to <= *last))))
            continue;
        next = access;
        *first = from;
        *last = to;
    }
    return next;
}

void emit_range(const struct loop *loop, size_t begin, size_t end, struct text *text)
{
    size_t first, last;
    const struct access *access;
    while ((access = next_access(loop, begin, end, &first, &last))) {
        text_add_bytes(text, loop->source->bytes + begin, first - begin);
        if (access->array->sums && access->adds)
            emit_addition(loop, access, text);
        else
            emit_access(loop, access, text);
        begin = last;
    }
    text_add_bytes(text, loop->source->bytes + begin, end - begin);
}

void emit_cursor(const struct loop *loop, CXCursor cursor, struct text *text)
{
    size_t begin, end;
    source_range(cursor, &begin, &end);
    emit_range(loop, begin, end, text);
}

/* ---- statements of a block of threads ---- */

static bool writes_array(const struct loop *loop, CXCursor statement)
{
    for (int a = 0; a < loop->access_count; a++)
        if (loop->accesses[a].written && source_within(loop->accesses[a].cursor, statement))
            return true;
    return false;
}

/* A loop with a sum: each thread sums its part of it. */
static void emit_sum(const struct loop *loop, const struct pragma *pragma, CXCursor statement,
                     struct text *text)
{
    struct counter *counter = read_head((struct loop *)loop, statement);
    const char *name = pragma->reductions.names[0];
    if (pragma->reductions.count != 1 || pragma->collapse != 1)
        error_at(pragma->place, "a reduction of one variable and one loop is supported: write one "
                                "loop for each");
    text_add(text, "{\nauto dm_sum = %s;\n{\nauto %s = dm_sum;\n%s = %d;\n", name, name, name,
             pragma->operation == '*');
    emit_shared_head(loop, &counter, 1, text);
    emit_cursor(loop, counter->body, text);
    text_add(text, ";\n}\n}\n}\ndm_sum = dm_sum %c pipeline_block_%s(%s);\n}\n%s = dm_sum;\n}\n",
             pragma->operation, pragma->operation == '*' ? "product" : "sum", name, name);
}

static void emit_shared(const struct loop *loop, const struct pragma *pragma, CXCursor statement,
                        struct text *text)
{
    struct counter *counters[LOOP_COUNTERS];
    if (pragma->reductions.count) {
        emit_sum(loop, pragma, statement, text);
        return;
    }
    for (int c = 0; c < pragma->collapse; c++) {
        counters[c] = read_head((struct loop *)loop, statement);
        struct cursors children = source_children(counters[c]->body);
        statement =
            clang_getCursorKind(counters[c]->body) == CXCursor_CompoundStmt && children.count == 1
                ? children.at[0]
                : counters[c]->body;
    }
    emit_shared_head(loop, counters, pragma->collapse, text);
    emit_cursor(loop, counters[pragma->collapse - 1]->body, text);
    text_add(text, ";\n}\n}\n__syncthreads();\n}\n");
}

/* Without inner loops: all threads compute the same, but one alone writes to arrays. */
static void emit_alone(const struct loop *loop, CXCursor statement, struct text *text)
{
    bool writes = writes_array(loop, statement);
    if (writes)
        text_add(text, "__syncthreads();\nif (dm_thread == 0) {\n");
    emit_cursor(loop, statement, text);
    text_add(text, ";\n");
    if (writes)
        text_add(text, "}\n__syncthreads();\n");
}

void emit_team(const struct loop *loop, CXCursor statement, struct text *text)
{
    const struct pragma *pragma = clang_getCursorKind(statement) == CXCursor_ForStmt
                                      ? pragma_of(loop->source, loop->pragmas, statement)
                                      : NULL;
    struct cursors children = source_children(statement);
    size_t begin, end, first, last;
    if (pragma && pragma->threads) {
        emit_shared(loop, pragma, statement, text);
        return;
    }
    if (!has_threads(loop, statement)) {
        emit_alone(loop, statement, text);
        return;
    }
    source_range(statement, &begin, &end);
    bool block = clang_getCursorKind(statement) == CXCursor_CompoundStmt;
    for (int c = 0; c < children.count; c++) {
        if (!block && !has_threads(loop, children.at[c]))
            continue;
        source_range(children.at[c], &first, &last);
        emit_range(loop, begin, first, text);
        text_add(text, "%s", block ? "" : "{\n");
        emit_team(loop, children.at[c], text);
        text_add(text, "%s", block ? "" : "}\n");
        begin = last;
        while (begin < end && loop->source->bytes[begin] == ';')
            begin++;
    }
    emit_range(loop, begin, end, text);
}
