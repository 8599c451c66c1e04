/* lift_module.c: what stands outside of kernels, and their heads. */
#include <string.h>

#include "common/error.h"

#include "lift.h"

enum { PARAMETERS_MAX = 1024, STRUCTURE_MAX = 4096 };

/* .param .u64 .ptr .global .align 4 NAME, or .param .align 8 .b8 NAME[24] */
static enum dm_status read_parameter(struct lift_lexer *lexer, struct lift_kernel *kernel)
{
    struct lift_parameter parameter = {0};
    bool is_typed = false;
    TRY(lift_expect(lexer, ".param"));
    while (lift_begins(&lexer->token, ".")) {
        char word[16] = {0};
        int64_t number;
        if (lexer->token.length - 1 < sizeof word)
            memcpy(word, lexer->token.text + 1, lexer->token.length - 1);
        TRY(lift_next(lexer));
        if (lift_read_type(word, &parameter.type))
            is_typed = true;
        else if (strcmp(word, "ptr") == 0)
            parameter.is_marked = true;
        else if (strcmp(word, "align") == 0)
            TRY(lift_read_number(lexer, &number));
        else
            parameter.is_structure |= !parameter.is_marked; /* .texref and its like */
    }
    if (lexer->token.kind != LIFT_WORD || (!is_typed && !parameter.is_structure))
        return lift_wrong(lexer, "a parameter");
    parameter.name = lift_copy(&kernel->module->memory, lexer->token.text, lexer->token.length);
    TRY(lift_next(lexer));
    while (lift_is(&lexer->token, "[")) {
        int64_t bytes;
        bool is_bytes = is_typed && !parameter.is_structure && parameter.type.bits == 8;
        parameter.is_structure = true;
        TRY(lift_next(lexer));
        TRY(lift_read_number(lexer, &bytes));
        parameter.bytes = is_bytes && bytes > 0 && bytes <= STRUCTURE_MAX ? (uint64_t)bytes : 0;
        TRY(lift_expect(lexer, "]"));
    }
    kernel->parameters = lift_grow(&kernel->module->memory, kernel->parameters,
                                   kernel->parameter_count, sizeof parameter);
    kernel->parameters[kernel->parameter_count++] = parameter;
    return DM_OK;
}

static enum dm_status read_parameters(struct lift_lexer *lexer, struct lift_kernel *kernel)
{
    if (!lift_is(&lexer->token, "("))
        return DM_OK;
    TRY(lift_next(lexer));
    while (!lift_is(&lexer->token, ")")) {
        if (kernel->parameter_count == PARAMETERS_MAX)
            return dm_fail(DM_INVALID, "line %u: too many parameters", lexer->line);
        TRY(read_parameter(lexer, kernel));
        if (!lift_is(&lexer->token, ")"))
            TRY(lift_expect(lexer, ","));
    }
    return lift_next(lexer);
}

/* A body that cannot be read refuses its kernel only: the text goes on behind its last brace. */
static enum dm_status read_body(struct lift_lexer *lexer, struct lift_kernel *kernel)
{
    struct lift_lexer behind = *lexer;
    TRY(lift_skip_block(&behind));
    TRY(lift_next(lexer));
    if (lift_read_body(lexer, kernel) != DM_OK) {
        kernel->module->has_unread_body = true;
        lift_refuse(kernel, "its PTX cannot be read: %s", dm_message());
    }
    *lexer = behind;
    return DM_OK;
}

static bool is_known(const struct lift_module *module, const char *name)
{
    for (size_t i = 0; i < module->kernel_count; i++)
        if (strcmp(module->kernels[i].name, name) == 0)
            return true;
    return false;
}

/* NAME ( parameters ) .maxntid 256, 1, 1 { body } */
static enum dm_status read_kernel(struct lift_lexer *lexer, struct lift_module *module)
{
    struct lift_kernel kernel = {.module = module, .line = lexer->token.line};
    if (lexer->token.kind != LIFT_WORD || lexer->token.text[0] == '%')
        return lift_wrong(lexer, "a kernel's name");
    kernel.name = lift_copy(&module->memory, lexer->token.text, lexer->token.length);
    TRY(lift_next(lexer));
    TRY(read_parameters(lexer, &kernel));
    while (!lift_is(&lexer->token, "{") && !lift_is(&lexer->token, ";")) {
        if (lexer->token.kind == LIFT_END)
            return lift_wrong(lexer, "{");
        TRY(lift_next(lexer));
    }
    if (lift_is(&lexer->token, ";"))
        return lift_next(lexer);
    if (is_known(module, kernel.name))
        return dm_fail(DM_INVALID, "line %u: the kernel %.100s is there twice", kernel.line,
                       kernel.name);
    TRY(read_body(lexer, &kernel));
    module->kernels =
        lift_grow(&module->memory, module->kernels, module->kernel_count, sizeof kernel);
    module->kernels[module->kernel_count++] = kernel;
    return DM_OK;
}

static enum dm_status skip_function(struct lift_lexer *lexer, struct lift_module *module)
{
    while (!lift_is(&lexer->token, "{") && !lift_is(&lexer->token, ";")) {
        if (lexer->token.kind == LIFT_END)
            return lift_wrong(lexer, "{ or ;");
        TRY(lift_next(lexer));
    }
    if (lift_is(&lexer->token, ";"))
        return lift_next(lexer);
    module->has_unread_body = true;
    return lift_skip_block(lexer);
}

/* ( what it returns ) NAME ( parameters ) */
static enum dm_status read_function_head(struct lift_lexer *lexer, struct lift_kernel *function)
{
    TRY(read_parameters(lexer, function));
    function->returns = function->parameters;
    function->return_count = function->parameter_count;
    function->parameters = NULL;
    function->parameter_count = 0;
    if (lexer->token.kind != LIFT_WORD)
        return lift_wrong(lexer, "a function's name");
    function->name = lift_copy(&function->module->memory, lexer->token.text, lexer->token.length);
    TRY(lift_next(lexer));
    TRY(read_parameters(lexer, function));
    while (lexer->token.kind != LIFT_END && !lift_is(&lexer->token, "{") &&
           !lift_is(&lexer->token, ";"))
        TRY(lift_next(lexer));
    return DM_OK;
}

/* A function, which kernels call. One whose head is of another form is skipped: what calls it is
 * refused. */
static enum dm_status read_function(struct lift_lexer *lexer, struct lift_module *module)
{
    struct lift_lexer begin = *lexer;
    struct lift_kernel function = {.module = module, .line = lexer->token.line};
    if (read_function_head(lexer, &function) != DM_OK || !lift_is(&lexer->token, "{")) {
        *lexer = begin;
        return skip_function(lexer, module);
    }
    TRY(read_body(lexer, &function));
    module->functions =
        lift_grow(&module->memory, module->functions, module->function_count, sizeof function);
    module->functions[module->function_count++] = function;
    return DM_OK;
}

static enum dm_status skip_section(struct lift_lexer *lexer)
{
    while (!lift_is(&lexer->token, "{") && lexer->token.kind != LIFT_END)
        TRY(lift_next(lexer));
    return lift_skip_block(lexer);
}

/* .file 1 "x.cu", 12, 34 */
static enum dm_status skip_file(struct lift_lexer *lexer)
{
    while (lexer->token.kind == LIFT_NUMBER || lexer->token.kind == LIFT_STRING ||
           lift_is(&lexer->token, ","))
        TRY(lift_next(lexer));
    return DM_OK;
}

/* sm_90, texmode_independent */
static enum dm_status skip_target(struct lift_lexer *lexer)
{
    do
        TRY(lift_next(lexer));
    while (lift_is(&lexer->token, ",") && lift_next(lexer) == DM_OK);
    return DM_OK;
}

static enum dm_status read_address_size(struct lift_lexer *lexer)
{
    int64_t bits;
    TRY(lift_read_number(lexer, &bits));
    return bits == 64 ? DM_OK
                      : dm_fail(DM_INVALID, "line %u: addresses of %lld bits: expected 64",
                                lexer->line, (long long)bits);
}

/* What the word begins, behind it. */
static enum dm_status read_item(struct lift_lexer *lexer, struct lift_module *module,
                                struct lift_token word)
{
    static const char *const spaces[] = {".global", ".const", ".shared"};
    if (lift_is(&word, ".version"))
        return lift_next(lexer);
    if (lift_is(&word, ".target"))
        return skip_target(lexer);
    if (lift_is(&word, ".address_size"))
        return read_address_size(lexer);
    if (lift_is(&word, ".entry"))
        return read_kernel(lexer, module);
    if (lift_is(&word, ".func"))
        return read_function(lexer, module);
    if (lift_is(&word, ".section"))
        return skip_section(lexer);
    if (lift_is(&word, ".file"))
        return skip_file(lexer);
    if (lift_is(&word, ".pragma") || lift_is(&word, ".alias") || lift_is(&word, ".tex"))
        return lift_skip_statement(lexer);
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
        if (lift_is(&word, spaces[i]))
            return lift_read_variables(lexer, module, &module->variables, spaces[i][1]);
    return dm_fail(DM_INVALID, "line %u: expected a directive of PTX, found %.*s", word.line,
                   word.length < 60 ? (int)word.length : 60, word.text);
}

static enum dm_status read_directive(struct lift_lexer *lexer, struct lift_module *module)
{
    struct lift_token word = lexer->token;
    TRY(lift_next(lexer));
    if (lift_is(&word, ".visible") || lift_is(&word, ".extern") || lift_is(&word, ".weak") ||
        lift_is(&word, ".common")) {
        module->is_linked = true; /* of what follows */
        return DM_OK;
    }
    TRY(read_item(lexer, module, word));
    module->is_linked = false;
    return DM_OK;
}

enum dm_status lift_read(struct lift_module *module, const char *text, size_t length)
{
    const char *end = memchr(text, 0, length);
    struct lift_lexer lexer = {.at = text, .end = end ? end : text + length, .line = 1};
    if (lift_next(&lexer) != DM_OK || !lift_is(&lexer.token, ".version"))
        return dm_fail(DM_INVALID, "it is no PTX: it does not begin with .version");
    while (lexer.token.kind != LIFT_END)
        TRY(read_directive(&lexer, module));
    return DM_OK;
}
