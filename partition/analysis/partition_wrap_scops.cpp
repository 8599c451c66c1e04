/* partition_wrap_scops.cpp: asks Polly, which has an interface in C++ alone. Every decision is made
 * elsewhere. */
#include "partition_wrap_scops.h"

#include <cstring>

#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/JSON.h>
#include <polly/ScopDetection.h>
#include <polly/ScopInfo.h>
#include <polly/Support/GICHelper.h>

using namespace llvm;

namespace
{

/* Whether the launch may know it: sums and products of integers that a kernel is given. */
bool has_value(const SCEV *expression)
{
    switch (expression->getSCEVType()) {
    case scConstant:
        return cast<SCEVConstant>(expression)->getAPInt().isSignedIntN(64);
    case scUnknown:
        return expression->getType()->isIntegerTy() &&
               cast<SCEVUnknown>(expression)->getValue()->hasName();
    case scSignExtend:
        return has_value(cast<SCEVCastExpr>(expression)->getOperand());
    case scAddExpr:
    case scMulExpr:
        return all_of(cast<SCEVNAryExpr>(expression)->operands(), has_value);
    default:
        return false;
    }
}

void write_value(json::OStream &out, const SCEV *expression)
{
    out.objectBegin();
    if (auto *constant = dyn_cast<SCEVConstant>(expression)) {
        out.attribute("number", constant->getAPInt().getSExtValue());
    } else if (auto *unknown = dyn_cast<SCEVUnknown>(expression)) {
        out.attribute("name", unknown->getValue()->getName());
    } else if (auto *extended = dyn_cast<SCEVSignExtendExpr>(expression)) {
        out.attributeBegin("extend");
        write_value(out, extended->getOperand());
        out.attributeEnd();
    } else {
        auto *operation = cast<SCEVNAryExpr>(expression);
        out.attributeArray(isa<SCEVAddExpr>(operation) ? "sum" : "product", [&] {
            for (const SCEV *operand : operation->operands())
                write_value(out, operand);
        });
        if (operation->hasNoSignedWrap())
            out.attribute("nsw", true);
    }
    out.attribute("bits", int64_t(expression->getType()->getIntegerBitWidth()));
    out.objectEnd();
}

template <class Printed> std::string printed(const Printed &what)
{
    std::string text;
    raw_string_ostream out(text);
    out << what;
    return out.str();
}

void write_parameter(json::OStream &out, const polly::Scop &scop, const SCEV *parameter)
{
    out.objectBegin();
    out.attribute("name", scop.getIdForParam(parameter).get_name());
    out.attribute("text", printed(*parameter));
    out.attributeBegin("value");
    if (has_value(parameter))
        write_value(out, parameter);
    else
        out.value(nullptr);
    out.attributeEnd();
    out.objectEnd();
}

void write_array(json::OStream &out, const polly::ScopArrayInfo &array)
{
    out.objectBegin();
    out.attribute("name", array.getName());
    out.attribute("element", printed(*array.getElementType()));
    out.attribute("bytes", int64_t(array.getElemSizeInBytes()));
    if (array.getNumberOfDimensions() > 0 && !array.getDimensionSize(0))
        out.attributeArray("sizes", [&] {
            for (unsigned i = 1; i < array.getNumberOfDimensions(); i++)
                out.value(polly::stringFromIslObj(array.getDimensionSizePw(i)));
        });
    out.objectEnd();
}

const char *kind_of(const polly::MemoryAccess &access)
{
    return access.isRead() ? "read" : access.isMustWrite() ? "must_write" : "may_write";
}

void write_statement(json::OStream &out, polly::ScopStmt &statement)
{
    out.objectBegin();
    out.attribute("domain", polly::stringFromIslObj(statement.getDomain()));
    out.attributeArray("accesses", [&] {
        for (polly::MemoryAccess *access : statement) {
            if (access->isOriginalScalarKind())
                continue;
            out.objectBegin();
            out.attribute("kind", kind_of(*access));
            out.attribute("relation", polly::stringFromIslObj(access->getAccessRelation()));
            out.objectEnd();
        }
    });
    out.objectEnd();
}

void write_scop(json::OStream &out, polly::Scop &scop)
{
    out.objectBegin();
    out.attribute("function", scop.getFunction().getName());
    const BasicBlock *exit = scop.getRegion().getExit();
    out.attribute("exit", exit ? exit->getName() : "");
    out.attribute("assumed", polly::stringFromIslObj(scop.getAssumedContext()));
    out.attribute("invalid", polly::stringFromIslObj(scop.getInvalidContext()));
    out.attributeArray("parameters", [&] {
        for (const SCEV *parameter : scop.parameters())
            write_parameter(out, scop, parameter);
    });
    out.attributeArray("arrays", [&] {
        for (const polly::ScopArrayInfo *array : scop.arrays())
            write_array(out, *array);
    });
    out.attributeArray("statements", [&] {
        for (polly::ScopStmt &statement : scop)
            write_statement(out, statement);
    });
    out.objectEnd();
}

void write_module(json::OStream &out, Module &module)
{
    LoopAnalysisManager loops;
    FunctionAnalysisManager functions;
    CGSCCAnalysisManager components;
    ModuleAnalysisManager modules;
    PassBuilder builder;
    functions.registerPass([] { return polly::ScopAnalysis(); });
    functions.registerPass([] { return polly::ScopInfoAnalysis(); });
    functions.registerPass([&] { return builder.buildDefaultAAPipeline(); });
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(components);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, components, modules);
    for (Function &function : module) {
        if (function.isDeclaration())
            continue;
        for (auto &found : reverse(functions.getResult<polly::ScopInfoAnalysis>(function)))
            if (found.second)
                write_scop(out, *found.second);
    }
}

} // namespace

char *wrap_write_scops(LLVMModuleRef module, const char *path)
{
    /* Names as in the IR, loops however small; what is not affine counts as any element. */
    static const char *const options[] = {"partition-wrap",         "-polly-process-unprofitable",
                                          "-polly-use-llvm-names",  "-polly-ignore-inbounds",
                                          "-polly-allow-nonaffine", "-polly-allow-nonaffine-loops"};
    cl::ParseCommandLineOptions(sizeof options / sizeof *options, options);
    std::error_code error;
    raw_fd_ostream file(path, error);
    if (!error) {
        json::OStream out(file, 1);
        out.object(
            [&] { out.attributeArray("scops", [&] { write_module(out, *unwrap(module)); }); });
        out.flush();
        file.close();
        error = file.error();
        file.clear_error();
    }
    return error ? strdup(error.message().c_str()) : nullptr;
}
