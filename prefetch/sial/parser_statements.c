#include "prefetch/sial/parser.h"

static void parse_if(struct parser *parser, struct statement *statement)
{
    statement->value = sial_parse_condition(parser);
    sial_end_line(parser, "the condition");
    statement->body = sial_parse_statements(parser);
    if (sial_accept(parser, TOKEN_ELSE)) {
        sial_end_line(parser, "`else`");
        statement->otherwise = sial_parse_statements(parser);
    }
    if (!sial_accept(parser, TOKEN_ENDIF))
        sial_expected(parser, "a statement or `endif` for the `if` of line %d",
                      statement->place.line);
}

static void parse_get(struct parser *parser, struct statement *statement)
{
    statement->target = sial_expect_block(parser, false);
}

static void parse_put(struct parser *parser, struct statement *statement)
{
    statement->target = sial_expect_block(parser, false);
    statement->assignment = sial_at(parser, TOKEN_PLUS_SET) ? ASSIGN_ADD : ASSIGN_SET;
    if (!sial_accept(parser, TOKEN_SET) && !sial_accept(parser, TOKEN_PLUS_SET))
        sial_expected(parser, "`=` or `+=`");
    statement->from = sial_expect_block(parser, false);
}

static void parse_allocate(struct parser *parser, struct statement *statement)
{
    statement->target = sial_expect_block(parser, true);
}

static void parse_array_name(struct parser *parser, struct statement *statement)
{
    statement->name = sial_expect_name(parser, "the name of an array");
}

static void parse_call(struct parser *parser, struct statement *statement)
{
    statement->name = sial_expect_name(parser, "the name of a procedure");
}

static void parse_collective(struct parser *parser, struct statement *statement)
{
    statement->name = sial_expect_name(parser, "the name of a scalar");
    sial_expect(parser, TOKEN_PLUS_SET, "`+=`");
    statement->source = sial_expect_name(parser, "the name of a scalar");
}

static void parse_execute(struct parser *parser, struct statement *statement)
{
    struct expression **end = &statement->value;
    statement->name = sial_expect_name(parser, "the name of a super instruction");
    while (!sial_at(parser, TOKEN_END_OF_LINE) && !sial_at(parser, TOKEN_END_OF_FILE)) {
        *end = sial_parse_argument(parser);
        end = &(*end)->next;
    }
}

static void parse_print(struct parser *parser, struct statement *statement)
{
    struct expression **end = &statement->value;
    if (sial_at(parser, TOKEN_END_OF_LINE))
        return;
    do {
        *end = sial_parse_item(parser);
        end = &(*end)->next;
    } while (sial_accept(parser, TOKEN_COMMA));
}

static enum assignment expect_assignment(struct parser *parser)
{
    enum assignment assignment = ASSIGN_SET;
    if (sial_at(parser, TOKEN_PLUS_SET))
        assignment = ASSIGN_ADD;
    else if (sial_at(parser, TOKEN_MINUS_SET))
        assignment = ASSIGN_SUBTRACT;
    else if (sial_at(parser, TOKEN_TIMES_SET))
        assignment = ASSIGN_MULTIPLY;
    else if (!sial_at(parser, TOKEN_SET))
        sial_expected(parser, "`=`, `+=`, `-=` or `*=`");
    sial_next(parser);
    return assignment;
}

static void parse_assignment(struct parser *parser, struct statement *statement)
{
    statement->name = sial_expect_name(parser, "a statement");
    if (sial_at(parser, TOKEN_OPEN_BRACKET)) {
        statement->kind = STATEMENT_ASSIGN_BLOCK;
        statement->target = sial_parse_block(parser, statement->name, false);
    }
    statement->assignment = expect_assignment(parser);
    statement->value = sial_parse_expression(parser);
}

static void parse_nothing(struct parser *parser, struct statement *statement)
{
    (void)parser;
    (void)statement;
}

/* What begins with a keyword. */
static const struct form {
    enum token_kind token;
    enum statement_kind kind;
    void (*parse)(struct parser *parser, struct statement *statement);
} forms[] = {
    {TOKEN_DO, STATEMENT_DO, sial_parse_loop},
    {TOKEN_PARDO, STATEMENT_PARDO, sial_parse_loop},
    {TOKEN_EXIT, STATEMENT_EXIT, parse_nothing},
    {TOKEN_IF, STATEMENT_IF, parse_if},
    {TOKEN_CALL, STATEMENT_CALL, parse_call},
    {TOKEN_RETURN, STATEMENT_RETURN, parse_nothing},
    {TOKEN_ALLOCATE, STATEMENT_ALLOCATE, parse_allocate},
    {TOKEN_DEALLOCATE, STATEMENT_DEALLOCATE, parse_allocate},
    {TOKEN_CREATE, STATEMENT_CREATE, parse_array_name},
    {TOKEN_DELETE, STATEMENT_DELETE, parse_array_name},
    {TOKEN_GET, STATEMENT_GET, parse_get},
    {TOKEN_REQUEST, STATEMENT_REQUEST, parse_get},
    {TOKEN_PUT, STATEMENT_PUT, parse_put},
    {TOKEN_PREPARE, STATEMENT_PREPARE, parse_put},
    {TOKEN_COLLECTIVE, STATEMENT_COLLECTIVE, parse_collective},
    {TOKEN_EXECUTE, STATEMENT_EXECUTE, parse_execute},
    {TOKEN_PRINT, STATEMENT_PRINT, parse_print},
    {TOKEN_SIP_BARRIER, STATEMENT_SIP_BARRIER, parse_nothing},
    {TOKEN_SERVER_BARRIER, STATEMENT_SERVER_BARRIER, parse_nothing},
    {TOKEN_GPU_ON, STATEMENT_GPU_ON, parse_nothing},
    {TOKEN_GPU_OFF, STATEMENT_GPU_OFF, parse_nothing},
};

static const struct form *find_form(enum token_kind token)
{
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (forms[i].token == token)
            return &forms[i];
    return NULL;
}

/* Whether the statements of a group end here. Words that can stand nowhere in it are no end, so
 * that the message speaks of a statement. */
static bool at_group_end(const struct parser *parser)
{
    switch (parser->token.kind) {
    case TOKEN_END_OF_FILE:
    case TOKEN_ELSE:
    case TOKEN_ENDDO:
    case TOKEN_ENDIF:
    case TOKEN_ENDPARDO:
    case TOKEN_ENDPROC:
    case TOKEN_ENDSIAL:
    case TOKEN_PROC:
        return true;
    default:
        return false;
    }
}

static void refuse_declaration(struct parser *parser)
{
    switch (parser->token.kind) {
    case TOKEN_IMPORT:
    case TOKEN_PREDEFINED:
    case TOKEN_INT:
    case TOKEN_SCALAR:
    case TOKEN_CONSTANT:
    case TOKEN_SEGMENT:
    case TOKEN_INDEX:
    case TOKEN_AOINDEX:
    case TOKEN_MOINDEX:
    case TOKEN_MOAINDEX:
    case TOKEN_MOBINDEX:
    case TOKEN_LAINDEX:
    case TOKEN_STATIC:
    case TOKEN_TEMP:
    case TOKEN_LOCAL:
    case TOKEN_DISTRIBUTED:
    case TOKEN_SERVED:
    case TOKEN_SPECIAL:
        sial_fail(parser->compiler, parser->token.place,
                  "declarations stand before the first statement and the first procedure");
    case TOKEN_WHERE:
    case TOKEN_NONZERO:
        sial_fail(parser->compiler, parser->token.place,
                  "`%s` stands directly after the indices of a pardo", parser->token.text);
    default:
        break;
    }
}

static struct statement *parse_statement(struct parser *parser)
{
    struct statement *statement = sial_take(parser->compiler, sizeof *statement);
    const struct form *form = find_form(parser->token.kind);
    refuse_declaration(parser);
    statement->place = parser->token.place;
    statement->kind = STATEMENT_ASSIGN;
    sial_deeper(parser, "statement");
    if (form) {
        sial_next(parser);
        statement->kind = form->kind;
        form->parse(parser, statement);
    } else {
        parse_assignment(parser, statement);
    }
    parser->depth--;
    sial_end_line(parser, "a statement");
    return statement;
}

struct statement *sial_parse_statements(struct parser *parser)
{
    struct statement *first = NULL, **end = &first;
    while (!at_group_end(parser)) {
        *end = parse_statement(parser);
        end = &(*end)->next;
    }
    return first;
}
