/* partition_wrap_replace.c: replaces coordinates in a kernel by the counters of loops.
 *
 * A kernel that uses blockIdx and threadIdx only as blockIdx * blockDim + threadIdx gets one loop
 * per dimension, over this global index (g). In other kernels the block's first thread (o), the
 * block (b) and the thread (t) are loops of their own, as far as they are used. That o is block *
 * block size is left out here, since a product of unknowns is not affine; at launch it is a number.
 */
#include "partition_wrap.h"

static void replace(struct wrap *wrap, LLVMValueRef instruction, LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(instruction);
    LLVMPositionBuilderBefore(wrap->builder, instruction);
    if (LLVMGetIntTypeWidth(type) > 32)
        value = LLVMBuildSExt(wrap->builder, value, type, "");
    LLVMReplaceAllUsesWith(instruction, value);
}

static void find_separate(struct wrap *wrap, LLVMValueRef instruction)
{
    enum coordinate kind;
    unsigned d;
    if (!coordinate_of(instruction, &kind, &d))
        return;
    if (kind == COORDINATE_THREAD || kind == COORDINATE_BLOCK)
        wrap->separate[d] |= !only_in_global_index(instruction, d);
}

static void replace_global_index(struct wrap *wrap, LLVMValueRef instruction)
{
    unsigned d;
    if (is_global_index(instruction, &d) && !wrap->separate[d])
        replace(wrap, instruction, wrap->place[LOOP_GLOBAL][d]);
}

static void replace_origin(struct wrap *wrap, LLVMValueRef instruction)
{
    unsigned d;
    bool widening = LLVMIsASExtInst(instruction) || LLVMIsAZExtInst(instruction);
    if (!widening && is_block_origin(instruction, &d))
        replace(wrap, instruction, wrap->place[LOOP_ORIGIN][d]);
}

static bool is_product(LLVMValueRef value, LLVMValueRef *left, LLVMValueRef *right)
{
    if (!LLVMIsAInstruction(value) || LLVMGetInstructionOpcode(value) != LLVMMul)
        return false;
    *left = LLVMGetOperand(value, 0);
    *right = LLVMGetOperand(value, 1);
    return true;
}

/* Which dimension's size this is; -1: none. */
static int size_of(LLVMValueRef value, enum coordinate kind)
{
    enum coordinate its_kind;
    unsigned d;
    return coordinate_of(value, &its_kind, &d) && its_kind == kind ? (int)d : -1;
}

static int other_size_of(LLVMValueRef value, LLVMValueRef first)
{
    bool is_block = size_of(first, COORDINATE_BLOCK_SIZE) >= 0;
    return size_of(value, is_block ? COORDINATE_GRID_SIZE : COORDINATE_BLOCK_SIZE);
}

/* blockDim * gridDim is the number of threads, also in j * gridDim * blockDim. */
static void replace_grid_size(struct wrap *wrap, LLVMValueRef product)
{
    LLVMValueRef left, right, factor, size;
    if (!is_product(product, &left, &right))
        return;
    for (int turn = 0; turn < 2; turn++) {
        LLVMValueRef last = turn ? left : right, rest = turn ? right : left;
        int d = size_of(last, COORDINATE_BLOCK_SIZE);
        d = d >= 0 ? d : size_of(last, COORDINATE_GRID_SIZE);
        if (d < 0)
            continue;
        if (other_size_of(rest, last) == d) {
            replace(wrap, product, wrap->size[d]);
            return;
        }
        if (!wrap_never_wraps(product) || !is_product(rest, &factor, &size) ||
            !wrap_never_wraps(rest))
            continue;
        if (other_size_of(size, last) != d) {
            LLVMValueRef swapped = factor;
            factor = size;
            size = swapped;
        }
        if (other_size_of(size, last) != d || LLVMGetIntTypeWidth(LLVMTypeOf(product)) != 32)
            continue;
        LLVMPositionBuilderBefore(wrap->builder, product);
        replace(wrap, product, LLVMBuildNSWMul(wrap->builder, factor, wrap->size[d], ""));
        return;
    }
}

static void replace_coordinate(struct wrap *wrap, LLVMValueRef instruction)
{
    enum coordinate kind;
    unsigned d;
    if (!coordinate_of(instruction, &kind, &d))
        return;
    LLVMValueRef values[] = {[COORDINATE_THREAD] = wrap->place[LOOP_THREAD][d],
                             [COORDINATE_BLOCK] = wrap->place[LOOP_BLOCK][d],
                             [COORDINATE_BLOCK_SIZE] = wrap->block_size[d],
                             [COORDINATE_GRID_SIZE] = wrap->grid_size[d]};
    replace(wrap, instruction, values[kind]);
}

static bool is_dead(LLVMValueRef instruction)
{
    enum coordinate kind;
    unsigned d;
    if (LLVMGetFirstUse(instruction))
        return false;
    return LLVMIsABinaryOperator(instruction) || LLVMIsACastInst(instruction) ||
           coordinate_of(instruction, &kind, &d);
}

static void erase_if_dead(struct wrap *wrap, LLVMValueRef instruction)
{
    if (!is_dead(instruction))
        return;
    LLVMInstructionEraseFromParent(instruction);
    wrap->changed = true;
}

/* Arithmetic that nobody uses any more would keep coordinates in use. */
static void erase_dead(struct wrap *wrap)
{
    do {
        wrap->changed = false;
        wrap_each(wrap, erase_if_dead);
    } while (wrap->changed);
}

void wrap_coordinates(struct wrap *wrap)
{
    wrap_each(wrap, find_separate);
    wrap_each(wrap, replace_global_index);
    erase_dead(wrap);
    wrap_each(wrap, replace_origin);
    erase_dead(wrap);
    wrap_each(wrap, replace_grid_size);
    erase_dead(wrap);
    wrap_each(wrap, replace_coordinate);
    erase_dead(wrap);
}
