/* Expressions over ranges of values. */
#include "expression.h"

typedef __int128 wide; /* sums, products and quotients of 64-bit numbers are exact */

static const struct range failed = {.may_fail = true, .fails = true};

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

bool range_never(struct range range)
{
    return range.fails || (range.low == 0 && range.high == 0);
}

static bool nonzero(struct range range)
{
    return range.low > 0 || range.high < 0;
}

bool range_always(struct range range)
{
    return !range.may_fail && nonzero(range);
}

/* Cuts off what overflows. */
static struct range fitted(wide low, wide high, bool may_fail)
{
    if (low > INT64_MAX || high < INT64_MIN)
        return failed;
    bool cut = low < INT64_MIN || high > INT64_MAX;
    return (struct range){.low = low < INT64_MIN ? INT64_MIN : (int64_t)low,
                          .high = high > INT64_MAX ? INT64_MAX : (int64_t)high,
                          .may_fail = may_fail || cut};
}

static struct range truth(bool can_be_false, bool can_be_true, bool may_fail)
{
    return (struct range){.low = !can_be_false, .high = can_be_true, .may_fail = may_fail};
}

static struct range product(struct range a, struct range b, bool may_fail)
{
    wide corners[4] = {(wide)a.low * b.low, (wide)a.low * b.high, (wide)a.high * b.low,
                       (wide)a.high * b.high};
    wide low = corners[0], high = corners[0];
    for (int i = 1; i < 4; i++) {
        low = corners[i] < low ? corners[i] : low;
        high = corners[i] > high ? corners[i] : high;
    }
    return fitted(low, high, may_fail);
}

/* For divisors of one sign a quotient is monotonic in both, so the extremes are at the ends; those
 * nearest to zero are -1 and 1 if zero is between. */
static struct range quotient(struct range a, struct range b, bool may_fail)
{
    if (b.low == 0 && b.high == 0)
        return failed;
    bool zero_between = b.low <= 0 && b.high >= 0;
    int64_t divisors[4] = {b.low, b.high, -1, 1};
    bool any = false;
    wide low = 0, high = 0;
    for (int i = 0; i < (zero_between ? 4 : 2); i++) {
        if (divisors[i] == 0 || divisors[i] < b.low || divisors[i] > b.high)
            continue;
        wide ends[2] = {(wide)a.low / divisors[i], (wide)a.high / divisors[i]};
        for (int j = 0; j < 2; j++) {
            low = !any || ends[j] < low ? ends[j] : low;
            high = !any || ends[j] > high ? ends[j] : high;
            any = true;
        }
    }
    return fitted(low, high, may_fail || zero_between);
}

/* The sign is the dividend's, as in C. */
static struct range rest(struct range a, struct range b, bool may_fail)
{
    if (b.low == 0 && b.high == 0)
        return failed;
    may_fail = may_fail || (b.low <= 0 && b.high >= 0);
    /* One divisor and one quotient: what is left grows with the dividend. */
    if (b.low == b.high && (wide)a.low / b.low == (wide)a.high / b.low)
        return fitted((wide)a.low % b.low, (wide)a.high % b.low, may_fail);
    wide below = b.low < 0 ? -(wide)b.low : b.low, above = b.high < 0 ? -(wide)b.high : b.high;
    wide largest = (below > above ? below : above) - 1;
    wide low = a.low < 0 ? (-largest > a.low ? -largest : a.low) : 0;
    wide high = a.high > 0 ? (largest < a.high ? largest : a.high) : 0;
    return fitted(low, high, may_fail);
}

struct range range_chained(struct range a, struct range b, bool is_or)
{
    if (a.fails)
        return failed;
    bool left_false = a.low == 0 && a.high == 0, left_true = nonzero(a);
    if (is_or ? left_true : left_false)
        return truth(!is_or, is_or, a.may_fail);
    bool left_passes_on = is_or ? left_false : left_true;
    if (b.fails)
        return left_passes_on ? failed : truth(!is_or, is_or, true);
    bool right_false = b.low <= 0 && b.high >= 0, right_true = b.low != 0 || b.high != 0;
    bool may_fail = a.may_fail || b.may_fail;
    if (left_passes_on)
        return truth(right_false, right_true, may_fail);
    return truth(right_false || !is_or, right_true || is_or, may_fail);
}

static struct range combined(enum operator_kind kind, struct range a, struct range b)
{
    if (kind == OP_OR || kind == OP_AND)
        return range_chained(a, b, kind == OP_OR);
    if (a.fails || b.fails)
        return failed;
    bool may_fail = a.may_fail || b.may_fail;
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
    case OP_GREATER_EQUAL:
        return truth(a.low < b.high, a.high >= b.low, may_fail);
    case OP_PLUS:
        return fitted((wide)a.low + b.low, (wide)a.high + b.high, may_fail);
    case OP_MINUS:
        return fitted((wide)a.low - b.high, (wide)a.high - b.low, may_fail);
    case OP_TIMES:
        return product(a, b, may_fail);
    case OP_DIVIDE:
        return quotient(a, b, may_fail);
    case OP_REMAINDER:
        return rest(a, b, may_fail);
    case OP_MINIMUM:
        return fitted(smaller(a.low, b.low), smaller(a.high, b.high), may_fail);
    default: /* OP_MAXIMUM: the others have one operand or none */
        return fitted(larger(a.low, b.low), larger(a.high, b.high), may_fail);
    }
}

static struct range changed(enum operator_kind kind, struct range a)
{
    if (a.fails)
        return failed;
    if (kind == OP_NEGATIVE)
        return fitted(-(wide)a.high, -(wide)a.low, a.may_fail);
    return truth(a.low != 0 || a.high != 0, a.low <= 0 && a.high >= 0, a.may_fail);
}

struct range expression_range(const struct expression *expression, const struct range *ranges)
{
    struct range stack[OPERATIONS_MAX];
    size_t depth = 0;
    if (expression->in_reals)
        return expression_range_real(expression, ranges);
    for (size_t i = 0; i < expression->count; i++) {
        struct operation operation = expression->operations[i];
        switch (operation.kind) {
        case OP_NUMBER:
            stack[depth++] = (struct range){.low = operation.operand, .high = operation.operand};
            break;
        case OP_PARAMETER:
            stack[depth++] = ranges[operation.operand];
            break;
        case OP_NOT:
        case OP_NEGATIVE:
            stack[depth - 1] = changed(operation.kind, stack[depth - 1]);
            break;
        default:
            depth--;
            stack[depth - 1] = combined(operation.kind, stack[depth - 1], stack[depth]);
        }
    }
    return stack[0];
}

uint32_t expression_parameters(const struct expression *expression)
{
    uint32_t set = 0;
    for (size_t i = 0; i < expression->count; i++)
        if (expression->operations[i].kind == OP_PARAMETER ||
            expression->operations[i].kind == OP_REALS)
            set |= 1u << expression->operations[i].operand;
    return set;
}
