/* lift_operand.c: numbers and operands of instructions. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/error.h"

#include "lift.h"

enum { DIGITS_MAX = 70, DEPTH_MAX = 4, ITEMS_MAX = 1024 };

/* The digits as a number with an end; U at the end says that it is unsigned. */
static bool integer(const struct lift_token *token, uint64_t *number)
{
    char digits[DIGITS_MAX];
    if (token->kind != LIFT_NUMBER || token->length >= sizeof digits)
        return false;
    memcpy(digits, token->text, token->length);
    digits[token->length] = 0;
    if (digits[token->length - 1] == 'U')
        digits[token->length - 1] = 0;
    bool is_binary = digits[0] == '0' && (digits[1] == 'b' || digits[1] == 'B');
    char *end;
    errno = 0;
    *number = strtoull(is_binary ? digits + 2 : digits, &end, is_binary ? 2 : 0);
    return *end == 0 && errno == 0 && end != digits;
}

/* 0f3F800000, 0d3FF0000000000000 */
static bool real(const struct lift_token *token, struct lift_operand *operand)
{
    char digits[17], kind = token->length > 1 ? token->text[1] : 0;
    bool is_single = kind == 'f' || kind == 'F', is_double = kind == 'd' || kind == 'D';
    size_t count = is_single ? 8 : 16;
    if (token->text[0] != '0' || (!is_single && !is_double) || token->length != 2 + count)
        return false;
    memcpy(digits, token->text + 2, count);
    digits[count] = 0;
    if (digits[strspn(digits, "0123456789abcdefABCDEF")])
        return false;
    *operand = (struct lift_operand){.kind = LIFT_REAL,
                                     .number = (int64_t)strtoull(digits, NULL, 16),
                                     .bits = is_single ? 32 : 64};
    return true;
}

enum dm_status lift_read_number(struct lift_lexer *lexer, int64_t *number)
{
    uint64_t value;
    bool is_negative = lift_is(&lexer->token, "-");
    if (is_negative)
        TRY(lift_next(lexer));
    if (!integer(&lexer->token, &value))
        return lift_wrong(lexer, "a whole number");
    *number = (int64_t)(is_negative ? 0 - value : value);
    return lift_next(lexer);
}

static enum dm_status read_name(struct lift_lexer *lexer, struct lift_memory *memory,
                                const char **name)
{
    if (lexer->token.kind != LIFT_WORD)
        return lift_wrong(lexer, "a name");
    *name = lift_copy(memory, lexer->token.text, lexer->token.length);
    return lift_next(lexer);
}

/* + number, or - number, if it is there */
static enum dm_status read_offset(struct lift_lexer *lexer, struct lift_operand *operand)
{
    if (lift_is(&lexer->token, "+"))
        TRY(lift_next(lexer));
    else if (!lift_is(&lexer->token, "-"))
        return DM_OK;
    return lift_read_number(lexer, &operand->number);
}

static enum dm_status read_at(struct lift_lexer *lexer, struct lift_memory *memory,
                              struct lift_operand *operand, unsigned depth);

static enum dm_status read_address(struct lift_lexer *lexer, struct lift_memory *memory,
                                   struct lift_operand *operand)
{
    operand->kind = LIFT_ADDRESS;
    TRY(lift_next(lexer));
    if (lexer->token.kind == LIFT_WORD) {
        TRY(read_name(lexer, memory, &operand->name));
        TRY(read_offset(lexer, operand));
    } else {
        TRY(lift_read_number(lexer, &operand->number));
    }
    while (lift_is(&lexer->token, ",") && operand->count < ITEMS_MAX) { /* of a texture */
        TRY(lift_next(lexer));
        operand->items = lift_grow(memory, operand->items, operand->count, sizeof *operand->items);
        TRY(read_at(lexer, memory, &operand->items[operand->count++], 1));
    }
    return lift_expect(lexer, "]");
}

static enum dm_status read_list(struct lift_lexer *lexer, struct lift_memory *memory,
                                struct lift_operand *operand, const char *close, unsigned depth)
{
    TRY(lift_next(lexer));
    while (!lift_is(&lexer->token, close)) {
        if (depth == DEPTH_MAX || operand->count == ITEMS_MAX)
            return dm_fail(DM_INVALID, "line %u: a list is too long or too deep", lexer->line);
        operand->items = lift_grow(memory, operand->items, operand->count, sizeof *operand->items);
        TRY(read_at(lexer, memory, &operand->items[operand->count++], depth + 1));
        if (!lift_is(&lexer->token, close))
            TRY(lift_expect(lexer, ","));
    }
    return lift_next(lexer);
}

static enum dm_status read_word(struct lift_lexer *lexer, struct lift_memory *memory,
                                struct lift_operand *operand)
{
    TRY(read_name(lexer, memory, &operand->name));
    if (lift_is(&lexer->token, "|")) {
        TRY(lift_next(lexer));
        return read_name(lexer, memory, &operand->second);
    }
    return read_offset(lexer, operand);
}

static enum dm_status read_at(struct lift_lexer *lexer, struct lift_memory *memory,
                              struct lift_operand *operand, unsigned depth)
{
    *operand = (struct lift_operand){.kind = LIFT_NAME};
    if (lift_is(&lexer->token, "[") && depth == 0)
        return read_address(lexer, memory, operand);
    if (lift_is(&lexer->token, "{") || lift_is(&lexer->token, "(")) {
        bool is_list = lift_is(&lexer->token, "{");
        operand->kind = is_list ? LIFT_LIST : LIFT_ARGUMENTS;
        return read_list(lexer, memory, operand, is_list ? "}" : ")", depth);
    }
    if (lift_is(&lexer->token, "!")) {
        operand->negated = true;
        TRY(lift_next(lexer));
    }
    if (lexer->token.kind == LIFT_WORD)
        return read_word(lexer, memory, operand);
    if (lexer->token.kind == LIFT_NUMBER && real(&lexer->token, operand))
        return lift_next(lexer);
    operand->kind = LIFT_INTEGER;
    return lift_read_number(lexer, &operand->number);
}

enum dm_status lift_read_operand(struct lift_lexer *lexer, struct lift_memory *memory,
                                 struct lift_operand *operand)
{
    return read_at(lexer, memory, operand, 0);
}
