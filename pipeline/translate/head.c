/* The head of a `for`: its counter, start, end and step. */
#include <string.h>

#include "translate.h"

static const char *const shape = "write `for (i = begin; i < end; i++)` with an integer i";

static void read_start(struct loop *loop, CXCursor start, struct counter *counter)
{
    struct cursors children = source_children(start);
    if (clang_getCursorKind(start) == CXCursor_DeclStmt && children.count == 1) {
        counter->variable = children.at[0];
        counter->lower_at = clang_Cursor_getVarDeclInitializer(children.at[0]);
        if (!clang_Cursor_isNull(counter->lower_at))
            return;
    } else if (clang_getCursorKind(start) == CXCursor_BinaryOperator && children.count == 2 &&
               strcmp(source_operator(loop->source, start), "=") == 0 &&
               clang_getCursorKind(source_strip(children.at[0])) == CXCursor_DeclRefExpr) {
        counter->variable = clang_getCursorReferenced(source_strip(children.at[0]));
        counter->lower_at = children.at[1];
        return;
    }
    error_at(source_place(loop->source, start), "this start of the loop is not supported: %s",
             shape);
}

static bool is_counter(const struct counter *counter, CXCursor cursor)
{
    cursor = source_strip(cursor);
    return clang_getCursorKind(cursor) == CXCursor_DeclRefExpr &&
           clang_equalCursors(clang_getCursorReferenced(cursor), counter->variable);
}

static void read_condition(struct loop *loop, CXCursor condition, struct counter *counter)
{
    struct cursors children = source_children(condition);
    const char *operation = source_operator(loop->source, condition);
    bool below = strcmp(operation, "<") == 0, at_most = strcmp(operation, "<=") == 0;
    if (clang_getCursorKind(condition) != CXCursor_BinaryOperator || (!below && !at_most) ||
        !is_counter(counter, children.at[0]))
        error_at(source_place(loop->source, condition),
                 "this condition of the loop is not supported: %s", shape);
    counter->end_at = children.at[1];
    counter->end_included = at_most;
}

/* i++, ++i, i += step */
static void read_advance(struct loop *loop, CXCursor advance, struct counter *counter)
{
    struct cursors children = source_children(advance);
    const char *words = source_text(loop->source, advance);
    if (clang_getCursorKind(advance) == CXCursor_UnaryOperator && children.count == 1 &&
        is_counter(counter, children.at[0]) && strstr(words, "++")) {
        counter->step = polynomial_number(1);
        return;
    }
    if (clang_getCursorKind(advance) == CXCursor_CompoundAssignOperator &&
        is_counter(counter, children.at[0]) &&
        strcmp(source_operator(loop->source, advance), "+=") == 0) {
        counter->step = expression_of(loop, children.at[1]);
        return;
    }
    error_at(source_place(loop->source, advance), "this step of the loop is not supported: write "
                                                  "`i++` or `i += step`");
}

struct counter *read_head(struct loop *loop, CXCursor statement)
{
    struct cursors parts = source_children(statement);
    struct counter *counter = keep(sizeof *counter);
    struct polynomial one = polynomial_number(1);
    if (parts.count != 4)
        error_at(source_place(loop->source, statement),
                 "a loop without start, condition or step is not supported: %s", shape);
    read_start(loop, parts.at[0], counter);
    read_condition(loop, source_strip(parts.at[1]), counter);
    read_advance(loop, source_strip(parts.at[2]), counter);
    counter->body = parts.at[3];
    counter->name = keep_string(clang_getCursorSpelling(counter->variable));
    counter->type = source_type(clang_getCursorType(counter->variable));
    counter->lower = expression_of(loop, counter->lower_at);
    counter->end = expression_of(loop, counter->end_at);
    if (counter->end_included)
        counter->end = polynomial_sum(&counter->end, &one, 1);
    counter->symbol = expression_symbol(loop, counter->variable, counter->name);
    loop->symbols[counter->symbol].counter = counter;
    loop->symbols[counter->symbol].varies = false;
    return counter;
}
