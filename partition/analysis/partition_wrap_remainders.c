/* partition_wrap_remainders.c: what compilers make of x % n, as remainders again, which the
 * analysis knows: x & 31, and x - x / 32 * 32 of numbers with a sign. */
#include "partition_wrap.h"

static bool constant(LLVMValueRef value, long long *number)
{
    if (!LLVMIsAConstantInt(value))
        return false;
    *number = LLVMConstIntGetSExtValue(value);
    return true;
}

static bool is_opcode(LLVMValueRef value, LLVMOpcode opcode)
{
    return LLVMIsAInstruction(value) && LLVMGetInstructionOpcode(value) == opcode;
}

static void replace(LLVMValueRef instruction, LLVMValueRef by)
{
    LLVMReplaceAllUsesWith(instruction, by);
    LLVMInstructionEraseFromParent(instruction);
}

/* Ones from bit `low` to below bit `high`. */
static bool is_mask(LLVMValueRef value, unsigned *low, unsigned *high)
{
    long long mask;
    if (!is_opcode(value, LLVMAnd) || !constant(LLVMGetOperand(value, 1), &mask) || mask <= 0 ||
        mask > INT32_MAX)
        return false;
    *low = (unsigned)__builtin_ctzll((unsigned long long)mask);
    *high = 64 - (unsigned)__builtin_clzll((unsigned long long)mask);
    long long ones = mask >> *low;
    return (ones & (ones + 1)) == 0 && *high < 31;
}

/* x & 28 is x / 4 % 8 * 4, where x is not negative: a condition on the launch, which nobody needs
 * for what is only added or stored. No thread's number reaches far beyond many bits, so that then
 * what is above the mask is 0. */
static void choose_bits(struct wrap *wrap, LLVMValueRef value, unsigned low, unsigned high)
{
    enum { MANY_BITS = 20 };
    LLVMValueRef x = LLVMGetOperand(value, 0);
    LLVMTypeRef type = LLVMTypeOf(value);
    LLVMValueRef step = LLVMConstInt(type, 1ULL << low, 0);
    LLVMValueRef turns = LLVMConstInt(type, 1ULL << (high - low), 0);
    bool is_below = high >= MANY_BITS && ranges_below_power(wrap->ranges, x, high);
    LLVMBuilderRef builder = wrap->builder;
    LLVMPositionBuilderBefore(builder, value);
    if (low)
        x = LLVMBuildSDiv(builder, x, step, "");
    if (!is_below)
        x = LLVMBuildSRem(builder, x, turns, "");
    if (low)
        x = LLVMBuildNSWMul(builder, x, step, "");
    replace(value, x);
}

static bool is_only_data_to(LLVMValueRef value, LLVMValueRef user, unsigned depth);

/* No address and no branch depends on it, as far as that is easily seen. */
static bool is_only_data(LLVMValueRef value, unsigned depth)
{
    enum { DEPTH_MAX = 8 };
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use))
        if (depth == DEPTH_MAX || !is_only_data_to(value, LLVMGetUser(use), depth))
            return false;
    return true;
}

static bool is_only_data_to(LLVMValueRef value, LLVMValueRef user, unsigned depth)
{
    switch (LLVMGetInstructionOpcode(user)) {
    case LLVMSIToFP:
    case LLVMUIToFP:
        return true;
    case LLVMStore:
        return LLVMGetOperand(user, 0) == value;
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMSExt:
        return is_only_data(user, depth + 1);
    default:
        return false;
    }
}

/* x - x / n * n, which is x % n whatever x is */
static bool takes_multiples_off(LLVMValueRef value)
{
    if (!is_opcode(value, LLVMSub))
        return false;
    LLVMValueRef x = LLVMGetOperand(value, 0), product = LLVMGetOperand(value, 1);
    if (!is_opcode(product, LLVMMul) || !is_opcode(LLVMGetOperand(product, 0), LLVMSDiv))
        return false;
    LLVMValueRef quotient = LLVMGetOperand(product, 0), number = LLVMGetOperand(product, 1);
    long long by;
    return LLVMGetOperand(quotient, 0) == x && LLVMGetOperand(quotient, 1) == number &&
           constant(number, &by) && by > 0;
}

/* What is added to round a quotient towards 0 is 0 where nothing is negative. */
static bool adds_nothing(LLVMValueRef value)
{
    long long number;
    return is_opcode(value, LLVMAdd) && constant(LLVMGetOperand(value, 1), &number) && number == 0;
}

void wrap_make_remainder(struct wrap *wrap, LLVMValueRef value)
{
    unsigned low, high;
    if (adds_nothing(value)) {
        replace(value, LLVMGetOperand(value, 0));
    } else if (takes_multiples_off(value)) {
        LLVMPositionBuilderBefore(wrap->builder, value);
        replace(value, LLVMBuildSRem(wrap->builder, LLVMGetOperand(value, 0),
                                     LLVMGetOperand(LLVMGetOperand(value, 1), 1), ""));
    } else if (is_mask(value, &low, &high) && !is_only_data(value, 0) &&
               ranges_fit(wrap->ranges, LLVMGetOperand(value, 0), true)) {
        choose_bits(wrap, value, low, high);
    }
}
