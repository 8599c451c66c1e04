/* partition_wrap_passes.c: LLVM's own passes, before and after the loops are put around kernels. */
#include "common/error.h"

#include "partition_wrap.h"
#include "partition_wrap_searches.h"

#include <llvm-c/Error.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <llvm/Config/llvm-config.h>
#include <string.h>

/* As LLVM 14 and 15 do without being asked: branches stay what they are. */
#if LLVM_VERSION_MAJOR >= 16
#define SROA "sroa<preserve-cfg>"
#else
#define SROA "sroa"
#endif

/* No target: what it knows of costs would differ from machine to machine. */
static enum dm_status run(LLVMModuleRef module, const char *passes)
{
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef error = LLVMRunPasses(module, passes, NULL, options);
    LLVMDisposePassBuilderOptions(options);
    if (!error)
        return DM_OK;
    char *why = LLVMGetErrorMessage(error);
    enum dm_status status = dm_fail(DM_UNAVAILABLE, "LLVM's passes %s: %s", passes, why);
    LLVMDisposeErrorMessage(why);
    return status;
}

/* CUDA's functions are convergent, and LLVM 17 and later take no two calls of such a one for the
 * same value. */
static void let_coordinates_be_equal(LLVMModuleRef module)
{
    static const char *const names[] = {"partition_thread", "partition_block",
                                        "partition_block_size", "partition_grid_size"};
    unsigned convergent = LLVMGetEnumAttributeKindForName("convergent", strlen("convergent"));
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        LLVMValueRef function = LLVMGetNamedFunction(module, names[i]);
        if (!function)
            continue;
        LLVMAttributeIndex place = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
        LLVMRemoveEnumAttributeAtIndex(function, place, convergent);
        for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use))
            if (LLVMIsACallInst(LLVMGetUser(use)))
                LLVMRemoveCallSiteEnumAttribute(LLVMGetUser(use), place, convergent);
    }
}

enum dm_status wrap_inline(LLVMModuleRef module)
{
    let_coordinates_be_equal(module);
    return run(module, "always-inline,globaldce,function(" SROA ",early-cse)");
}

enum dm_status wrap_make_values(LLVMModuleRef module)
{
    return run(module, "function(mem2reg," SROA ",early-cse),ipsccp,function(early-cse)");
}

/* Neither simplifycfg nor instcombine: they turn guards into values. */
enum dm_status wrap_canonicalise(LLVMModuleRef module)
{
    return run(module,
               "function(early-cse),ipsccp,"
               "function(early-cse,loop(loop-deletion),loop-simplify,lcssa,"
               "loop-mssa(loop-rotate),instsimplify,loop(indvars),early-cse,loop-simplify)");
}

static enum dm_status drop_unused(LLVMModuleRef module)
{
    return run(module, "function(loop-simplify,lcssa,adce,dse,adce,loop(loop-deletion),adce),"
                       "ipsccp,function(early-cse)");
}

enum dm_status wrap_drop_unused(LLVMModuleRef module)
{
    TRY(drop_unused(module));
    TRY(run(module, "function(loop-simplify,lcssa)"));
    wrap_skip_searches(module);
    return drop_unused(module);
}
