/* partition_wrap_join.c: the condition of a loop is one integer comparison in one place.
 *
 * while (k < n && f(x) > 0) is compiled to two blocks and a value that is chosen between them;
 * calls of functions that are convergent, as all of CUDA's are, keep a loop's head where it is; and
 * a loop that goes by floating-point numbers is none to Polly. Without these Polly takes a loop
 * whose length depends on data for one that may read and write anything it names. */
#include <string.h>

#include "partition_wrap.h"

static bool is_pure(LLVMValueRef instruction)
{
    if (LLVMIsACallInst(instruction)) {
        LLVMValueRef function = LLVMGetCalledValue(instruction);
        return LLVMIsAFunction(function) && wrap_is_pure(function);
    }
    switch (LLVMGetInstructionOpcode(instruction)) {
    case LLVMSDiv: /* by 0 */
    case LLVMUDiv:
    case LLVMSRem:
    case LLVMURem:
        return false;
    case LLVMICmp:
    case LLVMFCmp:
    case LLVMFNeg:
    case LLVMSelect:
        return true;
    default:
        return LLVMIsABinaryOperator(instruction) || LLVMIsACastInst(instruction);
    }
}

/* All but the branch to its only successor. */
static bool block_is_pure(LLVMBasicBlockRef block)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    if (!LLVMIsABranchInst(end) || LLVMIsConditional(end))
        return false;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i != end; i = LLVMGetNextInstruction(i))
        if (!is_pure(i))
            return false;
    return true;
}

static bool has_one_predecessor(LLVMBasicBlockRef block)
{
    unsigned count = 0;
    LLVMValueRef value = LLVMBasicBlockAsValue(block);
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use))
        count++;
    return count == 1;
}

/* first && second: the block of the first leads to `join`, where the phi is, or to that of the
 * second. */
struct pair {
    LLVMBasicBlockRef first, second, join;
    LLVMValueRef other; /* the value of the second */
    bool is_and;
};

static bool find_pair(LLVMValueRef phi, unsigned constant, struct pair *pair)
{
    LLVMValueRef value = LLVMGetIncomingValue(phi, constant);
    if (!LLVMIsAConstantInt(value))
        return false;
    *pair = (struct pair){.first = LLVMGetIncomingBlock(phi, constant),
                          .second = LLVMGetIncomingBlock(phi, 1 - constant),
                          .join = LLVMGetInstructionParent(phi),
                          .other = LLVMGetIncomingValue(phi, 1 - constant),
                          .is_and = LLVMConstIntGetZExtValue(value) == 0};
    LLVMValueRef end = LLVMGetBasicBlockTerminator(pair->first);
    if (!LLVMIsABranchInst(end) || !LLVMIsConditional(end))
        return false;
    LLVMBasicBlockRef on_true = LLVMGetSuccessor(end, 0), on_false = LLVMGetSuccessor(end, 1);
    bool fits = pair->is_and ? on_true == pair->second && on_false == pair->join
                             : on_false == pair->second && on_true == pair->join;
    return fits && has_one_predecessor(pair->second) && block_is_pure(pair->second);
}

static bool is_only_phi(LLVMValueRef phi)
{
    return LLVMGetFirstInstruction(LLVMGetInstructionParent(phi)) == phi &&
           !LLVMIsAPHINode(LLVMGetNextInstruction(phi));
}

static void join(LLVMBuilderRef builder, LLVMValueRef phi, const struct pair *pair)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(pair->first), next;
    LLVMValueRef last = LLVMGetBasicBlockTerminator(pair->second);
    LLVMValueRef condition = LLVMGetCondition(end);
    LLVMPositionBuilderBefore(builder, end);
    for (LLVMValueRef i = LLVMGetFirstInstruction(pair->second); i != last; i = next) {
        next = LLVMGetNextInstruction(i);
        LLVMInstructionRemoveFromParent(i);
        LLVMInsertIntoBuilder(builder, i);
    }
    LLVMValueRef both = pair->is_and ? LLVMBuildAnd(builder, condition, pair->other, "")
                                     : LLVMBuildOr(builder, condition, pair->other, "");
    LLVMReplaceAllUsesWith(phi, both);
    LLVMInstructionEraseFromParent(phi);
    LLVMBuildBr(builder, pair->join);
    LLVMInstructionEraseFromParent(end);
    LLVMDeleteBasicBlock(pair->second);
}

static bool is_condition(LLVMValueRef value)
{
    return LLVMIsAPHINode(value) && LLVMCountIncoming(value) == 2 &&
           LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMIntegerTypeKind &&
           LLVMGetIntTypeWidth(LLVMTypeOf(value)) == 1 && is_only_phi(value);
}

/* Joins one pair; false: there is none. */
static bool join_one(struct wrap *wrap)
{
    struct pair pair;
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(wrap->function); block;
         block = LLVMGetNextBasicBlock(block)) {
        LLVMValueRef phi = LLVMGetFirstInstruction(block);
        if (is_condition(phi) && (find_pair(phi, 0, &pair) || find_pair(phi, 1, &pair))) {
            join(wrap->builder, phi, &pair);
            return true;
        }
    }
    return false;
}

static void free_call(LLVMValueRef call)
{
    LLVMAttributeIndex place = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
    unsigned convergent = LLVMGetEnumAttributeKindForName("convergent", 10);
    if (!LLVMIsACallInst(call) || !is_pure(call))
        return;
    LLVMRemoveCallSiteEnumAttribute(call, place, convergent);
    LLVMRemoveEnumAttributeAtIndex(LLVMGetCalledValue(call), place, convergent);
}

/* Whether a comparison of floating-point numbers decides. */
static bool compares_numbers(LLVMValueRef condition)
{
    if (!LLVMIsAInstruction(condition))
        return false;
    LLVMOpcode opcode = LLVMGetInstructionOpcode(condition);
    bool is_joined = opcode == LLVMAnd || opcode == LLVMOr || opcode == LLVMXor;
    return opcode == LLVMFCmp || (is_joined && (compares_numbers(LLVMGetOperand(condition, 0)) ||
                                                compares_numbers(LLVMGetOperand(condition, 1))));
}

/* if (c) becomes if (launch_truth(c) != 0), of which nothing is known either. */
static void compare_integers(struct wrap *wrap, LLVMBasicBlockRef block)
{
    LLVMTypeRef type;
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    if (!LLVMIsABranchInst(end) || !LLVMIsConditional(end) ||
        !compares_numbers(LLVMGetCondition(end)))
        return;
    LLVMValueRef function = wrap_unknown(wrap, "launch_truth", wrap->i32, &type);
    LLVMPositionBuilderBefore(wrap->builder, end);
    LLVMValueRef value = LLVMBuildZExt(wrap->builder, LLVMGetCondition(end), wrap->i32, "");
    LLVMValueRef truth = LLVMBuildCall2(wrap->builder, type, function, &value, 1, "launch_truth");
    LLVMValueRef zero = LLVMConstInt(wrap->i32, 0, 0);
    LLVMSetCondition(end, LLVMBuildICmp(wrap->builder, LLVMIntNE, truth, zero, ""));
}

void wrap_join_conditions(struct wrap *wrap)
{
    while (join_one(wrap)) {
    }
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(wrap->function); block;
         block = LLVMGetNextBasicBlock(block))
        compare_integers(wrap, block);
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(wrap->function); block;
         block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
            free_call(i);
}
