/* Statements on blocks of the worker. */
#include "common/error.h"
#include "prefetch/sip/interpreter.h"
#include "prefetch/sip/worker_compute.h"

static struct operand_use use_of(int operand, enum pinning_intent intent)
{
    return (struct operand_use){.operand = operand, .intent = intent};
}

static double pop(struct worker *worker)
{
    return worker->stack[--worker->depth];
}

enum dm_status interpreter_push_dot(struct worker *worker,
                                    const struct sial_instruction *instruction)
{
    struct computation computation = {
        .operation = SIAL_PUSH_DOT,
        .uses = {use_of(instruction->a, PINNING_READ), use_of(instruction->b, PINNING_READ)},
        .count = 2};
    TRY(compute(worker, &computation));
    worker->stack[worker->depth++] = computation.dot;
    return DM_OK;
}

enum dm_status interpreter_block_statement(struct worker *worker,
                                           const struct sial_instruction *instruction)
{
    enum sial_operation operation = instruction->operation;
    struct computation computation = {.operation = operation,
                                      .mode = (enum tensor_mode)instruction->d};
    if (operation == SIAL_BLOCK_SUM)
        computation.beta = pop(worker);
    computation.alpha = pop(worker);
    bool two = operation == SIAL_BLOCK_SUM || operation == SIAL_BLOCK_CONTRACT;
    if (two || operation == SIAL_BLOCK_COPY)
        computation.uses[computation.count++] = use_of(instruction->b, PINNING_READ);
    if (two)
        computation.uses[computation.count++] = use_of(instruction->c, PINNING_READ);
    bool overwrites = operation != SIAL_BLOCK_SCALE && instruction->d == SIAL_SET;
    computation.uses[computation.count++] =
        use_of(instruction->a, overwrites ? PINNING_WRITE : PINNING_UPDATE);
    return compute(worker, &computation);
}

/* ---- local arrays ---- */

typedef enum dm_status block_action(struct worker *worker, int operand, const int *values,
                                    bool one);

static int array_of(const struct worker *worker, int operand)
{
    return worker->program->operands[operand].array;
}

/* All blocks that an operand with wildcards names. */
static enum dm_status for_each_block(struct worker *worker, int operand, block_action *action)
{
    const struct prefetch_program *program = worker->program;
    const struct sial_operand *block = &program->operands[operand];
    const struct sial_array *array = &program->arrays[block->array];
    int low[SIAL_RANK_MAX], high[SIAL_RANK_MAX], values[SIAL_RANK_MAX];
    bool one = true;
    for (int d = 0; d < array->rank; d++) {
        const struct sial_index *range = &program->indices[array->indices[d]];
        bool all = block->indices[d] < 0;
        low[d] = all ? range->low : worker->values[block->indices[d]];
        high[d] = all ? range->high : low[d];
        one = one && !all;
        values[d] = low[d];
        if (low[d] == NO_VALUE)
            return worker_fail_value(worker, block->indices[d]);
        if (high[d] < low[d])
            return DM_OK;
    }
    for (int d = 0; d >= 0;) {
        TRY(action(worker, operand, values, one));
        for (d = array->rank - 1; d >= 0 && values[d] == high[d]; d--)
            values[d] = low[d];
        if (d >= 0)
            values[d]++;
    }
    return DM_OK;
}

static enum dm_status number_of(struct worker *worker, int operand, const int *values,
                                int64_t *number)
{
    *number = sial_block_number(worker->program, array_of(worker, operand), values);
    return *number >= 0 ? DM_OK : worker_fail_range(worker, operand, values);
}

static enum dm_status allocate(struct worker *worker, int operand, const int *values, bool one)
{
    (void)one;
    int array = array_of(worker, operand);
    int64_t number;
    struct table_block *block;
    char name[BLOCK_NAME_BYTES];
    TRY(number_of(worker, operand, values, &number));
    if (table_find(&worker->table, array, number))
        return worker_fail(worker, DM_INVALID, "block %s is allocated already: deallocate it first",
                           worker_block_name(worker, array, number, name));
    return operands_add_own(worker, array, number, &block);
}

static enum dm_status deallocate(struct worker *worker, int operand, const int *values, bool one)
{
    int array = array_of(worker, operand);
    int64_t number;
    char name[BLOCK_NAME_BYTES];
    TRY(number_of(worker, operand, values, &number));
    struct table_block *block = table_find(&worker->table, array, number);
    if (!block && one)
        return worker_fail(worker, DM_INVALID, "block %s is not allocated",
                           worker_block_name(worker, array, number, name));
    if (block)
        table_remove(&worker->table, block);
    return DM_OK;
}

enum dm_status interpreter_allocate(struct worker *worker,
                                    const struct sial_instruction *instruction)
{
    worker->statement++;
    return for_each_block(worker, instruction->a, allocate);
}

enum dm_status interpreter_deallocate(struct worker *worker,
                                      const struct sial_instruction *instruction)
{
    worker->statement++;
    return for_each_block(worker, instruction->a, deallocate);
}
