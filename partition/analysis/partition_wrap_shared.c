/* partition_wrap_shared.c: removes barriers, accesses to shared memory and atomic operations.
 *
 * What is in shared memory does not count, nor what is combined at the end of a launch, but the
 * accesses that lead there do: a global element that is loaded only to be stored in shared memory,
 * or as an index there, is read nevertheless.
 * Such values are stored in a variable of their own (launch_sink0, ...), which keeps them alive. */
#include <stdio.h>
#include <string.h>

#include "partition_wrap.h"

static LLVMValueRef accessed(LLVMValueRef instruction)
{
    if (LLVMIsALoadInst(instruction) || wrap_is_atomic(instruction))
        return LLVMGetOperand(instruction, 0);
    return LLVMIsAStoreInst(instruction) ? LLVMGetOperand(instruction, 1) : NULL;
}

/* What the pointer was made from; NULL if it is not made from a pointer. */
static LLVMValueRef origin(LLVMValueRef pointer)
{
    if (!LLVMIsAGetElementPtrInst(pointer) && !LLVMIsAAddrSpaceCastInst(pointer) &&
        !LLVMIsABitCastInst(pointer) && !LLVMIsAConstantExpr(pointer))
        return NULL;
    LLVMValueRef from = LLVMGetOperand(pointer, 0);
    return LLVMGetTypeKind(LLVMTypeOf(from)) == LLVMPointerTypeKind ? from : NULL;
}

/* ---- which values come from loads of memory that is not shared ---- */

static unsigned mark_kind(const struct wrap *wrap)
{
    return LLVMGetMDKindIDInContext(wrap->context, "launch.loaded", 13);
}

static bool is_marked(const struct wrap *wrap, LLVMValueRef value)
{
    return LLVMIsAInstruction(value) && LLVMGetMetadata(value, mark_kind(wrap)) != NULL;
}

static bool comes_from_load(const struct wrap *wrap, LLVMValueRef instruction)
{
    if (LLVMIsALoadInst(instruction))
        return !wrap_is_shared_pointer(LLVMGetOperand(instruction, 0));
    bool phi = LLVMIsAPHINode(instruction);
    unsigned count =
        phi ? LLVMCountIncoming(instruction) : (unsigned)LLVMGetNumOperands(instruction);
    for (unsigned i = 0; i < count; i++)
        if (is_marked(wrap,
                      phi ? LLVMGetIncomingValue(instruction, i) : LLVMGetOperand(instruction, i)))
            return true;
    return false;
}

static void mark(struct wrap *wrap, LLVMValueRef instruction)
{
    if (is_marked(wrap, instruction) || !comes_from_load(wrap, instruction))
        return;
    LLVMValueRef empty = LLVMMDNodeInContext(wrap->context, NULL, 0);
    LLVMSetMetadata(instruction, mark_kind(wrap), empty);
    wrap->changed = true;
    if (LLVMIsATerminatorInst(instruction))
        wrap->loaded_branch = true;
}

static void unmark(struct wrap *wrap, LLVMValueRef instruction)
{
    LLVMSetMetadata(instruction, mark_kind(wrap), NULL);
}

/* ---- removal ---- */

/* Where a branch depends on a load, so may everything. */
static void keep_alive(struct wrap *wrap, LLVMValueRef value)
{
    if (!wrap->loaded_branch && !is_marked(wrap, value))
        return;
    char name[64];
    snprintf(name, sizeof name, "launch_sink%u", wrap->sinks++);
    LLVMValueRef sink = LLVMAddGlobal(wrap->module, LLVMTypeOf(value), name);
    LLVMBuildStore(wrap->builder, value, sink);
}

static void keep_indices_alive(struct wrap *wrap, LLVMValueRef pointer)
{
    for (; pointer && LLVMIsAInstruction(pointer); pointer = origin(pointer))
        for (int i = 1; i < LLVMGetNumOperands(pointer); i++)
            if (is_marked(wrap, LLVMGetOperand(pointer, (unsigned)i)))
                keep_alive(wrap, LLVMGetOperand(pointer, (unsigned)i));
}

/* Of an atomic operation: what it combines, compares and stores. */
static void keep_operands_alive(struct wrap *wrap, LLVMValueRef atomic)
{
    bool is_call = LLVMIsACallInst(atomic) != NULL;
    unsigned count = is_call ? LLVMGetNumArgOperands(atomic) : (unsigned)LLVMGetNumOperands(atomic);
    for (unsigned i = 1; i < count; i++)
        keep_alive(wrap, LLVMGetOperand(atomic, i));
}

/* Each load has an argument of its own, so that no two count as the same value. */
static LLVMValueRef unknown_value(struct wrap *wrap, LLVMTypeRef type)
{
    char name[64];
    char *type_name = LLVMPrintTypeToString(type);
    snprintf(name, sizeof name, "launch_unknown_%.40s", type_name);
    LLVMDisposeMessage(type_name);
    LLVMTypeRef function_type;
    LLVMValueRef function = wrap_unknown(wrap, name, type, &function_type);
    LLVMValueRef which = LLVMConstInt(wrap->i32, wrap->unknowns++, 0);
    return LLVMBuildCall2(wrap->builder, function_type, function, &which, 1, "launch_unknown");
}

static void remove_shared(struct wrap *wrap, LLVMValueRef instruction)
{
    LLVMValueRef pointer = accessed(instruction);
    bool is_atomic = wrap_is_atomic(instruction);
    if (!pointer || (!is_atomic && !wrap_is_shared_pointer(pointer)))
        return;
    LLVMPositionBuilderBefore(wrap->builder, instruction);
    keep_indices_alive(wrap, pointer);
    if (is_atomic)
        keep_operands_alive(wrap, instruction);
    if (LLVMIsAStoreInst(instruction))
        keep_alive(wrap, LLVMGetOperand(instruction, 0));
    else if (LLVMGetFirstUse(instruction))
        LLVMReplaceAllUsesWith(instruction, unknown_value(wrap, LLVMTypeOf(instruction)));
    LLVMInstructionEraseFromParent(instruction);
}

static void remove_barrier(struct wrap *wrap, LLVMValueRef instruction)
{
    (void)wrap;
    if (!LLVMIsACallInst(instruction))
        return;
    size_t length;
    const char *name = wrap_callee(instruction, &length);
    if (strcmp(name, "partition_barrier") == 0 || strncmp(name, "llvm.lifetime", 13) == 0)
        LLVMInstructionEraseFromParent(instruction);
}

void wrap_remove_shared(struct wrap *wrap)
{
    wrap->loaded_branch = false;
    do {
        wrap->changed = false;
        wrap_each(wrap, mark);
    } while (wrap->changed);
    wrap_each(wrap, remove_shared);
    wrap_each(wrap, remove_barrier);
    wrap_each(wrap, unmark);
}
