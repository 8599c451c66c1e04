/* partition_wrap_atomics.c: sums and the like that threads make together, by atomic operations.
 *
 * Where a kernel reaches an argument's memory by atomic operations of one kind alone, and uses no
 * value that they return, the order does not count: each device can work on a copy of its own, and
 * the copies are combined when the launch is over. The argument then is neither read nor written,
 * but reduced. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/error.h"

#include "partition_wrap.h"

enum { SHARED_SPACE = 3, DEPTH_MAX = 64 };

/* ---- one operation ---- */

static const char *name_of(LLVMAtomicRMWBinOp operation, unsigned bits)
{
    bool is_long = bits == 64;
    if (bits != 32 && bits != 64)
        return NULL;
    switch (operation) {
    case LLVMAtomicRMWBinOpAdd:
    case LLVMAtomicRMWBinOpSub: /* adds what is smaller than 0 */
        return is_long ? "add_64" : "add_32";
    case LLVMAtomicRMWBinOpAnd:
        return "and";
    case LLVMAtomicRMWBinOpOr:
        return "or";
    case LLVMAtomicRMWBinOpXor:
        return "xor";
    case LLVMAtomicRMWBinOpMax:
        return is_long ? "max_s64" : "max_s32";
    case LLVMAtomicRMWBinOpMin:
        return is_long ? "min_s64" : "min_s32";
    case LLVMAtomicRMWBinOpUMax:
        return is_long ? "max_u64" : "max_u32";
    case LLVMAtomicRMWBinOpUMin:
        return is_long ? "min_u64" : "min_u32";
    case LLVMAtomicRMWBinOpFAdd:
    case LLVMAtomicRMWBinOpFSub:
        return is_long ? "add_f64" : "add_f32";
    default:
        return NULL;
    }
}

/* Letters of a mangled name's first template argument. */
static bool type_of_letter(char letter, char *kind, unsigned *bits)
{
    static const struct {
        char letter, kind;
        unsigned bits;
    } types[] = {{'i', 's', 32}, {'j', 'u', 32}, {'l', 's', 64}, {'m', 'u', 64},
                 {'x', 's', 64}, {'y', 'u', 64}, {'f', 'f', 32}, {'d', 'f', 64}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (types[i].letter == letter) {
            *kind = types[i].kind;
            *bits = types[i].bits;
            return true;
        }
    return false;
}

/* atomicAdd<T, U>(T *, U), compiled from a source */
static const char *name_of_call(LLVMValueRef call)
{
    static const struct {
        const char *function;
        LLVMAtomicRMWBinOp of[3]; /* signed, unsigned, real */
    } known[] = {
        {"atomicAdd", {LLVMAtomicRMWBinOpAdd, LLVMAtomicRMWBinOpAdd, LLVMAtomicRMWBinOpFAdd}},
        {"atomicSub", {LLVMAtomicRMWBinOpSub, LLVMAtomicRMWBinOpSub, LLVMAtomicRMWBinOpFSub}},
        {"atomicMin", {LLVMAtomicRMWBinOpMin, LLVMAtomicRMWBinOpUMin, LLVMAtomicRMWBinOpXchg}},
        {"atomicMax", {LLVMAtomicRMWBinOpMax, LLVMAtomicRMWBinOpUMax, LLVMAtomicRMWBinOpXchg}},
        {"atomicAnd", {LLVMAtomicRMWBinOpAnd, LLVMAtomicRMWBinOpAnd, LLVMAtomicRMWBinOpXchg}},
        {"atomicOr", {LLVMAtomicRMWBinOpOr, LLVMAtomicRMWBinOpOr, LLVMAtomicRMWBinOpXchg}},
        {"atomicXor", {LLVMAtomicRMWBinOpXor, LLVMAtomicRMWBinOpXor, LLVMAtomicRMWBinOpXchg}}};
    size_t length;
    char kind;
    unsigned bits;
    const char *name = wrap_callee(call, &length);
    if (!name || name[length] != 'I' || !type_of_letter(name[length + 1], &kind, &bits))
        return NULL;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strlen(known[i].function) == length && memcmp(known[i].function, name, length) == 0)
            return name_of(known[i].of[kind == 's' ? 0 : kind == 'u' ? 1 : 2], bits);
    return NULL;
}

bool wrap_is_atomic(LLVMValueRef instruction)
{
    size_t length;
    LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
    if (opcode == LLVMAtomicRMW || opcode == LLVMAtomicCmpXchg)
        return true;
    const char *name = LLVMIsACallInst(instruction) ? wrap_callee(instruction, &length) : NULL;
    return name && strncmp(name, "atomic", 6) == 0 && LLVMGetNumArgOperands(instruction) > 1;
}

static const char *kind_of(LLVMValueRef atomic)
{
    if (LLVMIsACallInst(atomic))
        return name_of_call(atomic);
    if (LLVMGetInstructionOpcode(atomic) != LLVMAtomicRMW)
        return NULL;
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(atomic, 1));
    unsigned bits = LLVMGetTypeKind(type) == LLVMIntegerTypeKind  ? LLVMGetIntTypeWidth(type)
                    : LLVMGetTypeKind(type) == LLVMFloatTypeKind  ? 32
                    : LLVMGetTypeKind(type) == LLVMDoubleTypeKind ? 64
                                                                  : 0;
    return name_of(LLVMGetAtomicRMWBinOp(atomic), bits);
}

/* ---- what it is an operation on ---- */

bool wrap_is_shared_pointer(LLVMValueRef pointer)
{
    for (unsigned i = 0; i < DEPTH_MAX; i++) {
        if (LLVMGetTypeKind(LLVMTypeOf(pointer)) != LLVMPointerTypeKind)
            return false;
        if (LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)) == SHARED_SPACE)
            return true;
        if (!LLVMIsAGetElementPtrInst(pointer) && !LLVMIsAAddrSpaceCastInst(pointer) &&
            !LLVMIsABitCastInst(pointer) && !LLVMIsAConstantExpr(pointer))
            return false;
        pointer = LLVMGetOperand(pointer, 0);
    }
    return false;
}

/* The argument whose number is in *index; false: it is made in another way. */
static bool find_argument(LLVMValueRef function, LLVMValueRef pointer, unsigned *index)
{
    for (unsigned i = 0; i < DEPTH_MAX && !LLVMIsAArgument(pointer); i++) {
        if (!LLVMIsAGetElementPtrInst(pointer) && !LLVMIsABitCastInst(pointer))
            return false;
        pointer = LLVMGetOperand(pointer, 0);
    }
    for (unsigned i = 0; i < LLVMCountParams(function); i++)
        if (LLVMGetParam(function, i) == pointer) {
            *index = i;
            return true;
        }
    return false;
}

static enum dm_status check_atomic(LLVMValueRef function, LLVMValueRef atomic, const char **kinds)
{
    unsigned index;
    const char *kind = kind_of(atomic);
    if (wrap_is_shared_pointer(LLVMGetOperand(atomic, 0)))
        return DM_OK;
    if (!kind)
        return dm_fail(DM_UNAVAILABLE, "atomic operation whose result depends on the order of the "
                                       "threads, or of a type that is not known here");
    if (LLVMGetFirstUse(atomic))
        return dm_fail(DM_UNAVAILABLE, "it uses what an atomic operation returns, which depends on "
                                       "the order of the threads");
    if (!find_argument(function, LLVMGetOperand(atomic, 0), &index))
        return dm_fail(DM_UNAVAILABLE,
                       "atomic operation on memory that is not that of one argument");
    if (kinds[index] && strcmp(kinds[index], kind) != 0)
        return dm_fail(DM_UNAVAILABLE, "different atomic operations on the same memory");
    kinds[index] = kind;
    return DM_OK;
}

static enum dm_status check_all(LLVMValueRef function, const char **kinds, char *letters)
{
    bool any = false;
    size_t length;
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
            if (wrap_is_atomic(i))
                TRY(check_atomic(function, i, kinds));
    for (unsigned i = 0; i < LLVMCountParams(function); i++)
        any = any || kinds[i];
    if (any && !wrap_find_touches(function, letters, TOUCHES_OF_PLAIN))
        return dm_fail(DM_UNAVAILABLE, "atomic operation beside accesses of unknown memory");
    for (unsigned i = 0; any && i < LLVMCountParams(function); i++)
        if (kinds[i] && letters[i] != '-')
            return dm_fail(DM_UNAVAILABLE,
                           "it reads or writes %.60s, which it updates by atomic operations",
                           LLVMGetValueName2(LLVMGetParam(function, i), &length));
    return DM_OK;
}

enum dm_status wrap_check_atomics(LLVMValueRef function, FILE *out)
{
    size_t length;
    unsigned count = LLVMCountParams(function);
    const char **kinds = calloc(count + 1, sizeof *kinds);
    char *letters = calloc(count + 1, 1);
    enum dm_status status = kinds && letters ? check_all(function, kinds, letters)
                                             : error_no_memory(count * sizeof *kinds);
    for (unsigned i = 0; i < count && status == DM_OK; i++)
        if (kinds[i])
            fprintf(out, "reduces %s %u %s\n", LLVMGetValueName2(function, &length), i, kinds[i]);
    free(kinds);
    free(letters);
    return status;
}
