/* partition_wrap_elements.c: what arguments point to, where pointers do not say it: what is loaded
 * or stored there first. */
#include <stdlib.h>

#include "partition_wrap.h"

enum { DEPTH_MAX = 64 };

static LLVMValueRef base_of(LLVMValueRef pointer)
{
    for (unsigned i = 0; i < DEPTH_MAX; i++) {
        if (LLVMIsAPHINode(pointer))
            pointer = LLVMGetIncomingValue(pointer, 0);
        else if (LLVMIsAGetElementPtrInst(pointer) || LLVMIsABitCastInst(pointer) ||
                 LLVMIsAAddrSpaceCastInst(pointer))
            pointer = LLVMGetOperand(pointer, 0);
        else
            break;
    }
    return pointer;
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
    LLVMValueRef base = bits >= 8 ? base_of(pointer) : NULL;
    for (unsigned i = 0; base && i < LLVMCountParams(function); i++) {
        if (LLVMGetParam(function, i) != base || known[i])
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
