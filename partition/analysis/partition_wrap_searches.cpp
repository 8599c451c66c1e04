/* partition_wrap_searches.cpp: loops that only decide a condition.
 *
 * while (j < n && in[j] != what) j++; has two ways out, so that LLVM does not delete it, and how
 * often it turns depends on data, so that Polly sees nothing of what is around it. It ends, as C++
 * has it, and writes nothing: what follows is reached by one of its ways out, unknown which. */
#include "partition_wrap_searches.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

using namespace llvm;

namespace
{

constexpr const char *forgotten = "launch_forgotten_";

CallInst *forgotten_call(Value *value)
{
    auto *call = dyn_cast<CallInst>(value);
    Function *callee = call ? call->getCalledFunction() : nullptr;
    return callee && callee->getName().find(forgotten) == 0 ? call : nullptr;
}

/* Through values of the loop alone. */
bool depends_on_forgotten(const Loop &loop, Value *value, SmallPtrSetImpl<Value *> &seen)
{
    auto *instruction = dyn_cast<Instruction>(value);
    if (!instruction || !loop.contains(instruction) || !seen.insert(value).second)
        return false;
    return forgotten_call(value) || any_of(instruction->operands(), [&](Use &operand) {
               return depends_on_forgotten(loop, operand, seen);
           });
}

bool has_effects(const Loop &loop)
{
    for (BasicBlock *block : loop.blocks())
        for (Instruction &instruction : *block)
            if (instruction.mayHaveSideEffects() || instruction.mayReadFromMemory())
                return true;
    return false;
}

/* What is used behind the loop goes through phis of the blocks behind it; unknown numbers can take
 * their place. */
bool has_numbers_alone(ArrayRef<BasicBlock *> exits)
{
    for (BasicBlock *exit : exits)
        for (PHINode &phi : exit->phis())
            if (!phi.getType()->isIntegerTy() && !phi.getType()->isFloatingPointTy())
                return false;
    return true;
}

bool is_search(const Loop &loop, ArrayRef<BasicBlock *> exits)
{
    SmallPtrSet<Value *, 32> seen;
    SmallVector<BasicBlock *, 4> exiting;
    loop.getExitingBlocks(exiting);
    return !exits.empty() && loop.getLoopPreheader() && loop.hasDedicatedExits() &&
           has_numbers_alone(exits) && !has_effects(loop) &&
           any_of(exiting, [&](BasicBlock *block) {
               return any_of(block->getTerminator()->operands(), [&](Use &operand) {
                   return depends_on_forgotten(loop, operand, seen);
               });
           });
}

/* Unknown values as those of forgotten loads, which have numbers from 0 on. */
class Unknown
{
  public:
    explicit Unknown(Function &of) : module(*of.getParent())
    {
    }

    Value *value(IRBuilder<> &builder, Type *type)
    {
        std::string name = forgotten;
        raw_string_ostream(name) << *type;
        FunctionCallee callee = module.getOrInsertFunction(
            name, FunctionType::get(type, {builder.getInt32Ty()}, false));
        auto *function = cast<Function>(callee.getCallee());
        function->setAttributes(like->getAttributes());
        return builder.CreateCall(callee, {builder.getInt32(--number)}, "launch_forgotten");
    }

    Function *like = nullptr;

  private:
    Module &module;
    uint32_t number = 0;
};

Function *forgotten_function(const Loop &loop)
{
    for (BasicBlock *block : loop.blocks())
        for (Instruction &instruction : *block)
            if (CallInst *call = forgotten_call(&instruction))
                return call->getCalledFunction();
    return nullptr;
}

void forget_results(BasicBlock *exit, Unknown &unknown)
{
    while (auto *phi = dyn_cast<PHINode>(&exit->front())) {
        IRBuilder<> builder(exit, exit->getFirstInsertionPt());
        phi->replaceAllUsesWith(unknown.value(builder, phi->getType()));
        phi->eraseFromParent();
    }
}

/* From before the loop to any of the blocks behind it. */
void leave_at_once(BasicBlock *before, ArrayRef<BasicBlock *> exits, Unknown &unknown)
{
    before->getTerminator()->eraseFromParent();
    for (BasicBlock *exit : exits.drop_back()) {
        IRBuilder<> builder(before);
        BasicBlock *other = BasicBlock::Create(before->getContext(), "", before->getParent(), exit);
        Value *which = unknown.value(builder, builder.getInt32Ty());
        builder.CreateCondBr(builder.CreateICmpNE(which, builder.getInt32(0)), exit, other);
        before = other;
    }
    IRBuilder<>(before).CreateBr(exits.back());
}

/* The first one, outermost first; false: there is none. */
bool skip_search(Function &function, Unknown &unknown)
{
    DominatorTree dominators(function);
    LoopInfo loops(dominators);
    for (Loop *loop : loops.getLoopsInPreorder()) {
        SmallVector<BasicBlock *, 4> exits;
        loop->getUniqueExitBlocks(exits);
        if (!is_search(*loop, exits))
            continue;
        unknown.like = forgotten_function(*loop);
        BasicBlock *before = loop->getLoopPreheader();
        for (BasicBlock *exit : exits)
            forget_results(exit, unknown);
        leave_at_once(before, exits, unknown);
        EliminateUnreachableBlocks(function);
        return true;
    }
    return false;
}

} // namespace

void wrap_skip_searches(LLVMModuleRef module)
{
    for (Function &function : *unwrap(module)) {
        Unknown unknown(function);
        while (!function.isDeclaration() && skip_search(function, unknown)) {
        }
    }
}
