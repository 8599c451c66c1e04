/* partition_wrap_forget.c: kernels of which only what they write is looked at.
 *
 * What a kernel writes must be known exactly; what it reads may be taken for everything. Often it
 * is reading alone that cannot be described: a loop whose length was loaded, an index that was
 * computed from data. Here each value that is loaded is an unknown one, and each that is stored is
 * 0, so that a loop that only reads has no effect any more and goes away, with all that only led to
 * stored values. Where the value of a load decides what is written, the unknown value does. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "partition_wrap.h"

/* ---- which kernels ---- */

static bool names(const char *line, const char *word, const char *name)
{
    size_t length = strlen(word), of_name = strlen(name);
    return strncmp(line, word, length) == 0 && strncmp(line + length, name, of_name) == 0 &&
           line[length + of_name] == ' ';
}

/* Whether the data base refuses the kernel for what was found out behind partition-wrap: only then
 * it has a line `numbers`. */
static bool is_refused(FILE *database, const char *name)
{
    char *line = NULL;
    size_t room = 0;
    bool is_refused = false, has_numbers = false;
    rewind(database);
    while (getline(&line, &room, database) > 0) {
        is_refused = is_refused || names(line, "refused ", name);
        has_numbers = has_numbers || names(line, "numbers ", name);
    }
    free(line);
    return is_refused && has_numbers;
}

/* ---- what is forgotten ---- */

/* Memory of the thread, or shared memory: what is stored there is not seen by other devices. */
static bool is_own(LLVMValueRef pointer)
{
    enum { DEPTH_MAX = 64 };
    if (wrap_is_shared_pointer(pointer))
        return true;
    for (unsigned i = 0; i < DEPTH_MAX; i++) {
        if (LLVMIsAAllocaInst(pointer))
            return true;
        if (!LLVMIsAGetElementPtrInst(pointer) && !LLVMIsABitCastInst(pointer))
            return false;
        pointer = LLVMGetOperand(pointer, 0);
    }
    return false;
}

/* Each load has a value of its own: the number says which. */
static void forget_load(struct wrap *wrap, LLVMValueRef load, unsigned *number)
{
    char name[64];
    LLVMTypeRef type = LLVMTypeOf(load), function_type;
    char *type_name = LLVMPrintTypeToString(type);
    snprintf(name, sizeof name, "launch_forgotten_%.40s", type_name);
    LLVMDisposeMessage(type_name);
    LLVMValueRef function = wrap_unknown(wrap, name, type, &function_type);
    LLVMValueRef which = LLVMConstInt(wrap->i32, (*number)++, 0);
    LLVMPositionBuilderBefore(wrap->builder, load);
    LLVMValueRef value =
        LLVMBuildCall2(wrap->builder, function_type, function, &which, 1, "launch_forgotten");
    LLVMReplaceAllUsesWith(load, value);
    LLVMInstructionEraseFromParent(load);
}

static void forget(struct wrap *wrap)
{
    LLVMValueRef next;
    unsigned number = 0;
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(wrap->function); block;
         block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = next) {
            next = LLVMGetNextInstruction(i);
            if (LLVMIsALoadInst(i) && !is_own(LLVMGetOperand(i, 0)))
                forget_load(wrap, i, &number);
            else if (LLVMIsAStoreInst(i) && !is_own(LLVMGetOperand(i, 1)))
                LLVMSetOperand(i, 0, LLVMConstNull(LLVMTypeOf(LLVMGetOperand(i, 0))));
        }
}

/* Loops without an effect are not infinite, as C++ has it. */
static void promise_progress(struct wrap *wrap)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("mustprogress", 12);
    LLVMAddAttributeAtIndex(wrap->function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(wrap->context, kind, 0));
}

/* False: it loads from memory that is no argument's. */
static bool forget_kernel(struct wrap *wrap, FILE *lines)
{
    size_t length;
    unsigned count = LLVMCountParams(wrap->function);
    char *letters = calloc(count + 1, 1);
    bool is_known = letters && wrap_find_touches(wrap->function, letters, TOUCHES_OF_LOADS);
    if (is_known) {
        fprintf(lines, "whole %s %s\n", LLVMGetValueName2(wrap->function, &length), letters);
        wrap_print_elements(wrap->function, lines);
        forget(wrap);
        promise_progress(wrap);
    }
    free(letters);
    return is_known;
}

const char *wrap_forget_reads(LLVMModuleRef module, const char *refused, FILE *lines)
{
    size_t length;
    LLVMValueRef next;
    FILE *database = fopen(refused, "r");
    if (!database)
        return "cannot be read";
    struct wrap wrap = {.context = LLVMGetModuleContext(module), .module = module};
    wrap.i32 = LLVMInt32TypeInContext(wrap.context);
    wrap.builder = LLVMCreateBuilderInContext(wrap.context);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = next) {
        next = LLVMGetNextFunction(f);
        if (LLVMIsDeclaration(f) || !wrap_is_kernel(module, f))
            continue;
        wrap.function = f;
        if (!is_refused(database, LLVMGetValueName2(f, &length)) || !forget_kernel(&wrap, lines))
            LLVMDeleteFunction(f);
    }
    LLVMDisposeBuilder(wrap.builder);
    fclose(database);
    return NULL;
}
