/* partition_wrap_elements.c: what arguments point to, where pointers do not say it: what is loaded
 * or stored there first. */
#include <stdlib.h>

#include "partition_wrap.h"

/* Whether the pointer is made from the argument, or may be where one is chosen; false also where
 * the steps are used up. */
static bool may_point_into(LLVMValueRef pointer, LLVMValueRef argument, unsigned *steps)
{
    if (*steps == 0 || pointer == argument)
        return pointer == argument;
    --*steps;
    if (LLVMIsASelectInst(pointer))
        return may_point_into(LLVMGetOperand(pointer, 1), argument, steps) ||
               may_point_into(LLVMGetOperand(pointer, 2), argument, steps);
    for (unsigned i = 0; LLVMIsAPHINode(pointer) && i < LLVMCountIncoming(pointer); i++)
        if (may_point_into(LLVMGetIncomingValue(pointer, i), argument, steps))
            return true;
    bool is_made_of_one = LLVMIsAGetElementPtrInst(pointer) || LLVMIsABitCastInst(pointer) ||
                          LLVMIsAAddrSpaceCastInst(pointer);
    return is_made_of_one && may_point_into(LLVMGetOperand(pointer, 0), argument, steps);
}

/* The number that is loaded or stored at *pointer; NULL: the instruction does neither. */
static LLVMTypeRef accessed_type(LLVMValueRef instruction, LLVMValueRef *pointer)
{
    bool is_store = LLVMIsAStoreInst(instruction);
    if (!is_store && !LLVMIsALoadInst(instruction) && !LLVMIsAAtomicRMWInst(instruction))
        return NULL;
    *pointer = LLVMGetOperand(instruction, is_store ? 1 : 0);
    return LLVMTypeOf(is_store ? LLVMGetOperand(instruction, 0) : instruction);
}

static unsigned bits_of(LLVMTypeRef type, char *fundamental)
{
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    *fundamental = kind == LLVMFloatTypeKind    ? 'f'
                   : kind == LLVMDoubleTypeKind ? 'd'
                   : kind == LLVMHalfTypeKind   ? 'h'
                                                : 'i';
    return kind == LLVMIntegerTypeKind  ? LLVMGetIntTypeWidth(type)
           : kind == LLVMFloatTypeKind  ? 32
           : kind == LLVMDoubleTypeKind ? 64
           : kind == LLVMHalfTypeKind   ? 16
                                        : 0;
}

static void print_element(LLVMValueRef function, LLVMValueRef instruction, bool *known, FILE *out)
{
    size_t length;
    char fundamental;
    LLVMValueRef pointer;
    LLVMTypeRef type = accessed_type(instruction, &pointer);
    unsigned bits = type ? bits_of(type, &fundamental) : 0;
    for (unsigned i = 0; bits >= 8 && i < LLVMCountParams(function); i++) {
        unsigned steps = 256;
        if (known[i] || !may_point_into(pointer, LLVMGetParam(function, i), &steps))
            continue;
        known[i] = true;
        fprintf(out, "element %s %u %u %c\n", LLVMGetValueName2(function, &length), i, bits,
                fundamental);
    }
}

void wrap_print_elements(LLVMValueRef function, FILE *out)
{
    bool *known = calloc(LLVMCountParams(function) + 1, sizeof *known);
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); known && block;
         block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
            print_element(function, i, known, out);
    free(known);
}
