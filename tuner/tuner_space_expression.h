/* tuner_space_expression.h: the constraints of a space, over values and over ranges of values.
 *
 * A constraint is judged while some parameters have only a range. That tells early that no
 * configuration of a part of the space passes, or that all do. */
#ifndef TUNER_SPACE_EXPRESSION_H
#define TUNER_SPACE_EXPRESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tuner_space_text.h"

/* What a value can be. Values between the ends may be missing: a range says too much rather than
 * too little. Of single values (low == high everywhere) an expression is exact. */
struct tuner_range {
    int64_t low, high;
    bool may_fail; /* for some of the values, a division by zero or an overflow */
    bool fails;    /* for all of the values; low and high mean nothing */
};

enum tuner_operator {
    TUNER_NUMBER,    /* operand: the number */
    TUNER_PARAMETER, /* operand: the dimension */
    TUNER_NOT,
    TUNER_NEGATIVE,
    TUNER_OR,
    TUNER_AND,
    TUNER_EQUAL,
    TUNER_UNEQUAL,
    TUNER_LESS,
    TUNER_LESS_EQUAL,
    TUNER_GREATER,
    TUNER_GREATER_EQUAL,
    TUNER_PLUS,
    TUNER_MINUS,
    TUNER_TIMES,
    TUNER_DIVIDE,
    TUNER_REMAINDER,
    TUNER_MINIMUM,
    TUNER_MAXIMUM
};

struct tuner_operation {
    enum tuner_operator operator;
    int64_t operand;
};

enum { TUNER_OPERATIONS = 256 }; /* numbers, parameters and operators of a constraint, at most */

/* In postfix order. */
struct tuner_expression {
    size_t count;
    struct tuner_operation operations[TUNER_OPERATIONS];
};

/* Reads the rest of the line. false: noted in the text. */
bool tuner_expression_read(struct tuner_text *text, const struct tuner_parameter *parameters,
                           size_t parameter_count, struct tuner_expression *expression);

/* Bit d is set if parameter d is in the expression. */
uint32_t tuner_expression_parameters(const struct tuner_expression *expression);

/* The result for these ranges, one per parameter. */
struct tuner_range tuner_expression_range(const struct tuner_expression *expression,
                                          const struct tuner_range *ranges);

/* Whether a constraint with this result is met by none, or by all, of the values. Of single values
 * it is one of the two. */
bool tuner_range_never(struct tuner_range range);
bool tuner_range_always(struct tuner_range range);

#endif
