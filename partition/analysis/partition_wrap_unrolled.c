/* partition_wrap_unrolled.c: loops that nvcc unrolled, as loops of which the analysis sees all
 * turns.
 *
 * for (i = 0; i < m; i++) becomes, for m > 3, a loop of four turns at a time that counts down, and
 * a loop for the rest, before it or behind it:
 *
 *     left = m - (m & 3); i = 0; do { ... i += 4; left -= 4; } while (left != 0);
 *     rest = m & 3; while (rest != 0) { ... i++; rest--; }
 *
 * Here base = m / 4 * 4 takes the place of m - (m & 3), so that it is seen to be a multiple, loops
 * that count down go by a counter, if they have one, and what follows begins where they end, also
 * if they were passed over. */
#include "partition_wrap.h"

enum { LARGEST_FACTOR = 16 };

static bool is_operation(LLVMValueRef value, LLVMOpcode opcode)
{
    return LLVMIsAInstruction(value) && LLVMGetInstructionOpcode(value) == opcode;
}

/* A number and values with factors, as integers that wrap. */
enum { TERMS_MAX = 8 };
struct sum {
    LLVMValueRef terms[TERMS_MAX];
    long long factors[TERMS_MAX], number;
    unsigned count;
};

static bool add_term(struct sum *sum, LLVMValueRef value, long long factor)
{
    unsigned i = 0;
    while (i < sum->count && sum->terms[i] != value)
        i++;
    if (i == TERMS_MAX)
        return false;
    if (i == sum->count) {
        sum->terms[sum->count++] = value;
        sum->factors[i] = 0;
    }
    sum->factors[i] += factor;
    return true;
}

/* Adds factor * value; false: it has too many terms. */
static bool add_value(struct sum *sum, LLVMValueRef value, long long factor)
{
    if (LLVMIsAConstantInt(value)) {
        sum->number += factor * LLVMConstIntGetSExtValue(value);
        return true;
    }
    bool is_difference = is_operation(value, LLVMSub);
    if (!is_difference && !is_operation(value, LLVMAdd))
        return add_term(sum, value, factor);
    return add_value(sum, LLVMGetOperand(value, 0), factor) &&
           add_value(sum, LLVMGetOperand(value, 1), is_difference ? -factor : factor);
}

/* Whether a = b + *number. */
static bool differ_by_number(LLVMValueRef a, LLVMValueRef b, long long *number)
{
    struct sum sum = {.number = 0};
    if (!add_value(&sum, a, 1) || !add_value(&sum, b, -1))
        return false;
    *number = sum.number;
    for (unsigned i = 0; i < sum.count; i++)
        if (sum.factors[i])
            return false;
    return true;
}

/* ---- loops that count down ---- */

/* do { left -= step } while (left != last), in one block; from its first value, total is taken off,
 * a multiple of the step. */
struct countdown {
    LLVMBasicBlockRef loop, exit, before;     /* where it goes then; where it comes from */
    LLVMValueRef left, next_left, first_left; /* phi, phi - step, its first value */
    LLVMValueRef m, rest;                     /* rest = m & (factor - 1); NULL: there is none */
    long long step, last, factor;
    bool goes_on_if_true;
};

/* A counter of a loop of one block: the phi goes from `first` to phi + step. */
static bool is_step(LLVMValueRef phi, LLVMBasicBlockRef loop, LLVMValueRef *next,
                    LLVMValueRef *first, long long *step)
{
    if (!LLVMIsAPHINode(phi) || LLVMCountIncoming(phi) != 2)
        return false;
    unsigned own = LLVMGetIncomingBlock(phi, 0) == loop ? 0 : 1;
    if (LLVMGetIncomingBlock(phi, own) != loop)
        return false;
    *next = LLVMGetIncomingValue(phi, own);
    *first = LLVMGetIncomingValue(phi, 1 - own);
    if (!is_operation(*next, LLVMAdd) || LLVMGetOperand(*next, 0) != phi ||
        !LLVMIsAConstantInt(LLVMGetOperand(*next, 1)))
        return false;
    *step = LLVMConstIntGetSExtValue(LLVMGetOperand(*next, 1));
    return true;
}

/* The comparison at the end of a block; NULL if none with a number decides there. */
static LLVMValueRef test_of(LLVMBasicBlockRef block)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    if (!LLVMIsABranchInst(end) || !LLVMIsConditional(end) ||
        LLVMGetSuccessor(end, 0) == LLVMGetSuccessor(end, 1))
        return NULL;
    LLVMValueRef test = LLVMGetCondition(end);
    return LLVMIsAICmpInst(test) && LLVMIsAConstantInt(LLVMGetOperand(test, 1)) ? test : NULL;
}

static bool find_countdown(LLVMBasicBlockRef block, struct countdown *found)
{
    LLVMValueRef test = test_of(block), end = LLVMGetBasicBlockTerminator(block), next;
    bool on_true = test && LLVMGetSuccessor(end, 0) == block;
    if (!test || (!on_true && LLVMGetSuccessor(end, 1) != block) ||
        LLVMGetICmpPredicate(test) != (on_true ? LLVMIntNE : LLVMIntEQ))
        return false;
    *found = (struct countdown){.loop = block,
                                .exit = LLVMGetSuccessor(end, on_true ? 1 : 0),
                                .next_left = LLVMGetOperand(test, 0),
                                .last = LLVMConstIntGetSExtValue(LLVMGetOperand(test, 1)),
                                .goes_on_if_true = on_true};
    if (!is_operation(found->next_left, LLVMAdd))
        return false;
    found->left = LLVMGetOperand(found->next_left, 0);
    if (!LLVMIsAPHINode(found->left) || LLVMGetInstructionParent(found->left) != block ||
        !is_step(found->left, block, &next, &found->first_left, &found->step) ||
        next != found->next_left || found->step > -1 || found->step < -LARGEST_FACTOR)
        return false;
    unsigned own = LLVMGetIncomingBlock(found->left, 0) == block ? 0 : 1;
    found->before = LLVMGetIncomingBlock(found->left, 1 - own);
    found->step = -found->step;
    return true;
}

/* m & (factor - 1) */
static bool is_rest(LLVMValueRef value, struct countdown *of)
{
    if (!is_operation(value, LLVMAnd) || !LLVMIsAConstantInt(LLVMGetOperand(value, 1)))
        return false;
    of->rest = value;
    of->m = LLVMGetOperand(value, 0);
    of->factor = LLVMConstIntGetSExtValue(LLVMGetOperand(value, 1)) + 1;
    return of->factor >= 2 && of->factor <= LARGEST_FACTOR && (of->factor & (of->factor - 1)) == 0;
}

/* first - last = m - (m & (step - 1)) */
static bool counts_multiple(struct countdown *of)
{
    long long by;
    return of->step > 1 && is_operation(of->first_left, LLVMSub) &&
           is_rest(LLVMGetOperand(of->first_left, 1), of) && of->factor == of->step &&
           differ_by_number(of->m, LLVMGetOperand(of->first_left, 0), &by) && by == -of->last;
}

/* ---- whether it is entered ---- */

/* The test tells, on one of its two sides, that value + *by < *bound, without signs. */
static bool is_unsigned_bound(LLVMValueRef test, LLVMValueRef value, long long *by,
                              long long *bound, bool *if_true)
{
    LLVMIntPredicate predicate = LLVMGetICmpPredicate(test);
    *if_true = predicate == LLVMIntULT || predicate == LLVMIntULE;
    if (!*if_true && predicate != LLVMIntUGE && predicate != LLVMIntUGT)
        return false;
    bool is_at_most = predicate == LLVMIntULE || predicate == LLVMIntUGT;
    *bound = LLVMConstIntGetSExtValue(LLVMGetOperand(test, 1)) + is_at_most;
    return *bound >= 1 && *bound <= LARGEST_FACTOR &&
           differ_by_number(LLVMGetOperand(test, 0), value, by) && *by <= 0 &&
           *by > -LARGEST_FACTOR;
}

enum verdict { UNKNOWN, ENTERED, PASSED };

/* What it means for the loop that the block ends on that side: there is a turn, or none is left. */
static enum verdict judge_side(const struct countdown *of, LLVMBasicBlockRef block, bool side)
{
    LLVMValueRef test = test_of(block);
    long long by, bound;
    bool if_true;
    if (!test)
        return UNKNOWN;
    LLVMIntPredicate predicate = LLVMGetICmpPredicate(test);
    bool is_equality = predicate == LLVMIntEQ || predicate == LLVMIntNE;
    if (of->step == 1)
        return !is_equality || LLVMGetOperand(test, 0) != of->first_left ||
                       LLVMConstIntGetSExtValue(LLVMGetOperand(test, 1)) != of->last
                   ? UNKNOWN
               : side == (predicate == LLVMIntEQ) ? PASSED
                                                  : ENTERED;
    if (!is_unsigned_bound(test, of->m, &by, &bound, &if_true))
        return UNKNOWN;
    /* -by <= m < bound - by, or m >= bound - by, as m is not negative */
    if (side == if_true)
        return bound - by <= of->factor ? PASSED : UNKNOWN;
    return bound - by >= of->factor ? ENTERED : UNKNOWN;
}

static bool side_of(LLVMBasicBlockRef block, LLVMBasicBlockRef successor)
{
    return LLVMGetSuccessor(LLVMGetBasicBlockTerminator(block), 0) == successor;
}

/* NULL: none, or several. */
static LLVMBasicBlockRef only_predecessor(LLVMBasicBlockRef block)
{
    LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block));
    bool is_only = use && !LLVMGetNextUse(use) && LLVMIsABranchInst(LLVMGetUser(use));
    return is_only ? LLVMGetInstructionParent(LLVMGetUser(use)) : NULL;
}

/* On the way to it m or left was compared, so that there is a first turn. */
static bool is_guarded(const struct countdown *of)
{
    enum { FAR = 16 };
    LLVMBasicBlockRef block = of->before, above;
    if (judge_side(of, block, side_of(block, of->loop)) == ENTERED)
        return true;
    for (unsigned i = 0; i < FAR && (above = only_predecessor(block)); i++) {
        if (judge_side(of, above, side_of(above, block)) == ENTERED)
            return true;
        block = above;
    }
    return false;
}

/* ---- where it ends ---- */

/* The block that decides for the edge from `block` to *target, past one that only goes on. */
static LLVMBasicBlockRef origin(LLVMBasicBlockRef block, LLVMBasicBlockRef *target)
{
    LLVMValueRef first = LLVMGetFirstInstruction(block);
    if (!LLVMIsABranchInst(first) || LLVMIsConditional(first) || !only_predecessor(block))
        return block;
    *target = block;
    return only_predecessor(block);
}

/* The counter of the loop that is `next` after it. */
static bool is_counter_of(const struct countdown *of, LLVMValueRef next, LLVMValueRef *first,
                          long long *step)
{
    if (!is_operation(next, LLVMAdd))
        return false;
    LLVMValueRef phi = LLVMGetOperand(next, 0), found;
    return LLVMIsAPHINode(phi) && LLVMGetInstructionParent(phi) == of->loop &&
           is_step(phi, of->loop, &found, first, step) && found == next && *step > 0 &&
           *step % of->step == 0 && LLVMTypeOf(next) == LLVMTypeOf(of->first_left);
}

/* first + total / of->step * step */
static LLVMValueRef value_after(struct wrap *wrap, const struct countdown *of, LLVMValueRef total,
                                LLVMValueRef first, long long step)
{
    LLVMValueRef times = LLVMConstInt(LLVMTypeOf(total), (unsigned long long)(step / of->step), 1);
    bool is_zero = LLVMIsAConstantInt(first) && LLVMConstIntGetZExtValue(first) == 0;
    if (step != of->step)
        total = LLVMBuildMul(wrap->builder, total, times, "");
    return is_zero ? total : LLVMBuildAdd(wrap->builder, first, total, "");
}

/* Whether the phi is a counter's value where the loop ended, or was passed over. */
static bool joins(const struct countdown *of, LLVMValueRef phi, LLVMValueRef *first,
                  long long *step)
{
    LLVMBasicBlockRef join = LLVMGetInstructionParent(phi);
    if (LLVMCountIncoming(phi) != 2)
        return false;
    for (unsigned i = 0; i < 2; i++) {
        LLVMBasicBlockRef target = join, other = join;
        LLVMBasicBlockRef from = origin(LLVMGetIncomingBlock(phi, i), &target);
        LLVMBasicBlockRef past = origin(LLVMGetIncomingBlock(phi, 1 - i), &other);
        if (from == of->loop && past != of->loop &&
            is_counter_of(of, LLVMGetIncomingValue(phi, i), first, step) &&
            LLVMGetIncomingValue(phi, 1 - i) == *first &&
            judge_side(of, past, side_of(past, other)) == PASSED)
            return true;
    }
    return false;
}

static LLVMValueRef behind_phis(LLVMValueRef instruction)
{
    while (LLVMIsAPHINode(instruction))
        instruction = LLVMGetNextInstruction(instruction);
    return instruction;
}

/* nvcc computes m & 3 only where it is needed, which may be behind a branch to the join. */
static bool is_known_in(struct wrap *wrap, LLVMValueRef value, LLVMBasicBlockRef block)
{
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(wrap->function);
    LLVMBasicBlockRef from = LLVMIsAInstruction(value) ? LLVMGetInstructionParent(value) : entry;
    return from != block && (from == entry || !wrap_reaches(entry, block, from));
}

static void replace_joined(struct wrap *wrap, const struct countdown *of, LLVMValueRef total)
{
    LLVMValueRef next, first;
    long long step;
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(wrap->function); block;
         block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef phi = LLVMGetFirstInstruction(block); phi && LLVMIsAPHINode(phi);
             phi = next) {
            next = LLVMGetNextInstruction(phi);
            if (!joins(of, phi, &first, &step) || !is_known_in(wrap, total, block))
                continue;
            LLVMPositionBuilderBefore(wrap->builder, behind_phis(next));
            LLVMReplaceAllUsesWith(phi, value_after(wrap, of, total, first, step));
            LLVMInstructionEraseFromParent(phi);
        }
}

/* The loop goes on while a counter of the same step, if it has one, is below its last value. */
static void go_by_counter(struct wrap *wrap, const struct countdown *of, LLVMValueRef total)
{
    LLVMValueRef next, first;
    long long step;
    for (LLVMValueRef phi = LLVMGetFirstInstruction(of->loop); phi && LLVMIsAPHINode(phi);
         phi = LLVMGetNextInstruction(phi)) {
        if (!is_step(phi, of->loop, &next, &first, &step) || step != of->step ||
            LLVMTypeOf(phi) != LLVMTypeOf(total))
            continue;
        LLVMValueRef end = LLVMGetBasicBlockTerminator(of->loop);
        LLVMPositionBuilderBefore(wrap->builder, LLVMGetBasicBlockTerminator(of->before));
        LLVMValueRef limit = value_after(wrap, of, total, first, step);
        if (!ranges_fit(wrap->ranges, limit, true))
            return;
        LLVMPositionBuilderBefore(wrap->builder, end);
        LLVMSetCondition(end,
                         LLVMBuildICmp(wrap->builder, of->goes_on_if_true ? LLVMIntSLT : LLVMIntSGE,
                                       next, limit, ""));
        return;
    }
}

/* ---- what this file is for ---- */

/* Where the value is known from. */
static LLVMValueRef place_behind(struct wrap *wrap, LLVMValueRef value)
{
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(wrap->function);
    return LLVMIsAInstruction(value) ? behind_phis(LLVMGetNextInstruction(value))
                                     : behind_phis(LLVMGetFirstInstruction(entry));
}

/* m / factor * factor, as soon as m is known; the rest is m % factor. */
static LLVMValueRef build_base(struct wrap *wrap, struct countdown *of)
{
    LLVMTypeRef type = LLVMTypeOf(of->m);
    LLVMValueRef factor = LLVMConstInt(type, (unsigned long long)of->factor, 0);
    LLVMPositionBuilderBefore(wrap->builder, place_behind(wrap, of->m));
    LLVMValueRef quotient = LLVMBuildSDiv(wrap->builder, of->m, factor, "");
    LLVMValueRef base = LLVMBuildNSWMul(wrap->builder, quotient, factor, "");
    LLVMPositionBuilderBefore(wrap->builder, of->rest);
    LLVMValueRef rest = LLVMBuildSRem(wrap->builder, of->m, factor, "");
    LLVMReplaceAllUsesWith(of->rest, rest);
    LLVMInstructionEraseFromParent(of->rest);
    if (of->first_left == of->rest)
        of->first_left = rest;
    of->rest = rest;
    return base;
}

static void roll_multiple(struct wrap *wrap, struct countdown *of)
{
    LLVMValueRef base = build_base(wrap, of);
    replace_joined(wrap, of, base);
    LLVMPositionBuilderBefore(wrap->builder, of->first_left);
    LLVMValueRef last = LLVMConstInt(LLVMTypeOf(of->m), (unsigned long long)of->last, 1);
    LLVMReplaceAllUsesWith(of->first_left, LLVMBuildAdd(wrap->builder, base, last, ""));
    LLVMInstructionEraseFromParent(of->first_left);
    go_by_counter(wrap, of, base);
}

static void roll_rest(struct wrap *wrap, struct countdown *of)
{
    if (is_rest(of->first_left, of) && ranges_fit(wrap->ranges, of->m, true))
        build_base(wrap, of);
    if (!ranges_fit(wrap->ranges, of->first_left, true))
        return;
    replace_joined(wrap, of, of->first_left);
    go_by_counter(wrap, of, of->first_left);
}

void wrap_roll(struct wrap *wrap)
{
    struct countdown found;
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(wrap->function); block;
         block = LLVMGetNextBasicBlock(block)) {
        if (!find_countdown(block, &found))
            continue;
        bool is_multiple = counts_multiple(&found);
        if (is_multiple && is_guarded(&found) && ranges_fit(wrap->ranges, found.m, true))
            roll_multiple(wrap, &found);
        else if (found.step == 1 && found.last == 0 && is_guarded(&found))
            roll_rest(wrap, &found);
    }
}

/* How many bits at the end of the value are 0. */
static unsigned zeros_at_end(LLVMValueRef value)
{
    LLVMValueRef by = LLVMIsAInstruction(value) ? LLVMGetOperand(value, 0) : NULL;
    if (LLVMIsAConstantInt(value)) {
        unsigned long long number = LLVMConstIntGetZExtValue(value);
        return number ? (unsigned)__builtin_ctzll(number) : 64;
    }
    if (is_operation(value, LLVMShl) && LLVMIsAConstantInt(LLVMGetOperand(value, 1)))
        return (unsigned)LLVMConstIntGetZExtValue(LLVMGetOperand(value, 1)) + zeros_at_end(by);
    if (is_operation(value, LLVMMul))
        return zeros_at_end(by) + zeros_at_end(LLVMGetOperand(value, 1));
    if (is_operation(value, LLVMAnd)) {
        unsigned left = zeros_at_end(by), right = zeros_at_end(LLVMGetOperand(value, 1));
        return left > right ? left : right;
    }
    if (is_operation(value, LLVMAdd)) {
        unsigned left = zeros_at_end(by), right = zeros_at_end(LLVMGetOperand(value, 1));
        return left < right ? left : right;
    }
    return is_operation(value, LLVMSExt) || is_operation(value, LLVMZExt) ? zeros_at_end(by) : 0;
}

/* How many bits at the end of the value need not be 0. */
static unsigned bits_of(LLVMValueRef value)
{
    unsigned width = LLVMGetIntTypeWidth(LLVMTypeOf(value));
    LLVMValueRef from = LLVMIsAInstruction(value) ? LLVMGetOperand(value, 0) : NULL;
    if (LLVMIsAConstantInt(value)) {
        unsigned long long number = LLVMConstIntGetZExtValue(value);
        return number ? 64 - (unsigned)__builtin_clzll(number) : 0;
    }
    if (is_operation(value, LLVMAnd)) {
        unsigned left = bits_of(from), right = bits_of(LLVMGetOperand(value, 1));
        return left < right ? left : right;
    }
    return is_operation(value, LLVMZExt) ? bits_of(from) : width;
}

static bool have_no_bit_in_common(LLVMValueRef a, LLVMValueRef b)
{
    return bits_of(a) <= zeros_at_end(b) || bits_of(b) <= zeros_at_end(a);
}

/* All bits that the value can have are ones there. */
static bool is_all_ones(LLVMValueRef mask, LLVMValueRef of)
{
    if (!LLVMIsAConstantInt(mask))
        return false;
    unsigned long long ones = (unsigned long long)LLVMConstIntGetSExtValue(mask);
    return (ones & (ones + 1)) == 0 &&
           (ones == ~0ULL || bits_of(of) <= (unsigned)__builtin_popcountll(ones));
}

/* x | 1 is x + 1 where x is even: where turns of a loop are known to begin at a multiple. ~x is
 * -1 - x, and x ^ 31 is 31 - x where x is not larger. */
static void add_for_bits(struct wrap *wrap, LLVMValueRef value)
{
    bool is_or = is_operation(value, LLVMOr);
    if ((!is_or && !is_operation(value, LLVMXor)) || LLVMGetIntTypeWidth(LLVMTypeOf(value)) < 32)
        return;
    LLVMValueRef from = LLVMGetOperand(value, 0), with = LLVMGetOperand(value, 1);
    if (is_or ? !have_no_bit_in_common(from, with) : !is_all_ones(with, from))
        return;
    LLVMPositionBuilderBefore(wrap->builder, value);
    LLVMValueRef sum = is_or ? LLVMBuildAdd(wrap->builder, from, with, "")
                             : LLVMBuildSub(wrap->builder, with, from, "");
    LLVMReplaceAllUsesWith(value, sum);
    LLVMInstructionEraseFromParent(value);
}

void wrap_add_for_bits(struct wrap *wrap)
{
    LLVMValueRef next;
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(wrap->function); block;
         block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = next) {
            next = LLVMGetNextInstruction(i);
            add_for_bits(wrap, i);
        }
}
