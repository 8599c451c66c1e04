/* Expressions over ranges of values, in doubles. Sums, products and quotients are rounded, but
 * rounding keeps the order: what is computed of the ends holds for what is computed of each value
 * between. */
#include <float.h>
#include <math.h>

#include "expression.h"

struct real_range {
    double low, high;
    bool whole; /* a whole number: / between two drops the remainder */
    bool may_fail, fails;
};

static const struct real_range failed = {.may_fail = true, .fails = true};

/* Cuts off what overflows. */
static struct real_range fitted(double low, double high, bool whole, bool may_fail)
{
    if (low > DBL_MAX || high < -DBL_MAX)
        return failed;
    bool cut = low < -DBL_MAX || high > DBL_MAX;
    return (struct real_range){fmax(low, -DBL_MAX), fmin(high, DBL_MAX), whole, may_fail || cut,
                               false};
}

static struct real_range truth(bool can_be_false, bool can_be_true, bool may_fail)
{
    return (struct real_range){!can_be_false, can_be_true, true, may_fail, false};
}

/* As far as it matters whether it is zero. */
static struct range as_truth(struct real_range a)
{
    return (struct range){.low = (a.low > 0.0) - (a.low < 0.0),
                          .high = (a.high > 0.0) - (a.high < 0.0),
                          .may_fail = a.may_fail,
                          .fails = a.fails};
}

static struct real_range chained(struct real_range a, struct real_range b, bool is_or)
{
    struct range result = range_chained(as_truth(a), as_truth(b), is_or);
    if (result.fails)
        return failed;
    return (struct real_range){(double)result.low, (double)result.high, true, result.may_fail,
                               false};
}

/* The range of four corners. */
static struct real_range hull(const double corners[4], bool whole, bool may_fail)
{
    return fitted(fmin(fmin(corners[0], corners[1]), fmin(corners[2], corners[3])),
                  fmax(fmax(corners[0], corners[1]), fmax(corners[2], corners[3])), whole,
                  may_fail);
}

static struct real_range product(struct real_range a, struct real_range b, bool may_fail)
{
    const double corners[4] = {a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high};
    return hull(corners, a.whole && b.whole, may_fail);
}

static struct real_range quotient(struct real_range a, struct real_range b, bool may_fail)
{
    bool whole = a.whole && b.whole;
    if (b.low == 0.0 && b.high == 0.0)
        return failed;
    if (b.low <= 0.0 && b.high >= 0.0)
        return fitted(-DBL_MAX, DBL_MAX, whole, true);
    double corners[4] = {a.low / b.low, a.low / b.high, a.high / b.low, a.high / b.high};
    for (int i = 0; whole && i < 4; i++)
        corners[i] = trunc(corners[i]);
    return hull(corners, whole, may_fail);
}

/* The sign is the dividend's, as in C. */
static struct real_range rest(struct real_range a, struct real_range b, bool may_fail)
{
    bool whole = a.whole && b.whole;
    if (b.low == 0.0 && b.high == 0.0)
        return failed;
    if (a.low == a.high && b.low == b.high)
        return fitted(fmod(a.low, b.low), fmod(a.low, b.low), whole, may_fail);
    double largest = fmax(fabs(b.low), fabs(b.high));
    return fitted(a.low < 0.0 ? fmax(-largest, a.low) : 0.0,
                  a.high > 0.0 ? fmin(largest, a.high) : 0.0, whole,
                  may_fail || (b.low <= 0.0 && b.high >= 0.0));
}

static struct real_range compared(enum operator_kind kind, struct real_range a, struct real_range b,
                                  bool may_fail)
{
    bool apart = a.high < b.low || b.high < a.low;
    bool same = a.low == b.low && a.high == b.high && a.low == a.high;
    switch (kind) {
    case OP_EQUAL:
        return truth(!same, !apart, may_fail);
    case OP_UNEQUAL:
        return truth(!apart, !same, may_fail);
    case OP_LESS:
        return truth(a.high >= b.low, a.low < b.high, may_fail);
    case OP_LESS_EQUAL:
        return truth(a.high > b.low, a.low <= b.high, may_fail);
    case OP_GREATER:
        return truth(a.low <= b.high, a.high > b.low, may_fail);
    default: /* OP_GREATER_EQUAL */
        return truth(a.low < b.high, a.high >= b.low, may_fail);
    }
}

static struct real_range combined(enum operator_kind kind, struct real_range a, struct real_range b)
{
    if (kind == OP_OR || kind == OP_AND)
        return chained(a, b, kind == OP_OR);
    if (a.fails || b.fails)
        return failed;
    bool may_fail = a.may_fail || b.may_fail, whole = a.whole && b.whole;
    switch (kind) {
    case OP_PLUS:
        return fitted(a.low + b.low, a.high + b.high, whole, may_fail);
    case OP_MINUS:
        return fitted(a.low - b.high, a.high - b.low, whole, may_fail);
    case OP_TIMES:
        return product(a, b, may_fail);
    case OP_DIVIDE:
        return quotient(a, b, may_fail);
    case OP_REMAINDER:
        return rest(a, b, may_fail);
    case OP_MINIMUM:
        return fitted(fmin(a.low, b.low), fmin(a.high, b.high), whole, may_fail);
    case OP_MAXIMUM:
        return fitted(fmax(a.low, b.low), fmax(a.high, b.high), whole, may_fail);
    default:
        return compared(kind, a, b, may_fail);
    }
}

static struct real_range changed(enum operator_kind kind, struct real_range a)
{
    if (a.fails)
        return failed;
    if (kind == OP_NEGATIVE)
        return (struct real_range){-a.high, -a.low, a.whole, a.may_fail, false};
    return truth(a.low != 0.0 || a.high != 0.0, a.low <= 0.0 && a.high >= 0.0, a.may_fail);
}

static struct real_range operand_of(const struct operation *operation, const struct range *ranges)
{
    const struct range *range = &ranges[operation->operand];
    double number = (double)operation->operand;

    if (operation->kind == OP_NUMBER)
        return (struct real_range){.low = number, .high = number, .whole = true};
    if (operation->kind == OP_REAL)
        return (struct real_range){.low = operation->real, .high = operation->real};
    if (operation->kind == OP_REALS)
        return (struct real_range){.low = range->real_low, .high = range->real_high};
    return (struct real_range){
        .low = (double)range->low, .high = (double)range->high, .whole = true};
}

struct range expression_range_real(const struct expression *expression, const struct range *ranges)
{
    struct real_range stack[OPERATIONS_MAX];
    size_t depth = 0;
    for (size_t i = 0; i < expression->count; i++) {
        const struct operation *operation = &expression->operations[i];
        switch (operation->kind) {
        case OP_NUMBER:
        case OP_REAL:
        case OP_PARAMETER:
        case OP_REALS:
            stack[depth++] = operand_of(operation, ranges);
            break;
        case OP_NOT:
        case OP_NEGATIVE:
            stack[depth - 1] = changed(operation->kind, stack[depth - 1]);
            break;
        default:
            depth--;
            stack[depth - 1] = combined(operation->kind, stack[depth - 1], stack[depth]);
        }
    }
    return as_truth(stack[0]);
}
