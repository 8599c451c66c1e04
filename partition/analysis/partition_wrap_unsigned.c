/* partition_wrap_unsigned.c: makes unsigned arithmetic signed where a launch can be checked not to
 * tell the difference. */
#include <stdlib.h>
#include <string.h>

#include "partition_wrap.h"

bool wrap_never_wraps(LLVMValueRef instruction)
{
    char *text = LLVMPrintValueToString(instruction); /* LLVM 14 has no other way in C */
    bool found = strstr(text, " nsw ") != NULL;
    LLVMDisposeMessage(text);
    return found;
}

static void replace(LLVMValueRef instruction, LLVMValueRef by)
{
    LLVMReplaceAllUsesWith(instruction, by);
    LLVMInstructionEraseFromParent(instruction);
}

static LLVMValueRef without_wrapping(LLVMBuilderRef builder, LLVMValueRef instruction)
{
    LLVMValueRef left = LLVMGetOperand(instruction, 0), right = LLVMGetOperand(instruction, 1);
    switch (LLVMGetInstructionOpcode(instruction)) {
    case LLVMAdd:
        return LLVMBuildNSWAdd(builder, left, right, "");
    case LLVMSub:
        return LLVMBuildNSWSub(builder, left, right, "");
    default:
        return LLVMBuildNSWMul(builder, left, right, "");
    }
}

static void mark_arithmetic(struct wrap *wrap, LLVMValueRef instruction)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
    if (opcode != LLVMAdd && opcode != LLVMSub && opcode != LLVMMul)
        return;
    if (wrap_never_wraps(instruction) || !ranges_fit(wrap->ranges, instruction, false))
        return;
    LLVMPositionBuilderBefore(wrap->builder, instruction);
    replace(instruction, without_wrapping(wrap->builder, instruction));
}

/* A shift to the left is promised nothing, as it may shift bits out; a product is. */
static void multiply_for_shift(struct wrap *wrap, LLVMValueRef shift)
{
    unsigned bits;
    if (LLVMGetInstructionOpcode(shift) != LLVMShl || !ranges_shifted_bits(shift, &bits) ||
        !ranges_fit(wrap->ranges, shift, false))
        return;
    LLVMValueRef factor = LLVMConstInt(LLVMTypeOf(shift), 1ULL << bits, 0);
    LLVMPositionBuilderBefore(wrap->builder, shift);
    replace(shift, LLVMBuildNSWMul(wrap->builder, LLVMGetOperand(shift, 0), factor, ""));
}

static bool operands_fit(struct wrap *wrap, LLVMValueRef instruction)
{
    return ranges_fit(wrap->ranges, LLVMGetOperand(instruction, 0), true) &&
           ranges_fit(wrap->ranges, LLVMGetOperand(instruction, 1), true);
}

/* 1 <= i && i <= n, with a number for n, is compiled to i - 1 < n, unsigned: a negative number is a
 * large one. In two comparisons with signs this is 0 <= i - 1 && i - 1 < n. */
static void compare_twice(struct wrap *wrap, LLVMValueRef comparison, LLVMIntPredicate with)
{
    LLVMValueRef left = LLVMGetOperand(comparison, 0), right = LLVMGetOperand(comparison, 1);
    LLVMValueRef zero = LLVMConstInt(LLVMTypeOf(left), 0, 0);
    if (!LLVMIsAConstantInt(right))
        return;
    LLVMPositionBuilderBefore(wrap->builder, comparison);
    bool is_less = with == LLVMIntSLT || with == LLVMIntSLE;
    bool joins = is_less == (LLVMConstIntGetSExtValue(right) >= 0);
    LLVMValueRef sign =
        LLVMBuildICmp(wrap->builder, is_less ? LLVMIntSGE : LLVMIntSLT, left, zero, "");
    LLVMValueRef bound = LLVMBuildICmp(wrap->builder, with, left, right, "");
    replace(comparison, joins ? LLVMBuildAnd(wrap->builder, sign, bound, "")
                              : LLVMBuildOr(wrap->builder, sign, bound, ""));
}

static void sign_comparison(struct wrap *wrap, LLVMValueRef comparison)
{
    static const struct {
        LLVMIntPredicate without, with;
    } signs[] = {{LLVMIntULT, LLVMIntSLT},
                 {LLVMIntULE, LLVMIntSLE},
                 {LLVMIntUGT, LLVMIntSGT},
                 {LLVMIntUGE, LLVMIntSGE}};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        if (LLVMGetICmpPredicate(comparison) != signs[i].without)
            continue;
        /* With a number there is a way without conditions. */
        wrap->ranges->without_differences = LLVMIsAConstantInt(LLVMGetOperand(comparison, 1));
        bool fits = operands_fit(wrap, comparison);
        wrap->ranges->without_differences = false;
        if (!fits) {
            compare_twice(wrap, comparison, signs[i].with);
            return;
        }
        LLVMPositionBuilderBefore(wrap->builder, comparison);
        replace(comparison,
                LLVMBuildICmp(wrap->builder, signs[i].with, LLVMGetOperand(comparison, 0),
                              LLVMGetOperand(comparison, 1), ""));
        return;
    }
}

static void sign_division(struct wrap *wrap, LLVMValueRef division)
{
    LLVMValueRef left = LLVMGetOperand(division, 0), right = LLVMGetOperand(division, 1);
    bool is_remainder = LLVMGetInstructionOpcode(division) == LLVMURem;
    if (!operands_fit(wrap, division))
        return;
    LLVMPositionBuilderBefore(wrap->builder, division);
    replace(division, is_remainder ? LLVMBuildSRem(wrap->builder, left, right, "")
                                   : LLVMBuildSDiv(wrap->builder, left, right, ""));
}

/* A shift to the right of what is not negative is a division; of the sign nothing is left. */
static void divide_for_shift(struct wrap *wrap, LLVMValueRef shift)
{
    LLVMValueRef from = LLVMGetOperand(shift, 0), by = LLVMGetOperand(shift, 1);
    LLVMTypeRef type = LLVMTypeOf(shift);
    unsigned long long bits = LLVMIsAConstantInt(by) ? LLVMConstIntGetZExtValue(by) : ~0ULL;
    unsigned width = LLVMGetIntTypeWidth(type);
    if (bits >= width || !ranges_fit(wrap->ranges, from, true))
        return;
    LLVMPositionBuilderBefore(wrap->builder, shift);
    replace(shift, bits == width - 1 ? LLVMConstInt(type, 0, 0)
                                     : LLVMBuildSDiv(wrap->builder, from,
                                                     LLVMConstInt(type, 1ULL << bits, 0), ""));
}

static void sign_widening(struct wrap *wrap, LLVMValueRef widening)
{
    LLVMValueRef from = LLVMGetOperand(widening, 0);
    /* What is negative as a signed index lies outside of every array as an unsigned one. */
    if (!ranges_fit(wrap->ranges, from, !wrap_only_index(widening)))
        return;
    LLVMPositionBuilderBefore(wrap->builder, widening);
    replace(widening, LLVMBuildSExt(wrap->builder, from, LLVMTypeOf(widening), ""));
}

/* x & -2^bits, for bits > 0 */
static bool drops_lower_bits(LLVMValueRef value, unsigned *bits)
{
    if (!LLVMIsAInstruction(value) || LLVMGetInstructionOpcode(value) != LLVMAnd ||
        !LLVMIsAConstantInt(LLVMGetOperand(value, 1)))
        return false;
    long long mask = LLVMConstIntGetSExtValue(LLVMGetOperand(value, 1));
    *bits = mask < -1 ? (unsigned)__builtin_ctzll((unsigned long long)mask) : 0;
    return *bits && *bits < LLVMGetIntTypeWidth(LLVMTypeOf(value)) - 1 && mask == -(1LL << *bits);
}

/* x & -4 is x / 4 * 4, where x is not negative. */
static void divide_for_mask(struct wrap *wrap, LLVMValueRef value)
{
    unsigned bits;
    if (!drops_lower_bits(value, &bits) ||
        !ranges_fit(wrap->ranges, LLVMGetOperand(value, 0), true))
        return;
    LLVMValueRef number = LLVMConstInt(LLVMTypeOf(value), 1ULL << bits, 0);
    LLVMPositionBuilderBefore(wrap->builder, value);
    LLVMValueRef quotient = LLVMBuildSDiv(wrap->builder, LLVMGetOperand(value, 0), number, "");
    replace(value, LLVMBuildNSWMul(wrap->builder, quotient, number, ""));
}

/* (x & -2^32) == 0, by which nvcc asks whether a division of 64 bits may be one of 32. */
static void judge_upper_half(struct wrap *wrap, LLVMValueRef comparison)
{
    unsigned bits;
    LLVMIntPredicate predicate = LLVMGetICmpPredicate(comparison);
    LLVMValueRef masked = LLVMGetOperand(comparison, 0), zero = LLVMGetOperand(comparison, 1);
    if ((predicate != LLVMIntEQ && predicate != LLVMIntNE) || !LLVMIsAConstantInt(zero) ||
        LLVMConstIntGetZExtValue(zero) != 0 || !drops_lower_bits(masked, &bits) ||
        !ranges_below_power(wrap->ranges, LLVMGetOperand(masked, 0), bits))
        return;
    replace(comparison, LLVMConstInt(LLVMTypeOf(comparison), predicate == LLVMIntEQ, 0));
}

/* What was widened and is cut again is what it was. */
static void undo_widening(LLVMValueRef cut)
{
    LLVMValueRef wide = LLVMGetOperand(cut, 0);
    bool was_widened = LLVMIsASExtInst(wide) || LLVMIsAZExtInst(wide);
    if (was_widened && LLVMTypeOf(LLVMGetOperand(wide, 0)) == LLVMTypeOf(cut))
        replace(cut, LLVMGetOperand(wide, 0));
}

static void simplify(struct wrap *wrap, LLVMValueRef instruction)
{
    if (LLVMIsAICmpInst(instruction))
        judge_upper_half(wrap, instruction);
    else if (LLVMIsATruncInst(instruction))
        undo_widening(instruction);
}

static void make_signed(struct wrap *wrap, LLVMValueRef instruction)
{
    if (LLVMIsAICmpInst(instruction)) {
        sign_comparison(wrap, instruction);
        return;
    }
    LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
    if (opcode == LLVMUDiv || opcode == LLVMURem)
        sign_division(wrap, instruction);
    else if (opcode == LLVMAShr || opcode == LLVMLShr)
        divide_for_shift(wrap, instruction);
    else if (opcode == LLVMZExt)
        sign_widening(wrap, instruction);
    else
        wrap_make_remainder(wrap, instruction);
}

static void each(struct wrap *wrap, void (*visit)(struct wrap *wrap, LLVMValueRef instruction))
{
    LLVMValueRef next;
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(wrap->function); block;
         block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = next) {
            next = LLVMGetNextInstruction(i);
            visit(wrap, i);
        }
}

void wrap_bound_arithmetic(struct wrap *wrap)
{
    each(wrap, mark_arithmetic);
}

void wrap_make_signed(struct wrap *wrap)
{
    each(wrap, simplify);
    each(wrap, multiply_for_shift);
    each(wrap, divide_for_mask);
    each(wrap, mark_arithmetic);
    each(wrap, make_signed);
}
