/* partition_wrap_promises.c: takes back what signed coordinates promise and CUDA does not.
 *
 * The sum of two signed numbers never wraps, as that is undefined; CUDA's coordinates are unsigned,
 * and blockIdx.x * 65536 * n may wrap. Only that the index of a thread, and of a block's first
 * thread, fit into 31 bits is checked at each launch. */
#include "partition_wrap.h"

static LLVMValueRef rebuilt(LLVMBuilderRef builder, LLVMValueRef instruction)
{
    LLVMValueRef left = LLVMGetOperand(instruction, 0), right = LLVMGetOperand(instruction, 1);
    LLVMPositionBuilderBefore(builder, instruction);
    return LLVMBuildBinOp(builder, LLVMGetInstructionOpcode(instruction), left, right, "");
}

static bool is_checked_index(LLVMValueRef value)
{
    unsigned dimension;
    return is_global_index(value, &dimension) || is_block_origin(value, &dimension);
}

static bool promises_more(LLVMValueRef instruction, LLVMValueRef twin)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
    return (opcode == LLVMAdd || opcode == LLVMSub || opcode == LLVMMul) &&
           opcode == LLVMGetInstructionOpcode(twin) && wrap_never_wraps(instruction) &&
           !wrap_never_wraps(twin) && !is_checked_index(instruction);
}

static void drop_in_block(struct wrap *wrap, LLVMBasicBlockRef block, LLVMBasicBlockRef twin)
{
    LLVMValueRef i = LLVMGetFirstInstruction(block), j = LLVMGetFirstInstruction(twin), next;
    for (; i && j; i = next, j = LLVMGetNextInstruction(j)) {
        next = LLVMGetNextInstruction(i);
        if (!promises_more(i, j))
            continue;
        LLVMReplaceAllUsesWith(i, rebuilt(wrap->builder, i));
        LLVMInstructionEraseFromParent(i);
    }
}

void wrap_drop_promises(struct wrap *wrap, LLVMValueRef twin)
{
    LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(wrap->function);
    LLVMBasicBlockRef other = LLVMGetFirstBasicBlock(twin);
    for (; block && other;
         block = LLVMGetNextBasicBlock(block), other = LLVMGetNextBasicBlock(other))
        drop_in_block(wrap, block, other);
}
