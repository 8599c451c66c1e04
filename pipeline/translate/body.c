/* The body of a loop: its stages, its accesses, the variables that it uses. */
#include <string.h>

#include "translate.h"

/* Where a walk through the body is. */
struct walk {
    struct loop *loop;
    int stage;
    bool read, written, adds; /* what is done with the value */
    CXCursor assignment;      /* that adds */
    bool conditional;
    bool partial;       /* of an element: a member, or an element of a member */
    unsigned mentioned; /* counters, by their place in `counters`, in subscripts of members */
    bool inner;         /* inside of a loop or switch that `break` leaves */
    const struct counter *counters[LOOP_COUNTERS];
    int counter_count, parallel_count;
};

static void walk(struct walk at, CXCursor cursor);

const struct pragma *pragma_of(const struct source *source, const struct pragmas *pragmas,
                               CXCursor statement)
{
    struct place place = source_place(source, statement);
    for (int p = 0; p < pragmas->count; p++) {
        const struct pragma *pragma = &pragmas->at[p];
        if (pragma->loop.line == place.line && pragma->loop.column == place.column &&
            strcmp(pragma->loop.file, place.file) == 0)
            return pragma;
    }
    return NULL;
}

/* ---- which variables are written ---- */

/* The variable behind x, x.y, x[i]. */
static CXCursor written_variable(CXCursor cursor)
{
    for (;;) {
        cursor = source_strip(cursor);
        enum CXCursorKind kind = clang_getCursorKind(cursor);
        struct cursors children = source_children(cursor);
        if (kind == CXCursor_DeclRefExpr)
            return clang_getCursorReferenced(cursor);
        if ((kind != CXCursor_MemberRefExpr && kind != CXCursor_ArraySubscriptExpr) ||
            children.count == 0)
            return clang_getNullCursor();
        cursor = children.at[0];
    }
}

static bool is_assignment(const struct loop *loop, CXCursor cursor)
{
    return clang_getCursorKind(cursor) == CXCursor_BinaryOperator &&
           strcmp(source_operator(loop->source, cursor), "=") == 0;
}

/* ++, -- or the address of. */
static bool is_change(const struct loop *loop, CXCursor cursor)
{
    const char *words = source_text(loop->source, cursor);
    size_t length = strlen(words);
    return clang_getCursorKind(cursor) == CXCursor_UnaryOperator && length > 2 &&
           (words[0] == '&' || strncmp(words, "++", 2) == 0 || strncmp(words, "--", 2) == 0 ||
            strcmp(words + length - 2, "++") == 0 || strcmp(words + length - 2, "--") == 0);
}

/* The heads of loops are apart: their counters are known. */
void read_written(struct loop *loop, CXCursor cursor)
{
    struct cursors children = source_children(cursor);
    bool loop_head = clang_getCursorKind(cursor) == CXCursor_ForStmt;
    if (children.count && (is_assignment(loop, cursor) || is_change(loop, cursor) ||
                           clang_getCursorKind(cursor) == CXCursor_CompoundAssignOperator)) {
        CXCursor variable = written_variable(children.at[0]);
        if (!clang_Cursor_isNull(variable))
            source_add(&loop->written, variable);
    }
    for (int c = loop_head ? children.count - 1 : 0; c < children.count; c++)
        read_written(loop, children.at[c]);
}

/* ---- variables ---- */

static bool is_private(const struct loop *loop, const char *name)
{
    for (int p = 0; p < loop->pragmas->count; p++) {
        const struct name_list *list = &loop->pragmas->at[p].privates;
        for (int n = 0; n < list->count; n++)
            if (strcmp(list->names[n], name) == 0)
                return true;
    }
    return false;
}

static void add_capture(const struct loop *loop, struct capture *list, int *count, int room,
                        CXCursor variable)
{
    for (int c = 0; c < *count; c++)
        if (clang_equalCursors(list[c].variable, variable))
            return;
    if (*count == room)
        error_at(loop->pragma->place, "the loop uses more than %d variables: not supported", room);
    list[(*count)++] = (struct capture){.variable = variable,
                                        .name = keep_string(clang_getCursorSpelling(variable)),
                                        .type = source_type(clang_getCursorType(variable))};
}

static void use_local(struct loop *loop, CXCursor variable)
{
    add_capture(loop, loop->locals, &loop->local_count,
                (int)(sizeof loop->locals / sizeof *loop->locals), variable);
}

static bool is_local(const struct loop *loop, CXCursor variable)
{
    for (int l = 0; l < loop->local_count; l++)
        if (clang_equalCursors(loop->locals[l].variable, variable))
            return true;
    return false;
}

static void use_outer(struct walk *at, CXCursor cursor, CXCursor variable)
{
    struct loop *loop = at->loop;
    const char *name = keep_string(clang_getCursorSpelling(variable));
    struct place place = source_place(loop->source, cursor);
    CXType type = clang_getCanonicalType(clang_getCursorType(variable));
    if (clang_equalCursors(variable, loop->counter->variable) || is_local(loop, variable))
        return;
    if (find_array(loop, variable))
        error_at(place, "`%s` is mapped and used without subscripts: write `%s[...]`", name, name);
    if (type.kind == CXType_Pointer || type.kind == CXType_ConstantArray ||
        type.kind == CXType_VariableArray || type.kind == CXType_IncompleteArray)
        error_at(place, "`%s` is not mapped: add `map(to: %s[0:length])` to the directive", name,
                 name);
    if (expression_is_written(loop, variable) && !is_private(loop, name))
        error_at(place,
                 "`%s` is written by every iteration: declare it inside of the loop, or add "
                 "`private(%s)` to the directive",
                 name, name);
    if (is_private(loop, name))
        use_local(loop, variable);
    else
        add_capture(loop, loop->captures, &loop->capture_count,
                    (int)(sizeof loop->captures / sizeof *loop->captures), variable);
}

/* A variable of the body that threads share must not be written by them. */
static void check_shared(const struct walk *at, CXCursor cursor, CXCursor variable)
{
    size_t declared, unused, begin;
    const struct loop *loop = at->loop;
    if (!at->written || at->parallel_count == 0 || is_local(loop, variable))
        return;
    source_range(variable, &declared, &unused);
    source_range(at->counters[0]->body, &begin, &unused);
    const char *name = keep_string(clang_getCursorSpelling(variable));
    for (int p = 0; p < loop->pragmas->count; p++)
        for (int n = 0; n < loop->pragmas->at[p].reductions.count; n++)
            if (strcmp(loop->pragmas->at[p].reductions.names[n], name) == 0)
                return;
    if (declared < begin)
        error_at(source_place(loop->source, cursor),
                 "`%s` is written by all threads of the inner loop: declare it inside of that "
                 "loop, or add `reduction(+: %s)` to its pragma",
                 name, name);
}

static void use_reference(struct walk *at, CXCursor cursor)
{
    CXCursor what = clang_getCursorReferenced(cursor);
    enum CXCursorKind kind = clang_getCursorKind(what);
    if (kind == CXCursor_EnumConstantDecl)
        use_type(at->loop, what);
    if (kind != CXCursor_VarDecl && kind != CXCursor_ParmDecl)
        return;
    if (source_within(what, at->loop->statement))
        check_shared(at, cursor, what);
    else
        use_outer(at, cursor, what);
}

/* ---- accesses ---- */

/* Whether it is a mapped array with subscripts; fills array and indices then. */
static bool read_subscripts(struct loop *loop, CXCursor cursor, struct access *access)
{
    CXCursor indices[PIPELINE_DIMENSIONS], base = cursor;
    int count = 0;
    while (clang_getCursorKind(base) == CXCursor_ArraySubscriptExpr) {
        struct cursors children = source_children(base);
        if (children.count != 2 || count == PIPELINE_DIMENSIONS)
            return false;
        indices[count++] = children.at[1];
        base = source_strip(children.at[0]);
    }
    if (clang_getCursorKind(base) != CXCursor_DeclRefExpr)
        return false;
    access->array = find_array(loop, clang_getCursorReferenced(base));
    access->index_count = count;
    for (int d = 0; d < count; d++)
        access->indices[d] = indices[count - 1 - d];
    return access->array != NULL;
}

static void read_access(struct walk at, const struct access *found, CXCursor cursor)
{
    struct loop *loop = at.loop;
    if (loop->access_count == LOOP_ACCESSES)
        error_at(loop->pragma->place, "the loop has more than %d accesses: not supported",
                 LOOP_ACCESSES);
    struct access *access = &loop->accesses[loop->access_count++];
    *access = *found;
    access->cursor = cursor;
    access->read = at.read;
    access->written = at.written;
    access->adds = at.adds;
    access->assignment = at.assignment;
    access->conditional = at.conditional;
    access->partial = at.partial;
    access->mentioned = at.mentioned;
    access->stage = at.stage;
    access->counter_count = at.counter_count;
    access->parallel_count = at.parallel_count;
    memcpy(access->counters, at.counters, sizeof at.counters);
    access->array->read = access->array->read || at.read;
    access->array->written = access->array->written || at.written;
    place_access(loop, access);
    check_access(loop, access);
    at.read = true, at.written = at.adds = at.partial = false;
    for (int d = 0; d < access->index_count; d++)
        walk(at, access->indices[d]);
}

static void walk_subscript(struct walk at, CXCursor cursor)
{
    struct access access = {0};
    struct cursors children = source_children(cursor);
    if (read_subscripts(at.loop, cursor, &access)) {
        read_access(at, &access, cursor);
        return;
    }
    struct walk base = at;
    base.partial = true;
    if (children.count == 2) {
        struct polynomial index = expression_of(at.loop, children.at[1]);
        for (int c = 0; c < at.counter_count; c++)
            if (expression_mentions(at.loop, &index, at.counters[c]))
                base.mentioned |= 1u << c;
    }
    at.read = true, at.written = at.adds = at.partial = false;
    for (int c = 0; c < children.count; c++)
        walk(c ? at : base, children.at[c]);
}

/* ---- statements and operators ---- */

static void walk_children(struct walk at, CXCursor cursor)
{
    struct cursors children = source_children(cursor);
    for (int c = 0; c < children.count; c++)
        walk(at, children.at[c]);
}

/* The first operand is changed, others are read. */
static void walk_assignment(struct walk at, CXCursor cursor, bool read)
{
    struct cursors children = source_children(cursor);
    struct walk left = at, right = at;
    left.written = true, left.read = read;
    left.adds = read && strcmp(source_operator(at.loop->source, cursor), "+=") == 0;
    left.assignment = cursor;
    right.read = true, right.written = right.adds = false;
    for (int c = 0; c < children.count; c++)
        walk(c ? right : left, children.at[c]);
}

/* The first child is always evaluated, the others may not be. */
static void walk_choice(struct walk at, CXCursor cursor)
{
    struct cursors children = source_children(cursor);
    for (int c = 0; c < children.count; c++) {
        walk(at, children.at[c]);
        at.conditional = true;
    }
}

static void push_counter(struct walk *at, const struct counter *counter, bool parallel)
{
    if (at->counter_count == LOOP_COUNTERS)
        error_at(at->loop->pragma->place, "more than %d loops in one another: not supported",
                 LOOP_COUNTERS);
    at->counters[at->counter_count++] = counter;
    at->parallel_count += parallel;
}

static void walk_for(struct walk at, CXCursor cursor)
{
    struct loop *loop = at.loop;
    const struct pragma *pragma = pragma_of(loop->source, loop->pragmas, cursor);
    bool threads = pragma && pragma->threads;
    if (threads && at.parallel_count)
        error_at(pragma->place, "the loop around this one is shared by threads already: leave this "
                                "pragma out, or write `collapse`");
    struct counter *counter = read_head(loop, cursor);
    struct walk head = at;
    head.read = true;
    if (expression_is_written(loop, counter->variable))
        error_at(source_place(loop->source, cursor),
                 "the loop changes its own counter `%s`: not supported", counter->name);
    if (!source_within(counter->variable, loop->statement))
        use_local(loop, counter->variable);
    walk(head, counter->lower_at);
    walk(head, counter->end_at);
    push_counter(&at, counter, threads);
    at.inner = true;
    for (int more = 1; threads && more < pragma->collapse; more++) {
        struct cursors children = source_children(counter->body);
        CXCursor next =
            clang_getCursorKind(counter->body) == CXCursor_CompoundStmt && children.count == 1
                ? children.at[0]
                : counter->body;
        if (clang_getCursorKind(next) != CXCursor_ForStmt)
            error_at(pragma->place, "collapse(%d): only %d loops are directly in one another",
                     pragma->collapse, more);
        counter = read_head(loop, next);
        if (!source_within(counter->variable, loop->statement))
            use_local(loop, counter->variable);
        walk(head, counter->lower_at);
        walk(head, counter->end_at);
        push_counter(&at, counter, true);
    }
    walk(at, counter->body);
}

static void refuse(const struct walk *at, CXCursor cursor, const char *what, const char *instead)
{
    error_at(source_place(at->loop->source, cursor), "%s cannot run in a kernel: %s", what,
             instead);
}

static void walk_jump(const struct walk *at, CXCursor cursor)
{
    switch (clang_getCursorKind(cursor)) {
    case CXCursor_BreakStmt:
    case CXCursor_ContinueStmt:
        if (!at->inner)
            refuse(at, cursor, "leaving an iteration early", "write `if` around the rest of it");
        return;
    case CXCursor_ReturnStmt:
        refuse(at, cursor, "`return`", "write `if` around the rest of the iteration");
        return;
    default:
        refuse(at, cursor, "this statement", "write the loop without it");
    }
}

static void walk_operator(struct walk at, CXCursor cursor)
{
    const char *operation = source_operator(at.loop->source, cursor);
    if (strcmp(operation, "=") == 0) {
        walk_assignment(at, cursor, false);
        return;
    }
    at.read = true, at.written = at.adds = false;
    if (strcmp(operation, "&&") == 0 || strcmp(operation, "||") == 0)
        walk_choice(at, cursor);
    else
        walk_children(at, cursor);
}

static void walk_unary(struct walk at, CXCursor cursor)
{
    struct access access = {0};
    struct cursors children = source_children(cursor);
    bool address = source_text(at.loop->source, cursor)[0] == '&';
    if (address && children.count &&
        read_subscripts(at.loop, source_strip(children.at[0]), &access))
        refuse(&at, cursor, "the address of an element of a mapped array",
               "write the element where it is used");
    if (is_change(at.loop, cursor))
        walk_assignment(at, cursor, true);
    else
        walk_children(at, cursor);
}

static void walk(struct walk at, CXCursor cursor)
{
    switch (clang_getCursorKind(cursor)) {
    case CXCursor_ForStmt:
        walk_for(at, cursor);
        return;
    case CXCursor_ArraySubscriptExpr:
        walk_subscript(at, cursor);
        return;
    case CXCursor_DeclRefExpr:
        use_reference(&at, cursor);
        return;
    case CXCursor_MemberRefExpr:
        at.partial = true;
        break;
    case CXCursor_BinaryOperator:
        walk_operator(at, cursor);
        return;
    case CXCursor_CompoundAssignOperator:
        walk_assignment(at, cursor, true);
        return;
    case CXCursor_UnaryOperator:
        walk_unary(at, cursor);
        return;
    case CXCursor_IfStmt:
    case CXCursor_ConditionalOperator:
        walk_choice(at, cursor);
        return;
    case CXCursor_WhileStmt:
    case CXCursor_DoStmt:
    case CXCursor_SwitchStmt:
        at.inner = at.conditional = true;
        break;
    case CXCursor_BreakStmt:
    case CXCursor_ContinueStmt:
    case CXCursor_ReturnStmt:
    case CXCursor_GotoStmt:
    case CXCursor_LabelStmt:
    case CXCursor_GCCAsmStmt:
    case CXCursor_CXXThisExpr:
    case CXCursor_LambdaExpr:
    case CXCursor_CXXThrowExpr:
    case CXCursor_CXXTryStmt:
    case CXCursor_CXXNewExpr:
        walk_jump(&at, cursor);
        return;
    case CXCursor_CallExpr:
        use_function(at.loop, cursor);
        at.read = true, at.written = at.adds = false;
        break;
    case CXCursor_TypeRef:
        use_type(at.loop, clang_getCursorReferenced(cursor));
        return;
    default:
        break;
    }
    walk_children(at, cursor);
}

/* ---- stages ---- */

/* Whether a declaration may be made by each thread anew: nothing it holds changes. */
static bool is_constant(const struct loop *loop, CXCursor cursor)
{
    struct cursors children = source_children(cursor);
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    if (kind == CXCursor_ArraySubscriptExpr || kind == CXCursor_CallExpr ||
        (kind == CXCursor_VarDecl && expression_is_written(loop, cursor)))
        return false;
    for (int c = 0; c < children.count; c++)
        if (!is_constant(loop, children.at[c]))
            return false;
    return true;
}

bool has_threads(const struct loop *loop, CXCursor cursor)
{
    struct cursors children = source_children(cursor);
    if (clang_getCursorKind(cursor) == CXCursor_ForStmt &&
        pragma_of(loop->source, loop->pragmas, cursor) &&
        pragma_of(loop->source, loop->pragmas, cursor)->threads)
        return true;
    for (int c = 0; c < children.count; c++)
        if (has_threads(loop, children.at[c]))
            return true;
    return false;
}

static struct stage *add_stage(struct loop *loop, bool team)
{
    if (loop->stage_count == LOOP_STAGES)
        error_at(loop->pragma->place, "the loop has more than %d steps: not supported",
                 LOOP_STAGES);
    struct stage *stage = &loop->stages[loop->stage_count++];
    stage->team = team;
    return stage;
}

static void add_statement(const struct loop *loop, struct stage *stage, CXCursor statement)
{
    if (stage->count == LOOP_STATEMENTS)
        error_at(source_place(loop->source, statement),
                 "the loop has more than %d statements: not supported", LOOP_STATEMENTS);
    stage->statements[stage->count++] = statement;
}

/* A nest that all threads share: `for` with a pragma and without a sum. */
static bool is_nest(const struct loop *loop, CXCursor statement)
{
    const struct pragma *pragma = clang_getCursorKind(statement) == CXCursor_ForStmt
                                      ? pragma_of(loop->source, loop->pragmas, statement)
                                      : NULL;
    return pragma && pragma->threads && pragma->reductions.count == 0;
}

/* Each nest is a stage of its own; what stands between them is one as well, done by a block of
 * threads. With variables that live through the body there is one stage. */
static void split_stages(struct loop *loop)
{
    struct cursors body = source_children(loop->counter->body);
    struct cursors constants = {0};
    bool together = false;
    if (clang_getCursorKind(loop->counter->body) != CXCursor_CompoundStmt)
        body = (struct cursors){&loop->counter->body, 1};
    for (int s = 0; s < body.count; s++) {
        bool declares = clang_getCursorKind(body.at[s]) == CXCursor_DeclStmt;
        if (declares && is_constant(loop, body.at[s]))
            source_add(&constants, body.at[s]);
        together = together || (declares && !is_constant(loop, body.at[s]));
    }
    for (int s = 0; s < body.count; s++) {
        bool nest = is_nest(loop, body.at[s]) && !together;
        bool declares = clang_getCursorKind(body.at[s]) == CXCursor_DeclStmt;
        if (declares && is_constant(loop, body.at[s]))
            continue;
        struct stage *last = loop->stage_count ? &loop->stages[loop->stage_count - 1] : NULL;
        if (nest || !last || !last->team) {
            last = add_stage(loop, !nest);
            for (int c = 0; c < constants.count; c++)
                add_statement(loop, last, constants.at[c]);
        }
        add_statement(loop, last, body.at[s]);
    }
    for (int s = 0; s < loop->stage_count; s++) {
        struct stage *stage = &loop->stages[s];
        bool threads = false;
        for (int c = 0; c < stage->count; c++)
            threads = threads || has_threads(loop, stage->statements[c]);
        stage->team = stage->team && threads;
        if (!threads)
            warn_at(source_place(loop->source, stage->statements[0]),
                    "one thread computes an iteration: write `#pragma omp parallel for` before an "
                    "inner loop");
    }
}

/* The loops of a nest that threads share. */
static void take_counters(struct loop *loop, struct stage *stage)
{
    CXCursor statement = stage->statements[stage->count - 1];
    const struct pragma *pragma = is_nest(loop, statement) && !stage->team
                                      ? pragma_of(loop->source, loop->pragmas, statement)
                                      : NULL;
    for (int more = 0; pragma && more < pragma->collapse; more++) {
        struct counter *counter = read_head(loop, statement);
        stage->counters[stage->counter_count++] = counter;
        struct cursors children = source_children(counter->body);
        statement =
            clang_getCursorKind(counter->body) == CXCursor_CompoundStmt && children.count == 1
                ? children.at[0]
                : counter->body;
    }
}

void use_expression(struct loop *loop, CXCursor cursor)
{
    struct walk at = {.loop = loop, .read = true};
    walk(at, cursor);
}

void read_body(struct loop *loop)
{
    split_stages(loop);
    for (int s = 0; s < loop->stage_count; s++) {
        struct walk at = {.loop = loop, .stage = s, .read = true};
        for (int c = 0; c < loop->stages[s].count; c++)
            walk(at, loop->stages[s].statements[c]);
        take_counters(loop, &loop->stages[s]);
    }
    if (loop->stage_count == 0)
        error_at(loop->pragma->place, "the loop has no statements");
}
