/* Scalar expressions, on a stack of doubles. */
#include <math.h>

#include "prefetch/sip/interpreter.h"

static enum dm_status push(struct worker *worker, double x)
{
    worker->stack[worker->depth++] = x;
    return DM_OK;
}

static double pop(struct worker *worker)
{
    return worker->stack[--worker->depth];
}

enum dm_status interpreter_push_number(struct worker *worker,
                                       const struct sial_instruction *instruction)
{
    return push(worker, worker->program->numbers[instruction->a]);
}

enum dm_status interpreter_push_scalar(struct worker *worker,
                                       const struct sial_instruction *instruction)
{
    return push(worker, worker->scalars[instruction->a]);
}

enum dm_status interpreter_push_int(struct worker *worker,
                                    const struct sial_instruction *instruction)
{
    return push(worker, (double)worker->ints[instruction->a]);
}

enum dm_status interpreter_push_index(struct worker *worker,
                                      const struct sial_instruction *instruction)
{
    int value = worker->values[instruction->a];
    if (value == NO_VALUE)
        return worker_fail_value(worker, instruction->a);
    return push(worker, value);
}

enum dm_status interpreter_arithmetic(struct worker *worker,
                                      const struct sial_instruction *instruction)
{
    double y = pop(worker), x = pop(worker);
    switch (instruction->operation) {
    case SIAL_PLUS:
        return push(worker, x + y);
    case SIAL_MINUS:
        return push(worker, x - y);
    case SIAL_TIMES:
        return push(worker, x * y);
    default:
        return push(worker, x / y);
    }
}

enum dm_status interpreter_divide_int(struct worker *worker,
                                      const struct sial_instruction *instruction)
{
    (void)instruction;
    double y = pop(worker), x = pop(worker);
    if (y == 0.0)
        return worker_fail(worker, DM_INVALID, "division of the int %.10g by zero", x);
    return push(worker, trunc(x / y));
}

enum dm_status interpreter_compare(struct worker *worker,
                                   const struct sial_instruction *instruction)
{
    double y = pop(worker), x = pop(worker);
    switch (instruction->operation) {
    case SIAL_LESS:
        return push(worker, x < y);
    case SIAL_LESS_EQUAL:
        return push(worker, x <= y);
    case SIAL_GREATER:
        return push(worker, x > y);
    case SIAL_GREATER_EQUAL:
        return push(worker, x >= y);
    case SIAL_EQUAL:
        return push(worker, x == y);
    default:
        return push(worker, x != y);
    }
}

enum dm_status interpreter_logic(struct worker *worker, const struct sial_instruction *instruction)
{
    bool y = pop(worker) != 0.0, x = pop(worker) != 0.0;
    return push(worker, instruction->operation == SIAL_AND ? x && y : x || y);
}

/* Of one number. */
enum dm_status interpreter_function(struct worker *worker,
                                    const struct sial_instruction *instruction)
{
    double x = pop(worker);
    switch (instruction->operation) {
    case SIAL_NEGATE:
        return push(worker, -x);
    case SIAL_SQUARE_ROOT:
        return push(worker, sqrt(x));
    case SIAL_ABSOLUTE:
        return push(worker, fabs(x));
    case SIAL_TRUNCATE:
        return push(worker, trunc(x));
    default:
        return push(worker, x == 0.0);
    }
}

static double changed(double old, double x, enum sial_mode mode)
{
    return mode == SIAL_SET ? x : mode == SIAL_ADD ? old + x : old - x;
}

enum dm_status interpreter_store_scalar(struct worker *worker,
                                        const struct sial_instruction *instruction)
{
    double *scalar = &worker->scalars[instruction->a];
    *scalar = changed(*scalar, pop(worker), instruction->d);
    return DM_OK;
}

enum dm_status interpreter_store_int(struct worker *worker,
                                     const struct sial_instruction *instruction)
{
    int64_t *number = &worker->ints[instruction->a];
    double x = changed((double)*number, pop(worker), instruction->d);
    if (!(fabs(x) <= 0x1p53))
        return worker_fail(worker, DM_INVALID, "%.10g is too large for int %s: up to 2^53 is exact",
                           x, worker->program->ints[instruction->a].name);
    *number = (int64_t)x;
    return DM_OK;
}
