/* partition_wrap_coordinates.c: recognises CUDA's built-in variables and what is made of them. */
#include <string.h>

#include "partition_wrap.h"

bool coordinate_of(LLVMValueRef value, enum coordinate *kind, unsigned *dimension)
{
    static const char *const names[] = {"partition_thread", "partition_block",
                                        "partition_block_size", "partition_grid_size"};
    if (!LLVMIsACallInst(value) || !LLVMIsAFunction(LLVMGetCalledValue(value)))
        return false;
    size_t length;
    const char *name = LLVMGetValueName2(LLVMGetCalledValue(value), &length);
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(name, names[i]) != 0)
            continue;
        *kind = (enum coordinate)i;
        *dimension = (unsigned)LLVMConstIntGetZExtValue(LLVMGetOperand(value, 0));
        return true;
    }
    return false;
}

/* Coordinates fit into 31 bits: widening does not change them. */
static LLVMValueRef without_widening(LLVMValueRef value)
{
    while (LLVMIsASExtInst(value) || LLVMIsAZExtInst(value))
        value = LLVMGetOperand(value, 0);
    return value;
}

static bool is_coordinate(LLVMValueRef value, enum coordinate kind, unsigned dimension)
{
    enum coordinate its_kind;
    unsigned its_dimension;
    return coordinate_of(without_widening(value), &its_kind, &its_dimension) && its_kind == kind &&
           its_dimension == dimension;
}

static bool is_operation(LLVMValueRef value, LLVMOpcode opcode)
{
    return LLVMIsAInstruction(value) && LLVMGetInstructionOpcode(value) == opcode;
}

bool is_block_origin(LLVMValueRef value, unsigned *dimension)
{
    value = without_widening(value);
    if (!is_operation(value, LLVMMul))
        return false;
    LLVMValueRef left = LLVMGetOperand(value, 0), right = LLVMGetOperand(value, 1);
    enum coordinate kind;
    if (!coordinate_of(without_widening(left), &kind, dimension))
        return false;
    if (kind == COORDINATE_BLOCK)
        return is_coordinate(right, COORDINATE_BLOCK_SIZE, *dimension);
    return kind == COORDINATE_BLOCK_SIZE && is_coordinate(right, COORDINATE_BLOCK, *dimension);
}

bool is_global_index(LLVMValueRef value, unsigned *dimension)
{
    if (!is_operation(value, LLVMAdd))
        return false;
    LLVMValueRef left = LLVMGetOperand(value, 0), right = LLVMGetOperand(value, 1);
    if (is_block_origin(left, dimension))
        return is_coordinate(right, COORDINATE_THREAD, *dimension);
    return is_block_origin(right, dimension) && is_coordinate(left, COORDINATE_THREAD, *dimension);
}

bool only_in_global_index(LLVMValueRef value, unsigned dimension)
{
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        unsigned of;
        if (is_global_index(user, &of) && of == dimension)
            continue;
        bool passes_on = LLVMIsASExtInst(user) || LLVMIsAZExtInst(user) ||
                         (is_block_origin(user, &of) && of == dimension);
        if (!passes_on || !only_in_global_index(user, dimension))
            return false;
    }
    return true;
}
