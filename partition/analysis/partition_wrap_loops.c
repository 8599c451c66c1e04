/* partition_wrap_loops.c: puts loops over the grid around a kernel's body. */
#include <stdio.h>
#include <string.h>

#include <llvm/Config/llvm-config.h>

#include "partition_wrap.h"

static const char loop_letters[LOOP_KINDS] = {'g', 'o', 'b', 't'};

struct loop {
    enum loop_kind kind;
    unsigned dimension;
    LLVMBasicBlockRef head, latch;
};

LLVMValueRef wrap_unknown(struct wrap *wrap, const char *name, LLVMTypeRef result,
                          LLVMTypeRef *type)
{
    static const char *const attributes[] = {"nounwind", "willreturn", "nosync", "speculatable"};
    *type = LLVMFunctionType(result, &wrap->i32, 1, 0);
    LLVMValueRef function = LLVMGetNamedFunction(wrap->module, name);
    if (function)
        return function;
    function = LLVMAddFunction(wrap->module, name, *type);
    wrap_make_pure(wrap->context, function);
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++) {
        unsigned kind = LLVMGetEnumAttributeKindForName(attributes[i], strlen(attributes[i]));
        LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                LLVMCreateEnumAttribute(wrap->context, kind, 0));
    }
    return function;
}

/* A call in the entry block that the analysis takes for a parameter named launch_WHAT_x. */
static LLVMValueRef parameter(struct wrap *wrap, const char *what, unsigned dimension)
{
    char name[64];
    LLVMTypeRef type;
    snprintf(name, sizeof name, "launch_%s_of", what);
    LLVMValueRef function = wrap_unknown(wrap, name, wrap->i32, &type);
    LLVMValueRef argument = LLVMConstInt(wrap->i32, dimension, 0);
    snprintf(name, sizeof name, "launch_%s_%c", what, 'x' + (int)dimension);
    return LLVMBuildCall2(wrap->builder, type, function, &argument, 1, name);
}

static LLVMValueRef element(LLVMValueRef list, unsigned i)
{
#if LLVM_VERSION_MAJOR >= 15
    return LLVMGetAggregateElement(list, i);
#else
    return LLVMGetElementAsConstant(list, i);
#endif
}

/* Of a module that was lifted for one launch. */
static void make_numbers(struct wrap *wrap, LLVMValueRef numbers, unsigned dimension)
{
    LLVMValueRef list = LLVMGetInitializer(numbers);
    LLVMValueRef grid = element(list, dimension);
    LLVMValueRef block = element(list, 3 + dimension);
    unsigned long long threads = LLVMConstIntGetZExtValue(grid) * LLVMConstIntGetZExtValue(block);
    wrap->grid_size[dimension] = grid;
    wrap->block_size[dimension] = block;
    wrap->size[dimension] = LLVMConstInt(wrap->i32, threads, 0);
}

static void make_values(struct wrap *wrap)
{
    LLVMValueRef numbers = LLVMGetNamedGlobal(wrap->module, "launch_numbers");
    for (unsigned d = 0; d < 3; d++) {
        if (numbers) {
            make_numbers(wrap, numbers, d);
        } else {
            wrap->size[d] = parameter(wrap, "size", d);
            wrap->block_size[d] = parameter(wrap, "block", d);
            wrap->grid_size[d] = parameter(wrap, "grid", d);
        }
        for (int kind = 0; kind < LOOP_KINDS; kind++)
            wrap->place[kind][d] = LLVMBuildFreeze(wrap->builder, LLVMGetUndef(wrap->i32), "place");
    }
}

/* Local arrays stay out of the loops, with a name by which they are known. */
static void move_locals(struct wrap *wrap)
{
    LLVMValueRef next;
    for (LLVMValueRef i = LLVMGetFirstInstruction(wrap->body); i; i = next) {
        next = LLVMGetNextInstruction(i);
        if (!LLVMIsAAllocaInst(i))
            continue;
        LLVMInstructionRemoveFromParent(i);
        LLVMInsertIntoBuilderWithName(wrap->builder, i, "launch_local");
    }
}

/* The loops whose counters are used, outermost first. */
static unsigned choose_loops(struct wrap *wrap, struct loop loops[3 * LOOP_KINDS])
{
    unsigned count = 0;
    for (unsigned i = 0; i < 3; i++)
        for (int kind = 0; kind < LOOP_KINDS; kind++)
            if (LLVMGetFirstUse(wrap->place[kind][2 - i]))
                loops[count++] = (struct loop){.kind = (enum loop_kind)kind, .dimension = 2 - i};
    return count;
}

/* A loop that LLVM sees to turn once would be none, and the data base names each: such a limit is a
 * parameter, which the conditions on the launch make 1. */
static LLVMValueRef unless_one(struct wrap *wrap, LLVMValueRef limit, const char *what,
                               unsigned dimension)
{
    bool is_one = LLVMIsAConstantInt(limit) && LLVMConstIntGetZExtValue(limit) == 1;
    return is_one ? parameter(wrap, what, dimension) : limit;
}

static LLVMValueRef limit_of(struct wrap *wrap, const struct loop *loop)
{
    unsigned d = loop->dimension;
    if (loop->kind == LOOP_BLOCK)
        return unless_one(wrap, wrap->grid_size[d], "grid", d);
    if (loop->kind == LOOP_THREAD)
        return unless_one(wrap, wrap->block_size[d], "block", d);
    return unless_one(wrap, wrap->size[d], "size", d);
}

/* for (counter = 0; counter < limit; counter++) inside; on entry from `before`, at the end to
 * `after`. */
static void build_loop(struct wrap *wrap, const struct loop *loop, LLVMBasicBlockRef before,
                       LLVMBasicBlockRef inside, LLVMBasicBlockRef after)
{
    LLVMPositionBuilderAtEnd(wrap->builder, wrap->entry);
    LLVMValueRef limit = limit_of(wrap, loop);
    char name[] = {loop_letters[loop->kind], (char)('x' + loop->dimension), 0};
    LLVMBuilderRef builder = wrap->builder;
    LLVMPositionBuilderAtEnd(builder, loop->head);
    LLVMValueRef counter = LLVMBuildPhi(builder, wrap->i32, name);
    LLVMValueRef more = LLVMBuildICmp(builder, LLVMIntSLT, counter, limit, "");
    LLVMBuildCondBr(builder, more, inside, after);
    LLVMPositionBuilderAtEnd(builder, loop->latch);
    LLVMValueRef next = LLVMBuildNSWAdd(builder, counter, LLVMConstInt(wrap->i32, 1, 0), "");
    LLVMBuildBr(builder, loop->head);
    LLVMValueRef values[] = {LLVMConstInt(wrap->i32, 0, 0), next};
    LLVMBasicBlockRef from[] = {before, loop->latch};
    LLVMAddIncoming(counter, values, from, 2);
    LLVMReplaceAllUsesWith(wrap->place[loop->kind][loop->dimension], counter);
}

static void build_loops(struct wrap *wrap, struct loop *loops, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        loops[i].head = LLVMInsertBasicBlockInContext(wrap->context, wrap->body, "head");
        loops[i].latch = LLVMInsertBasicBlockInContext(wrap->context, wrap->end, "latch");
    }
    for (unsigned i = 0; i < count; i++)
        build_loop(wrap, &loops[i], i ? loops[i - 1].head : wrap->entry,
                   i + 1 < count ? loops[i + 1].head : wrap->body,
                   i ? loops[i - 1].latch : wrap->end);
    LLVMPositionBuilderAtEnd(wrap->builder, wrap->entry);
    LLVMBuildBr(wrap->builder, count ? loops[0].head : wrap->body);
}

/* A return ends one thread: the innermost loop goes on. */
static void redirect_returns(struct wrap *wrap, LLVMBasicBlockRef target)
{
    for (LLVMBasicBlockRef block = wrap->body; block != wrap->end;
         block = LLVMGetNextBasicBlock(block)) {
        LLVMValueRef terminator = LLVMGetBasicBlockTerminator(block);
        if (!LLVMIsAReturnInst(terminator))
            continue;
        LLVMInstructionEraseFromParent(terminator);
        LLVMPositionBuilderAtEnd(wrap->builder, block);
        LLVMBuildBr(wrap->builder, target);
    }
}

static void list_names(const struct loop *loops, unsigned count, char names[64])
{
    char *end = names;
    *end = 0;
    for (unsigned i = 0; i < count; i++) {
        *end++ = ' ';
        *end++ = loop_letters[loops[i].kind];
        *end++ = (char)('x' + loops[i].dimension);
        *end = 0;
    }
}

void wrap_loops(struct wrap *wrap, char names[64])
{
    struct loop loops[3 * LOOP_KINDS];
    wrap->body = LLVMGetEntryBasicBlock(wrap->function);
    wrap->entry = LLVMInsertBasicBlockInContext(wrap->context, wrap->body, "entry");
    wrap->end = LLVMAppendBasicBlockInContext(wrap->context, wrap->function, "launch.end");
    LLVMPositionBuilderAtEnd(wrap->builder, wrap->end);
    LLVMBuildRetVoid(wrap->builder);
    LLVMPositionBuilderAtEnd(wrap->builder, wrap->entry);
    move_locals(wrap);
    make_values(wrap);

    wrap_coordinates(wrap);
    unsigned count = choose_loops(wrap, loops);
    build_loops(wrap, loops, count);
    redirect_returns(wrap, count ? loops[count - 1].latch : wrap->end);
    for (unsigned d = 0; d < 3; d++)
        for (int kind = 0; kind < LOOP_KINDS; kind++)
            LLVMInstructionEraseFromParent(wrap->place[kind][d]);
    list_names(loops, count, names);
}
