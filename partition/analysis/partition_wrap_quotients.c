/* partition_wrap_quotients.c: divisions by a number, which nvcc makes products of.
 *
 * i / 5 becomes i * 1717986919 >> 33, with a sign that is added to it. Where i is not negative and
 * has 31 bits, that is a quotient again, which is affine; the product is not, and its bounds would
 * be conditions on the launch that none meets. */
#include "partition_wrap.h"

/* The upper bits of x * factor: x * factor >> shift, where x has 32 bits. */
struct upper {
    LLVMValueRef x;
    long long factor;
    unsigned shift;
};

static bool is_operation(LLVMValueRef value, LLVMOpcode opcode)
{
    return LLVMIsAInstruction(value) && LLVMGetInstructionOpcode(value) == opcode;
}

static unsigned width(LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(type) : 0;
}

/* value = *from >> bits */
static bool is_shift(LLVMValueRef value, LLVMValueRef *from, unsigned *bits)
{
    if ((!is_operation(value, LLVMLShr) && !is_operation(value, LLVMAShr)) ||
        !LLVMIsAConstantInt(LLVMGetOperand(value, 1)))
        return false;
    *from = LLVMGetOperand(value, 0);
    *bits = (unsigned)LLVMConstIntGetZExtValue(LLVMGetOperand(value, 1));
    return *bits < width(value);
}

/* x * factor in 64 bits, where x has 32 */
static bool is_product(LLVMValueRef value, struct upper *found)
{
    if (!is_operation(value, LLVMMul) || width(value) != 64 ||
        !LLVMIsAConstantInt(LLVMGetOperand(value, 1)))
        return false;
    LLVMValueRef widened = LLVMGetOperand(value, 0);
    if (!LLVMIsASExtInst(widened) && !LLVMIsAZExtInst(widened))
        return false;
    found->x = LLVMGetOperand(widened, 0);
    found->factor = LLVMConstIntGetSExtValue(LLVMGetOperand(value, 1));
    return width(found->x) == 32 && found->factor > -(1LL << 31) && found->factor < 1LL << 32;
}

/* The upper half, of 32 bits; a factor of 32 bits and the sign is one less 2^32, and x is added. */
static bool is_half(LLVMValueRef value, struct upper *found)
{
    LLVMValueRef from;
    bool adds = is_operation(value, LLVMAdd) && width(value) == 32;
    LLVMValueRef half = adds ? LLVMGetOperand(value, 0) : value;
    if (adds && !LLVMIsATruncInst(half))
        half = LLVMGetOperand(value, 1);
    if (!LLVMIsATruncInst(half) || width(half) != 32 ||
        !is_shift(LLVMGetOperand(half, 0), &from, &found->shift) || !is_product(from, found) ||
        found->shift != 32 || adds != (found->factor < 0))
        return false;
    if (!adds)
        return true;
    found->factor += 1LL << 32;
    return LLVMGetOperand(value, 0) == found->x || LLVMGetOperand(value, 1) == found->x;
}

static bool find_upper(LLVMValueRef value, struct upper *found)
{
    LLVMValueRef from;
    unsigned bits;
    if (!is_shift(value, &from, &bits))
        return false;
    if (width(value) == 32 && is_half(from, found)) {
        found->shift += bits;
        return true;
    }
    found->shift = bits;
    return width(value) == 64 && bits >= 32 && is_product(from, found) && found->factor > 0;
}

/* The number by which all x from 0 to 2^31 - 1 are divided; 0: it is no division. */
static long long divisor(const struct upper *of)
{
    enum { SHIFT_MAX = 62 };
    const long long largest = (1LL << 31) - 1;
    if (of->shift > SHIFT_MAX || of->factor < 1)
        return 0;
    long long power = 1LL << of->shift;
    long long number = (power - 1) / of->factor + 1;
    __int128 excess = (__int128)number * of->factor - power;
    return number >= 2 && number <= largest && excess * largest < power ? number : 0;
}

static void replace(struct wrap *wrap, LLVMValueRef value, const struct upper *of, long long number)
{
    LLVMPositionBuilderBefore(wrap->builder, value);
    LLVMValueRef by = LLVMConstInt(LLVMTypeOf(of->x), (unsigned long long)number, 0);
    LLVMValueRef quotient = LLVMBuildSDiv(wrap->builder, of->x, by, "");
    if (width(value) != width(quotient))
        quotient = LLVMBuildSExt(wrap->builder, quotient, LLVMTypeOf(value), "");
    LLVMReplaceAllUsesWith(value, quotient);
    LLVMInstructionEraseFromParent(value);
}

static void divide(struct wrap *wrap, LLVMValueRef value)
{
    enum { SIGN_SHIFT = 63 };
    struct upper found;
    LLVMValueRef from;
    unsigned bits;
    /* half + its sign: no bits but the lower half are cut off */
    bool adds_sign = is_operation(value, LLVMAdd) && is_half(LLVMGetOperand(value, 0), &found) &&
                     is_shift(LLVMGetOperand(value, 1), &from, &bits) && bits == 31 &&
                     from == LLVMGetOperand(value, 0);
    if (!adds_sign && !find_upper(value, &found))
        return;
    bool is_sign = found.shift == SIGN_SHIFT;
    long long number = divisor(&found);
    if ((!number && !is_sign) || !ranges_fit(wrap->ranges, found.x, true))
        return;
    if (!is_sign) {
        replace(wrap, value, &found, number);
        return;
    }
    LLVMReplaceAllUsesWith(value, LLVMConstInt(LLVMTypeOf(value), 0, 0));
    LLVMInstructionEraseFromParent(value);
}

void wrap_find_quotients(struct wrap *wrap)
{
    LLVMValueRef next;
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(wrap->function); block;
         block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = next) {
            next = LLVMGetNextInstruction(i);
            divide(wrap, i);
        }
}
