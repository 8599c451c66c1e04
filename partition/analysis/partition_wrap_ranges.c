/* partition_wrap_ranges.c: how large an integer can become, as an expression of the launch.
 *
 * Unsigned arithmetic may wrap, so that it is not affine, but in most kernels it never does. Where
 * a bound of a value follows from the launch (sizes of grid and block, arguments that are not
 * negative), the bound becomes a condition that is checked at launch. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "partition_wrap.h"

enum { DEPTH_MAX = 12, BLOCKS_MAX = 4096, WORK_MAX = 20000 };

/* a, sign, b in parentheses; false: there is no room. */
static bool combine(char out[WRAP_EXPRESSION], const char *a, const char *sign, const char *b)
{
    return snprintf(out, WRAP_EXPRESSION, "(%s %s %s)", a, sign, b) < WRAP_EXPRESSION;
}

static bool is_integer(LLVMValueRef value)
{
    return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMIntegerTypeKind &&
           LLVMGetIntTypeWidth(LLVMTypeOf(value)) <= 64;
}

static bool constant(LLVMValueRef value, long long *number)
{
    if (!LLVMIsAConstantInt(value))
        return false;
    *number = LLVMConstIntGetSExtValue(value);
    return true;
}

/* ---- counters of loops: i = first, while i < limit or i + step < limit: i += step ---- */

struct counter {
    LLVMValueRef first, limit, step;
};

static bool is_listed(LLVMBasicBlockRef *blocks, unsigned count, LLVMBasicBlockRef block)
{
    for (unsigned i = 0; i < count; i++)
        if (blocks[i] == block)
            return true;
    return false;
}

bool wrap_reaches(LLVMBasicBlockRef from, LLVMBasicBlockRef to, LLVMBasicBlockRef around)
{
    LLVMBasicBlockRef *seen = calloc(BLOCKS_MAX, sizeof *seen);
    if (!seen || from == to)
        return free(seen), true;
    unsigned count = 0;
    bool found = false;
    seen[count++] = from;
    for (unsigned i = 0; i < count && !found; i++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(seen[i]);
        for (unsigned s = 0; s < LLVMGetNumSuccessors(end) && !found; s++) {
            LLVMBasicBlockRef next = LLVMGetSuccessor(end, s);
            found = next == to || count == BLOCKS_MAX;
            if (!found && next != around && !is_listed(seen, count, next))
                seen[count++] = next;
        }
    }
    free(seen);
    return found;
}

/* phi + step */
static bool is_step(LLVMValueRef value, LLVMValueRef phi, LLVMValueRef *step)
{
    if (!LLVMIsAInstruction(value) || LLVMGetInstructionOpcode(value) != LLVMAdd)
        return false;
    LLVMValueRef left = LLVMGetOperand(value, 0), right = LLVMGetOperand(value, 1);
    *step = left == phi ? right : left;
    return left == phi || right == phi;
}

static bool is_below(LLVMIntPredicate predicate)
{
    return predicate == LLVMIntULT || predicate == LLVMIntULE || predicate == LLVMIntSLT ||
           predicate == LLVMIntSLE;
}

static bool is_not_below(LLVMIntPredicate predicate)
{
    return predicate == LLVMIntUGE || predicate == LLVMIntUGT || predicate == LLVMIntSGE ||
           predicate == LLVMIntSGT;
}

/* The comparison at the end of a block; NULL if none decides there. */
static LLVMValueRef test_of(LLVMBasicBlockRef block)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    if (!LLVMIsABranchInst(end) || !LLVMIsConditional(end))
        return NULL;
    LLVMValueRef test = LLVMGetCondition(end);
    return LLVMIsAICmpInst(test) ? test : NULL;
}

/* while (counter < limit) ... */
static bool is_limited_at_head(LLVMValueRef phi, LLVMBasicBlockRef latch, LLVMValueRef *limit)
{
    LLVMBasicBlockRef head = LLVMGetInstructionParent(phi);
    LLVMValueRef test = test_of(head), end = LLVMGetBasicBlockTerminator(head);
    if (!test || latch == head || LLVMGetOperand(test, 0) != phi)
        return false;
    *limit = LLVMGetOperand(test, 1);
    return is_below(LLVMGetICmpPredicate(test)) &&
           !wrap_reaches(LLVMGetSuccessor(end, 1), latch, head);
}

/* do ... while (counter < limit), of the counter before or after its step */
static bool is_limited_at_latch(LLVMValueRef phi, LLVMBasicBlockRef latch, LLVMValueRef next,
                                LLVMValueRef *limit)
{
    LLVMBasicBlockRef head = LLVMGetInstructionParent(phi);
    LLVMValueRef test = test_of(latch), end = LLVMGetBasicBlockTerminator(latch);
    if (!test || (LLVMGetOperand(test, 0) != phi && LLVMGetOperand(test, 0) != next))
        return false;
    *limit = LLVMGetOperand(test, 1);
    bool on_true = LLVMGetSuccessor(end, 0) == head, on_false = LLVMGetSuccessor(end, 1) == head;
    LLVMIntPredicate predicate = LLVMGetICmpPredicate(test);
    return on_true != on_false && (on_true ? is_below(predicate) : is_not_below(predicate));
}

/* do ... until counter == limit, in numbers: from `first` by `step` it is met */
static bool is_limited_by_number(LLVMValueRef phi, LLVMBasicBlockRef latch, bool at_latch,
                                 LLVMValueRef next, struct counter *counter)
{
    long long first, limit, step;
    LLVMBasicBlockRef head = LLVMGetInstructionParent(phi), block = at_latch ? latch : head;
    LLVMValueRef test = test_of(block), end = LLVMGetBasicBlockTerminator(block);
    if (!test || (LLVMGetOperand(test, 0) != phi && LLVMGetOperand(test, 0) != next) ||
        !constant(LLVMGetOperand(test, 1), &limit) || !constant(counter->first, &first) ||
        !constant(counter->step, &step) || step < 1 || step > INT32_MAX)
        return false;
    LLVMIntPredicate predicate = LLVMGetICmpPredicate(test);
    if (predicate != LLVMIntEQ && predicate != LLVMIntNE)
        return false;
    LLVMBasicBlockRef leaves = LLVMGetSuccessor(end, predicate == LLVMIntEQ ? 0 : 1);
    long long least = LLVMGetOperand(test, 0) == next ? first + step : first;
    counter->limit = LLVMGetOperand(test, 1);
    return first >= 0 && limit >= least && limit <= INT32_MAX && (limit - first) % step == 0 &&
           leaves != head && (block == latch || !wrap_reaches(leaves, latch, head));
}

static bool is_counter(LLVMValueRef phi, struct counter *counter)
{
    if (!LLVMIsAPHINode(phi) || LLVMCountIncoming(phi) != 2)
        return false;
    for (unsigned i = 0; i < 2; i++)
        if (is_step(LLVMGetIncomingValue(phi, i), phi, &counter->step)) {
            LLVMBasicBlockRef latch = LLVMGetIncomingBlock(phi, i);
            LLVMValueRef next = LLVMGetIncomingValue(phi, i);
            counter->first = LLVMGetIncomingValue(phi, 1 - i);
            return is_limited_at_head(phi, latch, &counter->limit) ||
                   is_limited_at_latch(phi, latch, next, &counter->limit) ||
                   is_limited_by_number(phi, latch, false, next, counter) ||
                   is_limited_by_number(phi, latch, true, next, counter);
        }
    return false;
}

/* ---- values that are not negative ---- */

/* Sums and differences of arguments and numbers, as an expression; false: it is none. */
static bool write_sum(LLVMValueRef value, char out[WRAP_EXPRESSION], unsigned depth)
{
    size_t length;
    long long number;
    char left[WRAP_EXPRESSION], right[WRAP_EXPRESSION];
    if (LLVMIsAArgument(value)) {
        snprintf(out, WRAP_EXPRESSION, "%.200s", LLVMGetValueName2(value, &length));
        return true;
    }
    if (constant(value, &number)) {
        snprintf(out, WRAP_EXPRESSION, "%lld", number);
        return true;
    }
    LLVMOpcode opcode = LLVMIsAInstruction(value) ? LLVMGetInstructionOpcode(value) : LLVMRet;
    return (opcode == LLVMAdd || opcode == LLVMSub) && depth < DEPTH_MAX &&
           write_sum(LLVMGetOperand(value, 0), left, depth + 1) &&
           write_sum(LLVMGetOperand(value, 1), right, depth + 1) &&
           combine(out, left, opcode == LLVMAdd ? "+" : "-", right);
}

/* The argument, or a sum of arguments and numbers. */
static bool assume_argument(struct ranges *ranges, LLVMValueRef value)
{
    char text[WRAP_EXPRESSION];
    return write_sum(value, text, 0) && ranges_assume(ranges, "nonnegative", text);
}

/* A sum of more than one argument, of which only the whole is not negative, as n - k - 1. */
static bool assume_difference(struct ranges *ranges, LLVMValueRef value)
{
    return !ranges->without_differences && assume_argument(ranges, value);
}

static bool is_mask(LLVMValueRef value)
{
    long long number;
    return constant(value, &number) && number >= 0;
}

static bool magnitude(struct ranges *ranges, LLVMValueRef value, char out[WRAP_EXPRESSION],
                      unsigned depth);

/* The condition that the value, as a number without bounds, is one of its type; 2^62 is enough. */
static bool fits_type(struct ranges *ranges, LLVMValueRef value, unsigned depth)
{
    char bound[WRAP_EXPRESSION], line[2 * WRAP_EXPRESSION];
    if (!is_integer(value) || !magnitude(ranges, value, bound, depth))
        return false;
    unsigned bits = LLVMGetIntTypeWidth(LLVMTypeOf(value));
    long long limit = bits == 64 ? 1LL << 62 : (1LL << (bits - 1)) - 1;
    snprintf(line, sizeof line, "%lld %s", limit, bound);
    return ranges_assume(ranges, "atmost", line);
}

/* max(a, number) */
static bool is_at_least(LLVMValueRef value, long long least)
{
    enum coordinate kind;
    unsigned dimension;
    long long number;
    if (coordinate_of(value, &kind, &dimension))
        return least <= 1 && (kind == COORDINATE_BLOCK_SIZE || kind == COORDINATE_GRID_SIZE);
    if (!LLVMIsASelectInst(value) || !LLVMIsAICmpInst(LLVMGetOperand(value, 0)))
        return false;
    LLVMValueRef test = LLVMGetOperand(value, 0), right = LLVMGetOperand(value, 2);
    LLVMIntPredicate predicate = LLVMGetICmpPredicate(test);
    return (predicate == LLVMIntSGT || predicate == LLVMIntSGE) &&
           LLVMGetOperand(test, 0) == LLVMGetOperand(value, 1) &&
           LLVMGetOperand(test, 1) == right && constant(right, &number) && number >= least;
}

/* Something is taken off, somewhere in the sum. */
static bool is_difference(LLVMValueRef value)
{
    long long number;
    if (constant(value, &number))
        return number < 0;
    LLVMOpcode opcode = LLVMIsAInstruction(value) ? LLVMGetInstructionOpcode(value) : LLVMRet;
    return opcode == LLVMSub || (opcode == LLVMAdd && (is_difference(LLVMGetOperand(value, 0)) ||
                                                       is_difference(LLVMGetOperand(value, 1))));
}

static bool not_negative(struct ranges *ranges, LLVMValueRef value, unsigned depth)
{
    enum coordinate kind;
    unsigned dimension;
    long long number;
    struct counter counter;
    if (depth > DEPTH_MAX || ++ranges->work > WORK_MAX || !is_integer(value))
        return false;
    if (constant(value, &number))
        return number >= 0;
    if (LLVMIsAArgument(value))
        return assume_argument(ranges, value);
    if (coordinate_of(value, &kind, &dimension))
        return true;
    if (is_counter(value, &counter))
        return not_negative(ranges, counter.first, depth + 1) &&
               not_negative(ranges, counter.step, depth + 1);
    if (!LLVMIsAInstruction(value))
        return false;
    switch (LLVMGetInstructionOpcode(value)) {
    case LLVMSub:
        return LLVMIsAArgument(LLVMGetOperand(value, 0)) &&
                       constant(LLVMGetOperand(value, 1), &number)
                   ? assume_argument(ranges, value)
                   : assume_difference(ranges, value);
    case LLVMSExt: /* what wrapped before it was widened can be negative */
        return fits_type(ranges, LLVMGetOperand(value, 0), depth + 1) &&
               not_negative(ranges, LLVMGetOperand(value, 0), depth + 1);
    case LLVMZExt:
    case LLVMTrunc:
        return not_negative(ranges, LLVMGetOperand(value, 0), depth + 1);
    case LLVMAnd: /* as one of both is */
        return is_mask(LLVMGetOperand(value, 1)) ||
               not_negative(ranges, LLVMGetOperand(value, 0), depth + 1);
    case LLVMSelect:
        return not_negative(ranges, LLVMGetOperand(value, 1), depth + 1) &&
               not_negative(ranges, LLVMGetOperand(value, 2), depth + 1);
    case LLVMAdd:
        if (constant(LLVMGetOperand(value, 1), &number) && number < 0)
            return (number > -(1LL << 31) && is_at_least(LLVMGetOperand(value, 0), -number)) ||
                   assume_difference(ranges, value);
        if (is_difference(LLVMGetOperand(value, 0)) || is_difference(LLVMGetOperand(value, 1)))
            return assume_difference(ranges, value);
        /* fall through */
    case LLVMOr:
    case LLVMMul:
    case LLVMShl:
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem:
    case LLVMLShr:
    case LLVMAShr:
        return not_negative(ranges, LLVMGetOperand(value, 0), depth + 1) &&
               not_negative(ranges, LLVMGetOperand(value, 1), depth + 1);
    default:
        return false;
    }
}

/* ---- how far from 0 a value can be ---- */

static bool coordinate_magnitude(enum coordinate kind, unsigned dimension,
                                 char out[WRAP_EXPRESSION])
{
    bool counts_blocks = kind == COORDINATE_BLOCK || kind == COORDINATE_GRID_SIZE;
    snprintf(out, WRAP_EXPRESSION, "launch_%s_%c", counts_blocks ? "grid" : "block",
             'x' + (int)dimension);
    return true;
}

static bool counter_magnitude(struct ranges *ranges, const struct counter *counter,
                              char out[WRAP_EXPRESSION], unsigned depth)
{
    char first[WRAP_EXPRESSION], limit[WRAP_EXPRESSION], sum[WRAP_EXPRESSION];
    char step[WRAP_EXPRESSION];
    return not_negative(ranges, counter->first, depth + 1) &&
           not_negative(ranges, counter->limit, depth + 1) &&
           not_negative(ranges, counter->step, depth + 1) &&
           magnitude(ranges, counter->first, first, depth + 1) &&
           magnitude(ranges, counter->limit, limit, depth + 1) &&
           magnitude(ranges, counter->step, step, depth + 1) && combine(sum, first, "+", limit) &&
           combine(out, sum, "+", step);
}

bool ranges_shifted_bits(LLVMValueRef shift, unsigned *bits)
{
    long long number;
    if (!LLVMIsAInstruction(shift) || LLVMGetInstructionOpcode(shift) != LLVMShl ||
        !constant(LLVMGetOperand(shift, 1), &number) || number < 0 ||
        number >= LLVMGetIntTypeWidth(LLVMTypeOf(shift)) - 2)
        return false;
    *bits = (unsigned)number;
    return true;
}

/* Of a result that is not farther from 0 than its first operand. */
static bool is_smaller(struct ranges *ranges, LLVMValueRef value, unsigned depth)
{
    LLVMValueRef from = LLVMGetOperand(value, 0);
    switch (LLVMGetInstructionOpcode(value)) {
    case LLVMSExt:
    case LLVMTrunc: /* what is cut off is more than what remains */
    case LLVMSDiv:
    case LLVMSRem:
    case LLVMAShr:
        return true;
    case LLVMZExt:
    case LLVMUDiv:
    case LLVMURem:
    case LLVMLShr:
        return not_negative(ranges, from, depth + 1);
    default:
        return false;
    }
}

/* x % number, whatever x is */
static bool remainder_magnitude(LLVMValueRef value, char out[WRAP_EXPRESSION])
{
    long long number;
    LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
    if ((opcode != LLVMSRem && opcode != LLVMURem) ||
        !constant(LLVMGetOperand(value, 1), &number) || number <= 0)
        return false;
    snprintf(out, WRAP_EXPRESSION, "%lld", number - 1);
    return true;
}

static bool select_magnitude(struct ranges *ranges, LLVMValueRef value, char out[WRAP_EXPRESSION],
                             unsigned depth)
{
    char yes[WRAP_EXPRESSION], no[WRAP_EXPRESSION];
    return magnitude(ranges, LLVMGetOperand(value, 1), yes, depth + 1) &&
           magnitude(ranges, LLVMGetOperand(value, 2), no, depth + 1) && combine(out, yes, "+", no);
}

static bool operation_magnitude(struct ranges *ranges, LLVMValueRef value,
                                char out[WRAP_EXPRESSION], unsigned depth)
{
    char left[WRAP_EXPRESSION], right[WRAP_EXPRESSION];
    LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
    unsigned bits;
    if (opcode == LLVMSelect)
        return select_magnitude(ranges, value, out, depth);
    if (opcode == LLVMAnd && is_mask(LLVMGetOperand(value, 1)))
        return magnitude(ranges, LLVMGetOperand(value, 1), out, depth + 1);
    if (remainder_magnitude(value, out))
        return true;
    if (!magnitude(ranges, LLVMGetOperand(value, 0), left, depth + 1))
        return false;
    if (is_smaller(ranges, value, depth)) {
        strcpy(out, left);
        return true;
    }
    if (ranges_shifted_bits(value, &bits)) {
        snprintf(right, sizeof right, "%llu", 1ULL << bits);
        return combine(out, left, "*", right);
    }
    bool is_or = opcode == LLVMOr && not_negative(ranges, value, depth + 1);
    bool is_sum = opcode == LLVMAdd || opcode == LLVMSub || is_or;
    return (is_sum || opcode == LLVMMul) &&
           magnitude(ranges, LLVMGetOperand(value, 1), right, depth + 1) &&
           combine(out, left, is_sum ? "+" : "*", right);
}

static bool magnitude(struct ranges *ranges, LLVMValueRef value, char out[WRAP_EXPRESSION],
                      unsigned depth)
{
    enum coordinate kind;
    unsigned dimension;
    size_t length;
    long long number;
    struct counter counter;
    if (depth > DEPTH_MAX || ++ranges->work > WORK_MAX || !is_integer(value))
        return false;
    if (constant(value, &number)) {
        snprintf(out, WRAP_EXPRESSION, "%lld", number < 0 ? -number : number);
        return number > -(1LL << 62);
    }
    if (LLVMIsAArgument(value)) {
        snprintf(out, WRAP_EXPRESSION, "%.200s", LLVMGetValueName2(value, &length));
        return assume_argument(ranges, value);
    }
    if (coordinate_of(value, &kind, &dimension))
        return coordinate_magnitude(kind, dimension, out);
    if (is_counter(value, &counter))
        return counter_magnitude(ranges, &counter, out, depth);
    return LLVMIsAInstruction(value) && operation_magnitude(ranges, value, out, depth);
}

/* ---- what this file is for ---- */

bool ranges_below_power(struct ranges *ranges, LLVMValueRef value, unsigned bits)
{
    char bound[WRAP_EXPRESSION], line[2 * WRAP_EXPRESSION];
    ranges->new_count = 0;
    ranges->work = 0;
    if (!is_integer(value) || bits > 62 || !fits_type(ranges, value, 0) ||
        !not_negative(ranges, value, 0) || !magnitude(ranges, value, bound, 0))
        return false;
    snprintf(line, sizeof line, "%lld %s", (1LL << bits) - 1, bound);
    return ranges_assume(ranges, "atmost", line) && ranges_write(ranges);
}

bool ranges_fit(struct ranges *ranges, LLVMValueRef value, bool must_be_positive)
{
    unsigned bits = is_integer(value) ? LLVMGetIntTypeWidth(LLVMTypeOf(value)) : 0;
    ranges->new_count = 0;
    ranges->work = 0;
    return bits >= 32 && fits_type(ranges, value, 0) &&
           (!must_be_positive || not_negative(ranges, value, 0)) && ranges_write(ranges);
}
