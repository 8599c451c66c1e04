/* partition_wrap_refuse.c: what can be seen to be beyond the analysis before it starts. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static bool has_attribute(LLVMValueRef function, const char *name)
{
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    return LLVMGetEnumAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                       kind) != NULL;
}

static bool refuses_call(LLVMValueRef call, char reason[WRAP_REASON])
{
    size_t length;
    const char *name = wrap_callee(call, &length);
    if (!name) {
        snprintf(reason, WRAP_REASON,
                 LLVMIsAInlineAsm(LLVMGetCalledValue(call))
                     ? "inline assembly: its accesses are unknown; write it in C"
                     : "call through a pointer: its target is unknown; call "
                       "functions by name");
        return true;
    }
    LLVMValueRef function = LLVMGetCalledValue(call);
    if (has_attribute(function, "readnone") || strcmp(name, "partition_barrier") == 0 ||
        strncmp(name, "llvm.lifetime", 13) == 0 || strncmp(name, "llvm.mem", 8) == 0)
        return false;
    if (strncmp(name, "atomic", 6) == 0)
        snprintf(reason, WRAP_REASON,
                 "atomic function %.*s: threads update the same element; give each "
                 "thread an "
                 "element of its own",
                 (int)length, name);
    else if (!LLVMIsDeclaration(function))
        snprintf(reason, WRAP_REASON,
                 "%.*s calls itself: recursion has no fixed set of accesses; use a loop",
                 (int)length, name);
    else
        snprintf(reason, WRAP_REASON, "call of %.*s: its accesses are unknown; leave it out",
                 (int)length, name);
    return true;
}

static bool refuses_instruction(LLVMValueRef instruction, char reason[WRAP_REASON])
{
    if (LLVMIsACallInst(instruction))
        return refuses_call(instruction, reason);
    LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
    if (opcode == LLVMAtomicRMW || opcode == LLVMAtomicCmpXchg) {
        snprintf(reason, WRAP_REASON,
                 "atomic operation: threads update the same element; give each "
                 "thread an element "
                 "of its own");
        return true;
    }
    bool access = opcode == LLVMLoad || opcode == LLVMStore;
    if (access && LLVMGetVolatile(instruction)) {
        snprintf(reason, WRAP_REASON,
                 "volatile access: threads communicate within the launch; leave "
                 "volatile out");
        return true;
    }
    return false;
}

/* Names that the analysis gives itself. */
static bool refuses_argument(LLVMValueRef argument, char reason[WRAP_REASON])
{
    size_t length;
    const char *name = LLVMGetValueName2(argument, &length);
    bool counter = length == 2 && strchr("gobt", name[0]) && strchr("xyz", name[1]);
    if (!counter && strncmp(name, "launch_", 7) != 0 && strncmp(name, "partition_", 10) != 0)
        return false;
    snprintf(reason, WRAP_REASON,
             "argument %.60s: the analysis uses this name itself; rename the argument", name);
    return true;
}

bool wrap_refuses(LLVMValueRef function, char reason[WRAP_REASON])
{
    for (unsigned i = 0; i < LLVMCountParams(function); i++)
        if (refuses_argument(LLVMGetParam(function, i), reason))
            return true;
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
            if (refuses_instruction(i, reason))
                return true;
    return false;
}
