/* lift_statement.c: the statements of a kernel. */
#include <string.h>

#include "common/error.h"

#include "lift.h"

enum { INSTRUCTIONS_MAX = 1 << 20, RANGES_MAX = 4096 };

static struct lift_instruction *add(struct lift_kernel *kernel, unsigned line)
{
    kernel->instructions = lift_grow(&kernel->module->memory, kernel->instructions,
                                     kernel->instruction_count, sizeof *kernel->instructions);
    struct lift_instruction *made = &kernel->instructions[kernel->instruction_count++];
    *made = (struct lift_instruction){.line = line};
    return made;
}

static enum dm_status add_range(struct lift_kernel *kernel, struct lift_range range)
{
    if (kernel->range_count == RANGES_MAX)
        return dm_fail(DM_INVALID, "too many declarations of registers");
    kernel->ranges = lift_grow(&kernel->module->memory, kernel->ranges, kernel->range_count,
                               sizeof *kernel->ranges);
    kernel->ranges[kernel->range_count++] = range;
    return DM_OK;
}

/* Behind the type .b32: %r<29>, %x; */
static enum dm_status read_registers(struct lift_lexer *lexer, struct lift_kernel *kernel,
                                     struct lift_token type)
{
    struct lift_range range = {0};
    char word[8] = {0};
    if (type.kind == LIFT_WORD && type.length - 1 < sizeof word)
        memcpy(word, type.text + 1, type.length - 1);
    if (!lift_read_type(word, &range.type))
        return dm_fail(DM_INVALID, "line %u: registers of the type %.*s are not known here",
                       type.line, type.length < 60 ? (int)type.length : 60, type.text);
    for (;;) {
        int64_t count = -1;
        if (lexer->token.kind != LIFT_WORD)
            return lift_wrong(lexer, "a register");
        range.prefix = lift_copy(&kernel->module->memory, lexer->token.text, lexer->token.length);
        TRY(lift_next(lexer));
        if (lift_is(&lexer->token, "<")) {
            TRY(lift_next(lexer));
            TRY(lift_read_number(lexer, &count));
            TRY(lift_expect(lexer, ">"));
        }
        range.count = count < 0 ? UINT64_MAX : (uint64_t)count; /* the name itself */
        TRY(add_range(kernel, range));
        if (!lift_is(&lexer->token, ","))
            return lift_expect(lexer, ";");
        TRY(lift_next(lexer));
    }
}

/* .reg .b32 and, as in CUDA's own functions of halves, .reg.b32; behind the first word. */
static enum dm_status read_typed_registers(struct lift_lexer *lexer, struct lift_kernel *kernel,
                                           struct lift_token word)
{
    static const size_t length = sizeof ".reg" - 1;
    struct lift_token type = lexer->token;
    if (word.length == length) {
        TRY(lift_next(lexer));
    } else {
        type = word;
        type.text += length;
        type.length -= length;
    }
    return read_registers(lexer, kernel, type);
}

/* .align 8 .b8 retval0[16]; gets a name of its own, as other calls use the same. */
static enum dm_status read_call_parameter(struct lift_lexer *lexer, struct lift_kernel *kernel)
{
    struct lift_memory *memory = &kernel->module->memory;
    while (lift_begins(&lexer->token, ".") || lexer->token.kind == LIFT_NUMBER)
        TRY(lift_next(lexer));
    if (lexer->token.kind != LIFT_WORD)
        return lift_wrong(lexer, "a name");
    char own[64];
    const char *name = lift_copy(memory, lexer->token.text, lexer->token.length);
    int length = snprintf(own, sizeof own, "call%u_%.30s", ++kernel->module->call_names, name);
    char *made = lift_copy(memory, own, (size_t)length);
    lift_insert(memory, &kernel->call_names, name, made);
    lift_declare_for_call(kernel, made);
    return lift_skip_statement(lexer);
}

/* Names that were declared for the call that is being read. */
static void rename_for_call(struct lift_kernel *kernel, struct lift_operand *operand)
{
    const char *own = operand->name ? lift_find(&kernel->call_names, operand->name) : NULL;
    operand->name = own ? own : operand->name;
    for (size_t i = 0; i < operand->count; i++)
        rename_for_call(kernel, &operand->items[i]);
}

/* A directive behind its word. */
static enum dm_status read_directive(struct lift_lexer *lexer, struct lift_kernel *kernel,
                                     const struct lift_token *word)
{
    if (lift_is(word, ".reg") || lift_begins(word, ".reg."))
        return read_typed_registers(lexer, kernel, *word);
    if (lift_is(word, ".shared") || lift_is(word, ".local"))
        return lift_read_variables(lexer, kernel->module, &kernel->variables, word->text[1]);
    if (lift_is(word, ".loc")) { /* .loc 1 12 3, function_name $s, inlined_at 1 5 1 */
        while (lexer->token.kind == LIFT_NUMBER || lift_is(&lexer->token, ",") ||
               lift_is(&lexer->token, "function_name") || lift_is(&lexer->token, "inlined_at")) {
            bool is_name = lift_is(&lexer->token, "function_name");
            TRY(lift_next(lexer));
            if (is_name)
                TRY(lift_next(lexer));
        }
        return DM_OK;
    }
    if (lift_is(word, ".param"))
        return read_call_parameter(lexer, kernel);
    if (lift_is(word, ".pragma") || lift_is(word, ".callprototype") ||
        lift_is(word, ".calltargets") || lift_is(word, ".branchtargets"))
        return lift_skip_statement(lexer);
    return dm_fail(DM_INVALID, "line %u: the directive %.*s is not known here", word->line,
                   word->length < 60 ? (int)word->length : 60, word->text);
}

/* ld.global.f32 into its parts. */
static enum dm_status split(struct lift_memory *memory, struct lift_instruction *instruction)
{
    const char *at = instruction->text;
    for (;;) {
        size_t length = strcspn(at, ".");
        if (instruction->part_count == LIFT_PARTS)
            return dm_fail(DM_INVALID, "line %u: an opcode of too many parts", instruction->line);
        instruction->parts[instruction->part_count++] = lift_copy(memory, at, length);
        if (!at[length])
            return DM_OK;
        at += length + 1;
    }
}

static enum dm_status read_predicate(struct lift_lexer *lexer, struct lift_instruction *made,
                                     struct lift_memory *memory)
{
    TRY(lift_next(lexer));
    if (lift_is(&lexer->token, "!")) {
        made->negated = true;
        TRY(lift_next(lexer));
    }
    if (lexer->token.kind != LIFT_WORD)
        return lift_wrong(lexer, "a predicate");
    made->predicate = lift_copy(memory, lexer->token.text, lexer->token.length);
    return lift_next(lexer);
}

static enum dm_status read_instruction(struct lift_lexer *lexer, struct lift_kernel *kernel)
{
    struct lift_memory *memory = &kernel->module->memory;
    struct lift_instruction made = {.line = lexer->token.line};
    if (lift_is(&lexer->token, "@"))
        TRY(read_predicate(lexer, &made, memory));
    if (lexer->token.kind != LIFT_WORD)
        return lift_wrong(lexer, "an instruction");
    made.text = lift_copy(memory, lexer->token.text, lexer->token.length);
    TRY(lift_next(lexer));
    if (!made.predicate && lift_is(&lexer->token, ":")) {
        add(kernel, made.line)->label = made.text;
        return lift_next(lexer);
    }
    TRY(split(memory, &made));
    while (!lift_is(&lexer->token, ";")) {
        if (made.operand_count == LIFT_OPERANDS)
            return dm_fail(DM_INVALID, "line %u: too many operands", made.line);
        TRY(lift_read_operand(lexer, memory, &made.operands[made.operand_count++]));
        if (!lift_is(&lexer->token, ";"))
            TRY(lift_expect(lexer, ","));
    }
    for (size_t i = 0; i < made.operand_count; i++)
        rename_for_call(kernel, &made.operands[i]);
    *add(kernel, made.line) = made;
    return lift_next(lexer);
}

enum dm_status lift_read_body(struct lift_lexer *lexer, struct lift_kernel *kernel)
{
    for (size_t depth = 1; depth > 0;) {
        struct lift_token token = lexer->token;
        if (kernel->instruction_count == INSTRUCTIONS_MAX)
            return dm_fail(DM_INVALID, "it is too long");
        if (lift_is(&token, "{") || lift_is(&token, "}")) {
            depth = lift_is(&token, "{") ? depth + 1 : depth - 1;
            if (depth > 0)
                TRY(lift_next(lexer));
        } else if (lift_begins(&token, ".")) {
            TRY(lift_next(lexer));
            TRY(read_directive(lexer, kernel, &token));
        } else {
            TRY(read_instruction(lexer, kernel));
        }
    }
    return DM_OK;
}
