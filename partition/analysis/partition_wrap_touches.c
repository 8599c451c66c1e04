/* partition_wrap_touches.c: which arguments' memory a kernel reaches at all, whatever the elements.
 *
 * This is known of most kernels that are refused, too. Where such a kernel runs on one device, only
 * that memory has to be brought there, and only what may be written has to be brought back. Nothing
 * is said of a kernel that reaches memory in a way that is not followed here. */
#include <stdlib.h>
#include <string.h>

#include "partition_wrap.h"

enum { DEPTH_MAX = 64 };

struct touches {
    LLVMValueRef function;
    char *letters; /* of each argument */
    enum touches_of which;
};

/* Address spaces of shared and constant memory. */
static bool is_own_or_constant(LLVMValueRef global)
{
    enum { SHARED = 3, CONSTANT = 4 };
    unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(global));
    return space == SHARED || space == CONSTANT || LLVMIsGlobalConstant(global);
}

static void note(struct touches *touches, LLVMValueRef argument, bool writes)
{
    for (unsigned i = 0; i < LLVMCountParams(touches->function); i++)
        if (LLVMGetParam(touches->function, i) == argument && touches->letters[i] != 'w')
            touches->letters[i] = writes ? 'w' : 'r';
}

static bool follow(struct touches *touches, LLVMValueRef pointer, bool writes, unsigned depth);

static bool follow_phi(struct touches *touches, LLVMValueRef phi, bool writes, unsigned depth)
{
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
        if (LLVMGetIncomingValue(phi, i) != phi &&
            !follow(touches, LLVMGetIncomingValue(phi, i), writes, depth + 1))
            return false;
    return true;
}

/* A pointer that moves in a loop comes from itself. */
static bool is_advanced_phi(LLVMValueRef pointer)
{
    LLVMValueRef from = LLVMGetOperand(pointer, 0);
    if (!LLVMIsAPHINode(from))
        return false;
    for (unsigned i = 0; i < LLVMCountIncoming(from); i++)
        if (LLVMGetIncomingValue(from, i) == pointer)
            return true;
    return false;
}

/* Notes what the pointer points into; false if that is unknown. */
static bool follow(struct touches *touches, LLVMValueRef pointer, bool writes, unsigned depth)
{
    if (depth > DEPTH_MAX || LLVMGetTypeKind(LLVMTypeOf(pointer)) != LLVMPointerTypeKind)
        return false;
    if (LLVMIsAArgument(pointer)) {
        note(touches, pointer, writes);
        return true;
    }
    if (LLVMIsAAllocaInst(pointer))
        return true;
    if (LLVMIsAGlobalVariable(pointer))
        return is_own_or_constant(pointer);
    if (LLVMIsAPHINode(pointer))
        return follow_phi(touches, pointer, writes, depth);
    if (LLVMIsASelectInst(pointer))
        return follow(touches, LLVMGetOperand(pointer, 1), writes, depth + 1) &&
               follow(touches, LLVMGetOperand(pointer, 2), writes, depth + 1);
    bool is_made_of_one = LLVMIsAGetElementPtrInst(pointer) || LLVMIsABitCastInst(pointer) ||
                          LLVMIsAAddrSpaceCastInst(pointer) || LLVMIsAConstantExpr(pointer);
    return is_made_of_one && (is_advanced_phi(pointer) ||
                              follow(touches, LLVMGetOperand(pointer, 0), writes, depth + 1));
}

static bool starts(const char *name, size_t length, const char *prefix)
{
    return length >= strlen(prefix) && memcmp(name, prefix, strlen(prefix)) == 0;
}

static bool has_no_memory(LLVMValueRef call, const char *name, size_t length)
{
    static const char *const names[] = {
        "partition_barrier", "llvm.lifetime", "clock", "__nanosleep",
        "__threadfence",     "__syncthreads", "__trap"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (starts(name, length, names[i]))
            return true;
    return wrap_is_pure(LLVMGetCalledValue(call));
}

static bool follow_call(struct touches *touches, LLVMValueRef call)
{
    size_t length;
    const char *name = wrap_callee(call, &length);
    if (!name)
        return false;
    if (has_no_memory(call, name, length))
        return true;
    if (starts(name, length, "llvm.memset") || starts(name, length, "atomic"))
        return follow(touches, LLVMGetOperand(call, 0), true, 0);
    return (starts(name, length, "llvm.memcpy") || starts(name, length, "llvm.memmove")) &&
           follow(touches, LLVMGetOperand(call, 0), true, 0) &&
           follow(touches, LLVMGetOperand(call, 1), false, 0);
}

static bool follow_instruction(struct touches *touches, LLVMValueRef instruction)
{
    if (touches->which != TOUCHES_OF_ALL && wrap_is_atomic(instruction))
        return true;
    if (touches->which == TOUCHES_OF_LOADS && LLVMIsAStoreInst(instruction))
        return true;
    if (LLVMIsACallInst(instruction))
        return follow_call(touches, instruction);
    switch (LLVMGetInstructionOpcode(instruction)) {
    case LLVMLoad:
        return follow(touches, LLVMGetOperand(instruction, 0), false, 0);
    case LLVMStore:
        return follow(touches, LLVMGetOperand(instruction, 1), true, 0);
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        return follow(touches, LLVMGetOperand(instruction, 0), true, 0);
    case LLVMInvoke:
    case LLVMCallBr:
        return false;
    default:
        return true;
    }
}

static bool follow_all(struct touches *touches)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(touches->function); block;
         block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
            if (!follow_instruction(touches, i))
                return false;
    return true;
}

bool wrap_find_touches(LLVMValueRef function, char *letters, enum touches_of which)
{
    struct touches touches = {function, letters, which};
    memset(letters, '-', LLVMCountParams(function));
    return follow_all(&touches);
}

void wrap_print_touches(LLVMValueRef function, FILE *out)
{
    size_t length;
    unsigned count = LLVMCountParams(function);
    char *letters = calloc(count + 1, 1);
    if (letters && count && wrap_find_touches(function, letters, TOUCHES_OF_ALL))
        fprintf(out, "touches %s %s\n", LLVMGetValueName2(function, &length), letters);
    free(letters);
}
