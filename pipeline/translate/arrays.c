/* The mapped arrays: what their types and the directive say, and where an access lies in them. */
#include <stdlib.h>
#include <string.h>

#include "translate.h"

/* The variable of a name that the loop uses; null if it uses none. */
static CXCursor find_variable(const struct loop *loop, CXCursor cursor, const char *name)
{
    struct cursors children = source_children(cursor);
    if (clang_getCursorKind(cursor) == CXCursor_DeclRefExpr &&
        strcmp(keep_string(clang_getCursorSpelling(cursor)), name) == 0 &&
        !source_within(clang_getCursorReferenced(cursor), loop->statement))
        return clang_getCursorReferenced(cursor);
    for (int c = 0; c < children.count; c++) {
        CXCursor found = find_variable(loop, children.at[c], name);
        if (!clang_Cursor_isNull(found))
            return found;
    }
    return clang_getNullCursor();
}

static struct place item_place(const struct loop *loop, const struct array *array)
{
    return directive_place_in(loop->pragma, array->item->place);
}

/* The expressions in the brackets of a declaration, that of the last one first. */
static struct cursors bracket_expressions(CXCursor variable)
{
    struct cursors children = source_children(variable), found = children;
    CXCursor value = clang_Cursor_getVarDeclInitializer(variable);
    found.count = 0;
    for (int c = 0; c < children.count; c++)
        if (clang_isExpression(clang_getCursorKind(children.at[c])) &&
            (clang_Cursor_isNull(value) || !clang_equalCursors(children.at[c], value)))
            found.at[found.count++] = children.at[c];
    return found;
}

static bool is_array(CXType type)
{
    return type.kind == CXType_ConstantArray || type.kind == CXType_VariableArray ||
           type.kind == CXType_IncompleteArray;
}

static void add_dimension(struct loop *loop, struct array *array, struct polynomial extent)
{
    if (array->dimensions == PIPELINE_DIMENSIONS)
        error_at(item_place(loop, array), "`%s` has more than %d dimensions: not supported",
                 array->name, PIPELINE_DIMENSIONS);
    array->extents[array->dimensions++] = extent;
}

static struct polynomial extent_of(struct loop *loop, CXCursor expression)
{
    use_expression(loop, expression);
    return expression_of(loop, expression);
}

/* Extents and the type of the elements. That of the first dimension of a pointer is not known. */
static void read_type(struct loop *loop, struct array *array)
{
    const struct polynomial unknown = {.unknown = true};
    CXType type = clang_getCanonicalType(clang_getCursorType(array->variable));
    struct cursors brackets = bracket_expressions(array->variable);
    array->pointer = type.kind == CXType_Pointer;
    if (array->pointer) {
        add_dimension(loop, array, unknown);
        type = clang_getCanonicalType(clang_getPointeeType(type));
    }
    for (int level = 0; is_array(type); level++) {
        int bracket = brackets.count - 1 - level;
        if (type.kind == CXType_ConstantArray)
            add_dimension(loop, array, polynomial_number((long)clang_getArraySize(type)));
        else if (type.kind == CXType_VariableArray && bracket >= 0)
            add_dimension(loop, array, extent_of(loop, brackets.at[bracket]));
        else
            add_dimension(loop, array, unknown);
        type = clang_getCanonicalType(clang_getArrayElementType(type));
    }
    if (array->dimensions == 0)
        error_at(item_place(loop, array), "`%s` is no array and no pointer", array->name);
    if (type.kind == CXType_Pointer)
        error_at(item_place(loop, array),
                 "`%s` is an array of pointers, whose rows lie anywhere: not supported; write "
                 "`(*%s)[columns]`",
                 array->name, array->name);
    array->element = source_type(type);
    array->pointer = array->pointer && array->dimensions == 1;
}

/* begin + length of a bracket that does not move. */
static struct polynomial bracket_end(struct loop *loop, const struct directive_bracket *bracket)
{
    struct polynomial begin = expression_of_node(loop, bracket->begin);
    struct polynomial length = expression_of_node(loop, bracket->length);
    return polynomial_sum(&begin, &length, 1);
}

/* Slices are of one dimension: of another one that moves, all is copied. */
static void take_whole(const struct loop *loop, struct array *array, int dimension)
{
    const struct place place =
        directive_place_in(loop->pragma, array->item->brackets[dimension].place);
    if (array->pointer)
        error_at(place,
                 "`%s` is split in two dimensions, but how long its rows are cannot be known: "
                 "declare it as `(*%s)[columns]`",
                 array->name, array->name);
    warn_at(place,
            "`%s` is split in two dimensions: an iteration copies its part of the first one with "
            "all of the other",
            array->name);
    array->whole |= 1u << dimension;
}

static void check_brackets(struct loop *loop, struct array *array)
{
    const struct directive_item *item = array->item;
    if (item->dimensions == 0 && array->extents[0].unknown)
        error_at(item_place(loop, array), "how long `%s` is cannot be known: write `%s[0:length]`",
                 array->name, array->name);
    if (item->dimensions && item->dimensions != array->dimensions && !array->pointer)
        error_at(item_place(loop, array), "`%s` has %d dimensions, but %d brackets", array->name,
                 array->dimensions, item->dimensions);
    array->split = -1;
    for (int d = 0; d < item->dimensions; d++) {
        if (item->brackets[d].split && array->split >= 0) {
            take_whole(loop, array, d);
            continue;
        }
        array->split = item->brackets[d].split ? d : array->split;
    }
    if (array->pointer && array->split > 0)
        error_at(item_place(loop, array),
                 "`%s` is split by columns, but how long its rows are cannot be known: declare it "
                 "as `(*%s)[columns]`",
                 array->name, array->name);
}

/* What an iteration needs of the split dimension. */
static void read_section(struct loop *loop, struct array *array)
{
    const struct directive_bracket *bracket = &array->item->brackets[array->split];
    struct polynomial factor, rest;
    array->begin = expression_of_node(loop, bracket->begin);
    array->length = bracket->length == DIRECTIVE_ABSENT ? polynomial_number(1)
                                                        : expression_of_node(loop, bracket->length);
    if (!polynomial_linear(&array->begin, loop->counter->symbol, &factor, &rest))
        error_at(directive_place_in(loop->pragma, bracket->place),
                 "this start of a section cannot be followed: write it as a multiple of `%s` plus "
                 "a constant",
                 loop->counter->name);
    array->unit = polynomial_product(&factor, &loop->counter->step);
    if (array->direction != DM_REGION_SCRATCH && array->direction != DM_REGION_TO &&
        !polynomial_equal(&array->length, &array->unit))
        error_at(directive_place_in(loop->pragma, bracket->place),
                 "the section of `%s` has %s elements and moves by %s: what is copied back belongs "
                 "to one iteration; write `%s` as its length",
                 array->name, expression_words(loop, &array->length),
                 expression_words(loop, &array->unit), expression_words(loop, &array->unit));
}

/* Brackets of a pointer are its extents. */
static void take_extents(struct loop *loop, struct array *array)
{
    const struct directive_item *item = array->item;
    array->inner = polynomial_number(1);
    for (int d = 0; d < item->dimensions; d++)
        if (d != array->split && (array->pointer || array->extents[d].unknown))
            array->extents[d] = bracket_end(loop, &item->brackets[d]);
    if (array->pointer)
        array->dimensions = item->dimensions;
    for (int d = array->split + 1; d < array->dimensions; d++)
        array->inner = polynomial_product(&array->inner, &array->extents[d]);
}

/* Threads of a GPU add to these at the same time. */
static bool can_be_added(const char *element)
{
    static const char *const types[] = {
        "float", "double",        "int",       "unsigned int",
        "long",  "unsigned long", "long long", "unsigned long long"};
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        if (strcmp(element, types[t]) == 0)
            return true;
    return false;
}

static void read_array(struct loop *loop, struct directive_item *item)
{
    struct array *array = &loop->arrays[loop->array_count++];
    *array = (struct array){.name = item->name, .item = item, .direction = item->direction};
    array->variable = find_variable(loop, loop->statement, item->name);
    if (clang_Cursor_isNull(array->variable))
        error_at(item_place(loop, array), "the loop does not use `%s`: leave it out", item->name);
    for (int n = 0; n < loop->pragma->reductions.count; n++)
        array->sums = array->sums || strcmp(loop->pragma->reductions.names[n], item->name) == 0;
    read_type(loop, array);
    check_brackets(loop, array);
    if (array->split >= 0)
        read_section(loop, array);
    take_extents(loop, array);
    if (array->sums && !can_be_added(array->element))
        error_at(item_place(loop, array),
                 "sums of `%s` are not supported: write an array of `float`, `double`, `int` or "
                 "`long`",
                 array->element);
    if (array->sums && (array->split >= 0 || array->direction != DM_REGION_TOFROM))
        error_at(item_place(loop, array),
                 "`%s` is a sum over all iterations: write `map(tofrom: %s[0:length])`",
                 array->name, array->name);
}

void read_arrays(struct loop *loop)
{
    struct pipeline_directive *directive = loop->pragma->directive;
    for (int i = 0; i < directive->item_count; i++)
        read_array(loop, &directive->items[i]);
    for (int n = 0; n < loop->pragma->reductions.count; n++) {
        bool mapped = false;
        for (int a = 0; a < loop->array_count; a++)
            mapped = mapped || strcmp(loop->arrays[a].name, loop->pragma->reductions.names[n]) == 0;
        if (!mapped)
            error_at(loop->pragma->place,
                     "reduction: `%s` is not mapped; only sums into arrays are supported: write "
                     "`map(tofrom: %s[0:length])` of an array",
                     loop->pragma->reductions.names[n], loop->pragma->reductions.names[n]);
    }
}

struct array *find_array(struct loop *loop, CXCursor variable)
{
    for (int a = 0; a < loop->array_count; a++)
        if (clang_equalCursors(loop->arrays[a].variable, variable))
            return &loop->arrays[a];
    return NULL;
}

/* ---- accesses ---- */

/* How many elements a step of the split dimension is for a pointer: as many as its index moves by
 * per iteration. */
static void measure_slice(struct loop *loop, struct access *access, const struct polynomial *index)
{
    struct array *array = access->array;
    struct polynomial factor, rest, start, start_rest, moves, left;
    if (array->item->dimensions == 1 ||
        !polynomial_linear(index, loop->counter->symbol, &factor, &rest) || factor.count == 0 ||
        !polynomial_linear(&array->begin, loop->counter->symbol, &start, &start_rest))
        return;
    polynomial_divide(&factor, &start, &moves, &left);
    if (moves.unknown || left.count || polynomial_equal(&moves, &array->inner))
        return;
    warn_at(source_place(loop->source, access->cursor),
            "`%s` moves by %s elements from one `%s` to the next, but its section says %s: the "
            "index is believed",
            array->name, expression_words(loop, &moves), loop->counter->name,
            expression_words(loop, &array->inner));
    array->inner = moves;
}

static void place_in_pointer(struct loop *loop, struct access *access)
{
    struct array *array = access->array;
    struct polynomial index = expression_of(loop, access->indices[0]);
    access->rest = index;
    if (array->split < 0)
        return;
    measure_slice(loop, access, &index);
    polynomial_divide(&index, &array->inner, &access->at, &access->rest);
    if (access->at.unknown)
        error_at(source_place(loop->source, access->cursor),
                 "this index of `%s` cannot be divided into slices of %s elements: declare it as "
                 "`(*%s)[columns]`",
                 array->name, expression_words(loop, &array->inner), array->name);
}

void place_access(struct loop *loop, struct access *access)
{
    struct array *array = access->array;
    if (access->index_count == 1 && array->pointer) {
        place_in_pointer(loop, access);
        return;
    }
    if (access->index_count != array->dimensions)
        error_at(source_place(loop->source, access->cursor),
                 "`%s` has %d dimensions, but %d subscripts here: write all of them", array->name,
                 array->dimensions, access->index_count);
    access->rest = (struct polynomial){0};
    for (int d = 0; d < array->dimensions; d++) {
        struct polynomial index = expression_of(loop, access->indices[d]);
        if (d == array->split) {
            access->at = index;
            continue;
        }
        if (d > 0)
            access->rest = polynomial_product(&access->rest, &array->extents[d]);
        access->rest = polynomial_sum(&access->rest, &index, 1);
    }
}
