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
    each(wrap, multiply_for_shift);
    each(wrap, mark_arithmetic);
    each(wrap, make_signed);
}
