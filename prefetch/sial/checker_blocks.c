#include <string.h>

#include "prefetch/sial/checker.h"

static bool is_on_servers(enum sial_array_kind kind)
{
    return kind == SIAL_DISTRIBUTED || kind == SIAL_SERVED;
}

static struct sial_array *array_of(const struct scope *scope, const struct block *block)
{
    return &scope->compiler->program->arrays[block->position];
}

static void check_dimension(struct scope *scope, struct block *block, int dimension)
{
    const struct prefetch_program *program = scope->compiler->program;
    const struct sial_array *array = array_of(scope, block);
    struct name name = block->indices[dimension];
    block->index[dimension] = -1;
    if (!name.text)
        return;
    block->index[dimension] = sial_check_index(scope, name);
    const struct sial_index *index = &program->indices[block->index[dimension]];
    const struct sial_index *spanning = &program->indices[array->indices[dimension]];
    if (index->kind != spanning->kind)
        sial_fail(scope->compiler, name.place,
                  "dimension %d of `%s` is spanned by `%s`, %s; `%s` is %s", dimension + 1,
                  array->name, spanning->name, sial_index_kind_name(spanning->kind), name.text,
                  sial_index_kind_name(index->kind));
}

struct sial_array *sial_check_block(struct scope *scope, struct block *block)
{
    block->position = sial_find_kind(scope->compiler, block->array, SYMBOL_ARRAY)->position;
    struct sial_array *array = array_of(scope, block);
    if (block->rank != array->rank)
        sial_fail(scope->compiler, block->array.place, "`%s` has %d dimension%s, this block %d",
                  array->name, array->rank, array->rank == 1 ? "" : "s", block->rank);
    for (int i = 0; i < block->rank; i++)
        check_dimension(scope, block, i);
    return array;
}

static bool has_index(const struct block *block, int index)
{
    for (int i = 0; i < block->rank; i++)
        if (block->index[i] == index)
            return true;
    return false;
}

static void refuse_diagonal(struct scope *scope, const struct block *block)
{
    for (int i = 0; i < block->rank; i++)
        for (int k = 0; k < i; k++)
            if (block->index[i] == block->index[k])
                sial_fail(scope->compiler, block->indices[i].place,
                          "`%s` stands twice: diagonal blocks are not supported here",
                          block->indices[i].text);
}

void sial_check_operand(struct scope *scope, struct block *block)
{
    sial_check_block(scope, block);
    refuse_diagonal(scope, block);
}

/* The indices of one block stand in the other one too. */
static void check_indices_in(struct scope *scope, const struct block *one,
                             const struct block *other)
{
    for (int i = 0; i < one->rank; i++)
        if (!has_index(other, one->index[i]))
            sial_fail(scope->compiler, one->indices[i].place,
                      "`%s` is no index of the block of `%s`: both need the same indices, in any "
                      "order",
                      one->indices[i].text, other->array.text);
}

void sial_check_permutation(struct scope *scope, const struct block *one, const struct block *other)
{
    check_indices_in(scope, other, one);
    check_indices_in(scope, one, other);
}

static void check_target(struct scope *scope, struct block *target)
{
    const struct sial_array *array = sial_check_block(scope, target);
    if (is_on_servers(array->kind))
        sial_fail(scope->compiler, target->array.place,
                  "`%s` is %s: its blocks are changed by %s, not assigned to", array->name,
                  sial_array_kind_name(array->kind),
                  array->kind == SIAL_DISTRIBUTED ? "put" : "prepare");
}

/* Each index of the target stands in one source, any other one in both. */
static void check_contraction(struct scope *scope, const struct block *target,
                              struct block *const sources[2])
{
    struct compiler *compiler = scope->compiler;
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < sources[k]->rank; i++) {
            int index = sources[k]->index[i];
            struct name name = sources[k]->indices[i];
            bool shared = has_index(sources[1 - k], index), kept = has_index(target, index);
            if (shared && kept)
                sial_fail(compiler, name.place,
                          "`%s` is in both factors, so it is summed over and cannot be in the "
                          "target",
                          name.text);
            if (!shared && !kept)
                sial_fail(compiler, name.place,
                          "`%s` is in one factor only, so it must be in the target", name.text);
        }
    for (int i = 0; i < target->rank; i++)
        if (!has_index(sources[0], target->index[i]) && !has_index(sources[1], target->index[i]))
            sial_fail(compiler, target->indices[i].place, "`%s` is in none of the factors",
                      target->indices[i].text);
}

/* Collects the blocks of a term and checks its other factors. */
static void check_term(struct scope *scope, struct term *term, struct expression *expression)
{
    if (expression->blocks == 0) {
        sial_check_number(scope, expression);
        return;
    }
    if (expression->inverse)
        sial_fail(scope->compiler, expression->place, "a block cannot be divided by");
    switch (expression->kind) {
    case EXPRESSION_BLOCK:
        if (term->count == 2)
            sial_fail(scope->compiler, expression->place, "a term has at most two blocks");
        sial_check_operand(scope, expression->block);
        term->blocks[term->count++] = expression->block;
        return;
    case EXPRESSION_NEGATE:
        check_term(scope, term, expression->first);
        return;
    case EXPRESSION_PRODUCT:
        for (struct expression *factor = expression->first; factor; factor = factor->next)
            check_term(scope, term, factor);
        return;
    default:
        sial_fail(scope->compiler, expression->place,
                  "blocks stand in products and in sums of two terms; compute anything else of "
                  "them in statements of their own");
    }
}

static void add_term(struct scope *scope, struct statement *statement,
                     struct expression *expression)
{
    struct compiler *compiler = scope->compiler;
    if (statement->term_count == 2)
        sial_fail(compiler, expression->place,
                  "a sum has at most two blocks: add the third in a statement of its own, with +=");
    if (expression->blocks == 0)
        sial_fail(compiler, expression->place,
                  "a number cannot be added to a block: fill a temp block with it first");
    struct term *term = &statement->terms[statement->term_count++];
    term->negative = expression->inverse;
    term->expression = expression;
    expression->inverse = false; /* from here on it would mean a division */
    check_term(scope, term, expression);
}

static void check_terms(struct scope *scope, struct statement *statement)
{
    struct expression *value = statement->value;
    statement->terms = sial_take(scope->compiler, 2 * sizeof *statement->terms);
    if (value->kind != EXPRESSION_SUM)
        add_term(scope, statement, value);
    else
        for (struct expression *term = value->first; term; term = term->next)
            add_term(scope, statement, term);
    if (statement->term_count == 1 && statement->terms[0].count == 2) {
        check_contraction(scope, statement->target, statement->terms[0].blocks);
        return;
    }
    for (int i = 0; i < statement->term_count; i++) {
        if (statement->terms[i].count != 1)
            sial_fail(scope->compiler, statement->terms[i].expression->place,
                      "a contraction stands alone: add to it in a statement of its own, with +=");
        sial_check_permutation(scope, statement->target, statement->terms[i].blocks[0]);
    }
}

void sial_check_block_statement(struct scope *scope, struct statement *statement)
{
    check_target(scope, statement->target);
    if (statement->value->blocks == 0) {
        sial_check_number(scope, statement->value);
        return;
    }
    if (statement->assignment == ASSIGN_MULTIPLY)
        sial_fail(scope->compiler, statement->value->place, "a block is scaled by a number");
    refuse_diagonal(scope, statement->target);
    check_terms(scope, statement);
}
