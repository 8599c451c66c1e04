/* expression.h: the constraints of a space, over values and over ranges of values.
 *
 * A constraint is judged while some parameters have only a range. That tells early that no
 * configuration of a part of the space passes, or that all do. */
#ifndef TUNER_EXPRESSION_H
#define TUNER_EXPRESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "line.h"

/* What a value can be. Values between the ends may be missing: a range says too much rather than
 * too little. Of single values (low == high everywhere) an expression is exact. */
struct range {
    int64_t low, high;
    bool may_fail; /* for some of the values, a division by zero or an overflow */
    bool fails;    /* for all of the values; low and high mean nothing */
    /* Of a parameter of reals, instead of low and high. */
    double real_low, real_high;
};

enum operator_kind {
    OP_NUMBER,    /* operand: the number */
    OP_REAL,      /* real: the number */
    OP_PARAMETER, /* operand: the dimension */
    OP_REALS,     /* operand: the dimension of a parameter of reals */
    OP_NOT,
    OP_NEGATIVE,
    OP_OR,
    OP_AND,
    OP_EQUAL,
    OP_UNEQUAL,
    OP_LESS,
    OP_LESS_EQUAL,
    OP_GREATER,
    OP_GREATER_EQUAL,
    OP_PLUS,
    OP_MINUS,
    OP_TIMES,
    OP_DIVIDE,
    OP_REMAINDER,
    OP_MINIMUM,
    OP_MAXIMUM
};

struct operation {
    enum operator_kind kind;
    int64_t operand;
    double real;
};

enum { OPERATIONS_MAX = 256 }; /* numbers, parameters and operators of a constraint */

/* In postfix order. */
struct expression {
    size_t count;
    bool in_reals; /* some number or parameter is one: all is computed in doubles */
    struct operation operations[OPERATIONS_MAX];
};

/* Reads the rest of the line. */
enum dm_status expression_read(struct source_line *line, const struct tuner_parameter *parameters,
                               size_t parameter_count, struct expression *expression);

/* The same of as much of the line as is an expression. */
enum dm_status expression_read_part(struct source_line *line,
                                    const struct tuner_parameter *parameters,
                                    size_t parameter_count, struct expression *expression);

/* What was read becomes `expression || parameter == its first value`. */
enum dm_status expression_or_first(struct expression *expression, const struct source_line *line,
                                   const struct tuner_parameter *parameters, size_t dimension);

/* Bit d is set if parameter d is in the expression. */
uint32_t expression_parameters(const struct expression *expression);

/* The result for these ranges, one per parameter. */
struct range expression_range(const struct expression *expression, const struct range *ranges);

/* The same of one in_reals (expression_real.c). The result tells only false, true or both. */
struct range expression_range_real(const struct expression *expression, const struct range *ranges);

/* || and &&: the right counts only where the left does not decide. */
struct range range_chained(struct range a, struct range b, bool is_or);

/* Whether a constraint with this result is met by none, or by all, of the values. Of single values
 * it is one of the two. */
bool range_never(struct range range);
bool range_always(struct range range);

#endif
