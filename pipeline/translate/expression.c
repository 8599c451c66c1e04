/* Expressions of the source and of the directive as polynomials. */
#include <string.h>

#include "translate.h"

int expression_symbol(struct loop *loop, CXCursor variable, const char *name)
{
    for (int s = 0; s < loop->symbol_count; s++) {
        const struct symbol *symbol = &loop->symbols[s];
        bool same = clang_Cursor_isNull(variable)
                        ? clang_Cursor_isNull(symbol->variable) && strcmp(symbol->name, name) == 0
                        : clang_equalCursors(symbol->variable, variable) != 0;
        if (same)
            return s;
    }
    if (loop->symbol_count == LOOP_SYMBOLS)
        error_at(loop->pragma->place,
                 "the loop has more than %d different values in its indices: "
                 "not supported",
                 LOOP_SYMBOLS);
    loop->symbols[loop->symbol_count] =
        (struct symbol){.variable = variable, .name = keep_format("%s", name)};
    return loop->symbol_count++;
}

bool expression_is_written(const struct loop *loop, CXCursor variable)
{
    for (int w = 0; w < loop->written.count; w++)
        if (clang_equalCursors(loop->written.at[w], variable))
            return true;
    return false;
}

/* The counters that an expression holds, as bits of symbols; whether it holds what varies. */
static void look_into(struct loop *loop, CXCursor cursor, unsigned long *counters, bool *varies)
{
    struct cursors children = source_children(cursor);
    if (clang_getCursorKind(cursor) == CXCursor_DeclRefExpr) {
        CXCursor variable = clang_getCursorReferenced(cursor);
        for (int s = 0; s < loop->symbol_count; s++)
            if (clang_equalCursors(loop->symbols[s].variable, variable)) {
                if (loop->symbols[s].counter && s < 64)
                    *counters |= 1ul << s;
                return;
            }
        *varies = *varies || expression_is_written(loop, variable);
    }
    if (clang_getCursorKind(cursor) == CXCursor_ArraySubscriptExpr)
        *varies = true;
    for (int c = 0; c < children.count; c++)
        look_into(loop, children.at[c], counters, varies);
}

/* As it is: a symbol of its own. */
static struct polynomial opaque(struct loop *loop, CXCursor cursor)
{
    int s = expression_symbol(loop, clang_getNullCursor(), source_text(loop->source, cursor));
    look_into(loop, cursor, &loop->symbols[s].counters, &loop->symbols[s].varies);
    return polynomial_symbol(s);
}

bool expression_is_plain(const struct loop *loop, const struct polynomial *a)
{
    for (int s = 0; s < loop->symbol_count; s++)
        if (clang_Cursor_isNull(loop->symbols[s].variable) && polynomial_holds(a, s))
            return false;
    return !a->unknown;
}

static struct polynomial of_variable(struct loop *loop, CXCursor cursor)
{
    CXCursor variable = clang_getCursorReferenced(cursor);
    for (int s = 0; s < loop->symbol_count; s++)
        if (clang_equalCursors(loop->symbols[s].variable, variable))
            return polynomial_symbol(s);
    CXCursor value = clang_Cursor_getVarDeclInitializer(variable);
    bool inside = source_within(variable, loop->statement);
    bool fixed = inside && clang_getCursorKind(variable) == CXCursor_VarDecl &&
                 !expression_is_written(loop, variable) && !clang_Cursor_isNull(value);
    struct polynomial known = {.unknown = true};
    if (fixed)
        known = expression_of(loop, value);
    if (fixed && expression_is_plain(loop, &known))
        return known;
    int s = expression_symbol(loop, variable, keep_string(clang_getCursorSpelling(variable)));
    loop->symbols[s].varies = inside || expression_is_written(loop, variable);
    return polynomial_symbol(s);
}

static struct polynomial of_operator(struct loop *loop, CXCursor cursor)
{
    struct cursors children = source_children(cursor);
    const char *operation = source_operator(loop->source, cursor);
    if (children.count != 2 || !strchr("+-*", operation[0]) || operation[1])
        return opaque(loop, cursor);
    struct polynomial left = expression_of(loop, children.at[0]);
    struct polynomial right = expression_of(loop, children.at[1]);
    struct polynomial value = operation[0] == '*'
                                  ? polynomial_product(&left, &right)
                                  : polynomial_sum(&left, &right, operation[0] == '+' ? 1 : -1);
    return value.unknown ? opaque(loop, cursor) : value;
}

static bool is_integer(CXType type)
{
    enum CXTypeKind kind = clang_getCanonicalType(type).kind;
    return (kind >= CXType_Bool && kind <= CXType_Int128) || kind == CXType_Enum;
}

/* Of a unary operator that changes the sign. */
static bool is_negation(const struct loop *loop, CXCursor cursor)
{
    return source_text(loop->source, cursor)[0] == '-' &&
           source_text(loop->source, cursor)[1] != '-';
}

struct polynomial expression_of(struct loop *loop, CXCursor cursor)
{
    struct cursors children;
    struct polynomial zero = {0}, value;
    cursor = source_strip(cursor);
    CXEvalResult result = clang_Cursor_Evaluate(cursor);
    bool number = result && clang_EvalResult_getKind(result) == CXEval_Int;
    long long known = number ? clang_EvalResult_getAsLongLong(result) : 0;
    if (result)
        clang_EvalResult_dispose(result);
    if (number)
        return polynomial_number((long)known);
    switch (clang_getCursorKind(cursor)) {
    case CXCursor_DeclRefExpr:
        return of_variable(loop, cursor);
    case CXCursor_BinaryOperator:
        return of_operator(loop, cursor);
    case CXCursor_CStyleCastExpr:
        children = source_children(cursor);
        if (children.count && is_integer(clang_getCursorType(cursor)) &&
            is_integer(clang_getCursorType(children.at[children.count - 1])))
            return expression_of(loop, children.at[children.count - 1]);
        return opaque(loop, cursor);
    case CXCursor_UnaryOperator:
        children = source_children(cursor);
        if (!is_negation(loop, cursor) || children.count != 1)
            return opaque(loop, cursor);
        value = expression_of(loop, children.at[0]);
        return polynomial_sum(&zero, &value, -1);
    default:
        return opaque(loop, cursor);
    }
}

/* What a name of the directive stands for: the marker before the loop has an expression for each.
 */
static struct polynomial of_name(struct loop *loop, const char *name)
{
    struct cursors named = source_children(loop->marker);
    for (int n = 0; n < loop->pragma->constants.count && n < named.count; n++)
        if (strcmp(loop->pragma->constants.names[n], name) == 0) {
            struct cursors cast = source_children(named.at[n]);
            return expression_of(loop, cast.at[cast.count - 1]);
        }
    return (struct polynomial){.unknown = true};
}

struct polynomial expression_of_node(struct loop *loop, int node)
{
    const struct pipeline_directive *directive = loop->pragma->directive;
    const struct directive_node *at = &directive->nodes[node];
    struct polynomial left = {0}, right;
    if (at->kind == DIRECTIVE_NUMBER)
        return polynomial_number(at->number);
    if (at->kind == DIRECTIVE_ITERATOR)
        return polynomial_symbol(loop->counter->symbol);
    if (at->kind == DIRECTIVE_CONSTANT)
        return of_name(loop, keep_bytes(directive->text + at->name, (size_t)at->name_length));
    if (at->kind == DIRECTIVE_NEGATE) {
        right = expression_of_node(loop, at->left);
        return polynomial_sum(&left, &right, -1);
    }
    left = expression_of_node(loop, at->left);
    right = expression_of_node(loop, at->right);
    if (at->kind == DIRECTIVE_MULTIPLY)
        return polynomial_product(&left, &right);
    if (at->kind == DIRECTIVE_ADD || at->kind == DIRECTIVE_SUBTRACT)
        return polynomial_sum(&left, &right, at->kind == DIRECTIVE_ADD ? 1 : -1);
    long a, b;
    if (polynomial_is_number(&left, &a) && polynomial_is_number(&right, &b) && b != 0)
        return polynomial_number(at->kind == DIRECTIVE_DIVIDE ? a / b : a % b);
    return (struct polynomial){.unknown = true};
}

static char *write_out(const struct loop *loop, const struct polynomial *a, bool casts)
{
    struct text text = {0};
    if (a->count == 0)
        return "0";
    for (int t = 0; t < a->count; t++) {
        const struct term *term = &a->terms[t];
        bool alone = term->count == 0 || (term->factor != 1 && term->factor != -1);
        text_add(&text, "%s", term->factor < 0 ? t ? " - " : "-" : t ? " + " : "");
        if (alone)
            text_add(&text, "%ld", term->factor < 0 ? -term->factor : term->factor);
        for (int s = 0; s < term->count; s++) {
            const struct symbol *symbol = &loop->symbols[term->symbols[s]];
            const char *cast = casts && t == 0 && s == 0 ? "(long)" : "";
            text_add(&text, clang_Cursor_isNull(symbol->variable) ? "%s%s(%s)" : "%s%s%s",
                     s || alone ? " * " : "", cast, symbol->name);
        }
    }
    return text.bytes;
}

char *expression_text(const struct loop *loop, const struct polynomial *a)
{
    return write_out(loop, a, true);
}

char *expression_words(const struct loop *loop, const struct polynomial *a)
{
    return write_out(loop, a, false);
}

/* One end of the range of a polynomial: each counter, inner ones first, at the end that makes it
 * so. */
static bool bound(const struct loop *loop, const struct polynomial *a, bool maximum,
                  struct polynomial *value)
{
    *value = *a;
    for (int s = loop->symbol_count - 1; s >= 0; s--) {
        const struct counter *counter = loop->symbols[s].counter;
        struct polynomial factor, rest, one = polynomial_number(1), negative = {0};
        if (loop->symbols[s].varies && polynomial_holds(value, s))
            return false;
        if (loop->symbols[s].counters && polynomial_holds(value, s))
            return false;
        if (!counter || counter == loop->counter || !polynomial_holds(value, s))
            continue;
        if (!polynomial_linear(value, s, &factor, &rest))
            return false;
        negative = polynomial_sum(&negative, &factor, -1);
        bool rises = polynomial_not_negative(&factor);
        if (!rises && !polynomial_not_negative(&negative))
            return false;
        struct polynomial last = polynomial_sum(&counter->end, &one, -1);
        struct polynomial part =
            polynomial_product(&factor, rises == maximum ? &last : &counter->lower);
        *value = polynomial_sum(&rest, &part, 1);
    }
    return !value->unknown;
}

bool expression_bounds(const struct loop *loop, const struct polynomial *a,
                       struct polynomial *minimum, struct polynomial *maximum)
{
    return bound(loop, a, false, minimum) && bound(loop, a, true, maximum);
}

bool expression_mentions(const struct loop *loop, const struct polynomial *a,
                         const struct counter *counter)
{
    for (int s = 0; s < loop->symbol_count; s++)
        if (polynomial_holds(a, s) &&
            (s == counter->symbol || loop->symbols[s].varies ||
             (counter->symbol < 64 && (loop->symbols[s].counters >> counter->symbol & 1))))
            return true;
    return false;
}
