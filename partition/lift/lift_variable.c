/* lift_variable.c: variables of a module or a kernel, with the bytes that they begin with. */
#include <string.h>

#include "common/error.h"

#include "lift.h"

enum { BYTES_MAX = 1 << 30, INITIAL_MAX = 1 << 24 };

/* .align 4 and what else stands before the type, then the type. */
static enum dm_status read_head(struct lift_lexer *lexer, uint64_t *align, struct lift_type *type,
                                unsigned *vector)
{
    *align = 0;
    *vector = 1;
    for (;;) {
        char word[8] = {0};
        int64_t number;
        if (lexer->token.kind != LIFT_WORD || lexer->token.text[0] != '.')
            return lift_wrong(lexer, "a type");
        if (lexer->token.length - 1 < sizeof word)
            memcpy(word, lexer->token.text + 1, lexer->token.length - 1);
        TRY(lift_next(lexer));
        if (lift_read_type(word, type))
            return DM_OK;
        if (strcmp(word, "align") == 0) {
            TRY(lift_read_number(lexer, &number));
            *align = number > 0 && number <= 4096 ? (uint64_t)number : 1;
        } else if (strcmp(word, "v2") == 0 || strcmp(word, "v4") == 0) {
            *vector = (unsigned)(word[1] - '0');
        } else if (lift_is(&lexer->token, "(")) { /* .attribute(.managed) */
            while (!lift_is(&lexer->token, ")") && lexer->token.kind != LIFT_END)
                TRY(lift_next(lexer));
            TRY(lift_expect(lexer, ")"));
        } else {
            return dm_fail(DM_INVALID, "line %u: a variable of a type that is not known",
                           lexer->line);
        }
    }
}

/* [16][4]; [] has no size of its own. */
static enum dm_status read_sizes(struct lift_lexer *lexer, uint64_t *elements)
{
    *elements = 1;
    while (lift_is(&lexer->token, "[")) {
        int64_t number = 0;
        TRY(lift_next(lexer));
        if (!lift_is(&lexer->token, "]"))
            TRY(lift_read_number(lexer, &number));
        TRY(lift_expect(lexer, "]"));
        if (number < 0 || number > BYTES_MAX || *elements * (uint64_t)number > BYTES_MAX)
            return dm_fail(DM_INVALID, "line %u: an array is too large", lexer->line);
        *elements *= (uint64_t)number;
    }
    return DM_OK;
}

struct initial {
    unsigned char *bytes;
    uint64_t count, room;
};

static void put(struct initial *initial, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes && initial->count < initial->room; i++)
        initial->bytes[initial->count++] = (unsigned char)(value >> (8 * i));
}

static void note_address(struct lift_module *module, const struct lift_operand *operand)
{
    if (operand->name) {
        module->addressed = lift_grow(&module->memory, module->addressed, module->addressed_count,
                                      sizeof *module->addressed);
        module->addressed[module->addressed_count++] = operand->name;
    }
    for (size_t i = 0; i < operand->count; i++)
        note_address(module, &operand->items[i]);
}

/* Numbers, in braces or not. Anything else, such as an address, counts as 0. */
static enum dm_status read_initial(struct lift_lexer *lexer, struct lift_module *module,
                                   struct initial *initial, unsigned bytes)
{
    size_t depth = 0;
    while (depth > 0 || (!lift_is(&lexer->token, ",") && !lift_is(&lexer->token, ";"))) {
        struct lift_operand operand = {0};
        bool opens = lift_is(&lexer->token, "{") || lift_is(&lexer->token, "(");
        bool closes = lift_is(&lexer->token, "}") || lift_is(&lexer->token, ")");
        if (lexer->token.kind == LIFT_END || (closes && depth == 0))
            return lift_wrong(lexer, ";");
        depth += opens;
        depth -= closes;
        if (opens || closes || (depth > 0 && lift_is(&lexer->token, ","))) {
            TRY(lift_next(lexer));
            continue;
        }
        TRY(lift_read_operand(lexer, &module->memory, &operand));
        note_address(module, &operand);
        put(initial, operand.kind == LIFT_NAME ? 0 : (uint64_t)operand.number, bytes);
    }
    return DM_OK;
}

static enum dm_status read_one(struct lift_lexer *lexer, struct lift_module *module,
                               struct lift_variable *variable, unsigned element_bytes)
{
    uint64_t elements;
    if (lexer->token.kind != LIFT_WORD)
        return lift_wrong(lexer, "a name");
    variable->name = lift_copy(&module->memory, lexer->token.text, lexer->token.length);
    TRY(lift_next(lexer));
    TRY(read_sizes(lexer, &elements));
    variable->bytes = elements * element_bytes;
    if (!lift_is(&lexer->token, "="))
        return DM_OK;
    TRY(lift_next(lexer));
    uint64_t room = variable->bytes < INITIAL_MAX ? variable->bytes : INITIAL_MAX;
    struct initial initial = {lift_allocate(&module->memory, room + 1), 0, room};
    TRY(read_initial(lexer, module, &initial, element_bytes));
    variable->initial = initial.bytes;
    return DM_OK;
}

/* Variables in shared memory lie one behind the other; those without a size behind all others. */
static void place(struct lift_module *module, struct lift_variable *variable)
{
    uint64_t align = variable->align;
    module->shared_bytes = (module->shared_bytes + align - 1) / align * align;
    variable->offset = module->shared_bytes;
    module->shared_bytes += variable->bytes;
}

/* What is declared twice, first without its size, is one variable. */
void lift_add_variable(struct lift_memory *memory, struct lift_variables *to,
                       const struct lift_variable *variable)
{
    struct lift_variable *there = lift_find(&to->table, variable->name);
    if (there) {
        bool is_linked = there->is_linked || variable->is_linked;
        *there = *variable;
        there->is_linked = is_linked;
        return;
    }
    there = lift_allocate(memory, sizeof *there);
    *there = *variable;
    lift_insert(memory, &to->table, there->name, there);
    to->list = lift_grow(memory, to->list, to->count, sizeof there);
    to->list[to->count++] = there;
}

enum dm_status lift_read_variables(struct lift_lexer *lexer, struct lift_module *module,
                                   struct lift_variables *to, char space)
{
    struct lift_type type;
    uint64_t align;
    unsigned vector;
    TRY(read_head(lexer, &align, &type, &vector));
    unsigned bytes = vector * (type.bits + 7) / 8;
    for (;;) {
        struct lift_variable variable = {
            .space = space, .align = align ? align : bytes, .is_linked = module->is_linked};
        TRY(read_one(lexer, module, &variable, bytes));
        if (space == 's')
            place(module, &variable);
        lift_add_variable(&module->memory, to, &variable);
        if (!lift_is(&lexer->token, ","))
            return lift_expect(lexer, ";");
        TRY(lift_next(lexer));
    }
}
