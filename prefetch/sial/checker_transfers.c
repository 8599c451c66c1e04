/* Statements that move blocks or make room for them, and super instructions. */
#include <string.h>

#include "prefetch/sial/checker.h"

static const struct transfer {
    enum statement_kind kind;
    const char *word;
    enum sial_array_kind array;
    const char *instead; /* the word for the other kind of array on servers */
} transfers[] = {
    {STATEMENT_GET, "get", SIAL_DISTRIBUTED, "request"},
    {STATEMENT_PUT, "put", SIAL_DISTRIBUTED, "prepare"},
    {STATEMENT_REQUEST, "request", SIAL_SERVED, "get"},
    {STATEMENT_PREPARE, "prepare", SIAL_SERVED, "put"},
    {STATEMENT_ALLOCATE, "allocate", SIAL_LOCAL, NULL},
    {STATEMENT_DEALLOCATE, "deallocate", SIAL_LOCAL, NULL},
};

static const struct transfer *find_transfer(enum statement_kind kind)
{
    const struct transfer *transfer = transfers;
    while (transfer->kind != kind)
        transfer++;
    return transfer;
}

static void check_array_kind(struct scope *scope, const struct transfer *transfer,
                             const struct sial_array *array, struct name name)
{
    if (array->kind == transfer->array)
        return;
    bool other =
        transfer->instead && (array->kind == SIAL_DISTRIBUTED || array->kind == SIAL_SERVED);
    sial_fail(scope->compiler, name.place, "`%s` needs a %s array, `%s` is %s%s%s", transfer->word,
              sial_array_kind_name(transfer->array), array->name, sial_array_kind_name(array->kind),
              other ? ": use " : "", other ? transfer->instead : "");
}

static void check_source(struct scope *scope, const struct transfer *transfer,
                         const struct statement *statement)
{
    struct compiler *compiler = scope->compiler;
    const struct block *target = statement->target;
    struct block *source = statement->from;
    sial_check_block(scope, source);
    if (source->position == target->position && statement->assignment == ASSIGN_SET)
        sial_fail(compiler, source->array.place, "`%s` from an array to itself changes nothing",
                  transfer->word);
    bool same = source->rank == target->rank;
    for (int i = 0; same && i < target->rank; i++)
        same = source->index[i] == target->index[i];
    if (!same)
        sial_fail(compiler, source->array.place,
                  "`%s` moves a block as it is: both need the same indices in the same order; "
                  "permute into a temp block first",
                  transfer->word);
}

void sial_check_transfer(struct scope *scope, struct statement *statement)
{
    const struct transfer *transfer = find_transfer(statement->kind);
    const struct sial_array *array = sial_check_block(scope, statement->target);
    check_array_kind(scope, transfer, array, statement->target->array);
    if (statement->from)
        check_source(scope, transfer, statement);
}

static void check_block_argument(struct scope *scope, struct expression *argument, char access)
{
    const struct sial_array *array = sial_check_block(scope, argument->block);
    if (access != 'r' && (array->kind == SIAL_DISTRIBUTED || array->kind == SIAL_SERVED))
        sial_fail(scope->compiler, argument->place,
                  "the super instruction writes this argument, but `%s` is %s: write to a temp "
                  "block, then %s it",
                  array->name, sial_array_kind_name(array->kind),
                  array->kind == SIAL_DISTRIBUTED ? "put" : "prepare");
}

static void check_name_argument(struct scope *scope, struct expression *argument)
{
    struct symbol *symbol = sial_find(scope->compiler, argument->name);
    argument->symbol = symbol;
    if (symbol->kind == SYMBOL_INDEX)
        sial_check_index(scope, argument->name);
    else if (symbol->kind == SYMBOL_ARRAY || symbol->kind == SYMBOL_SPECIAL ||
             symbol->kind == SYMBOL_PROCEDURE)
        sial_fail(scope->compiler, argument->place,
                  "expected a block, a number or a string, but `%s` is %s", argument->name.text,
                  sial_symbol_kind_text(symbol->kind));
}

static void check_argument(struct scope *scope, struct expression *argument, char access)
{
    if (argument->kind == EXPRESSION_BLOCK) {
        check_block_argument(scope, argument, access);
        return;
    }
    if (argument->kind == EXPRESSION_NAME)
        check_name_argument(scope, argument);
    bool can_change = argument->symbol && argument->symbol->kind == SYMBOL_SCALAR;
    if (access != 'r' && !can_change)
        sial_fail(scope->compiler, argument->place,
                  "the super instruction writes this argument: it must be a block or a scalar");
}

void sial_check_execute(struct scope *scope, struct statement *statement)
{
    struct compiler *compiler = scope->compiler;
    statement->symbol = sial_find_kind(compiler, statement->name, SYMBOL_SPECIAL);
    const char *signature = compiler->program->specials[statement->symbol->position].signature;
    size_t wanted = strlen(signature), count = 0;
    for (const struct expression *argument = statement->value; argument; argument = argument->next)
        count++;
    if (count != wanted)
        sial_fail(compiler, statement->name.place, "`%s` takes %zu argument%s, found %zu",
                  statement->name.text, wanted, wanted == 1 ? "" : "s", count);
    for (struct expression *argument = statement->value; argument; argument = argument->next)
        check_argument(scope, argument, *signature++);
}
