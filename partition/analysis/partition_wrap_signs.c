/* partition_wrap_signs.c: whether it matters that CUDA's coordinates are unsigned.
 *
 * The analysis takes coordinates for signed numbers, as only their arithmetic is affine. The same
 * kernel compiled with unsigned coordinates differs from it in comparisons, divisions, shifts and
 * widenings. Such a difference is without effect if no operand can be negative. */
#include <stdio.h>
#include <string.h>

#include "partition_wrap.h"

enum { DEPTH_MAX = 32 };

static bool is_argument(LLVMValueRef value)
{
    return LLVMIsAArgument(value) != NULL;
}

/* Whether the value cannot be negative as a signed number, whatever the arguments are. A sum or
 * product of such numbers can be, unless it is promised not to wrap. */
static bool never_negative(LLVMValueRef value, unsigned depth)
{
    enum coordinate kind;
    unsigned dimension;
    if (LLVMIsAConstantInt(value))
        return LLVMConstIntGetSExtValue(value) >= 0;
    if (!LLVMIsAInstruction(value) || depth > DEPTH_MAX)
        return false;
    if (coordinate_of(value, &kind, &dimension) || LLVMIsAZExtInst(value))
        return true;
    switch (LLVMGetInstructionOpcode(value)) {
    case LLVMSExt:
    case LLVMSRem: /* has the sign of the dividend */
        return never_negative(LLVMGetOperand(value, 0), depth + 1);
    case LLVMAShr: /* too */
        return never_negative(LLVMGetOperand(value, 0), depth + 1);
    case LLVMAdd:
    case LLVMMul:
        if (!wrap_never_wraps(value))
            return false;
        /* fall through */
    case LLVMSDiv:
        return never_negative(LLVMGetOperand(value, 0), depth + 1) &&
               never_negative(LLVMGetOperand(value, 1), depth + 1);
    default:
        return false;
    }
}

/* ---- operands that are not negative if the launch is a sensible one ---- */

struct text {
    char *at;
    size_t room;
};

static bool append(struct text *text, const char *word)
{
    size_t length = strlen(word);
    if (length >= text->room)
        return false;
    memcpy(text->at, word, length + 1);
    text->at += length;
    text->room -= length;
    return true;
}

static bool append_number(struct text *text, LLVMValueRef number)
{
    char word[32];
    snprintf(word, sizeof word, "%lld", LLVMConstIntGetSExtValue(number));
    return append(text, word);
}

static bool append_size(struct text *text, enum coordinate kind, unsigned dimension)
{
    char word[32];
    if (kind != COORDINATE_BLOCK_SIZE && kind != COORDINATE_GRID_SIZE)
        return false;
    snprintf(word, sizeof word, "launch_%s_%c", kind == COORDINATE_GRID_SIZE ? "grid" : "block",
             'x' + (int)dimension);
    return append(text, word);
}

/* The value as an affine expression of arguments and launch sizes; false if it is none. */
static bool express(struct text *text, LLVMValueRef value)
{
    enum coordinate kind;
    unsigned dimension;
    size_t length;
    if (LLVMIsAConstantInt(value))
        return append_number(text, value);
    if (is_argument(value))
        return append(text, LLVMGetValueName2(value, &length));
    if (coordinate_of(value, &kind, &dimension))
        return append_size(text, kind, dimension);
    if (LLVMIsASExtInst(value))
        return express(text, LLVMGetOperand(value, 0));
    if (!LLVMIsAInstruction(value))
        return false;
    LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
    const char *sign = opcode == LLVMAdd   ? " + "
                       : opcode == LLVMSub ? " - "
                       : opcode == LLVMMul ? " * "
                                           : NULL;
    if (!sign || !wrap_never_wraps(value))
        return false;
    LLVMValueRef left = LLVMGetOperand(value, 0), right = LLVMGetOperand(value, 1);
    if (opcode == LLVMMul && !LLVMIsAConstantInt(left) && !LLVMIsAConstantInt(right))
        return false;
    return append(text, "(") && express(text, left) && append(text, sign) && express(text, right) &&
           append(text, ")");
}

/* The analysis's result then holds only where the operand is not negative. */
static bool assume(struct signs *signs, LLVMValueRef operand)
{
    char expression[WRAP_EXPRESSION];
    struct text text = {expression, sizeof expression};
    if (!express(&text, operand))
        return false;
    fprintf(signs->out, "nonnegative %s %s\n", signs->kernel, expression);
    return true;
}

static bool not_negative(struct signs *signs, LLVMValueRef operand)
{
    return never_negative(operand, 0) || assume(signs, operand) ||
           ranges_fit(signs->ranges, operand, true);
}

/* ---- pairs of instructions ---- */

static bool counts_bytes(LLVMValueRef address)
{
    LLVMTypeRef type = LLVMGetGEPSourceElementType(address);
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 8;
}

/* An index that is negative as a signed number lies outside of every array as an unsigned one, if
 * elements have more than a byte each. */
bool wrap_only_index(LLVMValueRef value)
{
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsAGetElementPtrInst(user) || counts_bytes(user))
            return false;
    }
    return true;
}

static bool same_operation(LLVMValueRef a, LLVMValueRef b)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(a);
    if (opcode != LLVMGetInstructionOpcode(b))
        return false;
    return opcode != LLVMICmp || LLVMGetICmpPredicate(a) == LLVMGetICmpPredicate(b);
}

/* `a` of the kernel with signed coordinates, `b` of the other. */
static bool same_effect(struct signs *signs, LLVMValueRef a, LLVMValueRef b)
{
    if (same_operation(a, b))
        return true;
    LLVMValueRef left = LLVMGetOperand(a, 0);
    switch (LLVMGetInstructionOpcode(a)) {
    case LLVMSIToFP: /* no accesses follow from floating-point numbers */
        return LLVMGetInstructionOpcode(b) == LLVMUIToFP;
    case LLVMSExt:
        return LLVMGetInstructionOpcode(b) == LLVMZExt &&
               (wrap_only_index(a) || not_negative(signs, left));
    case LLVMAShr:
        return LLVMGetInstructionOpcode(b) == LLVMLShr && not_negative(signs, left);
    case LLVMICmp:
    case LLVMSDiv:
    case LLVMSRem:
        return not_negative(signs, left) && not_negative(signs, LLVMGetOperand(a, 1));
    default:
        return false;
    }
}

static bool same_block(struct signs *signs, LLVMBasicBlockRef a, LLVMBasicBlockRef b)
{
    LLVMValueRef i = LLVMGetFirstInstruction(a), j = LLVMGetFirstInstruction(b);
    while (i && j) {
        if (!same_effect(signs, i, j))
            return false;
        i = LLVMGetNextInstruction(i);
        j = LLVMGetNextInstruction(j);
    }
    return !i && !j;
}

bool wrap_signs_agree(struct signs *signs, LLVMValueRef with_signed, LLVMValueRef with_unsigned)
{
    LLVMBasicBlockRef a = LLVMGetFirstBasicBlock(with_signed);
    LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(with_unsigned);
    while (a && b) {
        if (!same_block(signs, a, b))
            return false;
        a = LLVMGetNextBasicBlock(a);
        b = LLVMGetNextBasicBlock(b);
    }
    return !a && !b;
}
