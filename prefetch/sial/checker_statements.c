#include <string.h>

#include "prefetch/sial/checker.h"

static void check_statements(struct scope *scope, struct statement *statements);

static void open_loop(struct scope *scope, struct statement *loop)
{
    struct compiler *compiler = scope->compiler;
    for (int i = 0; i < loop->count; i++) {
        struct name name = loop->indices[i];
        loop->index[i] = sial_find_kind(compiler, name, SYMBOL_INDEX)->position;
        if (sial_is_looped(scope, name.text))
            sial_fail(compiler, name.place, "a loop around runs over `%s` already", name.text);
        for (int k = 0; k < i; k++)
            if (loop->index[k] == loop->index[i])
                sial_fail(compiler, name.place, "`%s` stands twice in this pardo", name.text);
    }
    if (scope->loop_count == SIAL_NESTED_MAX)
        sial_fail(compiler, loop->place, "more than %d loops in one another", SIAL_NESTED_MAX);
    scope->loops[scope->loop_count++] = loop;
    if (scope->procedure->loops < scope->loop_count)
        scope->procedure->loops = scope->loop_count;
}

static void check_do(struct scope *scope, struct statement *loop)
{
    open_loop(scope, loop);
    check_statements(scope, loop->body);
    scope->loop_count--;
}

static void check_nonzero(struct scope *scope, struct block *block)
{
    const struct sial_array *array = sial_check_block(scope, block);
    if (array->kind == SIAL_TEMP || array->kind == SIAL_LOCAL)
        sial_fail(scope->compiler, block->array.place,
                  "`%s` is %s, so each worker has other blocks of it: `nonzero` needs a static, "
                  "distributed or served array",
                  array->name, sial_array_kind_name(array->kind));
}

static void check_pardo(struct scope *scope, struct statement *pardo)
{
    sial_note_alone(scope, "a pardo", pardo->place);
    open_loop(scope, pardo);
    scope->in_where = true;
    for (struct expression *where = pardo->where; where; where = where->next)
        sial_check_condition(scope, where);
    if (pardo->nonzero)
        check_nonzero(scope, pardo->nonzero);
    scope->in_where = false;
    scope->pardo = pardo;
    check_statements(scope, pardo->body);
    scope->pardo = NULL;
    scope->loop_count--;
}

static void check_exit(struct scope *scope, struct statement *statement)
{
    if (scope->loop_count == 0)
        sial_fail(scope->compiler, statement->place, "`exit` leaves a do, but no do is around it");
    if (scope->loops[scope->loop_count - 1]->kind == STATEMENT_PARDO)
        sial_fail(scope->compiler, statement->place,
                  "`exit` cannot leave a pardo: its iterations are spread over the workers");
}

static void check_if(struct scope *scope, struct statement *statement)
{
    sial_check_condition(scope, statement->value);
    check_statements(scope, statement->body);
    check_statements(scope, statement->otherwise);
}

static void check_call(struct scope *scope, struct statement *statement)
{
    statement->symbol = sial_find_kind(scope->compiler, statement->name, SYMBOL_PROCEDURE);
    sial_note_call(scope, statement);
}

static void check_return(struct scope *scope, struct statement *statement)
{
    if (scope->is_main)
        sial_fail(scope->compiler, statement->place, "`return` stands only in a procedure");
    if (scope->pardo)
        sial_fail(scope->compiler, statement->place, "`return` cannot leave the pardo of line %d",
                  scope->pardo->place.line);
}

static void check_create(struct scope *scope, struct statement *statement)
{
    bool create = statement->kind == STATEMENT_CREATE;
    sial_note_alone(scope, create ? "`create`" : "`delete`", statement->place);
    statement->symbol = sial_find_kind(scope->compiler, statement->name, SYMBOL_ARRAY);
    struct sial_array *array = &scope->compiler->program->arrays[statement->symbol->position];
    if (array->kind != SIAL_DISTRIBUTED && array->kind != SIAL_SERVED)
        sial_fail(scope->compiler, statement->name.place,
                  "expected a distributed or served array, but `%s` is %s", array->name,
                  sial_array_kind_name(array->kind));
    array->created |= create;
}

static void check_assignment(struct scope *scope, struct statement *statement)
{
    struct compiler *compiler = scope->compiler;
    const char *name = statement->name.text;
    struct symbol *symbol = sial_find(compiler, statement->name);
    statement->symbol = symbol;
    if (symbol->kind == SYMBOL_INDEX)
        sial_fail(compiler, statement->name.place, "`%s` is an index: only loops give it values",
                  name);
    if (symbol->kind != SYMBOL_SCALAR && symbol->kind != SYMBOL_INT)
        sial_fail(compiler, statement->name.place, "`%s` is %s, which cannot be assigned to", name,
                  sial_symbol_kind_text(symbol->kind));
    enum value_type type = sial_check_number(scope, statement->value);
    if (symbol->kind == SYMBOL_INT && type != VALUE_INT)
        sial_fail(compiler, statement->value->place,
                  "`%s` is an int, the value a scalar: (int) before it in parentheses cuts it off",
                  name);
}

static void check_collective(struct scope *scope, struct statement *statement)
{
    sial_note_alone(scope, "`collective`", statement->place);
    statement->symbol = sial_find_kind(scope->compiler, statement->name, SYMBOL_SCALAR);
    statement->source_symbol = sial_find_kind(scope->compiler, statement->source, SYMBOL_SCALAR);
}

static void check_print(struct scope *scope, struct statement *statement)
{
    for (struct expression *item = statement->value; item; item = item->next)
        if (item->kind != EXPRESSION_STRING)
            sial_check_number(scope, item);
}

static void check_barrier(struct scope *scope, struct statement *statement)
{
    bool sip = statement->kind == STATEMENT_SIP_BARRIER;
    sial_note_alone(scope, sip ? "`sip_barrier`" : "`server_barrier`", statement->place);
}

static void check_nothing(struct scope *scope, struct statement *statement)
{
    (void)scope;
    (void)statement;
}

static void check_statements(struct scope *scope, struct statement *statements)
{
    static void (*const checks[])(struct scope *, struct statement *) = {
        [STATEMENT_DO] = check_do,
        [STATEMENT_PARDO] = check_pardo,
        [STATEMENT_EXIT] = check_exit,
        [STATEMENT_IF] = check_if,
        [STATEMENT_CALL] = check_call,
        [STATEMENT_RETURN] = check_return,
        [STATEMENT_ALLOCATE] = sial_check_transfer,
        [STATEMENT_DEALLOCATE] = sial_check_transfer,
        [STATEMENT_CREATE] = check_create,
        [STATEMENT_DELETE] = check_create,
        [STATEMENT_GET] = sial_check_transfer,
        [STATEMENT_REQUEST] = sial_check_transfer,
        [STATEMENT_PUT] = sial_check_transfer,
        [STATEMENT_PREPARE] = sial_check_transfer,
        [STATEMENT_ASSIGN] = check_assignment,
        [STATEMENT_ASSIGN_BLOCK] = sial_check_block_statement,
        [STATEMENT_COLLECTIVE] = check_collective,
        [STATEMENT_EXECUTE] = sial_check_execute,
        [STATEMENT_PRINT] = check_print,
        [STATEMENT_SIP_BARRIER] = check_barrier,
        [STATEMENT_SERVER_BARRIER] = check_barrier,
        [STATEMENT_GPU_ON] = check_nothing,
        [STATEMENT_GPU_OFF] = check_nothing,
    };
    for (struct statement *statement = statements; statement; statement = statement->next)
        checks[statement->kind](scope, statement);
}

static void check_procedure(struct compiler *compiler, struct procedure *procedure)
{
    struct scope scope = {.compiler = compiler,
                          .procedure = procedure,
                          .calls_end = &procedure->calls,
                          .is_main = procedure == compiler->main};
    check_statements(&scope, procedure->body);
}

void sial_check_statements(struct compiler *compiler)
{
    struct procedure *procedure = compiler->procedures;
    for (; procedure; procedure = procedure->next)
        sial_declare(compiler, procedure->name, SYMBOL_PROCEDURE)->procedure = procedure;
    for (procedure = compiler->procedures; procedure; procedure = procedure->next)
        check_procedure(compiler, procedure);
    check_procedure(compiler, compiler->main);
    sial_check_calls(compiler);
}
