/* The parser of whole programs: files, declarations, procedures. */
#include "prefetch/sial/parser.h"

#include <stdarg.h>
#include <string.h>
#include <strings.h>

void sial_expected(struct parser *parser, const char *format, ...)
{
    char what[256], found[SIAL_TOKEN_TEXT];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    sial_token_text(parser->token, found);
    sial_fail(parser->compiler, parser->token.place, "expected %s, found %s", what, found);
}

void sial_next(struct parser *parser)
{
    parser->token = sial_lexer_next(&parser->lexer);
}

bool sial_accept(struct parser *parser, enum token_kind kind)
{
    if (!sial_at(parser, kind))
        return false;
    sial_next(parser);
    return true;
}

void sial_expect(struct parser *parser, enum token_kind kind, const char *what)
{
    if (!sial_accept(parser, kind))
        sial_expected(parser, "%s", what);
}

struct name sial_expect_name(struct parser *parser, const char *what)
{
    struct name name = {parser->token.text, parser->token.place};
    sial_expect(parser, TOKEN_NAME, what);
    return name;
}

void sial_end_line(struct parser *parser, const char *after)
{
    if (!sial_at(parser, TOKEN_END_OF_FILE) && !sial_accept(parser, TOKEN_END_OF_LINE))
        sial_expected(parser, "the end of the line after %s", after);
}

void sial_end_name(struct parser *parser, const char *word, struct name opened)
{
    if (!sial_at(parser, TOKEN_NAME))
        return;
    struct name name = sial_expect_name(parser, "a name");
    if (strcasecmp(name.text, opened.text) != 0)
        sial_fail(parser->compiler, name.place, "`%s %s` closes what line %d names `%s`", word,
                  name.text, opened.place.line, opened.text);
}

void sial_deeper(struct parser *parser, const char *what)
{
    if (++parser->depth > SIAL_DEPTH_MAX)
        sial_fail(parser->compiler, parser->token.place, "this %s is nested more than %d deep",
                  what, SIAL_DEPTH_MAX);
}

static struct declaration *add_declaration(struct parser *parser, enum declaration_kind kind)
{
    struct declaration *declaration = sial_take(parser->compiler, sizeof *declaration);
    declaration->kind = kind;
    *parser->compiler->declarations_end = declaration;
    parser->compiler->declarations_end = &declaration->next;
    return declaration;
}

static enum value_type expect_type(struct parser *parser)
{
    bool is_int = sial_at(parser, TOKEN_INT);
    if (!is_int && !sial_at(parser, TOKEN_SCALAR))
        sial_expected(parser, "`int` or `scalar`");
    sial_next(parser);
    return is_int ? VALUE_INT : VALUE_SCALAR;
}

/* A value that the program computes with: its kind, its type, its name and perhaps a value. */
static void parse_value(struct parser *parser, enum declaration_kind kind)
{
    struct declaration *declaration = add_declaration(parser, kind);
    if (kind != DECLARATION_VARIABLE)
        sial_next(parser);
    declaration->type = expect_type(parser);
    declaration->name = sial_expect_name(parser, "a name");
    if (kind == DECLARATION_CONSTANT)
        sial_expect(parser, TOKEN_SET, "`=` and the value of the constant");
    else if (!sial_accept(parser, TOKEN_SET))
        return;
    declaration->value = sial_parse_expression(parser);
}

static bool index_kind_of(enum token_kind token, enum sial_index_kind *kind)
{
    static const enum token_kind tokens[SIAL_INDEX_KINDS] = {
        [SIAL_SIMPLE] = TOKEN_INDEX, [SIAL_AO] = TOKEN_AOINDEX,   [SIAL_MO] = TOKEN_MOINDEX,
        [SIAL_MOA] = TOKEN_MOAINDEX, [SIAL_MOB] = TOKEN_MOBINDEX, [SIAL_LA] = TOKEN_LAINDEX};
    for (int i = 0; i < SIAL_INDEX_KINDS; i++)
        if (tokens[i] == token) {
            *kind = (enum sial_index_kind)i;
            return true;
        }
    return false;
}

static bool array_kind_of(enum token_kind token, enum sial_array_kind *kind)
{
    static const enum token_kind tokens[] = {[SIAL_STATIC] = TOKEN_STATIC,
                                             [SIAL_TEMP] = TOKEN_TEMP,
                                             [SIAL_LOCAL] = TOKEN_LOCAL,
                                             [SIAL_DISTRIBUTED] = TOKEN_DISTRIBUTED,
                                             [SIAL_SERVED] = TOKEN_SERVED};
    for (size_t i = 0; i < sizeof tokens / sizeof *tokens; i++)
        if (tokens[i] == token) {
            *kind = (enum sial_array_kind)i;
            return true;
        }
    return false;
}

static void parse_segment(struct parser *parser)
{
    struct declaration *declaration = add_declaration(parser, DECLARATION_SEGMENT);
    sial_next(parser);
    declaration->name = (struct name){parser->token.text, parser->token.place};
    if (!index_kind_of(parser->token.kind, &declaration->index_kind))
        sial_expected(parser, "a kind of index, as in `segment aoindex = 20`");
    sial_next(parser);
    sial_expect(parser, TOKEN_SET, "`=` and the length of a segment");
    declaration->value = sial_parse_expression(parser);
}

static void parse_index(struct parser *parser, enum sial_index_kind kind)
{
    struct declaration *declaration = add_declaration(parser, DECLARATION_INDEX);
    sial_next(parser);
    declaration->index_kind = kind;
    declaration->name = sial_expect_name(parser, "the name of an index");
    sial_expect(parser, TOKEN_SET, "`=` and the range of the index, as in 1:8");
    declaration->value = sial_parse_expression(parser);
    sial_expect(parser, TOKEN_COLON, "`:` between the ends of the range");
    declaration->high = sial_parse_expression(parser);
}

static void parse_array(struct parser *parser, enum sial_array_kind kind)
{
    struct declaration *declaration = add_declaration(parser, DECLARATION_ARRAY);
    sial_next(parser);
    declaration->array_kind = kind;
    declaration->name = sial_expect_name(parser, "the name of an array");
    declaration->shape = sial_parse_block(parser, declaration->name, false);
}

static void parse_special(struct parser *parser)
{
    struct declaration *declaration = add_declaration(parser, DECLARATION_SPECIAL);
    sial_next(parser);
    declaration->name = sial_expect_name(parser, "the name of a super instruction");
    if (sial_at(parser, TOKEN_NAME))
        declaration->signature = sial_expect_name(parser, "its signature");
}

static void parse_import(struct parser *parser)
{
    struct compiler *compiler = parser->compiler;
    const char *importer = compiler->program->files[parser->lexer.file].name;
    const char *slash = strrchr(importer, '/');
    sial_next(parser);
    struct place place = parser->token.place;
    const char *name = parser->token.text;
    sial_expect(parser, TOKEN_STRING, "the name of a file between quotes");
    bool has_folder = parser->lexer.file > 0 || !compiler->from_memory;
    size_t folder = slash && name[0] != '/' && has_folder ? (size_t)(slash - importer) + 1 : 0;
    char *path = sial_take(compiler, folder + strlen(name) + 1);
    memcpy(path, importer, folder);
    strcpy(path + folder, name);
    int file = sial_add_file(compiler, path, place);
    if (file >= 0)
        sial_parse(compiler, file);
}

/* False if no declaration begins here. */
static bool parse_declaration(struct parser *parser)
{
    enum sial_index_kind index_kind;
    enum sial_array_kind array_kind;
    if (sial_at(parser, TOKEN_IMPORT))
        parse_import(parser);
    else if (sial_at(parser, TOKEN_PREDEFINED))
        parse_value(parser, DECLARATION_PREDEFINED);
    else if (sial_at(parser, TOKEN_CONSTANT))
        parse_value(parser, DECLARATION_CONSTANT);
    else if (sial_at(parser, TOKEN_INT) || sial_at(parser, TOKEN_SCALAR))
        parse_value(parser, DECLARATION_VARIABLE);
    else if (sial_at(parser, TOKEN_SEGMENT))
        parse_segment(parser);
    else if (index_kind_of(parser->token.kind, &index_kind))
        parse_index(parser, index_kind);
    else if (array_kind_of(parser->token.kind, &array_kind))
        parse_array(parser, array_kind);
    else if (sial_at(parser, TOKEN_SPECIAL))
        parse_special(parser);
    else
        return false;
    sial_end_line(parser, "a declaration");
    return true;
}

static void parse_procedure(struct parser *parser)
{
    struct procedure *procedure = sial_take(parser->compiler, sizeof *procedure);
    *parser->compiler->procedures_end = procedure;
    parser->compiler->procedures_end = &procedure->next;
    sial_expect(parser, TOKEN_PROC, "`proc`");
    procedure->name = sial_expect_name(parser, "the name of a procedure");
    sial_end_line(parser, "the name of a procedure");
    procedure->body = sial_parse_statements(parser);
    if (!sial_at(parser, TOKEN_ENDPROC))
        sial_expected(parser, "a statement or `endproc` for the procedure `%s` of line %d",
                      procedure->name.text, procedure->name.place.line);
    sial_next(parser);
    sial_end_name(parser, "endproc", procedure->name);
    sial_end_line(parser, "`endproc`");
}

/* Procedures and statements up to endsial; the statements of an imported program are left out. */
static void parse_body(struct parser *parser, bool is_main)
{
    struct statement **end = &parser->compiler->main->body;
    for (;;) {
        if (sial_at(parser, TOKEN_PROC)) {
            parse_procedure(parser);
            continue;
        }
        struct statement *statements = sial_parse_statements(parser);
        if (!statements)
            return;
        if (!is_main)
            continue;
        *end = statements;
        while (*end)
            end = &(*end)->next;
    }
}

void sial_parse(struct compiler *compiler, int file)
{
    struct parser parser = {.compiler = compiler};
    sial_lexer_start(&parser.lexer, compiler, file);
    sial_next(&parser);
    sial_expect(&parser, TOKEN_SIAL, "`sial` and the name of the program");
    struct name name = sial_expect_name(&parser, "the name of the program");
    if (file == 0)
        compiler->program->name = sial_keep_text(compiler, name.text, strlen(name.text));
    sial_end_line(&parser, "the name of the program");
    while (parse_declaration(&parser))
        ;
    parse_body(&parser, file == 0);
    if (!sial_at(&parser, TOKEN_ENDSIAL))
        sial_expected(&parser, "a statement, `proc` or `endsial`");
    if (file == 0)
        compiler->main->name.place = parser.token.place;
    sial_next(&parser);
    sial_end_name(&parser, "endsial", name);
    sial_end_line(&parser, "`endsial`");
    if (!sial_at(&parser, TOKEN_END_OF_FILE))
        sial_expected(&parser, "nothing after `endsial`");
}
