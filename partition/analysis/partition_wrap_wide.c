/* partition_wrap_wide.c: indices in 64 bits, from their leaves on.
 *
 * (y * n + x) in 32 bits, widened afterwards, is a sum of products to LLVM only if it knows of each
 * part that it does not overflow, and it forgets that of parts that it puts together anew. In 64
 * bits there is nothing to forget: where a part is promised not to overflow in 32 bits, computing
 * it in 64 gives the same number. */
#include <stdlib.h>
#include <string.h>

#include "partition_wrap.h"

struct wide {
    struct wrap *wrap;
    LLVMTypeRef i64;
    LLVMValueRef *narrow, *widened; /* pairs */
    size_t count, room;
};

static LLVMValueRef known(const struct wide *wide, LLVMValueRef value)
{
    for (size_t i = 0; i < wide->count; i++)
        if (wide->narrow[i] == value)
            return wide->widened[i];
    return NULL;
}

static LLVMValueRef keep(struct wide *wide, LLVMValueRef narrow, LLVMValueRef widened)
{
    if (wide->count == wide->room) {
        wide->room = 2 * wide->room + 64;
        wide->narrow = realloc(wide->narrow, wide->room * sizeof(LLVMValueRef));
        wide->widened = realloc(wide->widened, wide->room * sizeof(LLVMValueRef));
        if (!wide->narrow || !wide->widened)
            abort();
    }
    wide->narrow[wide->count] = narrow;
    wide->widened[wide->count++] = widened;
    return widened;
}

static LLVMValueRef widen(struct wide *wide, LLVMValueRef value);

static void place_behind(struct wide *wide, LLVMValueRef value)
{
    LLVMValueRef at = LLVMIsAInstruction(value)
                          ? LLVMGetNextInstruction(value)
                          : LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(wide->wrap->function));
    while (LLVMIsAPHINode(at))
        at = LLVMGetNextInstruction(at);
    LLVMPositionBuilderBefore(wide->wrap->builder, at);
}

static LLVMValueRef widen_phi(struct wide *wide, LLVMValueRef phi)
{
    size_t length;
    char *name = strdup(LLVMGetValueName2(phi, &length));
    LLVMPositionBuilderBefore(wide->wrap->builder, phi);
    LLVMSetValueName2(phi, "", 0);
    LLVMValueRef made = LLVMBuildPhi(wide->wrap->builder, wide->i64, name ? name : "");
    free(name);
    keep(wide, phi, made);
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMValueRef from = widen(wide, LLVMGetIncomingValue(phi, i));
        LLVMBasicBlockRef block = LLVMGetIncomingBlock(phi, i);
        LLVMAddIncoming(made, &from, &block, 1);
    }
    return made;
}

static LLVMValueRef widen_operation(struct wide *wide, LLVMValueRef operation)
{
    LLVMValueRef left = widen(wide, LLVMGetOperand(operation, 0));
    LLVMValueRef right = widen(wide, LLVMGetOperand(operation, 1));
    LLVMBuilderRef builder = wide->wrap->builder;
    LLVMPositionBuilderBefore(builder, operation);
    switch (LLVMGetInstructionOpcode(operation)) {
    case LLVMAdd:
        return LLVMBuildNSWAdd(builder, left, right, "");
    case LLVMSub:
        return LLVMBuildNSWSub(builder, left, right, "");
    case LLVMMul:
        return LLVMBuildNSWMul(builder, left, right, "");
    case LLVMSDiv:
        return LLVMBuildSDiv(builder, left, right, "");
    default:
        return LLVMBuildSRem(builder, left, right, "");
    }
}

static bool is_successor(LLVMValueRef value, LLVMValueRef of)
{
    return LLVMIsAInstruction(value) && LLVMGetInstructionOpcode(value) == LLVMAdd &&
           LLVMGetOperand(value, 0) == of && LLVMIsAConstantInt(LLVMGetOperand(value, 1)) &&
           LLVMConstIntGetSExtValue(LLVMGetOperand(value, 1)) == 1 && wrap_never_wraps(value);
}

/* The larger or smaller of two numbers by name, which stays so: of a comparison LLVM makes one of
 * unsigned numbers where it can, and that Polly does not know. NULL: it is neither. */
static const char *extreme_of(LLVMValueRef select, LLVMValueRef yes, LLVMValueRef no)
{
    LLVMValueRef test = LLVMGetOperand(select, 0);
    if (!LLVMIsAICmpInst(test) || LLVMGetOperand(test, 1) != no)
        return NULL;
    LLVMIntPredicate predicate = LLVMGetICmpPredicate(test);
    if (predicate == LLVMIntSLT && is_successor(yes, LLVMGetOperand(test, 0)))
        return "llvm.smin"; /* x < y ? x + 1 : y */
    if (LLVMGetOperand(test, 0) != yes)
        return NULL;
    if (predicate == LLVMIntSGT || predicate == LLVMIntSGE)
        return "llvm.smax";
    return predicate == LLVMIntSLT || predicate == LLVMIntSLE ? "llvm.smin" : NULL;
}

/* The condition stays: what it compares was widened for itself, as it stands before. */
static LLVMValueRef widen_select(struct wide *wide, LLVMValueRef select)
{
    LLVMBuilderRef builder = wide->wrap->builder;
    LLVMValueRef numbers[] = {widen(wide, LLVMGetOperand(select, 1)),
                              widen(wide, LLVMGetOperand(select, 2))};
    const char *name = extreme_of(select, numbers[0], numbers[1]);
    LLVMPositionBuilderBefore(builder, select);
    if (!name)
        return LLVMBuildSelect(builder, LLVMGetOperand(select, 0), numbers[0], numbers[1], "");
    unsigned number = LLVMLookupIntrinsicID(name, strlen(name));
    LLVMTypeRef type = LLVMIntrinsicGetType(wide->wrap->context, number, &wide->i64, 1);
    LLVMValueRef function = LLVMGetIntrinsicDeclaration(wide->wrap->module, number, &wide->i64, 1);
    return LLVMBuildCall2(builder, type, function, numbers, 2, "");
}

static bool is_operation(LLVMValueRef value)
{
    if (!LLVMIsAInstruction(value))
        return false;
    LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
    bool may_wrap = opcode == LLVMAdd || opcode == LLVMSub || opcode == LLVMMul;
    return opcode == LLVMSDiv || opcode == LLVMSRem || (may_wrap && wrap_never_wraps(value));
}

/* The i32 as an i64 with the same number. */
static LLVMValueRef widen(struct wide *wide, LLVMValueRef value)
{
    LLVMValueRef there = known(wide, value);
    if (there)
        return there;
    if (LLVMIsAConstantInt(value))
        return LLVMConstInt(wide->i64, (unsigned long long)LLVMConstIntGetSExtValue(value), 1);
    if (LLVMIsAPHINode(value))
        return widen_phi(wide, value);
    if (LLVMIsASelectInst(value))
        return keep(wide, value, widen_select(wide, value));
    if (is_operation(value))
        return keep(wide, value, widen_operation(wide, value));
    place_behind(wide, value);
    return keep(wide, value, LLVMBuildSExt(wide->wrap->builder, value, wide->i64, ""));
}

static bool is_narrow(LLVMValueRef value)
{
    return LLVMTypeOf(value) && LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMIntegerTypeKind &&
           LLVMGetIntTypeWidth(LLVMTypeOf(value)) == 32;
}

static bool is_computed(LLVMValueRef value)
{
    return is_narrow(value) &&
           (LLVMIsAPHINode(value) || LLVMIsASelectInst(value) || is_operation(value));
}

static void widen_index(struct wide *wide, LLVMValueRef instruction)
{
    LLVMValueRef from = LLVMGetOperand(instruction, 0);
    if (is_computed(from) && LLVMTypeOf(instruction) == wide->i64)
        LLVMReplaceAllUsesWith(instruction, widen(wide, from));
}

static void widen_comparison(struct wide *wide, LLVMValueRef comparison)
{
    LLVMValueRef left = LLVMGetOperand(comparison, 0), right = LLVMGetOperand(comparison, 1);
    LLVMIntPredicate predicate = LLVMGetICmpPredicate(comparison);
    bool is_unsigned = predicate >= LLVMIntUGT && predicate <= LLVMIntULE;
    if (is_unsigned || (!is_computed(left) && !is_computed(right)))
        return;
    left = widen(wide, left);
    right = widen(wide, right);
    LLVMSetOperand(comparison, 0, left);
    LLVMSetOperand(comparison, 1, right);
}

void wrap_widen(struct wrap *wrap)
{
    struct wide wide = {.wrap = wrap, .i64 = LLVMInt64TypeInContext(wrap->context)};
    LLVMValueRef next;
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(wrap->function); block;
         block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = next) {
            next = LLVMGetNextInstruction(i);
            if (LLVMIsASExtInst(i))
                widen_index(&wide, i);
            else if (LLVMIsAICmpInst(i) && is_narrow(LLVMGetOperand(i, 0)))
                widen_comparison(&wide, i);
        }
    free(wide.narrow);
    free(wide.widened);
}
