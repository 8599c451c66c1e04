/* Functions and types that a loop uses: those of the language and of mathematics are there in a
 * kernel, those of the file go along. */
#include <string.h>

#include "translate.h"

/* Of <math.h> and <stdlib.h>: with f and without, for floats and doubles. */
static const char *const known[] = {
    "sqrt", "cbrt", "exp", "exp2", "expm1", "log",   "log2",  "log10", "log1p", "pow",
    "sin",  "cos",  "tan", "asin", "acos",  "atan",  "atan2", "sinh",  "cosh",  "tanh",
    "fabs", "fmod", "fma", "fmin", "fmax",  "floor", "ceil",  "round", "trunc", "hypot",
    "erf",  "erfc", "abs", "labs", "rint",  "rsqrt", "lrint", "llabs", "fdim",  "copysign"};

static bool is_known(const char *name)
{
    size_t length = strlen(name);
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        size_t of_known = strlen(known[k]);
        if (strncmp(name, known[k], of_known) == 0 &&
            (length == of_known || (length == of_known + 1 && name[of_known] == 'f')))
            return true;
    }
    return false;
}

static bool of_system(CXCursor cursor)
{
    return clang_Location_isInSystemHeader(clang_getCursorLocation(cursor));
}

/* What a function of the file does must be possible in a kernel. */
static void look_into_function(struct loop *loop, CXCursor cursor)
{
    struct cursors children = source_children(cursor);
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    CXCursor what = clang_getCursorReferenced(cursor);
    if (kind == CXCursor_CallExpr)
        use_function(loop, cursor);
    if (kind == CXCursor_TypeRef ||
        (kind == CXCursor_DeclRefExpr && clang_getCursorKind(what) == CXCursor_EnumConstantDecl))
        use_type(loop, what);
    if (kind == CXCursor_DeclRefExpr && clang_getCursorKind(what) == CXCursor_VarDecl &&
        clang_getCursorLinkage(what) != CXLinkage_NoLinkage)
        error_at(
            source_place(loop->source, cursor),
            "the loop calls a function that uses the variable `%s` of the host: hand its value "
            "to the function",
            keep_string(clang_getCursorSpelling(what)));
    for (int c = 0; c < children.count; c++)
        look_into_function(loop, children.at[c]);
}

void use_function(struct loop *loop, CXCursor call)
{
    CXCursor function = clang_getCursorReferenced(call);
    const char *name = keep_string(clang_getCursorSpelling(call));
    enum CXCursorKind kind = clang_getCursorKind(function);
    if (kind == CXCursor_Constructor)
        return;
    if (kind != CXCursor_FunctionDecl && kind != CXCursor_CXXMethod)
        error_at(source_place(loop->source, call),
                 "a call through a pointer cannot run in a kernel: call the function by its name");
    if (of_system(function) && is_known(name))
        return;
    CXCursor definition = clang_getCursorDefinition(function);
    if (of_system(function) || clang_Cursor_isNull(definition))
        error_at(source_place(loop->source, call),
                 of_system(function)
                     ? "`%s` cannot run in a kernel: of the C library only mathematics can; call "
                       "it outside of the loop"
                     : "the definition of `%s` is not in this file: include it, so that it becomes "
                       "part of the kernel",
                 name);
    int before = loop->functions.count;
    source_add(&loop->functions, definition);
    if (loop->functions.count > before)
        look_into_function(loop, definition);
}

void use_type(struct loop *loop, CXCursor reference)
{
    if (clang_getCursorKind(reference) == CXCursor_EnumConstantDecl)
        reference = clang_getCursorSemanticParent(reference);
    if (clang_Cursor_isNull(reference) || of_system(reference))
        return;
    int before = loop->types.count;
    source_add(&loop->types, reference);
    if (loop->types.count > before)
        look_into_function(loop, reference);
}
