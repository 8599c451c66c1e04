/* partition_wrap.c: turns the kernels of a module into plain loops over the grid, and has Polly say
 * what all threads access.
 *
 *     partition-wrap SIGNED.ll UNSIGNED.ll LOOPS.ll COORDINATES SCOPS
 *     partition-wrap LIFTED.ll - LOOPS.ll COORDINATES SCOPS
 *
 * SIGNED.ll and UNSIGNED.ll are the same source, compiled with signed coordinates and with unsigned
 * ones as CUDA has them. PTX says of each operation whether it is signed, so that there are no two
 * versions to compare. LOOPS.ll is what Polly looked at, SCOPS what it found
 * (partition_wrap_scops.h). COORDINATES gets lines:
 *
 *     kernel NAME coordinates gy gx    the counters of the loops, outermost first
 *     refused NAME REASON
 *     reduces NAME ARGUMENT KIND       the argument is updated by such atomic operations alone
 *     touches NAME -rw...              of each argument: not used, read, written
 *     element NAME ARGUMENT BITS f     what it points to: f, d, h, or i
 *     nonnegative NAME EXPRESSION      the result for NAME holds if EXPRESSION >= 0
 *     atmost NAME LIMIT EXPRESSION     ... if EXPRESSION <= LIMIT
 *
 * Step by step, where LLVM fails on a kernel:
 *
 *     partition-wrap SIGNED.ll UNSIGNED.ll|- WRAPPED.ll COORDINATES
 *     partition-wrap --only KERNEL WRAPPED.ll LOOPS.ll SCOPS
 *
 * For kernels that DATABASE refuses (partition_wrap_forget.c), before all that; WHOLE gets lines
 * `whole NAME -r...`:
 *
 *     partition-wrap --forget-reads source|ptx DATABASE IN.ll OUT.ll WHOLE
 */
#include "common/error.h"

#include "partition_wrap.h"
#include "partition_wrap_scops.h"

#include <llvm-c/Analysis.h>
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

bool wrap_is_kernel(LLVMModuleRef module, LLVMValueRef function)
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

/* False: it cannot be left in the module. */
static bool rewrite(struct wrap *wrap)
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
    bool is_broken = LLVMVerifyFunction(wrap->function, LLVMReturnStatusAction);
    if (is_broken)
        fprintf(wrap->ranges->out, "refused %s its loops are of a form that is not known here\n",
                wrap->ranges->kernel);
    else
        fprintf(wrap->ranges->out, "kernel %s coordinates%s\n", wrap->ranges->kernel, counters);
    return !is_broken;
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
    bool is_valid = true;
    if (check(&wrap, twin) == DM_OK)
        is_valid = rewrite(&wrap);
    else
        fprintf(coordinates, "refused %s %s\n", wrap.ranges->kernel, dm_message());
    if (!is_valid)
        LLVMDeleteFunction(function);
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

static FILE *open_output(const char *path)
{
    FILE *file = fopen(path, "w");
    if (!file)
        stop(path, "cannot be written");
    return file;
}

static void write_module(LLVMModuleRef module, const char *path)
{
    char *why = NULL;
    if (LLVMPrintModuleToFile(module, path, &why))
        stop(path, why);
}

static LLVMModuleRef prepare(LLVMModuleRef module, bool is_lifted)
{
    if ((is_lifted ? wrap_make_values(module) : wrap_inline(module)) != DM_OK)
        stop("before the kernels are wrapped", dm_message());
    return module;
}

static void describe(LLVMModuleRef module, const char *loops, const char *scops)
{
    if (wrap_canonicalise(module) != DM_OK)
        stop("bringing loops into normal form failed", dm_message());
    write_module(module, loops);
    char *why = wrap_write_scops(module, scops);
    if (why)
        stop(scops, why);
}

static void forget_reads(LLVMContextRef context, char **argv)
{
    LLVMModuleRef module = prepare(read_module(context, argv[2]), strcmp(argv[0], "ptx") == 0);
    FILE *lines = open_output(argv[4]);
    const char *why = wrap_forget_reads(module, argv[1], lines);
    if (why)
        stop(argv[1], why);
    if (fclose(lines) != 0)
        stop(argv[4], "cannot be written");
    if (wrap_drop_unused(module) != DM_OK)
        stop("after reads were left out", dm_message());
    write_module(module, argv[3]);
    LLVMDisposeModule(module);
}

static void keep_only(LLVMContextRef context, char **argv)
{
    size_t length;
    LLVMValueRef next;
    LLVMModuleRef module = read_module(context, argv[1]);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = next) {
        next = LLVMGetNextFunction(f);
        if (!LLVMIsDeclaration(f) && wrap_is_kernel(module, f) &&
            strcmp(LLVMGetValueName2(f, &length), argv[0]) != 0)
            LLVMDeleteFunction(f);
    }
    describe(module, argv[2], argv[3]);
    LLVMDisposeModule(module);
}

static void wrap_all(LLVMModuleRef module, LLVMModuleRef twin, const char *path)
{
    FILE *coordinates = open_output(path);
    LLVMValueRef next;
    retarget(module);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = next) {
        next = LLVMGetNextFunction(f);
        if (!LLVMIsDeclaration(f) && wrap_is_kernel(module, f))
            wrap_kernel(module, f, twin, coordinates);
    }
    if (fclose(coordinates) != 0)
        stop(path, "cannot be written");
}

/* `scops` NULL: up to the loops over the grid. */
static void analyse(LLVMContextRef context, char **argv, const char *scops)
{
    bool is_lifted = strcmp(argv[1], "-") == 0;
    LLVMModuleRef module = prepare(read_module(context, argv[0]), is_lifted);
    LLVMModuleRef twin =
        is_lifted ? LLVMCloneModule(module) : prepare(read_module(context, argv[1]), is_lifted);
    wrap_all(module, twin, argv[3]);
    if (scops)
        describe(module, argv[2], scops);
    else
        write_module(module, argv[2]);
    LLVMDisposeModule(twin);
    LLVMDisposeModule(module);
}

int main(int argc, char **argv)
{
    LLVMContextRef context = LLVMContextCreate();
    if (argc == 6 && strcmp(argv[1], "--only") == 0)
        keep_only(context, argv + 2);
    else if (argc == 7 && strcmp(argv[1], "--forget-reads") == 0)
        forget_reads(context, argv + 2);
    else if (argc == 5 || argc == 6)
        analyse(context, argv + 1, argc == 6 ? argv[5] : NULL);
    else
        stop("usage", "partition-wrap SIGNED.ll UNSIGNED.ll|- LOOPS.ll COORDINATES SCOPS");
    LLVMContextDispose(context);
    return EXIT_SUCCESS;
}
