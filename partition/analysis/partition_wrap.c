/* partition_wrap.c: turns the kernels of a module into plain loops over the grid, and has Polly say
 * what all threads access.
 *
 *     partition-wrap [--fold] SIGNED.ll UNSIGNED.ll LOOPS.ll COORDINATES SCOPS
 *     partition-wrap [--fold] LIFTED.ll - LOOPS.ll COORDINATES SCOPS
 *
 * SIGNED.ll and UNSIGNED.ll are the same source, compiled with signed coordinates and with unsigned
 * ones as CUDA has them. PTX says of each operation whether it is signed, so that there are no two
 * versions to compare. --fold: numbers of a launch were put in. LOOPS.ll is what Polly looked at,
 * SCOPS what it found (partition_wrap_scops.h). COORDINATES gets lines:
 *
 *     kernel NAME coordinates gy gx    the counters of the loops, outermost first
 *     refused NAME REASON
 *     reduces NAME ARGUMENT KIND       the argument is updated by such atomic operations alone
 *     touches NAME -rw...              of each argument: not used, read, written
 *     element NAME ARGUMENT BITS f     what it points to: f, d, h, or i
 *     nonnegative NAME EXPRESSION      the result for NAME holds if EXPRESSION >= 0
 *     atmost NAME LIMIT EXPRESSION     ... if EXPRESSION <= LIMIT
 */
#include "common/error.h"

#include "partition_wrap.h"
#include "partition_wrap_scops.h"

#include <llvm-c/IRReader.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void stop(const char *what, const char *why)
{
    fprintf(stderr, "partition-wrap: %s: %s\n", what, why);
    exit(EXIT_FAILURE);
}

void wrap_each(struct wrap *wrap, void (*visit)(struct wrap *wrap, LLVMValueRef instruction))
{
    for (LLVMBasicBlockRef block = wrap->body; block != wrap->end;
         block = LLVMGetNextBasicBlock(block)) {
        LLVMValueRef next;
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = next) {
            next = LLVMGetNextInstruction(i);
            visit(wrap, i);
        }
    }
}

/* clang lists kernels in the module's annotations: { function, "kernel", 1 }. */
static bool is_kernel(LLVMModuleRef module, LLVMValueRef function)
{
    unsigned count = LLVMGetNamedMetadataNumOperands(module, "nvvm.annotations");
    LLVMValueRef *notes = calloc(count + 1, sizeof *notes);
    if (!notes)
        stop("memory", "there is not enough");
    LLVMGetNamedMetadataOperands(module, "nvvm.annotations", notes);
    bool found = false;
    for (unsigned i = 0; i < count && !found; i++) {
        LLVMValueRef parts[3];
        if (LLVMGetMDNodeNumOperands(notes[i]) != 3)
            continue;
        LLVMGetMDNodeOperands(notes[i], parts);
        unsigned length;
        const char *what = LLVMGetMDString(parts[1], &length);
        found = parts[0] == function && what && length == 6 && memcmp(what, "kernel", 6) == 0;
    }
    free(notes);
    return found;
}

/* The run time makes sure that arguments do not overlap where one is written. */
static void mark_pointers(struct wrap *wrap)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("noalias", 7);
    for (unsigned i = 0; i < LLVMCountParams(wrap->function); i++)
        if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetParam(wrap->function, i))) == LLVMPointerTypeKind)
            LLVMAddAttributeAtIndex(wrap->function, i + 1,
                                    LLVMCreateEnumAttribute(wrap->context, kind, 0));
}

/* `twin`: the module compiled with unsigned coordinates. */
static enum dm_status check(struct wrap *wrap, LLVMModuleRef twin)
{
    TRY(wrap_check(wrap->function));
    TRY(wrap_check_atomics(wrap->function, wrap->ranges->out));
    LLVMValueRef other = LLVMGetNamedFunction(twin, wrap->ranges->kernel);
    struct signs signs = {wrap->ranges->out, wrap->ranges->kernel, wrap->ranges};
    if (other) {
        struct wrap of_twin = *wrap;
        of_twin.function = other;
        wrap_find_quotients(wrap);
        wrap_find_quotients(&of_twin);
        wrap_drop_promises(wrap, other);
        wrap_bound_arithmetic(wrap);
    }
    if (other && wrap_signs_agree(&signs, wrap->function, other))
        return DM_OK;
    return dm_fail(DM_UNAVAILABLE, "unsigned arithmetic with coordinates: a negative result would "
                                   "count as a large one; convert threadIdx and blockIdx to int "
                                   "first");
}

static void rewrite(struct wrap *wrap)
{
    char counters[64];
    mark_pointers(wrap);
    wrap_join_conditions(wrap);
    wrap_add_for_bits(wrap);
    wrap_roll(wrap);
    wrap_make_signed(wrap);
    wrap_loops(wrap, counters);
    wrap_remove_shared(wrap);
    wrap_widen(wrap);
    fprintf(wrap->ranges->out, "kernel %s coordinates%s\n", wrap->ranges->kernel, counters);
}

static void wrap_kernel(LLVMModuleRef module, LLVMValueRef function, LLVMModuleRef twin,
                        FILE *coordinates)
{
    size_t length;
    wrap_print_touches(function, coordinates);
    wrap_print_elements(function, coordinates);
    struct wrap wrap = {
        .context = LLVMGetModuleContext(module), .module = module, .function = function};
    wrap.i32 = LLVMInt32TypeInContext(wrap.context);
    wrap.builder = LLVMCreateBuilderInContext(wrap.context);
    wrap.ranges = calloc(1, sizeof *wrap.ranges);
    if (!wrap.ranges)
        stop("memory", "there is not enough");
    wrap.ranges->out = coordinates;
    wrap.ranges->kernel = LLVMGetValueName2(function, &length);
    if (check(&wrap, twin) == DM_OK)
        rewrite(&wrap);
    else
        fprintf(coordinates, "refused %s %s\n", wrap.ranges->kernel, dm_message());
    free(wrap.ranges);
    LLVMDisposeBuilder(wrap.builder);
}

static LLVMModuleRef read_module(LLVMContextRef context, const char *path)
{
    LLVMMemoryBufferRef buffer;
    LLVMModuleRef module;
    char *why = NULL;
    if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &why) ||
        LLVMParseIRInContext(context, buffer, &module, &why))
        stop(path, why);
    return module;
}

/* As if for a CPU of 64 bits: LLVM widens 32-bit counters only where 64-bit additions are cheap,
 * and not on GPUs; but without widening x + y * N is not seen to be affine. */
static void retarget(LLVMModuleRef module)
{
    LLVMSetTarget(module, "x86_64-pc-linux-gnu");
    LLVMSetDataLayout(module, "e-m:e-i64:64-f80:128-n8:16:32:64-S128");
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        LLVMAttributeIndex place = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
        LLVMRemoveStringAttributeAtIndex(f, place, "target-cpu", 10);
        LLVMRemoveStringAttributeAtIndex(f, place, "target-features", 15);
    }
}

static LLVMModuleRef prepare(LLVMModuleRef module, bool is_lifted, bool fold)
{
    if ((is_lifted ? wrap_make_values(module, fold) : wrap_inline(module)) != DM_OK)
        stop("before the kernels are wrapped", dm_message());
    return module;
}

static void write_results(LLVMModuleRef module, bool fold, const char *loops, const char *scops)
{
    char *why = NULL;
    if (wrap_canonicalise(module, fold) != DM_OK)
        stop("bringing loops into normal form failed", dm_message());
    if (LLVMPrintModuleToFile(module, loops, &why))
        stop(loops, why);
    why = wrap_write_scops(module, scops);
    if (why)
        stop(scops, why);
}

int main(int argc, char **argv)
{
    bool fold = argc > 1 && strcmp(argv[1], "--fold") == 0;
    argc -= fold;
    argv += fold;
    if (argc != 6)
        stop("usage",
             "partition-wrap [--fold] KERNELS.ll UNSIGNED.ll|- LOOPS.ll COORDINATES SCOPS");
    bool is_lifted = strcmp(argv[2], "-") == 0;
    LLVMContextRef context = LLVMContextCreate();
    LLVMModuleRef module = prepare(read_module(context, argv[1]), is_lifted, fold);
    LLVMModuleRef twin = is_lifted ? LLVMCloneModule(module)
                                   : prepare(read_module(context, argv[2]), is_lifted, fold);
    FILE *coordinates = fopen(argv[4], "w");
    if (!coordinates)
        stop(argv[4], "cannot be written");
    retarget(module);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && is_kernel(module, f))
            wrap_kernel(module, f, twin, coordinates);
    if (fclose(coordinates) != 0)
        stop(argv[4], "cannot be written");
    write_results(module, fold, argv[3], argv[5]);
    LLVMDisposeModule(twin);
    LLVMDisposeModule(module);
    LLVMContextDispose(context);
    return EXIT_SUCCESS;
}
