/* A directive in one spelling. */
#include <stdarg.h>
#include <stdio.h>

#include "directive_internal.h"

struct text {
    char *bytes;
    size_t room;
    int length; /* of all that was written, as snprintf counts */
};

static void put(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void put(struct text *text, const char *format, ...)
{
    size_t used = (size_t)text->length < text->room ? (size_t)text->length : text->room;
    va_list arguments;
    va_start(arguments, format);
    text->length += vsnprintf(used < text->room ? text->bytes + used : NULL, text->room - used,
                              format, arguments);
    va_end(arguments);
}

/* How tightly an operator binds: sums, products, the rest. */
static int rank_of(enum directive_operator kind)
{
    switch (kind) {
    case DIRECTIVE_ADD:
    case DIRECTIVE_SUBTRACT:
        return 0;
    case DIRECTIVE_MULTIPLY:
    case DIRECTIVE_DIVIDE:
    case DIRECTIVE_REMAINDER:
        return 1;
    default:
        return 2;
    }
}

/* With parentheses if it binds less than `least`. */
static void put_expression(struct text *text, const struct pipeline_directive *directive, int node,
                           int least)
{
    static const char signs[] = {[DIRECTIVE_ADD] = '+',
                                 [DIRECTIVE_SUBTRACT] = '-',
                                 [DIRECTIVE_MULTIPLY] = '*',
                                 [DIRECTIVE_DIVIDE] = '/',
                                 [DIRECTIVE_REMAINDER] = '%'};
    const struct directive_node *at = &directive->nodes[node];
    int rank = rank_of(at->kind);
    if (rank < least)
        put(text, "(");
    if (at->kind == DIRECTIVE_NUMBER) {
        put(text, "%ld", at->number);
    } else if (at->kind == DIRECTIVE_CONSTANT || at->kind == DIRECTIVE_ITERATOR) {
        put(text, "%.*s", at->name_length, directive->text + at->name);
    } else if (at->kind == DIRECTIVE_NEGATE) {
        put(text, "-");
        put_expression(text, directive, at->left, 2);
    } else {
        put_expression(text, directive, at->left, rank);
        put(text, "%c", signs[at->kind]);
        put_expression(text, directive, at->right, rank + 1);
    }
    if (rank < least)
        put(text, ")");
}

static void put_optional(struct text *text, const struct pipeline_directive *directive,
                         const char *before, int node)
{
    if (node == DIRECTIVE_ABSENT)
        return;
    put(text, "%s", before);
    put_expression(text, directive, node, 0);
}

static void put_item(struct text *text, const struct pipeline_directive *directive,
                     const struct directive_item *item)
{
    static const char *const words[] = {[DM_REGION_SCRATCH] = "alloc",
                                        [DM_REGION_TO] = "to",
                                        [DM_REGION_FROM] = "from",
                                        [DM_REGION_TOFROM] = "tofrom"};
    bool inside = directive->form == DIRECTIVE_BLOCKS && item->pipelined &&
                  item->direction != DM_REGION_SCRATCH;
    put(text, " map(");
    if (item->pipelined) {
        put(text, "pipeline(%s", item->iterator);
        put_optional(text, directive, ", ", item->chunk_size);
        put_optional(text, directive, ", ", item->overlap);
        if (inside)
            put(text, ", %s", words[item->direction]);
        put_optional(text, directive, ", ", item->num_block);
        put(text, inside ? ")" : "), ");
    }
    put(text, "%s: %s", inside ? "" : words[item->direction], item->name);
    for (int d = 0; d < item->dimensions; d++) {
        put(text, "[");
        put_expression(text, directive, item->brackets[d].begin, 0);
        put_optional(text, directive, ":", item->brackets[d].length);
        put(text, "]");
    }
    put(text, ")");
}

/* As it stands, on one line. */
static void put_clause(struct text *text, const struct pipeline_directive *directive,
                       const struct directive_clause *clause)
{
    put(text, " ");
    for (int i = 0; i < clause->length; i++) {
        char c = directive->text[clause->text + i];
        put(text, "%c", c == '\\' || (c >= '\t' && c <= '\r') ? ' ' : c);
    }
}

int pipeline_directive_print(const struct pipeline_directive *directive, char *bytes, size_t room)
{
    struct text text = {bytes, room, 0};
    put(&text, "#pragma omp target teams distribute%s%s",
        directive->parallel ? " parallel for" : "", directive->simd ? " simd" : "");
    for (int i = 0; i < directive->item_count; i++)
        put_item(&text, directive, &directive->items[i]);
    put(&text, " iterator(%s = ", directive->iterator);
    put_expression(&text, directive, directive->begin, 0);
    put_optional(&text, directive, ":", directive->end);
    put_optional(&text, directive, ":", directive->step);
    put(&text, ")");
    for (int i = 0; i < directive->other_count; i++)
        put_clause(&text, directive, &directive->others[i]);
    return text.length;
}
