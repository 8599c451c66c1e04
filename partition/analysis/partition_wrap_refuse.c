/* partition_wrap_refuse.c: what can be seen to be beyond the analysis before it starts. */
#include <stdlib.h>
#include <string.h>

#include "common/error.h"

#include "partition_wrap.h"

/* _Z9atomicAddIiET_PS0_S0_ is atomicAdd: its length, then its letters. */
static const char *unmangled(const char *name, size_t *length)
{
    char *after;
    if (strncmp(name, "_Z", 2) != 0)
        return name;
    unsigned long count = strtoul(name + 2, &after, 10);
    if (count == 0 || count > strlen(after))
        return name;
    *length = count;
    return after;
}

const char *wrap_callee(LLVMValueRef call, size_t *length)
{
    LLVMValueRef function = LLVMGetCalledValue(call);
    if (!LLVMIsAFunction(function))
        return NULL;
    const char *name = LLVMGetValueName2(function, length);
    return unmangled(name, length);
}

/* What clang said, in a call of partition_unreadable(). */
static enum dm_status check_unreadable(LLVMValueRef call)
{
    size_t length = 0;
    const char *why = "";
    LLVMValueRef literal = LLVMGetOperand(call, 0);
    while (LLVMIsAConstantExpr(literal))
        literal = LLVMGetOperand(literal, 0);
    if (LLVMIsAGlobalVariable(literal) && LLVMGetInitializer(literal) &&
        LLVMIsConstantString(LLVMGetInitializer(literal)))
        why = LLVMGetAsString(LLVMGetInitializer(literal), &length);
    return dm_fail(DM_UNAVAILABLE, "clang cannot compile it: %.*s", (int)length, why);
}

static enum dm_status check_call(LLVMValueRef call)
{
    size_t length;
    const char *name = wrap_callee(call, &length);
    if (name && strcmp(name, "partition_unreadable") == 0)
        return check_unreadable(call);
    if (!name)
        return dm_fail(DM_UNAVAILABLE,
                       LLVMIsAInlineAsm(LLVMGetCalledValue(call))
                           ? "inline assembly: its accesses are unknown; write it in C"
                           : "call through a pointer: its target is unknown; call "
                             "functions by name");
    LLVMValueRef function = LLVMGetCalledValue(call);
    if (wrap_is_pure(function) || strcmp(name, "partition_barrier") == 0 ||
        strncmp(name, "llvm.lifetime", 13) == 0 || strncmp(name, "llvm.mem", 8) == 0)
        return DM_OK;
    if (!LLVMIsDeclaration(function))
        return dm_fail(DM_UNAVAILABLE,
                       "%.*s calls itself: recursion has no fixed set of accesses; use a loop",
                       (int)length, name);
    return dm_fail(DM_UNAVAILABLE, "call of %.*s: its accesses are unknown; leave it out",
                   (int)length, name);
}

/* Not of shared memory: threads of a block are never split. */
static bool is_between_blocks(LLVMValueRef instruction)
{
    if (!LLVMIsALoadInst(instruction) && !LLVMIsAStoreInst(instruction))
        return false;
    LLVMValueRef pointer = LLVMGetOperand(instruction, LLVMIsAStoreInst(instruction) ? 1 : 0);
    return LLVMGetVolatile(instruction) && !wrap_is_shared_pointer(pointer);
}

static enum dm_status check_instruction(LLVMValueRef instruction)
{
    if (wrap_is_atomic(instruction)) /* wrap_check_atomics() */
        return DM_OK;
    if (LLVMIsACallInst(instruction))
        return check_call(instruction);
    if (is_between_blocks(instruction))
        return dm_fail(DM_UNAVAILABLE, "volatile access: threads communicate within the launch; "
                                       "leave volatile out");
    return DM_OK;
}

/* Names that the analysis gives itself. */
static enum dm_status check_argument(LLVMValueRef argument)
{
    size_t length;
    const char *name = LLVMGetValueName2(argument, &length);
    bool counter = length == 2 && strchr("gobt", name[0]) && strchr("xyz", name[1]);
    if (!counter && strncmp(name, "launch_", 7) != 0 && strncmp(name, "partition_", 10) != 0)
        return DM_OK;
    return dm_fail(DM_UNAVAILABLE,
                   "argument %.60s: the analysis uses this name itself; rename the argument", name);
}

enum dm_status wrap_check(LLVMValueRef function)
{
    for (unsigned i = 0; i < LLVMCountParams(function); i++)
        TRY(check_argument(LLVMGetParam(function, i)));
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
            TRY(check_instruction(i));
    return DM_OK;
}
